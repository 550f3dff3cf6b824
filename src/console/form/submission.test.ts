import { describe, expect, it } from "vitest";
import { submitOnce } from "./submission.ts";

describe("a form that is sent", () => {
  const form = () => {
    const pending: boolean[] = [];
    const failures: unknown[] = [];
    const state = { setPending: (is: boolean) => void pending.push(is), setFailure: () => void failures.push(null) };
    return { sending: { current: false }, state, pending, failures };
  };

  it("is pending until it was answered, and a second click sends nothing", async () => {
    const { sending, state, pending } = form();
    const { promise, resolve } = Promise.withResolvers<void>();
    let sent = 0;
    const send = async () => {
      sent += 1;
      await promise;
    };
    const refused = () => expect.unreachable();
    const first = submitOnce(sending, state, send, refused);
    await submitOnce(sending, state, send, refused);
    expect([sent, pending, sending.current]).toEqual([1, [true], true]);
    resolve();
    await first;
    expect([pending, sending.current]).toEqual([[true, false], false]);
  });

  it("that was refused says so before it can be sent again", async () => {
    const { sending, state, pending, failures } = form();
    const seen: unknown[] = [];
    const send = async () => await Promise.reject(new Error("no"));
    await submitOnce(sending, state, send, (error) => void seen.push(error, sending.current));
    expect(seen).toEqual([new Error("no"), true]);
    expect([pending, failures]).toEqual([[true, false], [null]]);
  });
});
