import { parentPort } from "node:worker_threads";
import { checkPatterns, type PatternProblem } from "./check-patterns.ts";
import { compileFilters, type ContentFilters, type TextFilter } from "./compile.ts";
import { filterBody, type FilteredBody } from "./filter-body.ts";
import type { FilteredForm } from "./request-forms.ts";

/** Work for the thread: it answers each message with one, in the same order. */
export type Work =
  | { readonly kind: "check"; readonly patterns: readonly string[] }
  | {
      readonly kind: "filter";
      /** a name for the filters, which are sent along the first time */
      readonly id: number;
      readonly filters: ContentFilters | null;
      /** forget all filters that were sent before */
      readonly forget: boolean;
      readonly form: FilteredForm;
      readonly body: ArrayBuffer;
    };

export interface Answers {
  readonly check: PatternProblem | null;
  readonly filter: FilteredAnswer;
}

/** As of `filterBody`, with bytes that can be handed over. */
export type FilteredAnswer =
  | Exclude<FilteredBody, { kind: "passed" }>
  | (Omit<Extract<FilteredBody, { kind: "passed" }>, "body"> & { readonly body: ArrayBuffer | null });

const known = new Map<number, () => TextFilter>();

function answer(work: Work): Answers[Work["kind"]] {
  if (work.kind === "check") return checkPatterns(work.patterns);
  const { id, filters, forget, form, body } = work;
  if (forget) known.clear();
  if (filters !== null) known.set(id, compileFilters(filters));
  const filter = known.get(id);
  if (filter === undefined) throw new Error("filters were not sent");
  const filtered = filterBody(Buffer.from(body), form, filter());
  return filtered.kind === "passed" ? { ...filtered, body: ownBytes(filtered.body) } : filtered;
}

/** The bytes alone, in memory that can be handed over: a small buffer shares its own. */
function ownBytes(bytes: Buffer | null): ArrayBuffer | null {
  if (bytes === null) return null;
  const own = new ArrayBuffer(bytes.length);
  Buffer.from(own).set(bytes);
  return own;
}

parentPort?.on("message", (work: Work) => {
  const answered = answer(work);
  const isLong = answered !== null && "body" in answered && answered.body !== null;
  parentPort?.postMessage(answered, isLong ? [answered.body] : []);
});
