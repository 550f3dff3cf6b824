import type { Run } from "./playground.ts";
import type { MatrixResult } from "./protocol.ts";

interface PairTableProps {
  found: MatrixResult;
  run: Run;
  /** with the texts: the matrix's twin for those who do not see it */
  texts?: boolean;
  onPin: (a: number, b: number) => void;
}

const nearlySame = 0.98;
const shortList = 14;

/** The closest pairs, the most similar first; a press pins one. */
export function PairTable({ found, run, texts = false, onPin }: PairTableProps) {
  const { pairs } = found;
  const same = pairs.filter(({ score }) => score >= nearlySame).length;
  const number = (row: number) => run.shown[row]?.number;
  return (
    <div className="min-w-0">
      <h2 className="pb-1 text-12 font-normal text-fg-3">
        Closest pairs{same > 0 && `; ${same === 1 ? "1 is" : `${same} are`} nearly the same`}
      </h2>
      <table className="w-full text-12">
        <thead className="sr-only">
          <tr>
            <th scope="col">Cosine</th>
            <th scope="col">Rows</th>
            {texts && <th scope="col">Texts</th>}
          </tr>
        </thead>
        <tbody>
          {(texts ? pairs : pairs.slice(0, shortList)).map(({ a, b, score }) => (
            <tr key={`${a} ${b}`} className="border-b border-line hover:bg-bg-3">
              <td className="w-12 py-1 pl-1 align-top tabular-nums">{score.toFixed(2)}</td>
              <td className="w-16 align-top">
                <button type="button" className="rounded-1 py-1 text-left text-fg-2" onClick={() => onPin(a, b)}>
                  <span className="sr-only">Pin rows </span>
                  {number(a)}, {number(b)}
                </button>
              </td>
              {texts && (
                <td className="max-w-0 py-1 text-fg-2">
                  <span className="block truncate">{run.shown[a]?.text.slice(0, 160)}</span>
                  <span className="block truncate">{run.shown[b]?.text.slice(0, 160)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
