import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { testDates } from "../../testing/clock.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeContext } from "../../testing/context.ts";
import { createManagementKey, findManagementKey } from "./bootstrap.ts";
import * as keys from "../keys/keys.ts";
import {
  createSignInToken,
  findSession,
  sessionIdleMs,
  sessionLongestMs,
  signIn,
  signInTokenMs,
  signOut,
  slidExpiry,
} from "./sessions.ts";

const hourMs = 3_600_000;

describe("the expiry of a session", () => {
  it("moves with use, in steps, never back and never past a week", () => {
    const starts = fc.constantFrom(...testDates.map((date) => new Date(date)));
    const pauses = fc.array(fc.integer({ min: 1, max: sessionIdleMs - 1 }), { maxLength: 60 });
    fc.assert(
      fc.property(starts, pauses, (start, pauses) => {
        let [now, expiry] = [start.getTime(), new Date(start.getTime() + sessionIdleMs)];
        for (const pause of pauses) {
          now += pause;
          if (now >= expiry.getTime()) return;
          const next = slidExpiry(start, expiry, new Date(now));
          expect(next.getTime()).toBeGreaterThanOrEqual(expiry.getTime());
          expect(next.getTime()).toBeLessThanOrEqual(start.getTime() + sessionLongestMs);
          const full = Math.min(now + sessionIdleMs, start.getTime() + sessionLongestMs);
          expect(full - next.getTime()).toBeLessThan(5 * 60_000);
          expiry = next;
        }
      }),
    );
  });
});

describeGateway("signing in", (gateway) => {
  const deps = () => gateway().deps;
  const signInWithKey = async (from = elsewhere()) =>
    await signIn(deps(), { management_key: gateway().managementKey }, from);
  const ended = async (token: string) =>
    await expect(findSession(deps(), token)).rejects.toThrow("Your session has ended");
  let source = 0;
  const elsewhere = () => `198.51.100.${(source += 1)}`;

  it("with a management key gives a session, whose token the store does not have", async () => {
    const { token, session } = await signInWithKey();
    expect(await findSession(deps(), token)).toEqual(session);
    expect(session.actor.kind).toBe("management");
    expect(session.csrfToken).not.toContain(token);
    const { rows } = await deps().store.pool.query("select t::text as row from sessions as t");
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(session.csrfToken);
  });

  it("with an ordinary key, an unknown one or nonsense gives 401", async () => {
    const { key } = await keys.create(makeContext(deps()), { name: "ordinary" });
    for (const management_key of [key, "nonsense", "x".repeat(40)])
      await expect(signIn(deps(), { management_key }, elsewhere())).rejects.toMatchObject({ status: 401 });
  });

  it("with a sign-in token works once, for fifteen minutes", async () => {
    const keyHash = (await findManagementKey(deps())) ?? "";
    const token = await createSignInToken(deps(), keyHash);
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => signIn(deps(), { sign_in_token: token }, elsewhere())),
    );
    expect(results.filter((result) => result.status === "fulfilled").length).toBe(1);
    const late = await createSignInToken(deps(), keyHash);
    gateway().clock.advance(signInTokenMs);
    await expect(signIn(deps(), { sign_in_token: late }, elsewhere())).rejects.toThrow("older than 15 minutes");
  });

  it("is slowed after failures from one address, for right keys too, and not from another", async () => {
    const slow = elsewhere();
    for (let index = 0; index < 5; index += 1)
      await expect(signIn(deps(), { management_key: "wrong" }, slow)).rejects.toMatchObject({ status: 401 });
    await expect(signInWithKey(slow)).rejects.toMatchObject({ status: 429, details: { retryAfterSeconds: 1 } });
    await signInWithKey();
    gateway().clock.advance(1_000);
    expect((await signInWithKey(slow)).token).toBeTruthy();
  });

  it.each(testDates)("lasts twelve hours without use, longer with it, and a week at most: %s", async (date) => {
    const { clock } = gateway();
    clock.set(date);
    const { token } = await signInWithKey();
    clock.advance(11 * hourMs);
    const used = await findSession(deps(), token);
    clock.advance(11 * hourMs);
    expect((await findSession(deps(), token)).expiresAt.getTime()).toBeGreaterThan(used.expiresAt.getTime());
    clock.advance(12 * hourMs);
    await ended(token);

    const long = await signInWithKey();
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      clock.advance(11 * hourMs);
      await findSession(deps(), long.token);
    }
    clock.advance(11 * hourMs);
    await ended(long.token);
  });

  it("ends by signing out", async () => {
    const { token } = await signInWithKey();
    await signOut(deps(), token);
    await expect(findSession(deps(), token)).rejects.toMatchObject({ status: 401 });
    await expect(findSession(deps(), "nonsense")).rejects.toMatchObject({ status: 401 });
  });

  it("ends with the management key that it was made by", async () => {
    const key = await createManagementKey(deps(), "second");
    const { token, session } = await signIn(deps(), { management_key: key }, elsewhere());
    expect(session.actor.name).toBe("second");
    const { actor } = session;
    const hash = actor.kind === "management" ? actor.keyHash : "";
    await deps().store.pool.query("update api_keys set disabled = true where hash = $1", [hash]);
    await deps().credentials.invalidate(deps(), hash);
    await expect(findSession(deps(), token)).rejects.toThrow("This API key is disabled");
  });
});
