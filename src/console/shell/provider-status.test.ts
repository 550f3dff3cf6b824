import { describe, expect, it } from "vitest";
import { ProviderHealth } from "#contract/providers.ts";
import { noCalls } from "../api/example-providers.ts";
import { callsSeen, callsSeenWords, inTrouble, lastCallWords, providerStatus } from "./provider-status.ts";

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
  it("is green for one state only while it is fresh, off when switched off, and trouble for three", () => {
    const green = (fresh: boolean) =>
      every.filter((status) => providerStatus(on(health(status)), fresh).kind === "running");
    expect([green(true), green(false)]).toEqual([["up"], []]);
    for (const status of every) expect(providerStatus(off(health(status))).word).toBe("Off");
    expect(every.filter((status) => inTrouble(off(health(status))))).toEqual([]);
    const trouble = ["overloaded", "credentials", "down"];
    expect(every.filter((status) => inTrouble(on(health(status))))).toEqual(trouble);
  });

  const today = "2026-11-20T13:00:00.000Z";
  const quiet: Hour = [0, 0];
  it.each<[string, string, string | null, Hour[]]>([
    ["unknown", "No calls yet", null, []],
    ["unknown", "Idle", today, [[9, 0], quiet, quiet, quiet]],
    ["unknown", "In use", today, [[9, 9], quiet, [9, 0], quiet]],
    ["warning", "Failing", today, [[9, 0], [4, 0], [5, 1], quiet]],
    ["unknown", "Idle", "2026-11-03T13:00:00.000Z", []],
    // never green after nothing but failures, however few
    ["warning", "Failing", "2026-11-20T17:00:00.000Z", [[1, 1]]],
  ])("is the ledger's where this process has seen no call for 30 minutes: %s, %s", (kind, word, last, hours) =>
    expect(providerStatus(on(health("idle", ledger(last, ...hours))))).toEqual({ kind, word }),
  );

  it("is failing from a tenth of five calls on, though others answer, and an admin should look", () => {
    const seen = (calls_last_30m: number, error_rate_last_30m: number) => {
      return { ...health("up"), calls_last_30m, error_rate_last_30m };
    };
    const words = [seen(1, 1), seen(5, 0.1), seen(4, 0.9), seen(100, 0.09)].map((one) => providerStatus(on(one)).word);
    expect(words).toEqual(["Failing", "Failing", "Up", "Up"]);
    expect([on(seen(10, 0.43)), off(seen(10, 0.43))].map(inTrouble)).toEqual([true, false]);
    const before = (
      [
        [1, 1],
        [10, 5],
      ] as const
    ).map((hour) => on(health("idle", ledger(today, hour))));
    expect(before.map(inTrouble)).toEqual([true, true]);
  });
});

const kept = ledger("2026-11-20T13:00:00.000Z", [1_200, 36], [4, 0]);

it("what was seen of a provider says which window its figures are of", () => {
  const busy = { ...health("up", kept), calls_last_30m: 1, error_rate_last_30m: 0.5 };
  expect(callsSeen(busy)).toMatchObject({ calls: 1, errorRate: 0.5, window: { short: "30 min" } });
  expect(callsSeenWords(busy, now)).toBe("1 call in 30 min");
  expect(callsSeen(health("idle", kept))).toMatchObject({ calls: 1_204, window: { short: "24 h" } });
  expect(callsSeenWords(health("idle", kept), now)).toBe("1,204 calls in 24 h, from the ledger");
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
