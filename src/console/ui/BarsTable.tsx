import { integers } from "./bar-labels.ts";
import type { Bar } from "./bar.ts";

interface BarsTableProps {
  title: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  parts: readonly string[] | undefined;
  unit: string;
  /** with a column of refused calls */
  refused: boolean;
}

const cell = "h-8 px-3 border-b border-line first:pl-0 last:pr-0";

/** The same figures as a table, in a region that scrolls by itself. */
export function BarsTable({ title, bars, format, parts, unit, refused }: BarsTableProps) {
  return (
    <div role="region" aria-label={`${title}, as a table`} tabIndex={0} className="max-h-66 overflow-auto">
      <table className="w-full tabular-nums">
        <thead className="text-12 text-fg-3">
          <tr>
            <th scope="col" className={`${cell} text-left font-normal sticky top-0 bg-bg-1`}>
              {unit}
            </th>
            {[...(parts ?? [title]), ...(refused ? ["Refused calls"] : [])].map((part) => (
              <th key={part} scope="col" className={`${cell} text-right font-normal sticky top-0 bg-bg-1`}>
                {part}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.label}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                {bar.label}
              </th>
              <td className={`${cell} text-right`}>{format(bar.value)}</td>
              {parts?.slice(1).map((part, index) => (
                <td key={part} className={`${cell} text-right`}>
                  {format(bar.more?.[index] ?? 0)}
                </td>
              ))}
              {refused && <td className={`${cell} text-right`}>{integers.format(bar.refused ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
