import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deleteKey, getKey, listKeys } from "#contract/keys.ts";
import { getWorkspace } from "#contract/workspaces.ts";
import { call, callPath } from "./call.ts";
import { session, startSession } from "./session.ts";

it("the path of a call has its parameters in place, escaped so that a value can't become another path", () => {
  expect(callPath(getKey, { params: { hash: "c0ffee" } })).toBe("/keys/c0ffee");
  expect(callPath(getWorkspace, { params: { id: "../keys?x=1#y" } })).toBe("/workspaces/..%2Fkeys%3Fx%3D1%23y");
  expect(callPath(listKeys, { query: { q: "a&status=disabled" } })).toBe("/keys?q=a%26status%3Ddisabled");
  // what is undefined is left out, and an empty text kept
  expect(callPath(listKeys, { query: { q: "", cursor: undefined } })).toBe("/keys?q=");
  expect(callPath(listKeys, { query: { cursor: undefined } })).toBe("/keys");
});

describe("a call that is refused because its session ended", () => {
  const times = { created_at: "2026-11-21T12:00:00.000Z", expires_at: "2026-11-22T12:00:00.000Z" };
  const start = (csrf_token: string) => startSession({ user: "admin", csrf_token, ...times });
  const refused = () => Response.json({ error: { code: 401, message: "Not signed in" } }, { status: 401 });
  beforeEach(() => {
    vi.stubGlobal("document", { querySelector: () => null });
    start("first");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    session.set({ state: "unknown" });
  });

  it("ends the session that it was sent with", async () => {
    vi.stubGlobal("fetch", async () => refused());
    await expect(call(getKey, { params: { hash: "c0ffee" } })).rejects.toMatchObject({ status: 401 });
    expect(session.get().state).toBe("ended");
  });

  it("is made again where somebody signed in meanwhile, and leaves the new session alone", async () => {
    const answers = [refused(), Response.json({ data: { hash: "c0ffee" } })];
    const sent: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_: string, init: { headers: Headers }) => {
      sent.push(init.headers.get("x-csrf-token"));
      start("second");
      return answers.shift();
    });
    expect(await call(deleteKey, { params: { hash: "c0ffee" } })).toMatchObject({ data: { hash: "c0ffee" } });
    expect([sent, session.get().state]).toEqual([["first", "second"], "signed-in"]);
  });
});
