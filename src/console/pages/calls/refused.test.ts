import { describe, expect, it } from "vitest";
import { nothingFound, notToldSentence } from "./refused.ts";
import type { CallsSearch } from "./search.ts";

const found = (calls: number) => ({
  found: { data: [], total: { calls, records: 1 }, since: "" },
  failed: false,
  words: "the last 30 days",
});
const said = (search: CallsSearch, refused: Parameters<typeof nothingFound>[1]) =>
  Object.values(nothingFound(search, refused, "Staging")).join(" | ");

describe("what an empty list of calls says", () => {
  it("never says none where calls were refused", () => {
    expect(said({ status: "402" }, found(66))).toBe(
      "No call on the ledger in Staging matches these filters | Calls that were refused before a model was called are listed above.",
    );
    expect(said({}, found(66))).toMatch(/^No call has reached a model yet/);
  });

  it("says which refused calls it did not look through", () => {
    expect(said({ status: "402", model: "a/b", session: "s" }, found(0))).toMatch(
      /^No call on the ledger .* Refused calls were not searched: they are counted without their model and session\.$/,
    );
    expect(said({ key: "k" }, { found: undefined, failed: true, words: "the last 24 hours" })).toMatch(
      /Refused calls could not be checked\.$/,
    );
  });

  it("says how far back none was refused", () => {
    expect(said({ status: "402" }, found(0))).toBe(
      "No call in Staging matches these filters | None were refused in the last 30 days either.",
    );
    expect(said({ status: "succeeded" }, found(0))).not.toMatch(/refused/);
    expect(said({}, found(0))).toMatch(/^No call has been made yet/);
  });

  it("counts what the filters leave out", () => {
    expect(notToldSentence(1, ["model"], "the last 24 hours")).toBe(
      "1 call was refused in the last 24 hours; it is counted without its model, so this list leaves it out.",
    );
    expect(notToldSentence(1_200, ["model", "provider", "session"], "the last 7 days")).toBe(
      "1,200 calls were refused in the last 7 days; they are counted without their model, provider and session, so this list leaves them out.",
    );
  });
});
