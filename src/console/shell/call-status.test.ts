import { expect, it } from "vitest";
import { fourDates } from "../example-dates.ts";
import { callStatus } from "./call-status.ts";
import { closestFirst, isOfWorkspace } from "./key-matches.ts";
import { promptCacheText } from "./prompt-cache-text.ts";
import * as messages from "./refused-messages.ts";
import { nothingPressed, pressName, shortcutStep } from "./shortcut-step.ts";

const call = { status: 200, error_type: null, cancelled: false, api_type: "embeddings" as const, attempts: [] };
const attempt = { provider: "studio", model: "studio/camera", latency_ms: 40, is_byok: false, error: "blocked" };
const failed = { ...call, status: 502, error_type: "provider_unavailable" as const };
const job = (status: number) => ({ ...failed, api_type: "videos" as const, attempts: [{ ...attempt, status }] });
it.each([
  ["was answered", call, "running", "Answered"],
  ["failed", failed, "trouble", "502 provider unavailable"],
  // whatever status that is recorded as
  ["was left by its caller", { ...call, cancelled: true }, "over", "The caller left"],
  ["was left by its caller", { ...call, status: 499, cancelled: true }, "over", "The caller left"],
  ["is a video job that was accepted", job(200), "trouble", "No video made"],
  ["is a video job that was refused", job(500), "trouble", "502 provider unavailable"],
])("of a call that %s: %#", (_, record, kind, word) => expect(callStatus(record)).toEqual({ kind, word }));

it.each<[string, number, string, string[]?]>([
  ["2000000", 1.5, "41% of 2M input tokens of 7 days; caches saved $1.50"],
  ["2000000", 0, "41% of 2M input tokens of 7 days"],
  ["100", 0, "0% of 100 input tokens of the latest calls of 7 days", ["Only calls since …"]],
])(
  "of %s input tokens says how much caches read, and what it saved: $%d",
  (tokens_prompt, usage_cache, words, warnings) => {
    const row = { tokens_prompt, cached_tokens: tokens_prompt === "100" ? "0" : "820000", usage_cache };
    const metadata = { query_time_ms: 1, row_count: 1, truncated: false };
    expect(promptCacheText({ data: [row], metadata, ...(warnings && { warnings }) })).toBe(words);
    const none = { ...row, tokens_prompt: "0", cached_tokens: "0", usage_cache: 0 };
    expect(promptCacheText({ data: [none], metadata })).toMatch(/^No input/);
  },
);

const key = (name: string) => ({ name, label: "sk-gh-v1-abc...wxyz", hash: "0", workspace_id: "ws-1" });
it("lists the key of exactly this name first, and takes none for another workspace's where all are shown", () => {
  const keys = ["unlimited", "limited-2", "Limited", "a limited one"].map(key);
  const names = closestFirst(keys, "limited").map(({ name }) => name);
  expect(names).toEqual(["Limited", "limited-2", "unlimited", "a limited one"]);
  const workspaces = ["all", undefined, "ws-1", "ws-2"];
  expect(workspaces.map((one) => isOfWorkspace(key("a"), one))).toEqual([true, true, true, false]);
});

const { isByGuardrail, refusedMoney, refusedReason, refusedSummary, refusedTimes, toldWords } = messages;
const now = new Date("2026-11-20T17:42:00Z");
const from = { first_at: "2026-11-20T14:00:41.000Z", last_at: "2026-11-20T14:03:02.000Z" };
const calls = { count: 66, ...from, reason: "key", status: 402 };

it.each([
  [{}, "66 times, 14:00:41 to 14:03:02 UTC"],
  [{ count: 1 }, "once, 14:03:02 UTC"],
  [{ first_at: "2026-11-19T23:00:00.000Z" }, "66 times, 19 Nov 23:00:00 to 14:03:02 UTC"],
])("of %j says how often and when calls were refused", (some, said) =>
  expect(refusedTimes({ ...calls, ...some }, now)).toBe(said),
);

it.each([
  [401, "key_expired", "401 expired key"],
  [403, "playground_key", "403 unusable playground key"],
  [429, "key_requests_per_minute", "429 key requests per minute"],
])("says %d, %s, in words", (status, reason, words) => expect(refusedReason({ status, reason })).toBe(words));

it.each([
  [true, "guardrail_budget", "The guardrail's budget leaves no room for this call"],
  [true, "not_found", "No provider may serve this call: the guardrail Support does not allow acme/talk"],
  [true, "permission_denied", "Request blocked by content filter: [EMAIL]"],
  [true, "permission_denied", "Request blocked: prompt injection patterns detected"],
  [false, "key", "This key's limit leaves no room for this call"],
])("by guardrail: %s, %s, %s", (by, reason, last_message) => expect(isByGuardrail({ reason, last_message })).toBe(by));

it.each([
  ["key", 0.0031, 0.0009, "The last call needed up to $0.0031, $0.0009 was left."],
  // two amounts that differ are never shown as the same
  ["credits", 0.1021, 0.095, "The last call needed up to $0.1021, $0.095 was left."],
  ["key", null, null, null],
  ["key_requests_per_minute", 1, 0, null],
])("says what the last call needed and what was left, where money refused it: %s", (reason, needed, left, words) =>
  expect(refusedMoney({ reason, last_needed: needed, last_remaining: left })).toBe(words),
);

it("writes the times in a caller's words as people read them", () => {
  const at = (iso: string, date: Date) => toldWords(`No room. It resets at ${iso}.`, date);
  expect(at("2026-11-23T00:00:00.000Z", now)).toBe("No room. It resets on 23 Nov at 00:00 UTC.");
  expect(toldWords("Try after 2026-11-23T00:00:00Z", now)).toBe("Try after 23 Nov 00:00 UTC");
  const newYear = fourDates.map((date) => toldWords("Try after 2029-01-01T00:00:00Z", date));
  expect(newYear).toEqual(newYear.map(() => "Try after 1 Jan 2029 00:00 UTC"));
});

const ids = { key_hash: "", key_name: null, workspace_id: "", last_request_id: "" };
const listed = { ...calls, ...ids, last_at: "", last_message: "", last_needed: null, last_remaining: null };
const refused = "refused in the last 7 days";
it.each([
  [0, 1, `No call was ${refused}.`],
  [1, 1, `1 call was ${refused}, before a model was called; it cost nothing.`],
  [
    1_066,
    3,
    `1,066 calls were ${refused}, before a model was called; they cost nothing. The latest 1 of 3 keys and reasons are listed.`,
  ],
])("sums up a range of %d calls, and says where not all of it is listed", (calls, records, words) => {
  const found = { data: [listed], since: "", total: { calls, records } };
  expect(refusedSummary(found, "the last 7 days")).toBe(words);
});

const offered = ["c", "g k", "g g", "k", "mod+k"].map((keys) => ({ keys }));

it.each([
  ["answer to one key", "c@0", "c"],
  ["answer to two in a row", "g@0 k@300", "-,g k"],
  ["answer to one twice", "g@0 g@300", "-,g g"],
  ["take the second key alone where it comes too late", "g@0 k@1000", "-,k"],
  ["begin anew after a call", "g@0 k@300 k@600", "-,g k,k"],
])("shortcuts %s", (_, presses, calls) => {
  let before = nothingPressed;
  const called = presses.split(" ").map((press) => {
    const [key = "", at] = press.split("@");
    const { call, next } = shortcutStep(offered, before, { key, at: Number(at) });
    before = next;
    return call?.keys ?? "-";
  });
  expect(called.join()).toBe(calls);
});

it("shortcuts go to the innermost that offers them, and are named alike on every keyboard", () => {
  const [outer, inner] = [{ keys: "c" }, { keys: "c" }];
  expect(shortcutStep([outer, inner], nothingPressed, { key: "c", at: 0 }).call).toBe(inner);
  const name = (key: string, ctrlKey: boolean, metaKey: boolean) => pressName({ key, ctrlKey, metaKey });
  expect([name("K", true, false), name("k", false, true), name("?", false, false)]).toEqual(["mod+k", "mod+k", "?"]);
});
