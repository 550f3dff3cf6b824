import { describe, expect, it } from "vitest";
import { ProviderHealth } from "#contract/providers.ts";
import { noCalls } from "../api/example-providers.ts";
import { callsSeen, callsSeenWords, inTrouble, lastCallWords, providerStatus, troubleKind } from "./provider-status.ts";

const now = new Date("2026-11-20T17:42:00Z");
type Hour = readonly [calls: number, failures: number];
/** Of the last hours, the current one last: calls, and how many of them failed. */
function ledger(last_call_hour: string | null, ...hours: Hour[]): ProviderHealth["ledger"] {
  const [calls, failures] = [0, 1].map((at) => hours.reduce((sum, hour) => sum + (hour[at] ?? 0), 0));
  const each = hours.map(([calls, failures]) => ({ at: "", calls, failures }));
  return { calls: calls ?? 0, failures: failures ?? 0, hours: each, models: [], last_call_hour };
}
const health = (status: ProviderHealth["status"], kept = ledger(null)): ProviderHealth => {
  return { ...noCalls, status, ledger: kept };
};
const on = (of: ProviderHealth) => ({ enabled: true, health: of });
const off = (of: ProviderHealth) => ({ enabled: false, health: of });
const every = ProviderHealth.shape.status.options;

describe("a provider's status", () => {
  it("is green for one state only while it is fresh, off when switched off, and trouble for four", () => {
    const green = (fresh: boolean) =>
      every.filter((status) => providerStatus(on(health(status)), fresh).kind === "running");
    expect([green(true), green(false)]).toEqual([["up"], []]);
    for (const status of every) expect(providerStatus(off(health(status))).word).toBe("Off");
    expect(every.filter((status) => inTrouble(off(health(status))))).toEqual([]);
    const trouble = ["failing", "overloaded", "credentials", "down"];
    expect(every.filter((status) => inTrouble(on(health(status))))).toEqual(trouble);
  });

  it("has one severity, whichever page asks", () => {
    for (const status of every.filter((one) => inTrouble(on(health(one))))) {
      expect(troubleKind(status)).toBe(providerStatus(on(health(status))).kind);
    }
  });

  it("says that nothing is known of now where there were no recent calls, whatever was before", () => {
    const failed = ledger("2026-11-20T13:00:00.000Z", [9, 9], [0, 0], [0, 0], [0, 0]);
    expect(providerStatus(on(health("idle", failed)))).toEqual({ kind: "never", word: "No recent calls" });
    expect(providerStatus(on(health("idle"))).word).toBe("No calls yet");
  });
});

const kept = ledger("2026-11-20T13:00:00.000Z", [1_200, 36], [4, 0]);

it("what was seen of a provider says which window its figures are of", () => {
  const busy = { ...health("up", kept), recent: { calls: 1, error_rate: 0.5, minutes: 30 } };
  expect(callsSeen(busy)).toMatchObject({ calls: 1, errorRate: 0.5, window: { words: "in the last 30 minutes" } });
  expect(callsSeenWords(busy, now)).toBe("1 call in 30 min");
  const hours = { ...busy, recent: { calls: 53, error_rate: 0, minutes: 180 } };
  expect(callsSeen(hours)?.window).toEqual({ short: "3 h", words: "in the last 3 hours" });
  expect(callsSeen(health("idle", kept))).toMatchObject({ calls: 1_204, window: { short: "24 h" } });
  expect(callsSeenWords(health("idle", kept), now)).toBe("1,204 calls in 24 h");
});

it.each<[string | null, Hour[], string | undefined, string]>([
  ["2026-11-17T13:00:00.000Z", [], "last call 3 days ago", "17 Nov, between 13:00 and 14:00 UTC"],
  ["2026-11-20T17:00:00.000Z", [[1, 0]], undefined, "20 Nov, since 17:00 UTC"],
  ["2026-11-20T16:00:00.000Z", [[1, 0]], undefined, "20 Nov, between 16:00 and 17:00 UTC"],
  [null, [], "", "None yet"],
])("what was seen of a provider says when the last call was: %s", (last, hours, seen, words) => {
  const old = health("idle", ledger(last, ...hours));
  expect(lastCallWords(old, now)).toBe(words);
  if (seen !== undefined) expect([callsSeen(old), callsSeenWords(old, now)]).toEqual([null, seen]);
});
