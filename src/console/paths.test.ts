import { describe, expect, it } from "vitest";
import { isConsolePath } from "#contract/console-paths.ts";
import { inWorkspace, paths, wayBack, workspaceInPath } from "./paths.ts";

/** What stands in for the object of an address. */
function second(name: string): string {
  if (/workspace$|budget/i.test(name)) return "research";
  if (/provider$|byok|pick|(new|edit)Model$/i.test(name)) return "acme";
  return name === "model" ? "acme/embed-small" : "c0ffee";
}

describe("the site map", () => {
  it("is what the gateway serves the console at", () => {
    const site = Object.entries(paths).map(([name, path]) => {
      const make: (...parts: string[]) => string = path;
      return make("staging", second(name), "credential");
    });
    expect(site.filter((path) => !isConsolePath(path))).toEqual([]);
  });

  it("has these addresses", () => {
    const site = Object.entries(paths).map(([name, path]) => {
      const make: (...parts: string[]) => string = path;
      return [name, make("staging", second(name), "credential")];
    });
    expect(Object.fromEntries(site)).toMatchInlineSnapshot(`
      {
        "addCredits": "/w/staging/credits/add",
        "assignCreators": "/w/staging/guardrails/c0ffee/assign-creators",
        "assignKeys": "/w/staging/guardrails/c0ffee/assign-keys",
        "audit": "/w/staging/audit",
        "authorizeApp": "/auth",
        "batch": "/w/staging/batches/c0ffee",
        "batches": "/w/staging/batches",
        "call": "/w/staging/calls/c0ffee",
        "calls": "/w/staging/calls",
        "canary": "/w/staging/models/c0ffee/watch/credential",
        "changePlan": "/w/staging/models/c0ffee/change",
        "credits": "/w/staging/credits",
        "deadLetters": "/w/staging/destinations/c0ffee/dead-letters",
        "deleteDestination": "/w/staging/destinations/c0ffee/delete",
        "deleteFile": "/w/staging/files/c0ffee/delete",
        "deleteGuardrail": "/w/staging/guardrails/c0ffee/delete",
        "deletePreset": "/w/staging/presets/of/c0ffee/delete",
        "deleteProvider": "/w/staging/providers/acme/delete",
        "deleteWorkspace": "/w/staging/workspaces/research/delete",
        "destination": "/w/staging/destinations/c0ffee",
        "destinations": "/w/staging/destinations",
        "editByokKey": "/w/staging/providers/acme/byok/credential",
        "editGuardrail": "/w/staging/guardrails/c0ffee/edit",
        "editKey": "/w/staging/keys/c0ffee/edit",
        "editManagementKey": "/w/staging/management-keys/c0ffee/edit",
        "editModel": "/w/staging/providers/acme/models/edit",
        "editPreset": "/w/staging/presets/of/c0ffee/edit",
        "editProvider": "/w/staging/providers/acme/edit",
        "editWorkspace": "/w/staging/workspaces/research/edit",
        "files": "/w/staging/files",
        "findEvent": "/w/staging/destinations/find",
        "guardrail": "/w/staging/guardrails/c0ffee",
        "guardrails": "/w/staging/guardrails",
        "home": "/",
        "key": "/w/staging/keys/c0ffee",
        "keys": "/w/staging/keys",
        "managementKeys": "/w/staging/management-keys",
        "model": "/w/staging/models/acme/embed-small",
        "models": "/w/staging/models",
        "newByokKey": "/w/staging/providers/acme/byok/new",
        "newDestination": "/w/staging/destinations/new",
        "newDestinationOf": "/w/staging/destinations/new/c0ffee",
        "newGuardrail": "/w/staging/guardrails/new",
        "newKey": "/w/staging/keys/new",
        "newManagementKey": "/w/staging/management-keys/new",
        "newModel": "/w/staging/providers/acme/models/new",
        "newPreset": "/w/staging/presets/new",
        "newProvider": "/w/staging/providers/new",
        "newWorkspace": "/w/staging/workspaces/new",
        "overview": "/w/staging/overview",
        "pickModels": "/w/staging/providers/acme/models/pick",
        "playground": "/w/staging/playground",
        "preset": "/w/staging/presets/of/c0ffee",
        "presetSettings": "/w/staging/presets/of/c0ffee/settings",
        "presets": "/w/staging/presets",
        "provider": "/w/staging/providers/acme",
        "providers": "/w/staging/providers",
        "replaceKey": "/w/staging/keys/c0ffee/replace",
        "replaceManagementKey": "/w/staging/management-keys/c0ffee/replace",
        "replayDestination": "/w/staging/destinations/c0ffee/replay",
        "setBudget": "/w/staging/workspaces/research/budgets/credential",
        "setVideoWebhook": "/w/staging/workspaces/c0ffee/video-notifications/address",
        "signIn": "/sign-in",
        "videoWebhook": "/w/staging/workspaces/c0ffee/video-notifications",
        "workspaceBudgets": "/w/staging/workspaces/research/budgets",
        "workspaceCache": "/w/staging/workspaces/c0ffee/embedding-cache",
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
    for (const to of ["/w/all/keys?q=prod", "/auth?callback_url=https%3A%2F%2Fapp.example.com"])
      expect(wayBack(to)).toBe(to);
    for (const to of [
      "//elsewhere.example",
      "/auth//elsewhere.example",
      "/authority?x",
      "https://elsewhere.example",
      "/\\elsewhere.example",
      "/sign-in",
      undefined,
    ]) {
      expect(wayBack(to)).toBe("/");
    }
  });
});
