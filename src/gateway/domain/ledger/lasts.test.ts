import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs, nextReset } from "#contract/time.ts";
import { lasts, type Lasts, type Limited } from "./lasts.ts";
import { addSpend, type LimitSettings, noSpend, type Spend } from "./limits.ts";

const now = new Date("2026-11-11T00:00:00Z");
const old = new Date("2026-01-01T00:00:00Z");
const usd = (amount: number) => BigInt(Math.round(amount * 1e9));
const spentAt = (at: string, amount: number, before: Spend = noSpend(new Date(at))) =>
  addSpend(before, { own: usd(amount), byok: 0n, overrun: 0n, byokOverrun: 0n }, new Date(at));
const settings = (limit: number | null, reset: LimitSettings["reset"]): LimitSettings => ({
  limit: limit === null ? null : usd(limit),
  reset,
  includeByok: false,
});
const key = (some: Partial<Limited>): Limited => ({
  settings: settings(30, "monthly"),
  spend: spentAt("2026-11-10T00:00:00Z", 15),
  since: old,
  expiresAt: null,
  ...some,
});
const words = ({ reason, until }: Lasts) => (until === null ? reason : `${reason} ${until.toISOString().slice(0, 16)}`);

describe("until when a limit lasts", () => {
  it.each<[name: string, of: Partial<Limited>, expected: string]>([
    ["half of it in ten days: ten more", {}, "limit 2026-11-21T00:00"],
    [
      "a young key: its pace is that since it was made",
      { since: new Date("2026-11-06T00:00:00Z") },
      "limit 2026-11-16T00:00",
    ],
    ["it resets before", { settings: settings(60, "monthly") }, "not_at_this_pace"],
    ["nothing was spent in the period", { spend: spentAt("2026-10-31T23:00:00Z", 15) }, "not_at_this_pace"],
    ["all of it is spent", { settings: settings(15, "monthly") }, "spent"],
    ["made today: too early to say", { since: new Date("2026-11-10T12:00:00Z") }, "too_early"],
    ["no limit", { settings: settings(null, null) }, "no_limit"],
    ["it expires before", { expiresAt: new Date("2026-11-15T00:00:00Z") }, "expiry 2026-11-15T00:00"],
    ["it expires after", { expiresAt: new Date("2026-11-25T00:00:00Z") }, "limit 2026-11-21T00:00"],
    [
      "no limit, but it expires",
      { settings: settings(null, null), expiresAt: new Date("2027-05-01T00:00:00Z") },
      "expiry 2027-05-01T00:00",
    ],
    ["it has expired", { expiresAt: now }, "ended"],
    ["no reset: the pace of the month", { settings: settings(45, null) }, "limit 2026-12-01T00:00"],
    ["no reset, at a pace of years", { settings: settings(1_000, null) }, "not_at_this_pace"],
  ])("%s", (_, of, expected) => expect(words(lasts(key(of), now))).toBe(expected));

  it("is read from the hour of a daily limit, and from the day of the others", () => {
    const at = new Date("2026-11-16T02:00:00Z");
    const spend = spentAt("2026-11-16T01:00:00Z", 1);
    expect(words(lasts(key({ settings: settings(6, "daily"), spend }), at))).toBe("limit 2026-11-16T12:00");
    expect(words(lasts(key({ settings: settings(6, "weekly"), spend }), at))).toBe("too_early");
    expect(words(lasts(key({ settings: settings(6, "daily"), spend }), new Date("2026-11-16T00:59:00Z")))).toBe(
      "too_early",
    );
  });

  it("without a reset takes the week where it began before the month", () => {
    const [monday, wednesday] = ["2026-06-29T00:00:00Z", "2026-07-01T06:00:00Z"];
    const spend = spentAt(wednesday, 1, spentAt(monday, 53));
    // $54 in 2 days and 6 hours, of which $1 in this month
    expect(words(lasts(key({ settings: settings(78, null), spend }), new Date(wednesday)))).toBe(
      "limit 2026-07-02T06:00",
    );
  });
});

const date = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2036-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const money = fc.oneof(fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 18n), fc.bigInt(0n, 5n));
const anything = fc
  .record({
    now: date,
    limit: fc.option(money),
    reset: fc.constantFrom("daily" as const, "weekly" as const, "monthly" as const, null),
    includeByok: fc.boolean(),
    charges: fc.array(fc.record({ ago: fc.integer({ min: 0, max: 40 * dayMs }), own: money, byok: money }), {
      maxLength: 5,
    }),
    age: fc.integer({ min: 0, max: 90 * dayMs }),
    expires: fc.option(fc.integer({ min: -dayMs, max: 60 * dayMs })),
  })
  .map(({ now: at, limit, reset, includeByok, charges, age, expires }) => {
    const ago = (ms: number) => new Date(at.getTime() - ms);
    const spend = charges
      .toSorted((a, b) => b.ago - a.ago)
      .reduce(
        (sum, { ago: ms, own, byok }) => addSpend(sum, { own, byok, overrun: 0n, byokOverrun: 0n }, ago(ms)),
        noSpend(ago(90 * dayMs)),
      );
    const expiresAt = expires === null ? null : ago(-expires);
    return { at, limited: { settings: { limit, reset, includeByok }, spend, since: ago(age), expiresAt } };
  });

/** Later is larger; what has no end is the largest. */
function rank({ reason, until }: Lasts): number {
  if (reason === "spent") return -1;
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

describe("the rule, whatever the figures", () => {
  it("never names a past day, nor one after the reset or the expiry", () => {
    fc.assert(
      fc.property(anything, ({ at, limited }) => {
        const { reason, until } = lasts(limited, at);
        expect(until !== null).toBe(reason === "limit" || reason === "expiry");
        if (until === null) return;
        expect(until.getTime()).toBeGreaterThanOrEqual(at.getTime());
        if (limited.expiresAt !== null) expect(until.getTime()).toBeLessThanOrEqual(limited.expiresAt.getTime());
        const { reset } = limited.settings;
        if (reason === "limit" && reset !== null) expect(until.getTime()).toBeLessThan(nextReset(reset, at).getTime());
      }),
    );
  });

  it("never ends sooner because more is left", () => {
    fc.assert(
      fc.property(anything, fc.bigInt(0n, 10n ** 12n), ({ at, limited }, more) => {
        const { limit } = limited.settings;
        if (limit === null) return;
        const raised = { ...limited, settings: { ...limited.settings, limit: limit + more } };
        expect(rank(lasts(raised, at))).toBeGreaterThanOrEqual(rank(lasts(limited, at)));
      }),
    );
  });
});
