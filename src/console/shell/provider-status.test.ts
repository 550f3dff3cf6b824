import { describe, expect, it } from "vitest";
import { ProviderHealth } from "#contract/providers.ts";
import { inTrouble, providerStatus } from "./provider-status.ts";

const health = (status: ProviderHealth["status"]): ProviderHealth => ({
  status,
  calls_last_30m: 0,
  error_rate_last_30m: null,
  overload_rate_last_30m: null,
  latency_p50_ms: null,
  latency_p95_ms: null,
  retry_at: null,
  last_failure: null,
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

  it("is trouble where calls are held back or the key is refused", () => {
    expect(every.filter((status) => inTrouble({ enabled: true, health: health(status) }))).toEqual([
      "overloaded",
      "credentials",
      "down",
    ]);
  });
});
