import { describe, expect, it } from "vitest";
import { createClient, retryDelay, shouldRetry } from "./client.ts";
import { reachability } from "./connectivity.ts";
import { ApiError, NetworkError } from "./errors.ts";

describe("trying a read again", () => {
  it("happens twice when the gateway had a problem, and not at all when it refused", () => {
    const problem = new ApiError(500, "statement timeout");
    expect([0, 1, 2].map((failures) => shouldRetry(failures, problem))).toEqual([true, true, false]);
    for (const status of [400, 401, 403, 404, 409]) expect(shouldRetry(0, new ApiError(status, "no"))).toBe(false);
  });

  it("happens four times when told to slow down, after the wait that the server asked for", () => {
    const slow = new ApiError(429, "slow down", { retryAfter: 7 });
    expect([0, 3, 4].map((failures) => shouldRetry(failures, slow))).toEqual([true, true, false]);
    expect(retryDelay(3, slow)).toBe(7_000);
  });

  it("waits 1, 2, 4, 8 s and no longer without such a wish, with at most a fifth more", () => {
    const problem = new ApiError(500, "no");
    expect([0, 1, 2, 3, 9].map((failures) => retryDelay(failures, problem, () => 0))).toEqual([
      1_000, 2_000, 4_000, 8_000, 8_000,
    ]);
    expect(retryDelay(3, problem, () => 1)).toBe(9_600);
  });

  it("happens once when no answer came: the second failure in a row raises the bar, which probes by itself", () =>
    expect([0, 1].map((failures) => shouldRetry(failures, new NetworkError("unreachable")))).toEqual([true, false]));

  it("never happens for a mistake of the console's own", () =>
    expect(shouldRetry(0, new TypeError("x is not a function"))).toBe(false));
});

it("reads everything again once the gateway answers again, but no list that announces what is new", () => {
  const client = createClient();
  const invalidated = (name: "listKeys" | "listAudit") => client.getQueryState([name])?.isInvalidated;
  const known = (name: "listKeys" | "listAudit", announcesNew: boolean) => {
    client.getQueryCache().build(client, { queryKey: [name], meta: { announcesNew } });
    client.setQueryData([name], { data: [] });
  };
  known("listKeys", false);
  known("listAudit", true);
  client.getQueryCache().build(client, { queryKey: ["listAudit", "failed"], meta: { announcesNew: true } });
  reachability.set({ reachable: false, lastAnswerAt: 0, nextProbeAt: 5_000 });
  expect([invalidated("listKeys"), invalidated("listAudit")]).toEqual([false, false]);
  reachability.set({ reachable: true });
  expect([invalidated("listKeys"), invalidated("listAudit")]).toEqual([true, false]);
  expect(client.getQueryState(["listAudit", "failed"])?.isInvalidated).toBe(true);
});
