import { expect, it } from "vitest";
import { KeysSearch, sortBy } from "./search.ts";

it("drops what is not of its shape and keeps the rest", () => {
  const read = KeysSearch.parse({ q: "waybill", status: "gone", sort: "name", order: 3, usage: "century" });
  expect(read).toMatchObject({ q: "waybill", sort: "name" });
  expect(JSON.stringify(read)).toBe('{"q":"waybill","sort":"name"}');
});

it("sorts by a column's own order first, then turns it round, and leaves defaults out of the address", () => {
  const byName = sortBy({}, "name");
  expect(JSON.stringify(byName)).toBe('{"sort":"name"}');
  expect(JSON.stringify(sortBy(byName, "name"))).toBe('{"sort":"name","order":"desc"}');
  expect(JSON.stringify(sortBy({}, "usage"))).toBe('{"sort":"usage"}');
  expect(JSON.stringify(sortBy({}, "created_at"))).toBe('{"order":"asc"}');
  expect(JSON.stringify(sortBy({ q: "a", order: "asc" }, "created_at"))).toBe('{"q":"a"}');
});
