/** Prints rows as a Markdown table, so that a figure can be pasted where it is discussed. Numbers align right. */
export function printTable(title: string, head: string[], rows: (string | number)[][]): void {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const width = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const number = /^[<>≤≥]?\s?-?[\d.,]+( \S+)?$/;
  const numeric = head.map((_, column) => {
    const said = rows.map((row) => String(row[column] ?? "")).filter((cell) => cell !== "" && cell !== "-");
    return said.length > 0 && said.every((cell) => number.test(cell));
  });
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => (numeric[column] ? cell.padStart(width[column] ?? 0) : cell.padEnd(width[column] ?? 0))).join(" | ")} |`;
  const rule = `|${width.map((size, column) => "-".repeat(size + 1) + (numeric[column] ? ":" : "-")).join("|")}|`;
  console.log(`\n${title}\n\n${[line(head), rule, ...cells.slice(1).map(line)].join("\n")}\n`);
}

export interface Gate {
  what: string;
  measured: number;
  atMost: number;
  unit: string;
}

/** Prints figures next to their targets; returns how many are missed. */
export function printGates(title: string, gates: Gate[]): number {
  const rows = gates.map(({ what, measured, atMost, unit }) => [
    what,
    `${round(measured)} ${unit}`,
    `≤ ${atMost} ${unit}`,
    measured <= atMost ? "yes" : "NO",
  ]);
  printTable(title, ["what", "measured", "asked", "met"], rows);
  return gates.filter(({ measured, atMost }) => measured > atMost).length;
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** The smallest value that at least `percent` of the values are not above (nearest rank). */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: number[]): number {
  return percentile(values, 50);
}
