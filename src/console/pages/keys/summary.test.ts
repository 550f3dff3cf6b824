import { expect, it } from "vitest";
import { emptyKeyForm } from "./key-form.ts";
import { keySummary, limitWords } from "./summary.ts";

const empty = emptyKeyForm("w");
const weekly = { limited: "yes", limit: "50", reset: "weekly", countByok: true } as const;
const expires = { expires: "at", expiresAt: { date: "2027-02-18", time: "23:59:59" } } as const;
const rest = "not counting BYOK, until you delete it";

it.each<[Partial<typeof empty>, string]>([
  [{}, ", with no spending limit, until you delete it"],
  [{ ...weekly, ...expires }, ", at most *$50.00 a week*, counting BYOK, until *18 Feb 2027 23:59 UTC*"],
  [{ limited: "yes", limit: "0.5" }, `, at most *$0.50 in total*, ${rest}`],
  [{ limited: "yes", limit: "12345678.123456" }, `, at most *$12,345,678.123456 in total*, ${rest}`],
  [{ limited: "yes", limit: "20", reset: "daily", watchOnly: true }, `, watched from *$20.00 a day*, ${rest}`],
  // half-typed parts are left out
  [{ limited: "yes", limit: "x", expires: "at" }, ""],
])("says %j", (change, words) => {
  const parts = keySummary({ ...empty, ...change }, "Production");
  const said = parts.map(({ strong, text }) => (strong ? `*${text}*` : text)).join("");
  expect(said).toBe(`A key for *Production*${words}.`);
});

it("words a limit that exists", () => {
  const none = { limit: null, limit_reset: null, include_byok_in_limit: false, limit_watch_only: false };
  const weekly = { ...none, limit: 50, limit_reset: "weekly", include_byok_in_limit: true } as const;
  expect([none, weekly, { ...weekly, limit_watch_only: true }].map(limitWords)).toEqual([
    "No limit",
    "$50.00 a week, BYOK counted",
    "$50.00 a week, BYOK counted, only watched",
  ]);
});
