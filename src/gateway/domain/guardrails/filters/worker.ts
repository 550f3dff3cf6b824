import { parentPort } from "node:worker_threads";
import { checkPatterns, type PatternProblem } from "./check-patterns.ts";
import { compileFilters, type ContentFilters, type TextFilter } from "./compile.ts";
import { filterBody, type FilteredBody } from "./filter-body.ts";
import type { FilteredForm } from "./request-forms.ts";

/** Work for the thread: it answers each message with one, in the same order. */
export type Work =
  | { readonly kind: "check"; readonly patterns: readonly string[] }
  /** compiles filters, for requests that name them; `forget`: others that are not needed any more */
  | { readonly kind: "learn"; readonly id: number; readonly filters: ContentFilters; readonly forget: number | null }
  | { readonly kind: "filter"; readonly id: number; readonly form: FilteredForm; readonly body: ArrayBuffer };

export interface Answers {
  readonly check: PatternProblem | null;
  readonly learn: null;
  readonly filter: FilteredAnswer;
}

/** What the thread sends, after a message that it is ready. */
export interface Answered<Kind extends Work["kind"] = Work["kind"]> {
  readonly answer: Answers[Kind];
  /** processor time that it took, milliseconds */
  readonly ms: number;
}

/** As of `filterBody`, with bytes that can be handed over. */
export type FilteredAnswer =
  | Exclude<FilteredBody, { kind: "passed" }>
  | (Omit<Extract<FilteredBody, { kind: "passed" }>, "body"> & { readonly body: ArrayBuffer | null });

const known = new Map<number, () => TextFilter>();

function answer(work: Work): Answers[Work["kind"]] {
  switch (work.kind) {
    case "check":
      return checkPatterns(work.patterns);
    case "learn":
      if (work.forget !== null) known.delete(work.forget);
      known.set(work.id, compileFilters(work.filters));
      return null;
    case "filter": {
      const filter = known.get(work.id);
      if (filter === undefined) throw new Error("filters were not sent");
      const filtered = filterBody(Buffer.from(work.body), work.form, filter());
      return filtered.kind === "passed" ? { ...filtered, body: ownBytes(filtered.body) } : filtered;
    }
  }
}

/** The bytes alone, in memory that can be handed over: a small buffer shares its own. */
function ownBytes(bytes: Buffer | null): ArrayBuffer | null {
  if (bytes === null) return null;
  const own = new ArrayBuffer(bytes.length);
  Buffer.from(own).set(bytes);
  return own;
}

parentPort?.on("message", (work: Work) => {
  const before = process.threadCpuUsage();
  const answered = answer(work);
  const { user, system } = process.threadCpuUsage(before);
  const isLong = answered !== null && "body" in answered && answered.body !== null;
  const message: Answered = { answer: answered, ms: (user + system) / 1_000 };
  parentPort?.postMessage(message, isLong ? [answered.body] : []);
});

parentPort?.postMessage("ready");
