import { type Store, createStore } from "../../api/store.ts";
import { readPreference } from "../../preferences.ts";
import { blockCaption, blockText, contentOf, makeBlock, type Block } from "./blocks.ts";
import type { Item } from "../../vectors/plan.ts";
import type { Clusters, Points } from "../../vectors/protocol.ts";
import { makeRow, type Role, type Row } from "./rows.ts";
import type { Progress } from "../../vectors/run-batch.ts";
import type { Prefixes, Settings } from "./settings.ts";
import type { PastedRows } from "./pasted-rows.ts";
import { tokensOf } from "./row-tokens.ts";
import { estimateTokens } from "../../vectors/tokens.ts";

export type Mode = "text" | "batch" | "multimodal";

/** One row as it was sent, for showing it next to its vector. */
export interface Shown {
  text: string;
  group: string;
  role: Role;
  /** what its table calls it; left out: nothing */
  ref?: string;
  /** its place in the input, from 1 */
  number: number;
  /** the row or block that it was made from */
  source: number;
  /** a small picture of a block's first one, where it is here */
  image?: string;
  /** further columns of its table */
  fields?: Readonly<Record<string, string>> | undefined;
  /** the text next to that image */
  caption?: string;
}

export interface Run {
  id: number;
  mode: Mode;
  /** the picture of texts and vectors that are shipped: nothing was sent for them; null: a person's own */
  example: { points: Points; clusters: Clusters } | null;
  /** whose key pays; the example's is the workspace that is looked at, and empty until that is known */
  workspaceId: string;
  model: string;
  search: Settings;
  /** the calls' body without its input */
  body: Record<string, unknown>;
  items: Item[];
  shown: Shown[];
  progress: Progress;
  /** numbers in each vector; null until the first answer */
  dimensions: number | null;
  /** rows a second, of late */
  rate: number | null;
  startedAt: Date;
  /** places of rows that a person took out of it, and out of all that is computed */
  removed?: ReadonlySet<number>;
}

/** A question asked of a run's rows. It is embedded by a call of its own, and its vector is kept apart from theirs. */
export interface Question {
  /** whose rows it is asked of */
  run: number;
  text: string;
  /** under which number the worker has its vector */
  aside: number;
  progress: Progress;
}

export interface State {
  mode: Mode;
  text: string;
  rows: readonly Row[];
  /** what was pasted last, as long as its rows can be read by other columns */
  taken: PastedRows | null;
  /** as it was before each of the last changes */
  undo: readonly { rows: readonly Row[]; taken: PastedRows | null }[];
  /** what the last change was: another one of the same kind is undone together with it */
  step: string | null;
  blocks: readonly Block[];
  /** how many files are being read as images: they are no blocks yet */
  reading: number;
  /** pictures are made smaller before they are sent, where that makes fewer bytes of them */
  shrink: boolean;
  prefixes: Prefixes;
  /** the row of the batch, by its id, that gets the focus as soon as it is drawn; null: none */
  editing: number | null;
  /** the input is folded to a rail, so that the results have its room */
  inputHidden: boolean;
  /** the example map is on its way: until it is known whether it comes, nothing is said of an empty page */
  opening: boolean;
  runs: readonly Run[];
  current: number | null;
  /** places in the current run */
  selected: number | null;
  pinned: readonly [number, number] | null;
  /** rows that a line was drawn around on the map; the list shows them alone */
  picked: readonly number[] | null;
  /** how many neighbors are listed */
  near: number;
  /** in how many dimensions vectors are looked at; null: all */
  used: number | null;
  compared: readonly number[];
  question: Question | null;
}

export const emptyState = (): State => ({
  mode: "text",
  text: "",
  rows: [makeRow()],
  taken: null,
  undo: [],
  step: null,
  blocks: [makeBlock()],
  reading: 0,
  shrink: true,
  prefixes: { query: "", document: "" },
  editing: null,
  inputHidden: false,
  opening: false,
  runs: [],
  current: null,
  selected: null,
  pinned: null,
  picked: null,
  near: 5,
  used: null,
  compared: [],
  question: null,
});

/** Shows another kind of input. A batch that is still empty begins with the text. */
export function chooseMode(store: PlaygroundStore, mode: Mode): void {
  const { mode: before, text, rows } = store.get();
  const carry = before === "text" && mode === "batch" && rows.every((row) => row.text === "") && text.trim() !== "";
  change(store, { mode, inputHidden: false, ...(carry && { rows: [makeRow(text), makeRow()] }) });
}

/** Whether the input still has what each row of a run was made from, as it was sent. */
export function stillThere(
  { rows, blocks, text }: Pick<State, "rows" | "blocks" | "text">,
  { mode, shown }: Pick<Run, "mode" | "shown">,
): (place: number) => boolean {
  const texts = new Map(mode === "batch" ? rows.map((row) => [row.id, row.text]) : []);
  const ids = new Set(mode === "multimodal" ? blocks.map(({ id }) => id) : []);
  return (place) => {
    const row = shown[place];
    if (!row) return false;
    if (mode === "text") return row.text === text;
    return mode === "batch" ? texts.get(row.source) === row.text : ids.has(row.source);
  };
}

/** Opens the input where a row of a run was made from. */
export function editRow(store: PlaygroundStore, { mode, shown }: Pick<Run, "mode" | "shown">, place: number): void {
  change(store, { mode, inputHidden: false, editing: shown[place]?.source ?? null });
}

/** Folds the input once a run has taken several rows from it, unless a person keeps it open. */
export function foldInput(store: PlaygroundStore): void {
  const run = currentRun(store.get());
  if (run && run.items.length > 1 && readPreference("input") === "folds") change(store, { inputHidden: true });
}

const mostSteps = 50;

/** Puts other rows in place of those that are there, so that it can be undone. Typing in one row is one step. */
export function putRows(store: PlaygroundStore, rows: readonly Row[], step: string, taken?: PastedRows | null): void {
  const before = store.get();
  const same = step !== "" && step === before.step;
  change(store, {
    rows: rows.length > 0 ? rows : [makeRow()],
    taken: taken === undefined ? before.taken : taken,
    undo: same ? before.undo : [...before.undo.slice(1 - mostSteps), { rows: before.rows, taken: before.taken }],
    step,
  });
}

export function undoRows(store: PlaygroundStore): void {
  const { undo } = store.get();
  const last = undo.at(-1);
  if (last) change(store, { ...last, undo: undo.slice(0, -1), step: null });
}

/** What is marked in a run's pictures; another run begins without. */
export const nothingChosen = { selected: null, pinned: null, picked: null, used: null } satisfies Partial<State>;

export const underWay = ({ state }: Pick<Progress, "state">): boolean => state === "running" || state === "paused";

export type PlaygroundStore = Store<State>;
export const makePlaygroundStore = (): PlaygroundStore => createStore(emptyState());

export function change(store: PlaygroundStore, part: Partial<State>): void {
  store.set({ ...store.get(), ...part });
}

/** Changes with every eighth of a run: whatever is drawn from all rows is redrawn then, not with every answer. */
export function drawnAt({ progress: { done, total, state }, removed }: Run): number {
  return state === "running"
    ? Math.floor((done / total) * 8) || Math.min(1, done)
    : total + done - (removed?.size ?? 0);
}

export function currentRun({ runs, current }: Pick<State, "runs" | "current">): Run | undefined {
  return runs.find(({ id }) => id === current);
}

/** What a picture comes to in tokens differs from vendor to vendor; this is about the middle of what they say. */
const imageTokens = 800;

/** A question as it is sent: as a query is in the run that it is asked of, with the same prefix and role. */
export function questionItem({ search }: Pick<Run, "search">, text: string): Item {
  const input = search.query + text;
  return { input, tokens: estimateTokens(input), inputType: search.roles === true ? "search_query" : null };
}

type Input = Pick<State, "mode" | "text" | "rows" | "blocks">;

/** What would be sent now, and how it is called in the results. Empty rows are left out. */
export function inputOf(state: Input, search: Settings): { items: Item[]; shown: Shown[] } {
  const items: Item[] = [];
  const shown: Shown[] = [];
  const put = (row: Shown, tokens: number, input?: Item["input"]) => {
    const prefix = search[row.role];
    const inputType = search.roles === true ? `search_${row.role}` : null;
    items.push({
      input: input ?? prefix + row.text,
      tokens: tokens + (prefix === "" ? 0 : estimateTokens(prefix)),
      inputType,
    });
    shown.push(row);
  };
  if (state.mode === "text" && state.text.trim() !== "") {
    const { text } = state;
    put({ text, role: "document", group: "", number: 1, source: 0 }, estimateTokens(text));
  }
  if (state.mode === "batch") {
    state.rows.forEach((row, index) => {
      const { text, role, group, id, ref = "", fields } = row;
      const further = { ...(ref !== "" && { ref }), ...(fields && { fields }) };
      if (text.trim() !== "") put({ text, role, group, number: index + 1, source: id, ...further }, tokensOf(row));
    });
  }
  if (state.mode === "multimodal") {
    state.blocks.forEach((block, index) => {
      const input = contentOf(block);
      if (input.content.length === 0) return;
      const images = block.parts.filter((part) => part.type === "image");
      const image = images.find(({ thumb }) => thumb !== null)?.thumb;
      const text = blockText(block);
      put(
        {
          text,
          role: "document",
          group: "",
          number: index + 1,
          source: block.id,
          ...(typeof image === "string" && { image, caption: blockCaption(block) }),
        },
        estimateTokens(text) + images.length * imageTokens,
        input,
      );
    });
  }
  return { items, shown };
}
