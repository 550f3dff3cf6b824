import { formatCount } from "../../format.ts";
import type { RefusedCallsRead } from "../../shell/refused-calls.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters } from "./filters-in-use.ts";
import type { CallsSearch } from "./search.ts";

const exactly = "Model, provider and session must match exactly, as shown in the table.";

/** What an empty list says: of the ledger, and of the refused calls, which are not on it. */
export function nothingFound(
  search: CallsSearch,
  { found, failed, words }: Pick<RefusedCallsRead, "found" | "failed" | "words">,
  where: string,
): { title: string; detail: string } {
  const refused = found?.total.calls ?? 0;
  if (!hasFilters(search)) {
    return {
      title: refused > 0 ? "No call has reached a model yet" : "No call has been made yet",
      detail:
        "Every call that reaches a model is recorded here before its answer ends: what was tried, how long it took and what it cost.",
    };
  }
  const none = `No call in ${where} matches these filters`;
  if (!canBeRefused(search.status)) return { title: none, detail: exactly };
  const title = `No call on the ledger in ${where} matches these filters`;
  const apart = filtersOfCallsMade(search);
  if (apart.length > 0) return { title, detail: `${exactly} ${notLookedThrough(apart)}` };
  if (failed || found === undefined) return { title, detail: "Refused calls could not be checked." };
  if (refused > 0) return { title, detail: "Calls that were refused before a model was called are listed above." };
  return { title: none, detail: `None were refused in ${words} either.` };
}

function notLookedThrough(apart: readonly string[]): string {
  return `Refused calls were not searched: they are counted without their ${listed(apart)}.`;
}

/** "66 calls were refused in the last 24 hours; they are counted without their model, so this list leaves them out." */
export function notToldSentence(calls: number, apart: readonly string[], range: string): string {
  const said =
    calls === 1
      ? "1 call was refused in RANGE; it is counted without its WHAT, so this list leaves it out."
      : `${formatCount(calls)} calls were refused in RANGE; they are counted without their WHAT, so this list leaves them out.`;
  return said.replace("RANGE", range).replace("WHAT", listed(apart));
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
