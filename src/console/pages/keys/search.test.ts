import { expect, it } from "vitest";
import { filterWords } from "./filters.ts";
import { KeysSearch, showUsage, sortBy } from "./search.ts";
import { keysQuery } from "./use-keys.ts";

it("drops what is not of its shape and keeps the rest", () => {
  const read = KeysSearch.parse({ q: "waybill", status: "gone", sort: "name", order: 3, usage: "century" });
  expect(JSON.stringify(read)).toBe('{"q":"waybill","sort":"name"}');
});

it.each([
  [{}, "name", '{"sort":"name"}'],
  [sortBy({}, "name"), "name", '{"sort":"name","order":"desc"}'],
  [{}, "usage", '{"sort":"usage"}'],
  [{}, "lasts_until", '{"sort":"lasts_until"}'],
  [sortBy({}, "lasts_until"), "lasts_until", '{"sort":"lasts_until","order":"desc"}'],
  [{}, "created_at", '{"order":"asc"}'],
  [{ q: "a", order: "asc" }, "created_at", '{"q":"a"}'],
] as const)("%j is sorted by %s first in its own order, then turned round, without defaults", (search, column, next) =>
  expect(JSON.stringify(sortBy(search, column))).toBe(next),
);

it.each([
  [{ sort: "usage_weekly" }, "day", '{"sort":"usage_daily","usage":"day"}'],
  [{ sort: "byok_usage_daily", usage: "day" }, "week", '{"sort":"byok_usage_weekly"}'],
  [{ sort: "name" }, "total", '{"usage":"total"}'],
] as const)("%j shown %s: an order by usage follows its column", (search, period, change) =>
  expect(JSON.stringify(showUsage(search, period))).toBe(change),
);

it.each([
  [{}, undefined],
  [{ order: "asc" }, "asc"],
  [{ sort: "lasts_until" }, "asc"],
  [{ sort: "name", order: "desc" }, "desc"],
  [{ sort: "usage_monthly" }, "desc"],
] as const)("%j asks for the order that the column's head shows: %s", (search, order) =>
  expect(keysQuery(search, "all").order).toBe(order),
);

it("names the filters, and asks the gateway for every one of them", () => {
  const words = "status over limit, expires within 7 days, creator ana";
  expect(filterWords({ status: "over_limit", expires: "7d", creator: "ana" })).toBe(words);
  expect(filterWords({ q: "a" })).toBe("");
  const filters = { expires: "30d", creator: "ana", status: "active", q: "a" } as const;
  expect(keysQuery({ limit: "near", ...filters }, "all")).toMatchObject({ limit_state: "near", ...filters });
});
