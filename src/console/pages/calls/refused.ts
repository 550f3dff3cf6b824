import { refusedCallDays } from "#contract/refused-calls.ts";
import { formatCount } from "../../format.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters } from "./filters-in-use.ts";
import type { CallsSearch } from "./search.ts";

/** What an empty list says, and which calls it did not look through. */
export function nothingFound(search: CallsSearch, where: string): { title: string; detail: string } {
  if (!hasFilters(search)) {
    return {
      title: "No call has been made yet",
      detail:
        "Every call is recorded here before its answer ends: what was tried, how long it took and what it cost. Calls that are refused before a model is called are counted here too.",
    };
  }
  const title = `No call in ${where} matches these filters`;
  const parts = "Type a part of a name in the filter to see what there is.";
  if (!canBeRefused(search.status)) return { title, detail: parts };
  const apart = filtersOfCallsMade(search);
  if (apart.length > 0) {
    return {
      title,
      detail: `${parts} Refused calls were not searched: they are counted without their ${listed(apart)}.`,
    };
  }
  return { title, detail: `${parts} Refused calls are listed for ${refusedCallDays} days.` };
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
