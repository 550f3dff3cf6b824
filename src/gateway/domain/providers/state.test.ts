import { describe, expect, it } from "vitest";
import type { ProviderHealth } from "#contract/providers.ts";
import type { SeenHealth } from "../routing/health.ts";
import { isInTrouble, stateOf } from "./state.ts";

const at = "2026-11-20T17:00:00.000Z";
const quiet: SeenHealth = {
  status: "idle",
  calls_last_30m: 0,
  error_rate_last_30m: null,
  overload_rate_last_30m: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  retry_at: null,
  last_failure: null,
};
const seen = (calls: number, rate: number, status: ProviderHealth["status"] = "up") => {
  return { ...quiet, status, calls_last_30m: calls, error_rate_last_30m: rate };
};
const none = { calls: 0, failures: 0 };

describe("a provider's state", () => {
  it.each<[string, SeenHealth, typeof none, ProviderHealth["status"], number | undefined]>([
    ["calls of the last half hour that succeed", seen(5, 0), none, "up", 30],
    [
      "a tenth of five calls that fails, though others answer them",
      seen(10, 0.1),
      { calls: 90, failures: 0 },
      "failing",
      30,
    ],
    ["all of a few calls that fail", seen(2, 1), { calls: 90, failures: 0 }, "failing", 30],
    ["some of a few calls that fail", seen(4, 0.75), none, "up", 30],
    ["calls of the last hours, of another process or before a restart", quiet, { calls: 53, failures: 0 }, "up", 180],
    ["failures of the last hours", seen(1, 0), { calls: 10, failures: 1 }, "failing", 180],
    ["what succeeds now, whatever failed before", seen(5, 0), { calls: 10, failures: 5 }, "up", 30],
    ["nothing for three hours", quiet, none, "idle", undefined],
    ["calls that are held back", seen(3, 1, "overloaded"), none, "overloaded", 30],
    ["slow answers", seen(9, 0, "slow"), none, "slow", 30],
    ["slow answers of which many fail", seen(9, 0.5, "slow"), none, "failing", 30],
  ])("is by recent calls: %s", (_, here, ledger, status, minutes) => {
    const state = stateOf(here, ledger, null);
    expect([state.status, state.recent?.minutes]).toEqual([status, minutes]);
  });

  it("forgets a key that was refused once the settings were changed", () => {
    const failure = { at, reason: "credentials", message: "bad key", status: 401 };
    const refused = { ...seen(1, 1, "credentials"), last_failure: failure };
    const state = (changedAt: string) => stateOf(refused, none, new Date(changedAt)).status;
    expect([state("2026-11-20T16:59:00Z"), state("2026-11-20T17:01:00Z")]).toEqual(["credentials", "failing"]);
  });

  it("needs an admin in four of the seven", () => {
    const all = ["idle", "up", "slow", "failing", "overloaded", "credentials", "down"] as const;
    expect(all.filter((status) => isInTrouble({ status, recent: null }))).toEqual(all.slice(3));
  });
});
