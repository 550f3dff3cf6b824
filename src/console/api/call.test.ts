import { describe, expect, it } from "vitest";
import { getKey, listKeys } from "#contract/keys.ts";
import { getWorkspace } from "#contract/workspaces.ts";
import { callPath } from "./call.ts";

describe("the path of a call", () => {
  it("has its parameters in place", () => {
    expect(callPath(getKey, { params: { hash: "c0ffee" } })).toBe("/keys/c0ffee");
  });

  it("escapes what is not plain, so that a value can't become another path", () => {
    expect(callPath(getWorkspace, { params: { id: "../keys?x=1#y" } })).toBe("/workspaces/..%2Fkeys%3Fx%3D1%23y");
    expect(callPath(listKeys, { query: { q: "a&status=disabled" } })).toBe("/keys?q=a%26status%3Ddisabled");
  });

  it("leaves out what is undefined, and keeps an empty text", () => {
    expect(callPath(listKeys, { query: { q: "", cursor: undefined } })).toBe("/keys?q=");
    expect(callPath(listKeys, { query: { cursor: undefined } })).toBe("/keys");
  });
});
