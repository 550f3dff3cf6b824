import { expect, it } from "vitest";
import { fourDates } from "../example-dates.ts";
import * as messages from "./refused-messages.ts";

const { isByGuardrail, lastRefused, refusedMoney, refusedReason, refusedSentence, refusedSummary, toldWords } =
  messages;
const now = new Date("2026-11-20T17:42:00Z");
const calls = { count: 66, first_at: "2026-11-20T14:00:41.000Z", reason: "key", status: 402 };

it.each([
  [{}, "66 times since 14:00:41 UTC: key limit"],
  [{ count: 1 }, "once, at 14:00:41 UTC: key limit"],
  [{ first_at: "2026-11-19T23:00:00.000Z", reason: "not_found" }, "66 times since 19 Nov 23:00:00 UTC: not found"],
  [{ reason: "key_disabled" }, "66 times since 14:00:41 UTC: disabled key"],
])("of %j says how often, since when and why calls were refused", (some, said) =>
  expect(refusedSentence({ ...calls, ...some }, now)).toBe(`Refused ${said}`),
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

it("writes the times in a caller's words as people read them, with the year where it is another one", () => {
  const at = (iso: string, date: Date) => toldWords(`No room. It resets at ${iso}.`, date);
  expect(at("2026-11-23T00:00:00.000Z", now)).toBe("No room. It resets on 23 Nov at 00:00 UTC.");
  expect(toldWords("Try after 2026-11-23T00:00:00Z", now)).toBe("Try after 23 Nov 00:00 UTC");
  const newYear = fourDates.map((date) => toldWords("Try after 2029-01-01T00:00:00Z", date));
  expect(newYear).toEqual(newYear.map(() => "Try after 1 Jan 2029 00:00 UTC"));
});

it("dates the last one where it is not of today", () => {
  expect(lastRefused({ last_at: "2026-11-20T14:03:02.000Z" }, now)).toBe("Last at 14:03:02 UTC");
  expect(lastRefused({ last_at: "2026-11-03T14:03:02.000Z" }, now)).toBe("Last at 3 Nov 14:03:02 UTC");
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
