import { describe, expect, it } from "vitest";
import { Refusal } from "../../domain/refusal.ts";
import { failureOf, retryMs } from "./failure.ts";

const onLedger = { headers: { "x-generation-id": "gen-1" }, previous_errors: [{ status: 429 }] };

describe("a request of a batch that was refused", () => {
  it.each([
    ["a rate", new Refusal("rate_limit_exceeded", "a", { retryAfterSeconds: 7 }), 7_000],
    ["a rate that lasts long", new Refusal("rate_limit_exceeded", "a", { retryAfterSeconds: 9_000 }), 60_000],
    ["lack of room", new Refusal("unavailable", "a"), 1_000],
    ["an empty key", new Refusal("payment_required", "a"), null],
    ["a wrong body", new Refusal("invalid_request", "a"), null],
    ["no provider", new Refusal("provider_unavailable", "a", onLedger), null],
  ])("before a provider was asked, for %s", (_, refusal, waitMs) => {
    expect(retryMs(refusal, { wasAsked: false, tries: 50 })).toBe(waitMs);
  });

  it("after a provider was asked, is made again a few times, where that provider bills nothing", () => {
    const busy = new Refusal("provider_overloaded", "a", onLedger);
    const waits = [1, 2, 3, 4].map((tries) => retryMs(busy, { wasAsked: true, tries }));
    expect(waits).toEqual([5_000, 10_000, 20_000, null]);
    for (const type of ["unavailable", "provider_unavailable", "timeout", "server"] as const) {
      expect(retryMs(new Refusal(type, "a", onLedger), { wasAsked: true, tries: 1 })).toBeNull();
    }
    // It was answered, and could not be put on the ledger: it may be there later.
    expect(retryMs(new Refusal("unavailable", "a"), { wasAsked: true, tries: 1 })).toBeNull();
  });

  it.each([
    ["a provider that may bill before", [{ status: null }, { status: 429 }], null],
    ["a part that was answered", [{ status: 200 }, { status: 429 }], null],
    ["nothing known of the attempts", [], null],
    ["a provider that was not reached before", [{ status: null, sent: false }, { status: 529 }], 5_000],
  ])("after %s, is made again only if nothing of it can be billed", (_, attempts, waitMs) => {
    const refusal = new Refusal("rate_limit_exceeded", "a", { ...onLedger, previous_errors: attempts });
    expect(retryMs(refusal, { wasAsked: true, tries: 1 })).toBe(waitMs);
  });

  it("has its error in the form of the batch's dialect", () => {
    const refusal = new Refusal("payment_required", "Too little", { issues: [{ path: "limit", message: "is low" }] });
    expect(failureOf("public", refusal, "req-1")).toEqual({
      status: 402,
      body: { code: 402, type: "payment_required", message: "Too little", param: "limit" },
    });
    expect(failureOf("messages", new Refusal("timeout", "Late", onLedger), "req-1")).toEqual({
      status: 504,
      body: {
        type: "error",
        error: { type: "timeout_error", message: "Late", error_type: "timeout" },
        request_id: "gen-1",
      },
    });
  });
});
