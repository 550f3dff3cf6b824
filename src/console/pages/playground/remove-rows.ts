import type { Block } from "./blocks.ts";
import { change, putRows, type Run } from "./playground.ts";
import type { Row } from "./rows.ts";
import type { Playground } from "./use-playground.ts";

type Where = Pick<Playground, "store" | "worker">;

/**
 * Takes rows out of a run's pictures and out of the input that they came from, as far as it still has them.
 * @returns what puts them back, in both
 */
export function removeRows({ store, worker }: Where, run: Run, places: readonly number[]): () => void {
  const before = run.removed ?? new Set<number>();
  put({ store, worker }, run.id, new Set([...before, ...places]));
  const sources = new Set(places.flatMap((place) => run.shown[place]?.source ?? []));
  const { rows, blocks } = store.get();
  const texts = new Map(places.map((place) => [run.shown[place]?.source, run.shown[place]?.text]));
  if (run.mode === "batch")
    putRows(
      store,
      rows.filter((row) => texts.get(row.id) !== row.text),
      "",
    );
  if (run.mode === "multimodal") change(store, { blocks: blocks.filter(({ id }) => !sources.has(id)) });
  return () => {
    const now = store.get().runs.find(({ id }) => id === run.id)?.removed ?? new Set();
    const back = new Set(places);
    put({ store, worker }, run.id, new Set([...now].filter((place) => before.has(place) || !back.has(place))));
    const state = store.get();
    if (run.mode === "batch") putRows(store, putBack(state.rows, rows, sources), "");
    if (run.mode === "multimodal") change(store, { blocks: putBack<Block>(state.blocks, blocks, sources) });
  };
}

/** Puts all rows back into a run's pictures. The input keeps what it has. */
export function restoreRows(where: Where, run: Run): void {
  put(where, run.id, new Set());
}

function put({ store, worker }: Where, id: number, removed: ReadonlySet<number>): void {
  void worker.ask("hide", { run: id, rows: [...removed] });
  const { runs, selected, picked, pinned } = store.get();
  const isGone = (place: number) => removed.has(place);
  const left = picked?.filter((place) => !isGone(place)) ?? null;
  change(store, {
    runs: runs.map((run) => (run.id === id ? { ...run, removed } : run)),
    selected: selected !== null && isGone(selected) ? null : selected,
    picked: left?.length === 0 ? null : left,
    pinned: pinned?.some(isGone) ? null : pinned,
  });
}

/** Each of the missing ones, where it was: before what came after it then. */
function putBack<T extends Row | Block>(now: readonly T[], then: readonly T[], ids: ReadonlySet<number>): T[] {
  const there = new Set(now.map(({ id }) => id));
  const found = [...now];
  for (const [at, one] of then.entries()) {
    if (!ids.has(one.id) || there.has(one.id)) continue;
    const before = then.slice(0, at).findLast(({ id }) => there.has(id));
    found.splice(before ? found.findIndex(({ id }) => id === before.id) + 1 : 0, 0, one);
    there.add(one.id);
  }
  return found;
}
