import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../refusal.ts";
import { addFailure, createSignInAttempts, waitMs } from "./sign-in-attempts.ts";

const start = new Date("2026-11-21T12:00:00Z");
const later = (ms: number) => new Date(start.getTime() + ms);

describe("the wait after failures", () => {
  it("is nothing for the free ones, then grows, and has an end", () => {
    expect([1, 4, 5, 6, 7].map((failures) => waitMs(failures))).toEqual([0, 0, 1_000, 2_000, 4_000]);
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        expect(waitMs(failures + 1)).toBeGreaterThanOrEqual(waitMs(failures));
        expect(waitMs(failures)).toBeLessThanOrEqual(15 * 60_000);
      }),
    );
  });

  it("starts anew after an hour of quiet", () => {
    const many = { count: 50, lastAt: start };
    expect(addFailure(many, later(3_599_999)).count).toBe(51);
    expect(addFailure(many, later(3_600_000)).count).toBe(1);
  });
});

describe("attempts to sign in", () => {
  function failTimes(count: number, source = "192.0.2.1") {
    const attempts = createSignInAttempts();
    for (let index = 0; index < count; index += 1) attempts.failed(source, start);
    return attempts;
  }

  const [here, elsewhere] = ["192.0.2.1", "192.0.2.2"];

  it("are slowed after the fifth failure from one address, which is told how long, and from no other", () => {
    const attempts = failTimes(6);
    const refused = expect.objectContaining({ status: 429, details: { retryAfterSeconds: 2 } });
    expect(() => attempts.refuseTooMany(here, later(500))).toThrow(refused);
    expect(() => attempts.refuseTooMany(here, later(500))).toThrow(Refusal);
    expect(() => attempts.refuseTooMany(here, later(2_000))).not.toThrow();
    expect(() => attempts.refuseTooMany(elsewhere, start)).not.toThrow();
  });

  it("are free again after a success", () => {
    const attempts = failTimes(6);
    attempts.succeeded(here);
    expect(() => attempts.refuseTooMany(here, start)).not.toThrow();
  });

  it("from many addresses lock out no one else", () => {
    const attempts = createSignInAttempts();
    for (let index = 0; index < 20_000; index += 1) attempts.failed(`192.0.${index >> 8}.${index & 255}`, start);
    expect(() => attempts.refuseTooMany("203.0.113.9", start)).not.toThrow();
  });

  it.each([
    ["of one IPv6 site count as one source", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true],
    ["of another IPv6 site do not", "2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["of an IPv4 address written as IPv6 count as that address", "::ffff:192.0.2.7", "192.0.2.7", true],
  ])("from addresses %s", (_, failing, other, same) => {
    const attempts = failTimes(6, failing);
    const refuse = () => attempts.refuseTooMany(other, start);
    if (same) expect(refuse).toThrow(/from this address/);
    else expect(refuse).not.toThrow();
  });
});
