import { expect, it } from "vitest";
import { nothingFound, notToldSentence } from "./refused.ts";
import type { CallsSearch } from "./search.ts";

type Refused = Parameters<typeof nothingFound>[1];
const found = (calls: number): Refused => ({
  found: { data: [], total: { calls, records: 1 }, since: "" },
  failed: false,
  words: "the last 30 days",
});
const failed: Refused = { found: undefined, failed: true, words: "the last 24 hours" };
const unsearched =
  /^No call on the ledger .* Refused calls were not searched: they are counted without their model and session\.$/;

const above = "Calls that were refused before a model was called are listed above.";
const listed = `No call on the ledger in Staging matches these filters | ${above}`;
const none = "No call in Staging matches these filters | None were refused in the last 30 days either.";
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
it.each<[CallsSearch, Refused, string]>([
  [{ status: "402" }, found(66), listed],
  [{}, found(66), like(/^No call has reached a model yet/)],
  [{ status: "402", model: "a/b", session: "s" }, found(0), like(unsearched)],
  [{ key: "k" }, failed, like(/Refused calls could not be checked\.$/)],
  [{ status: "402" }, found(0), none],
  [{ status: "succeeded" }, found(0), like(/^(?!.*refused)/)],
  [{}, found(0), like(/^No call has been made yet/)],
])("an empty list of %j says whether calls were refused, and which were not looked through", (search, refused, words) =>
  expect(Object.values(nothingFound(search, refused, "Staging")).join(" | ")).toEqual(words),
);

it("counts what the filters leave out", () => {
  expect(notToldSentence(1, ["model"], "the last 24 hours")).toBe(
    "1 call was refused in the last 24 hours; it is counted without its model, so this list leaves it out.",
  );
  expect(notToldSentence(1_200, ["model", "provider", "session"], "the last 7 days")).toBe(
    "1,200 calls were refused in the last 7 days; they are counted without their model, provider and session, so this list leaves them out.",
  );
});
