import { describe, expect, it } from "vitest";
import type { CallAttempt, CallRecord } from "#contract/calls.ts";
import { attemptTimes, reservedMost, wholeMs } from "./attempt-times.ts";

const made = { provider: "acme", model: "acme/chat", status: 200, latency_ms: 100, is_byok: false, error: null };
const attempt = (more: Partial<CallAttempt>): CallAttempt => ({ ...made, ...more });
const callOf = (more: Partial<CallRecord>) =>
  ({ latency_ms: null, duration_ms: 500, streamed: false, attempts: [], ...more }) as CallRecord;
const video = { api_type: "videos", duration_ms: 2_000 } as const;

describe("the times of attempts", () => {
  it("follow each other as recorded, the answer with its first byte", () => {
    const failed = attempt({ started_ms: 2, latency_ms: 200, status: 500, error: "broken" });
    const attempts = [failed, attempt({ started_ms: 205, latency_ms: 290 })];
    expect(attemptTimes(callOf({ attempts, latency_ms: 40 }))).toEqual([
      { from: 2, firstByte: null, to: 202 },
      { from: 205, firstByte: 245, to: 495 },
    ]);
  });

  const streamed = { latency_ms: 60, streamed: true };
  const failed = { started_ms: 6, latency_ms: 1_994, error: "too dark" };
  const accepted = { ...video, latency_ms: 60 };
  it.each<[string, Partial<CallAttempt>, Partial<CallRecord>, number, number | null, number]>([
    ["a stream go on to the end of the call", { started_ms: 10, latency_ms: 60 }, streamed, 10, 70, 500],
    ["a video go on to the end of its job", { started_ms: 6, latency_ms: 140 }, accepted, 6, 146, 2_000],
    ["a video that failed end with its job", failed, video, 6, null, 2_000],
  ])("of %s", (_, one, call, from, firstByte, to) => {
    const times = attemptTimes(callOf({ attempts: [attempt(one)], ...call }));
    expect(times).toEqual([{ from, firstByte, to }]);
  });

  it("are not made up where they were not recorded, and never leave the picture", () => {
    const old = attemptTimes(callOf({ attempts: [attempt({}), attempt({})], latency_ms: 40, streamed: true }));
    const unknown = { from: null, firstByte: null, to: 100 };
    expect(old).toEqual([unknown, unknown]);
    const batches = callOf({ attempts: [attempt({ started_ms: 1 }), attempt({ started_ms: 1 })], latency_ms: 40 });
    expect(attemptTimes(batches).map(({ firstByte }) => firstByte)).toEqual([null, null]);
    const call = callOf({ duration_ms: 0, attempts: [attempt({ started_ms: 1, latency_ms: 1 })] });
    expect([wholeMs(call, attemptTimes(call)), wholeMs(callOf({ duration_ms: 0 }), [])]).toEqual([2, 1]);
  });
});

it("what was reserved is the most that was, zero where no limit counts the call, else unknown", () => {
  const most = (...reserved: (number | undefined)[]) =>
    reservedMost(reserved.map((usd) => attempt(usd === undefined ? {} : { reserved: usd })));
  expect([most(0.1, 0.3), most(0), most(undefined), most()]).toEqual([0.3, 0, undefined, undefined]);
});
