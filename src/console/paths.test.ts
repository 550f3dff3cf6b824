import { describe, expect, it } from "vitest";
import { inWorkspace, paths, wayBack, workspaceInPath } from "./paths.ts";

const hash = "c0ffee";

describe("the site map", () => {
  it("has these addresses", () => {
    const site = Object.entries(paths).map(([name, path]) => {
      const make = path;
      return [name, make("staging", name.includes("Workspace") ? "research" : hash)];
    });
    expect(Object.fromEntries(site)).toMatchInlineSnapshot(`
      {
        "audit": "/w/staging/audit",
        "deleteWorkspace": "/w/staging/workspaces/research/delete",
        "editKey": "/w/staging/keys/c0ffee/edit",
        "editWorkspace": "/w/staging/workspaces/research/edit",
        "home": "/",
        "key": "/w/staging/keys/c0ffee",
        "keys": "/w/staging/keys",
        "newKey": "/w/staging/keys/new",
        "newWorkspace": "/w/staging/workspaces/new",
        "overview": "/w/staging/overview",
        "replaceKey": "/w/staging/keys/c0ffee/replace",
        "signIn": "/sign-in",
        "workspaces": "/w/staging/workspaces",
      }
    `);
  });

  it("keeps the section when the workspace changes, and leaves the object behind", () => {
    expect(inWorkspace("/w/all/keys/c0ffee/edit", "staging")).toBe("/w/staging/keys");
    expect(inWorkspace("/w/staging/audit", "all")).toBe("/w/all/audit");
    expect(inWorkspace("/", "all")).toBe("/w/all/overview");
  });

  it("names a workspace by its slug, except one whose slug means all of them", () => {
    expect(workspaceInPath({ id: "id-1", slug: "staging" })).toBe("staging");
    expect(workspaceInPath({ id: "id-1", slug: "all" })).toBe("id-1");
  });

  it("takes no way back out of the console", () => {
    expect(wayBack("/w/all/keys?q=prod")).toBe("/w/all/keys?q=prod");
    for (const to of [
      "//elsewhere.example",
      "https://elsewhere.example",
      "/\\elsewhere.example",
      "/sign-in",
      undefined,
    ]) {
      expect(wayBack(to)).toBe("/");
    }
  });
});
