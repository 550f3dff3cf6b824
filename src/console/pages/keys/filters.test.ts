import { expect, it } from "vitest";
import { filterWords } from "./filters.ts";
import { keysQuery } from "./use-keys.ts";

it("names the filters", () => {
  expect(filterWords({ status: "over_limit", expires: "7d", creator: "ana" })).toBe(
    "status over limit, expires within 7 days, creator ana",
  );
  expect(filterWords({ q: "a" })).toBe("");
});

it("asks the gateway for every filter of the address", () =>
  expect(keysQuery({ limit: "near", expires: "30d", creator: "ana", status: "active", q: "a" }, "all")).toMatchObject({
    limit_state: "near",
    expires: "30d",
    creator: "ana",
    status: "active",
    q: "a",
  }));
