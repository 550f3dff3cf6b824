import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs, nextReset, startOfUtcDay } from "#contract/time.ts";
import { testDates } from "../../testing/clock.ts";
import {
  addSpend,
  type Charge,
  currentSpend,
  limitRemaining,
  limitResetsAt,
  type LimitSettings,
  noSpend,
  type Spend,
  spentTowardLimit,
} from "./limits.ts";

const instant = fc.oneof(
  fc.date({ min: new Date("2020-01-01T00:00:00Z"), max: new Date("2036-01-01T00:00:00Z"), noInvalidDate: true }),
  fc.constantFrom(...testDates.map((date) => new Date(date))),
);
const money = fc.bigInt(0n, 10n ** 15n);
const amount = fc.record({ own: money, byok: money, overrun: money, byokOverrun: money });
const charge = fc.record({ at: instant, amount });
const reset = fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, null);

function spendOf(charges: readonly { at: Date; amount: Charge }[]): Spend {
  const [first] = charges;
  return charges.reduce((spend, each) => addSpend(spend, each.amount, each.at), noSpend(first?.at ?? new Date(0)));
}

const inOrder = fc
  .array(charge, { maxLength: 30 })
  .map((all) => all.toSorted((a, b) => a.at.getTime() - b.at.getTime()));

describe("what counts toward a limit", () => {
  it("is the sum of the charges since the period began, for charges in the order of time", () => {
    fc.assert(
      fc.property(inOrder, instant, reset, fc.boolean(), (charges, later, period, includeByok) => {
        const now = charges.reduce((latest, { at }) => (at > latest ? at : latest), later);
        const settings: LimitSettings = { limit: 1n, reset: period, includeByok };
        const since = period === null ? null : startsBefore(period, now);
        const expected = charges
          .filter(({ at }) => since === null || at >= since)
          .reduce(
            (sum, { amount: { own, overrun, byok, byokOverrun } }) =>
              sum + own + overrun + (includeByok ? byok + byokOverrun : 0n),
            0n,
          );
        expect(spentTowardLimit(settings, spendOf(charges), now)).toBe(expected);
      }),
    );
  });

  it("never loses a charge from the totals, whatever the order", () => {
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1, maxLength: 20 }), (charges) => {
        const spend = spendOf(charges);
        expect(spend.total.own).toBe(charges.reduce((sum, each) => sum + each.amount.own, 0n));
        expect(spend.total.byok).toBe(charges.reduce((sum, each) => sum + each.amount.byok, 0n));
      }),
    );
  });

  it("counts a late charge from a period that is over in no current period", () => {
    const midnight = new Date("2026-12-01T00:00:00.000Z");
    const before = addSpend(noSpend(midnight), { own: 5n, byok: 1n, overrun: 2n, byokOverrun: 0n }, midnight);
    const late = { own: 7n, byok: 2n, overrun: 0n, byokOverrun: 1n };
    const both = { own: 12n, byok: 3n, overrun: 2n, byokOverrun: 1n };
    const after = addSpend(before, late, new Date(midnight.getTime() - 1));
    expect(after).toEqual({ ...before, total: both, week: both });
  });

  it("starts anew at the very instant of the reset, and not a millisecond before", () => {
    fc.assert(
      fc.property(charge, reset, (each, period) => {
        fc.pre(period !== null);
        const settings: LimitSettings = { limit: 10n ** 18n, reset: period, includeByok: false };
        const spend = spendOf([each]);
        const next = nextReset(period ?? "daily", each.at);
        expect(limitResetsAt(settings, spend, each.at)).toEqual(next);
        const spent = each.amount.own + each.amount.overrun;
        expect(spentTowardLimit(settings, spend, new Date(next.getTime() - 1))).toBe(spent);
        expect(spentTowardLimit(settings, spend, next)).toBe(0n);
      }),
    );
  });

  it("leaves what is left, never less than nothing", () => {
    fc.assert(
      fc.property(inOrder, fc.bigInt(0n, 10n ** 16n), reset, (charges, limit, period) => {
        const now = charges.at(-1)?.at ?? new Date(0);
        const settings: LimitSettings = { limit, reset: period, includeByok: true };
        const spent = spentTowardLimit(settings, spendOf(charges), now);
        expect(limitRemaining(settings, spendOf(charges), now)).toBe(spent > limit ? 0n : limit - spent);
      }),
    );
  });

  it("counts what another process with a clock ahead of ours has charged", () => {
    const midnight = startOfUtcDay(new Date("2026-03-02T08:00:00Z"));
    const spend = addSpend(noSpend(midnight), { own: 9n, byok: 0n, overrun: 0n, byokOverrun: 0n }, midnight);
    const before = new Date(midnight.getTime() - 1);
    expect(currentSpend(spend, before).day.own).toBe(9n);
    const daily: LimitSettings = { limit: 20n, reset: "daily", includeByok: false };
    expect(limitResetsAt(daily, spend, before)).toEqual(new Date(midnight.getTime() + dayMs));
  });

  it("says nothing remains to say of a key without a limit", () => {
    const settings: LimitSettings = { limit: null, reset: "daily", includeByok: false };
    expect(limitRemaining(settings, noSpend(new Date(0)), new Date(0))).toBeNull();
    expect(limitResetsAt(settings, noSpend(new Date(0)), new Date(0))).toBeNull();
  });
});

/** The period's start, worked out from its next reset rather than by the function under test. */
function startsBefore(period: "daily" | "weekly" | "monthly", now: Date): Date {
  const next = nextReset(period, now);
  if (period === "monthly") return new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - 1, 1));
  return new Date(next.getTime() - (period === "daily" ? 1 : 7) * 86_400_000);
}
