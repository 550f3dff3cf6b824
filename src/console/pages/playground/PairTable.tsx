import type { Run } from "./playground.ts";
import type { MatrixResult } from "../../vectors/protocol.ts";
import { cosineText, scaleColor, shareOf, type SimilarityScale } from "../../vectors/similarity-scale.ts";

interface PairTableProps {
  found: MatrixResult;
  run: Run;
  /** with the texts, and each pair in its color of this scale: the matrix's twin for those who do not see it */
  textsOn?: SimilarityScale;
  onPin: (a: number, b: number) => void;
}

const shortList = 14;

/** The closest pairs, the most similar first; a press pins one. */
export function PairTable({ found, run, textsOn, onPin }: PairTableProps) {
  const { pairs, least } = found;
  const number = (row: number) => run.shown[row]?.number;
  return (
    <div className="min-w-0">
      <h2 className="pb-1 text-12 font-normal text-fg-3">Closest pairs</h2>
      {textsOn && pairs.length > 0 && (
        <p className="pb-2 text-12 text-fg-2">
          The least similar pair has {cosineText(least)}.{" "}
          {textsOn.stretched ? "The colors are stretched from" : "The colors go from"} {cosineText(textsOn.from)} to{" "}
          {cosineText(textsOn.to)}.
        </p>
      )}
      <table className="w-full text-12">
        <thead className="sr-only">
          <tr>
            <th scope="col">Cosine</th>
            <th scope="col">Rows</th>
            {textsOn && <th scope="col">Texts</th>}
          </tr>
        </thead>
        <tbody>
          {(textsOn ? pairs : pairs.slice(0, shortList)).map(({ a, b, score }) => (
            <tr key={`${a} ${b}`} className="border-b border-line hover:bg-bg-3">
              <td className="w-16 py-1 pl-1 align-top whitespace-nowrap tabular-nums">
                {textsOn && (
                  <span
                    aria-hidden="true"
                    className="mr-1.5 inline-block size-2.5"
                    style={{ background: scaleColor(shareOf(textsOn, score)) }}
                  />
                )}
                {cosineText(score)}
              </td>
              <td className="w-16 align-top">
                <button type="button" className="w-full rounded-1 py-1 text-left text-fg-2" onClick={() => onPin(a, b)}>
                  <span className="sr-only">Pin rows </span>
                  {number(a)}, {number(b)}
                </button>
              </td>
              {textsOn && (
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
