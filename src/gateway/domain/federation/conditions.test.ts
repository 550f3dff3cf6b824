import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claims, secondsToLive, unmetCondition } from "./conditions.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const seconds = now.getTime() / 1_000;
const token = (claims: Claims): Claims => ({ sub: "repo:acme/app:ref:refs/heads/main", exp: seconds + 300, ...claims });
const exact = { subject: "repo:acme/app:ref:refs/heads/main", claims: {} };

describe("the conditions of a federation policy", () => {
  it("want the subject, exactly or by its beginning", () => {
    expect(unmetCondition(exact, token({}), now)).toBeNull();
    expect(unmetCondition({ ...exact, subject: "repo:acme/*" }, token({}), now)).toBeNull();
    expect(unmetCondition({ ...exact, subject: "*" }, token({}), now)).toBeNull();
    for (const subject of ["repo:acme/app", "REPO:acme/*", "repo:acme/app:ref:refs/heads/main2", "x*"])
      expect(unmetCondition({ ...exact, subject }, token({}), now)).toMatch(/^The sub /);
    for (const sub of [undefined, "", 7, null, ["repo:acme/app:ref:refs/heads/main"]])
      expect(unmetCondition({ ...exact, subject: "*" }, token({ sub }), now)).toMatch(/has no sub/);
  });

  it("want each claim to be the same value of the same type, and the token's own", () => {
    const claims = { repository_owner: "acme", run: 1, protected: true };
    expect(unmetCondition({ ...exact, claims }, token({ ...claims, other: {} }), now)).toBeNull();
    for (const wrong of [{ run: "1" }, { run: undefined }, { protected: "true" }, { repository_owner: ["acme"] }])
      expect(unmetCondition({ ...exact, claims }, token({ ...claims, ...wrong }), now)).toMatch(/^The claim /);
    const inherited = { ...exact, claims: { constructor: "x" } };
    expect(unmetCondition(inherited, token({}), now)).toMatch(/^The claim constructor /);
  });

  it("want a token that lives, for a day at most, and was issued by now", () => {
    for (const exp of [seconds, seconds - 1, undefined, "never"])
      expect(unmetCondition(exact, token({ exp }), now)).toMatch(/expired/);
    expect(unmetCondition(exact, token({ exp: seconds + 86_400 }), now)).toBeNull();
    expect(unmetCondition(exact, token({ exp: seconds + 86_401 }), now)).toMatch(/24 hours/);
    expect(unmetCondition(exact, token({ exp: Infinity }), now)).toMatch(/24 hours/);
    expect(unmetCondition(exact, token({ iat: seconds + 30 }), now)).toBeNull();
    expect(unmetCondition(exact, token({ iat: seconds + 31 }), now)).toMatch(/future/);
  });

  it("say nothing of what the token holds", () => {
    const said = fc.property(fc.string({ minLength: 8 }), fc.string({ minLength: 8 }), (sub, value) => {
      const conditions = { subject: "nobody", claims: { tier: "gold" } };
      const refusals = [
        unmetCondition(conditions, token({ sub, tier: value }), now),
        unmetCondition({ ...conditions, subject: "*" }, token({ sub, tier: value }), now),
      ];
      for (const refusal of refusals) {
        expect(refusal).not.toBeNull();
        expect(refusal?.replaceAll(/^The (sub|claim tier) of the subject_token is not what .* asks for$/g, "")).toBe(
          "",
        );
      }
    });
    fc.assert(said);
  });

  it("give an access token no second more than the workload's own has", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 900 }), fc.double({ min: 0, max: 100_000, noNaN: true }), (life, left) => {
        const lived = secondsToLive(life, seconds + left, now);
        expect(Number.isInteger(lived)).toBe(true);
        expect(lived).toBeLessThanOrEqual(Math.min(life, left + 1e-6));
      }),
    );
  });
});
