import { describe, expect, it } from "vitest";
import { percentiles } from "./health-window.ts";
import { type CallFailure, createHealthBoard } from "./health.ts";

const start = new Date("2026-11-21T12:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const failure = (reason: string): CallFailure => ({
  reason,
  message: `it was ${reason}`,
  status: 500,
  retryAfterSeconds: null,
});
const good = { failure: null, latencyMs: 200, tokensPerSecond: 50, byok: false };
const bad = (reason: string, byok = false) => ({
  ...good,
  failure: failure(reason),
  latencyMs: null,
  tokensPerSecond: null,
  byok,
});

describe("the health board", () => {
  it("knows nothing of what was never called", () => {
    const board = createHealthBoard();
    const unknown = { state: "up", errorRate: null, latency: null, throughput: null };
    expect(board.of("acme", "m", start)).toMatchObject(unknown);
    const idle = { status: "idle", calls_last_30m: 0, error_rate_last_30m: null };
    expect(board.provider("acme", start)).toMatchObject(idle);
    expect(board.uptime("acme", "m", 300_000, start)).toBeNull();
  });

  it("counts and times the calls of the last half hour", () => {
    const board = createHealthBoard();
    for (let call = 0; call < 6; call += 1) board.end("acme", "m", good, after(call * 1_000));
    board.end("acme", "m", bad("server"), after(7_000));
    board.end("acme", "m", bad("overloaded"), after(8_000));
    expect(board.of("acme", "m", after(9_000))).toMatchObject({
      state: "up",
      errorRate: 0.25,
      latency: { p50: 0.2, p99: 0.2 },
      throughput: { p50: 50 },
    });
    expect(board.provider("acme", after(9_000))).toMatchObject({
      status: "up",
      calls_last_30m: 8,
      error_rate_last_30m: 0.25,
      overload_rate_last_30m: 0.125,
      latency_p50_ms: 200,
      last_failure: { at: after(8_000).toISOString(), reason: "overloaded", message: "it was overloaded", status: 500 },
    });
    expect(board.uptime("acme", "m", 300_000, after(9_000))).toBe(75);
    const later = after(20 * 3_600_000);
    expect(board.uptime("acme", "m", 1_800_000, later)).toBeNull();
    expect(board.uptime("acme", "m", 86_400_000, later)).toBe(75);
    expect(board.uptime("acme", "m", 86_400_000, after(25 * 3_600_000))).toBeNull();
    expect(board.provider("acme", after(32 * 60_000))).toMatchObject({ calls_last_30m: 0, latency_p50_ms: null });
  });

  it("holds one model back without the provider's others", () => {
    const board = createHealthBoard();
    for (let call = 0; call < 3; call += 1) board.end("acme", "broken", bad("timeout"), start);
    board.end("acme", "fine", good, start);
    expect(board.of("acme", "broken", start).state).toBe("down");
    expect(board.of("acme", "fine", start).state).toBe("up");
    expect(board.provider("acme", start)).toMatchObject({ status: "down", retry_at: after(5_000).toISOString() });
  });

  it("holds nothing back from a provider that was not called for minutes after its pause", () => {
    const board = createHealthBoard();
    for (let call = 0; call < 3; call += 1) board.end("acme", "m", bad("overloaded"), start);
    expect(board.provider("acme", after(60_000)).status).toBe("overloaded");
    expect(board.provider("acme", after(4 * 3_600_000))).toMatchObject({ status: "idle", retry_at: null });
  });

  it("tells a refused key from an outage", () => {
    const board = createHealthBoard();
    board.end("acme", "m", bad("credentials"), start);
    expect(board.provider("acme", start).status).toBe("credentials");
  });

  it("does not blame the provider for a bad request, nor for a workspace's own key", () => {
    const board = createHealthBoard();
    for (let call = 0; call < 5; call += 1) {
      board.end("acme", "m", bad("invalid_request"), start);
      board.end("acme", "m", bad("credentials", true), start);
    }
    expect(board.of("acme", "m", start).state).toBe("up");
    expect(board.provider("acme", start)).toMatchObject({ status: "idle", calls_last_30m: 0, last_failure: null });
  });
});

describe("percentiles", () => {
  it("are by nearest rank, and nothing below five values", () => {
    expect(percentiles([1, 2, 3, 4])).toBeNull();
    expect(percentiles([5, 4, 3, 2, 1])).toEqual({ p50: 3, p75: 4, p90: 5, p99: 5 });
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentiles(hundred)).toEqual({ p50: 50, p75: 75, p90: 90, p99: 99 });
  });
});
