import { spread } from "./random.ts";
import { tile } from "./similarity.ts";
import type { Pause } from "./turns.ts";
import { cosine, dot, vectorStart, type VectorView } from "./vectors.ts";

/** Multiplications that a search may take: some ten seconds on one core, in parts. All pairs of 10,000 × 384 fit. */
const workBudget = 2e10;
/** Rows of one part: as many as are compared without a pause. */
const part = { rows: 64, others: 512 };
/** Cells that many rows are divided into; each row is compared with the cells that are nearest to its own. */
const maxCells = 100;

/**
 * Visits pairs of rows with their cosines, each pair once: all of them within the budget. Of more rows only those that
 * are likely to be near: rows are divided into cells, and each cell is compared with itself and the cells around it.
 *
 * @returns the share of all pairs that was visited, 0 to 1
 */
export async function visitNearPairs(
  view: VectorView,
  visit: (row: number, other: number, score: number) => void,
  pause: Pause,
  budget = workBudget,
): Promise<number> {
  const { rows, used } = view;
  const all = (rows.length * (rows.length - 1)) / 2;
  if (all === 0) return 1;
  const every = all * used <= budget;
  const cells = every ? [rows] : await cellsOf(view, pause);
  const wanted = Math.floor(budget / (rows.length * used));
  const pairs = every ? [{ a: 0, b: 0 }] : cellPairs(view, cells, wanted);
  const size = ({ a, b }: CellPair) => sizeOf(cells, a) * (a === b ? (sizeOf(cells, a) - 1) / 2 : sizeOf(cells, b));
  const planned = pairs.reduce((sum, pair) => sum + size(pair), 0);
  let done = 0;
  for (const pair of pairs) {
    const [one, other] = [cells[pair.a] ?? noRows, cells[pair.b] ?? noRows];
    const own = pair.a === pair.b;
    for (let i = 0; i < one.length; i += part.rows) {
      const left = one.subarray(i, i + part.rows);
      for (let j = own ? i : 0; j < other.length; j += part.others) {
        const right = other.subarray(j, j + part.others);
        visitPart(view, { left, right, shared: own && j === i }, visit);
        done += left.length * right.length;
        await pause(Math.min(1, done / Math.max(1, planned)));
      }
    }
  }
  return every ? 1 : planned / all;
}

interface CellPair {
  a: number;
  b: number;
}

const noRows = new Int32Array();
const sizeOf = (cells: readonly Int32Array[], cell: number) => cells[cell]?.length ?? 0;

/** All of some rows with all of others; where both begin with the same row, each pair of the shared ones once. */
function visitPart(
  view: VectorView,
  { left, right, shared }: { left: Int32Array; right: Int32Array; shared: boolean },
  visit: (row: number, other: number, score: number) => void,
): void {
  const { table, used, norms } = view;
  const starts = (rows: Int32Array) => rows.map((row) => row * table.dimensions);
  const [leftStarts, rightStarts] = [starts(left), starts(right)];
  const one = (row: number, other: number) => visit(row, other, cosine(view, row, other));
  for (let i = 0; i < left.length; i += 2) {
    const [a = 0, b] = [left[i], left[i + 1]];
    // the two rows themselves and the pair of them are not part of a tile
    let j = shared ? i + 2 : 0;
    if (shared && b !== undefined) one(a, b);
    for (; b !== undefined && j + 3 < right.length; j += 4) {
      const sums = tile(table.data, used, leftStarts.subarray(i, i + 2), rightStarts.subarray(j, j + 4));
      for (let k = 0; k < 4; k += 1) {
        const other = right[j + k] ?? 0;
        const length = norms[other] ?? 0;
        visit(a, other, (sums[k] ?? 0) / (length * (norms[a] ?? 0) || 1));
        visit(b, other, (sums[4 + k] ?? 0) / (length * (norms[b] ?? 0) || 1));
      }
    }
    for (; j < right.length; j += 1) {
      one(a, right[j] ?? 0);
      if (b !== undefined) one(b, right[j] ?? 0);
    }
  }
}

/** Rows that point about the same way: each goes to the nearest of some centers, which then move to their middle. */
async function cellsOf(view: VectorView, pause: Pause): Promise<Int32Array[]> {
  const { rows, used, table, norms } = view;
  let centers = Array.from(spread(rows, maxCells), (row) => unit(view, row));
  for (let round = 0; ; round += 1) {
    const cells: number[][] = centers.map(() => []);
    for (const [at, row] of rows.entries()) {
      let [best, most] = [0, Number.NEGATIVE_INFINITY];
      for (const [cell, data] of centers.entries()) {
        const score = dot(vectorStart(table, row), { data, from: 0 }, used);
        if (score > most) [best, most] = [cell, score];
      }
      cells[best]?.push(row);
      if (at % part.rows === 0) await pause(0);
    }
    if (round === 1) return cells.filter((cell) => cell.length > 0).map((cell) => Int32Array.from(cell));
    centers = cells.map((cell, at) => {
      const sum = new Float32Array(used);
      for (const row of cell) {
        const length = norms[row] || 1;
        for (let k = 0; k < used; k += 1)
          sum[k] = (sum[k] ?? 0) + (table.data[row * table.dimensions + k] ?? 0) / length;
      }
      return cell.length === 0 ? (centers[at] ?? sum) : scaled(sum);
    });
  }
}

/** Each cell with itself, and with the nearest others until its rows have met `wanted` rows. */
function cellPairs(view: VectorView, cells: readonly Int32Array[], wanted: number): CellPair[] {
  const middles = cells.map((cell) => {
    const sum = new Float32Array(view.used);
    for (const row of spread(cell, 50)) unit(view, row).forEach((value, k) => (sum[k] = (sum[k] ?? 0) + value));
    return scaled(sum);
  });
  const near = (a: number, b: number) =>
    dot(
      { data: middles[a] ?? new Float32Array(), from: 0 },
      { data: middles[b] ?? new Float32Array(), from: 0 },
      view.used,
    );
  const found = new Map<string, CellPair>();
  for (const [own, cell] of cells.entries()) {
    let met = 0;
    const others = [...cells.keys()].toSorted((a, b) => (a === own ? -1 : b === own ? 1 : near(own, b) - near(own, a)));
    for (const other of others) {
      if (met > 0 && met >= wanted) break;
      const [a = own, b = other] = [own, other].toSorted((one, two) => one - two);
      found.set(`${a} ${b}`, { a, b });
      met += other === own ? cell.length : sizeOf(cells, other);
    }
  }
  return [...found.values()];
}

function unit({ table, used, norms }: VectorView, row: number): Float32Array {
  const from = row * table.dimensions;
  const length = norms[row] || 1;
  return table.data.slice(from, from + used).map((value) => value / length);
}

function scaled(sum: Float32Array): Float32Array {
  const length = Math.sqrt(dot({ data: sum, from: 0 }, { data: sum, from: 0 }, sum.length)) || 1;
  return sum.map((value) => value / length);
}
