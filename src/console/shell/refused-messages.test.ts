import { expect, it } from "vitest";
import {
  isByGuardrail,
  lastRefused,
  refusedMoney,
  refusedReason,
  refusedSentence,
  refusedSummary,
  toldWords,
} from "./refused-messages.ts";

const now = new Date("2026-11-20T17:42:00Z");
const calls = { count: 66, first_at: "2026-11-20T14:00:41.000Z", reason: "key", status: 402 };

it("says how often, since when and why calls were refused", () => {
  expect(refusedSentence(calls, now)).toBe("Refused 66 times since 14:00:41 UTC: key limit");
  expect(refusedSentence({ ...calls, count: 1 }, now)).toBe("Refused once, at 14:00:41 UTC: key limit");
  expect(refusedSentence({ ...calls, first_at: "2026-11-19T23:00:00.000Z", reason: "not_found" }, now)).toBe(
    "Refused 66 times since 19 Nov 23:00:00 UTC: not found",
  );
  expect(refusedSentence({ ...calls, reason: "key_disabled" }, now)).toBe(
    "Refused 66 times since 14:00:41 UTC: disabled key",
  );
  expect(refusedReason({ status: 401, reason: "key_expired" })).toBe("401 expired key");
  expect(refusedReason({ status: 403, reason: "playground_key" })).toBe("403 unusable playground key");
  expect(refusedReason({ status: 429, reason: "key_requests_per_minute" })).toBe("429 key requests per minute");
});

it("knows which were refused by a guardrail", () => {
  const by = (reason: string, last_message: string) => isByGuardrail({ reason, last_message });
  expect(by("guardrail_budget", "The guardrail's budget leaves no room for this call")).toBe(true);
  expect(by("not_found", "No provider may serve this call: the guardrail Support does not allow acme/talk")).toBe(true);
  expect(by("permission_denied", "Request blocked by content filter: [EMAIL]")).toBe(true);
  expect(by("permission_denied", "Request blocked: prompt injection patterns detected")).toBe(true);
  expect(by("key", "This key's limit leaves no room for this call")).toBe(false);
});

it("says what the last call needed and what was left, where money refused it", () => {
  expect(refusedMoney({ reason: "key", last_needed: 0.0031, last_remaining: 0.0009 })).toBe(
    "The last call needed up to $0.0031, $0.0009 was left.",
  );
  expect(refusedMoney({ reason: "key", last_needed: null, last_remaining: null })).toBeNull();
  expect(refusedMoney({ reason: "key_requests_per_minute", last_needed: 1, last_remaining: 0 })).toBeNull();
});

it("never shows two amounts that differ as the same", () =>
  expect(refusedMoney({ reason: "credits", last_needed: 0.1021, last_remaining: 0.095 })).toBe(
    "The last call needed up to $0.1021, $0.095 was left.",
  ));

it("writes the times in a caller's words as people read them", () => {
  expect(toldWords("No room. It resets at 2026-11-23T00:00:00.000Z.", now)).toBe(
    "No room. It resets on 23 Nov at 00:00 UTC.",
  );
  expect(toldWords("Try after 2026-11-23T00:00:00Z", now)).toBe("Try after 23 Nov 00:00 UTC");
});

it("dates the last one where it is not of today", () => {
  expect(lastRefused({ last_at: "2026-11-20T14:03:02.000Z" }, now)).toBe("Last at 14:03:02 UTC");
  expect(lastRefused({ last_at: "2026-11-03T14:03:02.000Z" }, now)).toBe("Last at 3 Nov 14:03:02 UTC");
});

it("sums up a range, and says where not all of it is listed", () => {
  const one = {
    ...calls,
    key_hash: "",
    key_name: null,
    workspace_id: "",
    last_at: "",
    last_request_id: "",
    last_message: "",
  };
  const listed = { ...one, last_needed: null, last_remaining: null };
  const found = (calls: number, records = 1) => ({ data: [listed], since: "", total: { calls, records } });
  expect([found(0), found(1), found(1_066, 3)].map((one) => refusedSummary(one, "the last 7 days"))).toEqual([
    "No call was refused in the last 7 days.",
    "1 call was refused in the last 7 days, before a model was called; it cost nothing.",
    "1,066 calls were refused in the last 7 days, before a model was called; they cost nothing. The latest 1 of 3 keys and reasons are listed.",
  ]);
});
