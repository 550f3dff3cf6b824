import { expect, it } from "vitest";
import { shownAddress, shownChange } from "./address.ts";

it.each([
  ["https://example.com", "https://example.com"],
  ["https://example.com/", "https://example.com/"],
  ["https://example.com:8443/hook", "https://example.com:8443/…"],
  ["https://hooks.slack.com/services/T0/B0/x", "https://hooks.slack.com/…"],
  ["https://example.com?token=x", "https://example.com/…"],
  ["https://example.com/#token", "https://example.com/…"],
  ["https://user:pass@example.com/", "https://example.com/"],
  ["https://user:p@ss@example.com/x", "https://example.com/…"],
  ["https://[::1]:9/x", "https://[::1]:9/…"],
  ["clickhouse.example:8443", "clickhouse.example:8443"],
  ["clickhouse.example/?password=x", "clickhouse.example/…"],
  ["https://example.com/a\nb", "https://example.com/…"],
])("%s is shown as %s", (address, shown) => expect(shownAddress(address)).toBe(shown));

it("a change says that an address differs where the difference is not shown", () => {
  const [one, other] = ["https://example.com/a", "https://example.com/b"];
  expect(shownChange(one, other)).toEqual(["https://example.com/…", "https://example.com/… (changed)"]);
  expect(shownChange(one, one)).toEqual(["https://example.com/…", "https://example.com/…"]);
  expect(shownChange(one, "https://example.org/a")).toEqual(["https://example.com/…", "https://example.org/…"]);
  expect(shownChange(null, one)).toEqual([null, "https://example.com/…"]);
  expect(shownChange<string | null>(one, null)).toEqual(["https://example.com/…", null]);
});
