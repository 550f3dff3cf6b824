import { describe, expect, it } from "vitest";
import { filterWords, type FilterNames } from "./filter-words.ts";
import type { CallsSearch } from "./search.ts";

const noNames: FilterNames = { key: undefined, provider: undefined };
const words = (search: CallsSearch, names = noNames) =>
  filterWords(search, names).map(({ kind, value }) => `${kind} ${value}`.trim());

describe("the words of the filters", () => {
  it("are none without a filter", () => expect(words({})).toEqual([]));

  it("name what the address has the id of, and say the id until the name is known", () => {
    const search = { key: "ab".repeat(32), provider: "acme" };
    expect(words(search)).toEqual(["Key abababababab…", "Provider acme"]);
    expect(words(search, { key: "prod", provider: "Acme Inc." })).toEqual(["Key prod", "Provider Acme Inc."]);
  });

  it("say a status as the table does", () => {
    expect(words({ status: "failed" })).toEqual(["Failed"]);
    expect(words({ status: "succeeded" })).toEqual(["Answered"]);
    expect(words({ status: "429" })).toEqual(["Status 429 rate limited"]);
    expect(words({ status: "418" })).toEqual(["Status 418"]);
  });

  it("are one for each end of a range, with seconds only where there are any", () => {
    const range = { since: "2026-11-22T10:30:00.000Z", until: "2026-11-22T11:00:05.250Z" };
    expect(words(range)).toEqual(["From 22 Nov 2026 10:30 UTC", "Until 22 Nov 2026 11:00:05 UTC"]);
  });
});
