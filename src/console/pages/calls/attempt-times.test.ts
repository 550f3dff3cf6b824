import { describe, expect, it } from "vitest";
import type { CallAttempt, CallRecord } from "#contract/calls.ts";
import { attemptTimes, reservedMost, wholeMs } from "./attempt-times.ts";

const attempt = (more: Partial<CallAttempt>): CallAttempt => ({
  provider: "acme",
  model: "acme/chat",
  status: 200,
  latency_ms: 100,
  is_byok: false,
  error: null,
  ...more,
});
const callOf = (more: Partial<CallRecord>) =>
  ({ latency_ms: null, duration_ms: 500, streamed: false, attempts: [], ...more }) as CallRecord;

describe("the times of attempts", () => {
  it("follow each other as recorded, the answer with its first byte", () => {
    const attempts = [
      attempt({ started_ms: 2, latency_ms: 200, status: 500, error: "broken" }),
      attempt({ started_ms: 205, latency_ms: 290 }),
    ];
    expect(attemptTimes(callOf({ attempts, latency_ms: 40 }))).toEqual([
      { from: 2, firstByte: null, to: 202 },
      { from: 205, firstByte: 245, to: 495 },
    ]);
  });

  it("of a stream go on to the end of the call", () => {
    const attempts = [attempt({ started_ms: 10, latency_ms: 60 })];
    expect(attemptTimes(callOf({ attempts, latency_ms: 60, streamed: true }))).toEqual([
      { from: 10, firstByte: 70, to: 500 },
    ]);
  });

  it("of a video go on to the end of its job, once it was accepted", () => {
    const attempts = [attempt({ started_ms: 6, latency_ms: 140 })];
    expect(attemptTimes(callOf({ attempts, latency_ms: 60, api_type: "videos", duration_ms: 2_000 }))).toEqual([
      { from: 6, firstByte: 146, to: 2_000 },
    ]);
    const failed = [attempt({ started_ms: 6, latency_ms: 1_994, error: "too dark" })];
    expect(attemptTimes(callOf({ attempts: failed, api_type: "videos", duration_ms: 2_000 }))).toEqual([
      { from: 6, firstByte: null, to: 2_000 },
    ]);
  });

  it("are not made up: a beginning that was not recorded is not known, nor whose the first byte was", () => {
    const old = attemptTimes(callOf({ attempts: [attempt({}), attempt({})], latency_ms: 40, streamed: true }));
    expect(old).toEqual([
      { from: null, firstByte: null, to: 100 },
      { from: null, firstByte: null, to: 100 },
    ]);
    const batches = [attempt({ started_ms: 1 }), attempt({ started_ms: 1 })];
    expect(attemptTimes(callOf({ attempts: batches, latency_ms: 40 })).map(({ firstByte }) => firstByte)).toEqual([
      null,
      null,
    ]);
  });

  it("never leave the picture", () => {
    const call = callOf({ duration_ms: 0, attempts: [attempt({ started_ms: 1, latency_ms: 1 })] });
    expect(wholeMs(call, attemptTimes(call))).toBe(2);
    expect(wholeMs(callOf({ duration_ms: 0 }), [])).toBe(1);
  });
});

describe("what was reserved", () => {
  it("is the most that was, zero where no limit counts the call, and unknown where it was not recorded", () => {
    expect(reservedMost([attempt({ reserved: 0.1 }), attempt({ reserved: 0.3 })])).toBe(0.3);
    expect(reservedMost([attempt({ reserved: 0 })])).toBe(0);
    expect(reservedMost([attempt({})])).toBeUndefined();
    expect(reservedMost([])).toBeUndefined();
  });
});
