import { describe, expect, it } from "vitest";
import { ProviderHealth } from "#contract/providers.ts";
import { callsSeen, callsSeenWords, inTrouble, lastCallWords, providerStatus } from "./provider-status.ts";

const now = new Date("2026-11-20T17:42:00Z");
/** Of the last hours, the current one last: calls, and how many of them failed. */
const ledger = (last: string | null, ...hours: [number, number][]): ProviderHealth["ledger"] => ({
  calls: hours.reduce((sum, [calls]) => sum + calls, 0),
  failures: hours.reduce((sum, [, failures]) => sum + failures, 0),
  hours: hours.map(([calls, failures]) => ({ at: "", calls, failures })),
  models: [],
  last_call_hour: last,
});

const health = (status: ProviderHealth["status"], kept = ledger(null)): ProviderHealth => ({
  status,
  calls_last_30m: 0,
  error_rate_last_30m: null,
  overload_rate_last_30m: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  retry_at: null,
  last_failure: null,
  ledger: kept,
});
const every = ProviderHealth.shape.status.options;

describe("a provider's status", () => {
  it("is green for one state only, and only while it is fresh", () => {
    const green = (fresh: boolean) =>
      every.filter((status) => providerStatus({ enabled: true, health: health(status) }, fresh).kind === "running");
    expect(green(true)).toEqual(["up"]);
    expect(green(false)).toEqual([]);
  });

  it("is off when it is switched off, whatever was seen", () => {
    for (const status of every) {
      expect(providerStatus({ enabled: false, health: health(status) }).word).toBe("Off");
      expect(inTrouble({ enabled: false, health: health(status) })).toBe(false);
    }
  });

  it("is trouble where calls are held back or the key is refused", () =>
    expect(every.filter((status) => inTrouble({ enabled: true, health: health(status) }))).toEqual([
      "overloaded",
      "credentials",
      "down",
    ]));

  it("is the ledger's where this process has seen no call for 30 minutes", () => {
    const word = (...kept: Parameters<typeof ledger>) =>
      providerStatus({ enabled: true, health: health("idle", ledger(...kept)) });
    const today = "2026-11-20T13:00:00.000Z";
    expect(word(null)).toEqual({ kind: "unknown", word: "No calls yet" });
    expect(word(today, [9, 0], [0, 0], [0, 0], [0, 0])).toEqual({ kind: "unknown", word: "Idle" });
    expect(word(today, [9, 9], [0, 0], [9, 0], [0, 0])).toEqual({ kind: "unknown", word: "In use" });
    expect(word(today, [9, 0], [4, 0], [5, 1], [0, 0])).toEqual({ kind: "warning", word: "Failing" });
    expect(word("2026-11-03T13:00:00.000Z").word).toBe("Idle");
  });
});

describe("a provider whose calls others answer", () => {
  const seen = (calls: number, rate: number) => ({ ...health("up"), calls_last_30m: calls, error_rate_last_30m: rate });

  it("is never green after nothing but failures, however few", () => {
    expect(providerStatus({ enabled: true, health: seen(1, 1) })).toEqual({ kind: "warning", word: "Failing" });
    const once = health("idle", ledger("2026-11-20T17:00:00.000Z", [1, 1]));
    expect(providerStatus({ enabled: true, health: once }).word).toBe("Failing");
    expect(inTrouble({ enabled: true, health: once })).toBe(true);
  });

  it("fails from a tenth of five calls on, and an admin should look", () => {
    const word = (calls: number, rate: number) => providerStatus({ enabled: true, health: seen(calls, rate) }).word;
    expect([word(5, 0.1), word(4, 0.9), word(100, 0.09)]).toEqual(["Failing", "Up", "Up"]);
    expect(inTrouble({ enabled: true, health: seen(10, 0.43) })).toBe(true);
    expect(inTrouble({ enabled: false, health: seen(10, 0.43) })).toBe(false);
    const before = ledger("2026-11-20T17:00:00.000Z", [10, 5]);
    expect(inTrouble({ enabled: true, health: health("idle", before) })).toBe(true);
  });
});

describe("what was seen of a provider", () => {
  const kept = ledger("2026-11-20T13:00:00.000Z", [1_200, 36], [4, 0]);

  it("says which window its figures are of", () => {
    const busy = { ...health("up", kept), calls_last_30m: 1, error_rate_last_30m: 0.5 };
    expect(callsSeen(busy)).toMatchObject({ calls: 1, errorRate: 0.5, window: { short: "30 min" } });
    expect(callsSeenWords(busy, now)).toBe("1 call in 30 min");
    expect(callsSeen(health("idle", kept))).toMatchObject({ calls: 1_204, window: { short: "24 h" } });
    expect(callsSeenWords(health("idle", kept), now)).toBe("1,204 calls in 24 h, from the ledger");
  });

  it("says when the last call was after a day without one", () => {
    const old = health("idle", ledger("2026-11-17T13:00:00.000Z"));
    expect([callsSeen(old), callsSeenWords(old, now)]).toEqual([null, "last call 3 days ago"]);
    expect(lastCallWords(old, now)).toBe("17 Nov, between 13:00 and 14:00 UTC");
    expect(lastCallWords(health("idle", ledger("2026-11-20T17:00:00.000Z", [1, 0])), now)).toBe(
      "20 Nov, since 17:00 UTC",
    );
    expect(lastCallWords(health("idle", ledger("2026-11-20T16:00:00.000Z", [1, 0])), now)).toBe(
      "20 Nov, between 16:00 and 17:00 UTC",
    );
    expect([callsSeenWords(health("idle"), now), lastCallWords(health("idle"), now)]).toEqual(["", "None yet"]);
  });
});
