import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { formatUsd, formatUsdShort } from "../../format.ts";
import { envFileName, envText } from "./env-file.ts";
import { emptyKeyForm } from "./key-form.ts";
import { leftForList } from "./limit-left.ts";
import { boundWithIt, madeKeyNote } from "./made-keys.ts";
import { refusalsOf } from "./refusals.ts";
import { statusView } from "./status.ts";
import { keySummary, limitWords } from "./summary.ts";
import { endsWith, withMadeKeys } from "./with-made-keys.ts";

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
  expect([none, weekly].map(limitWords)).toEqual(["No limit", "$50.00 a week, BYOK counted"]);
  expect(limitWords({ ...weekly, limit_watch_only: true })).toBe("$50.00 a week, BYOK counted, only watched");
});

const limit = { limit: 5, limit_remaining: 0, limit_reset: "daily", limit_watch_only: false };
const spent = { include_byok_in_limit: true, usage_daily: 4.5, byok_usage_daily: 0.5 };
const ends = { limit_resets_at: "2026-11-22T00:00:00.000Z", expires_at: null };
const rates = { requests_per_minute: 60, tokens_per_minute: null };
const key = { status: "over_limit", disabled: false, ...limit, ...spent, ...ends, ...rates } as KeyRecord;
const active = { ...key, status: "active", requests_per_minute: null } as const;

it("a key's calls are refused in the API's words, with the figures that decide, but not for a watched limit", () => {
  const words = "This key's limit leaves no room for this call: $5.00 of $5.00 spent today";
  expect(refusalsOf(key)).toEqual([
    { status: 402, when: "Paid calls", words },
    { status: 429, when: "Calls beyond its rate", words: "This key may use 60 requests a minute" },
  ]);
  expect(refusalsOf(active)).toEqual([]);
  const watched = { ...active, limit_watch_only: true };
  const now = new Date("2026-11-21T18:00:00Z");
  expect(refusalsOf(watched)).toEqual([]);
  expect(statusView(watched, now)).toEqual({
    kind: "warning",
    word: "Over limit",
    note: "not refused",
    why: "It has spent $5.00 of $5.00. The limit is only watched: calls are not refused for it. It resets in 6 h (00:00 UTC).",
  });
  expect(statusView({ ...watched, limit_remaining: 1 }, now).word).toBe("Active");
});

it("what is left of a limit is listed without rounding up", () => {
  const listed = [4.999999992, 5, 4.35, 0.99999, 0.29, 0.0001, 0.000000992, 0, -1].map((left) => {
    const { usd, exact } = leftForList(left);
    return exact ? formatUsd(usd, { exact }) : formatUsdShort(usd);
  });
  expect(listed.join(" ")).toBe("$4.99 $5.00 $4.35 $0.9999 $0.29 $0.0001 $0.000000992 $0.00 -$1.00");
});

it("writes the two variables that the snippets read", () =>
  expect(envText("GATEHOUSE_API_KEY", "sk-gh-v1-x", "https://gw.example/api/v1")).toBe(
    "GATEHOUSE_API_KEY=sk-gh-v1-x\nGATEHOUSE_BASE_URL=https://gw.example/api/v1\n",
  ));

it("the file is named by the key, in letters that any system takes", () => {
  const names = ["prod-search", "Prod Search (EU)", "  Ünïcode ", "🔑", "../../etc/passwd"].map(envFileName);
  expect(names.join(" ")).toBe("prod-search.env prod-search-eu.env unicode.env gateway.env etc-passwd.env");
});

it("says of keys that were made with a key what ends them, and that a limit of it binds them", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const made = (disabled: boolean, expires_at: string | null = null) => ({
    hash: "h",
    name: "agent",
    disabled,
    expires_at,
  });
  const notes = [made(true), made(false), made(false, "2026-11-21T11:00:00Z"), made(false, "2026-11-24T12:00:00Z")];
  expect(notes.map((key) => madeKeyNote(key, now))).toEqual(["disabled", "", "expired", "expires in 3 days"]);
  expect([[], notes.slice(1, 2), notes].map((made_keys) => boundWithIt({ made_keys }))).toEqual([
    null,
    "The key made with it counts toward this limit too.",
    "The 4 keys made with it count toward this limit too.",
  ]);
});

it("enables what was disabled with a key again, and says that it is disabled", () => {
  const key = (hash: string, made_keys: KeyRecord["made_keys"] = []) => ({ hash, name: hash, made_keys });
  const made = (hash: string, disabled = false) => ({ hash, name: hash, disabled, expires_at: null });
  const [agents, alone] = [key("agents", [made("one"), made("off", true)]), key("alone", [made("off", true)])];
  const hashes = (keys: Parameters<typeof withMadeKeys>[0]) => withMadeKeys(keys).map(({ hash }) => hash);
  expect(hashes([agents])).toEqual(["agents", "one"]);
  // a key and its successor have the same ones, which may be chosen too
  expect(hashes([agents, key("one"), key("next", [made("one")])])).toEqual(["agents", "one", "next"]);
  expect([[alone], [agents], [agents, alone]].map(endsWith)).toEqual([
    "",
    " Keys made with it are disabled too, and stay disabled.",
    " Keys made with them are disabled too, and stay disabled.",
  ]);
});
