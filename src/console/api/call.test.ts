import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deleteKey, getKey, listKeys } from "#contract/keys.ts";
import { getWorkspace } from "#contract/workspaces.ts";
import { call, callPath } from "./call.ts";
import { session, startSession } from "./session.ts";

describe("the path of a call", () => {
  it("has its parameters in place", () =>
    expect(callPath(getKey, { params: { hash: "c0ffee" } })).toBe("/keys/c0ffee"));

  it("escapes what is not plain, so that a value can't become another path", () => {
    expect(callPath(getWorkspace, { params: { id: "../keys?x=1#y" } })).toBe("/workspaces/..%2Fkeys%3Fx%3D1%23y");
    expect(callPath(listKeys, { query: { q: "a&status=disabled" } })).toBe("/keys?q=a%26status%3Ddisabled");
  });

  it("leaves out what is undefined, and keeps an empty text", () => {
    expect(callPath(listKeys, { query: { q: "", cursor: undefined } })).toBe("/keys?q=");
    expect(callPath(listKeys, { query: { cursor: undefined } })).toBe("/keys");
  });
});

describe("a call that is refused because its session ended", () => {
  const record = (csrf_token: string) => ({
    user: "admin",
    csrf_token,
    created_at: "2026-11-21T12:00:00.000Z",
    expires_at: "2026-11-22T12:00:00.000Z",
  });
  const refused = () => Response.json({ error: { code: 401, message: "Not signed in" } }, { status: 401 });
  beforeEach(() => void vi.stubGlobal("document", { querySelector: () => null }));
  afterEach(() => {
    vi.unstubAllGlobals();
    session.set({ state: "unknown" });
  });

  it("ends the session that it was sent with", async () => {
    startSession(record("first"));
    vi.stubGlobal("fetch", async () => refused());
    await expect(call(getKey, { params: { hash: "c0ffee" } })).rejects.toMatchObject({ status: 401 });
    expect(session.get().state).toBe("ended");
  });

  it("is made again where somebody signed in meanwhile, and leaves the new session alone", async () => {
    startSession(record("first"));
    const answers = [refused(), Response.json({ data: { hash: "c0ffee" } })];
    const sent: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_: string, init: { headers: Headers }) => {
      sent.push(init.headers.get("x-csrf-token"));
      startSession(record("second"));
      return answers.shift();
    });
    const answer = await call(deleteKey, { params: { hash: "c0ffee" } });
    expect(answer).toMatchObject({ data: { hash: "c0ffee" } });
    expect(sent).toEqual(["first", "second"]);
    expect(session.get().state).toBe("signed-in");
  });
});
