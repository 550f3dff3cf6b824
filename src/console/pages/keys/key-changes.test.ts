import { expect, it } from "vitest";
import { changePhrases } from "./key-changes.ts";

const names = new Map([
  ["one", "Default"],
  ["two", "Mobile"],
]);

it.each([
  [{ limit: 5 }, { limit: 1.2 }, ["limit from $5.00 to $1.20"]],
  [
    { limit: null, limit_reset: null },
    { limit: 50, limit_reset: "monthly" },
    ["limit from none to $50.00", "reset from none to monthly"],
  ],
  [{ disabled: false }, { disabled: true }, ["disabled"]],
  [{ expires_at: null }, { expires_at: "2026-12-31T23:59:59Z" }, ["expiry from never to 31 Dec 2026 23:59 UTC"]],
  [{ workspace_id: "one" }, { workspace_id: "two" }, ["workspace from Default to Mobile"]],
  [{ workspace_id: "gone" }, { workspace_id: "two" }, ["workspace from a deleted one to Mobile"]],
  [{ name: "a" }, { name: "b" }, ["name from “a” to “b”"]],
  [{ limit_watch_only: false }, { limit_watch_only: true }, ["only watching the limit from off to on"]],
  [{ requests_per_minute: null }, { requests_per_minute: 6_000 }, ["requests per minute from none to 6,000"]],
  [{ replaced_by: null }, { replaced_by: "hash" }, []],
])("%j to %j is said with both values", (before, after, phrases) =>
  expect(changePhrases({ before, after }, names)).toEqual(phrases),
);
