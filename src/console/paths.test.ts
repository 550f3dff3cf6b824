import { expect, it } from "vitest";
import { isConsolePath } from "#contract/console-paths.ts";
import { inWorkspace, paths, wayBack, workspaceInPath } from "./paths.ts";

/** What stands in for the object of an address. */
function second(name: string): string {
  if (/workspace$|budget/i.test(name)) return "research";
  if (/provider$|byok|pick|(new|edit)Model$/i.test(name)) return "acme";
  return name === "model" ? "acme/embed-small" : "c0ffee";
}
const site = Object.entries(paths).map(([name, path]) => {
  const make: (...parts: string[]) => string = path;
  return `${name}=${make("staging", second(name), "credential")}`;
});
const w = "/w/staging";
const addresses = `
home=/ authorizeApp=/auth signIn=/sign-in overview=${w}/overview usage=${w}/usage audit=${w}/audit playground=${w}/playground
playgroundChat=${w}/playground/chat
credits=${w}/credits addCredits=${w}/credits/add files=${w}/files deleteFile=${w}/files/c0ffee/delete
calls=${w}/calls call=${w}/calls/c0ffee batches=${w}/batches batch=${w}/batches/c0ffee
keys=${w}/keys newKey=${w}/keys/new key=${w}/keys/c0ffee editKey=${w}/keys/c0ffee/edit
replaceKey=${w}/keys/c0ffee/replace managementKeys=${w}/management-keys newManagementKey=${w}/management-keys/new
editManagementKey=${w}/management-keys/c0ffee/edit replaceManagementKey=${w}/management-keys/c0ffee/replace
models=${w}/models model=${w}/models/acme/embed-small changePlan=${w}/models/c0ffee/change
canary=${w}/models/c0ffee/watch/credential
providers=${w}/providers newProvider=${w}/providers/new provider=${w}/providers/acme
editProvider=${w}/providers/acme/edit deleteProvider=${w}/providers/acme/delete
newModel=${w}/providers/acme/models/new editModel=${w}/providers/acme/models/edit
pickModels=${w}/providers/acme/models/pick
newByokKey=${w}/providers/acme/byok/new editByokKey=${w}/providers/acme/byok/credential
presets=${w}/presets newPreset=${w}/presets/new preset=${w}/presets/of/c0ffee
presetSettings=${w}/presets/of/c0ffee/settings editPreset=${w}/presets/of/c0ffee/edit
deletePreset=${w}/presets/of/c0ffee/delete
guardrails=${w}/guardrails newGuardrail=${w}/guardrails/new guardrail=${w}/guardrails/c0ffee
editGuardrail=${w}/guardrails/c0ffee/edit deleteGuardrail=${w}/guardrails/c0ffee/delete
assignKeys=${w}/guardrails/c0ffee/assign-keys assignCreators=${w}/guardrails/c0ffee/assign-creators
destinations=${w}/destinations newDestination=${w}/destinations/new newDestinationOf=${w}/destinations/new/c0ffee
destination=${w}/destinations/c0ffee deleteDestination=${w}/destinations/c0ffee/delete
replayDestination=${w}/destinations/c0ffee/replay deadLetters=${w}/destinations/c0ffee/dead-letters
findEvent=${w}/destinations/find
workspaces=${w}/workspaces oneWorkspace=${w}/workspaces/research newWorkspace=${w}/workspaces/new editWorkspace=${w}/workspaces/research/edit
deleteWorkspace=${w}/workspaces/research/delete workspaceBudgets=${w}/workspaces/research/budgets
setBudget=${w}/workspaces/research/budgets/credential workspaceCache=${w}/workspaces/c0ffee/embedding-cache
videoWebhook=${w}/workspaces/c0ffee/video-notifications
setVideoWebhook=${w}/workspaces/c0ffee/video-notifications/address`;

it("the site map has these addresses, and the gateway serves the console at each", () => {
  expect(site.toSorted()).toEqual(addresses.trim().split(/\s+/).toSorted());
  expect(site.filter((entry) => !isConsolePath(entry.slice(entry.indexOf("=") + 1)))).toEqual([]);
});

it("keeps the section when the workspace changes, and names it by its slug unless that means all", () => {
  expect(inWorkspace("/w/all/keys/c0ffee/edit", "staging")).toBe("/w/staging/keys");
  expect(inWorkspace("/w/staging/audit", "all")).toBe("/w/all/audit");
  expect(inWorkspace("/w/all/playground/chat", "staging")).toBe("/w/staging/playground/chat");
  expect(inWorkspace("/", "all")).toBe("/w/all/overview");
  const named = ["staging", "all"].map((slug) => workspaceInPath({ id: "id-1", slug }));
  expect(named).toEqual(["staging", "id-1"]);
});

it("takes no way back out of the console", () => {
  const inside = ["/w/all/keys?q=prod", "/auth?callback_url=https%3A%2F%2Fapp.example.com"];
  const hosts = [
    "//elsewhere.example",
    "/auth//elsewhere.example",
    "https://elsewhere.example",
    "/\\elsewhere.example",
  ];
  const outside = [...hosts, "/authority?x", "/sign-in", undefined];
  expect([inside.map(wayBack), outside.map(wayBack)]).toEqual([inside, outside.map(() => "/")]);
});
