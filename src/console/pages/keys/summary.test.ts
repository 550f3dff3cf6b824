import { expect, it } from "vitest";
import { emptyKeyForm } from "./key-form.ts";
import { keySummary, limitWords } from "./summary.ts";

const empty = emptyKeyForm("w");
const said = (change: Partial<typeof empty>) =>
  keySummary({ ...empty, ...change }, "Production")
    .map((part) => (part.strong ? `*${part.text}*` : part.text))
    .join("");

it.each([
  [{}, "A key for *Production*, with no spending limit, until you delete it."],
  [
    {
      limited: "yes",
      limit: "50",
      reset: "weekly",
      countByok: true,
      expires: "at",
      expiresAt: { date: "2027-02-18", time: "23:59:59" },
    },
    "A key for *Production*, at most *$50.00 a week*, counting BYOK, until *18 Feb 2027 23:59 UTC*.",
  ],
  [
    { limited: "yes", limit: "0.5" },
    "A key for *Production*, at most *$0.50 in total*, not counting BYOK, until you delete it.",
  ],
  [
    { limited: "yes", limit: "12345678.123456" },
    "A key for *Production*, at most *$12,345,678.123456 in total*, not counting BYOK, until you delete it.",
  ],
  [
    { limited: "yes", limit: "20", reset: "daily", watchOnly: true },
    "A key for *Production*, watched from *$20.00 a day*, not counting BYOK, until you delete it.",
  ],
  // half-typed parts are left out
  [{ limited: "yes", limit: "x", expires: "at" }, "A key for *Production*."],
] as const)("says %j", (change, sentence) => expect(said(change)).toBe(sentence));

it("words a limit that exists", () => {
  const none = { limit: null, limit_reset: null, include_byok_in_limit: false, limit_watch_only: false };
  expect(limitWords(none)).toBe("No limit");
  const weekly = { ...none, limit: 50, limit_reset: "weekly", include_byok_in_limit: true } as const;
  expect(limitWords(weekly)).toBe("$50.00 a week, BYOK counted");
  expect(limitWords({ ...weekly, limit_watch_only: true })).toBe("$50.00 a week, BYOK counted, only watched");
});
