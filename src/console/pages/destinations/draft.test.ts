import { describe, expect, it } from "vitest";
import { UpdateDestinationBody, type DestinationRecord } from "#contract/destinations.ts";
import { changesOf, isTenfold } from "./changes.ts";
import { createBody, draftOf, holdsSecret, newDraft, undoBody, updateBody, type Draft } from "./draft.ts";
import { allKinds, formMembers } from "./kinds.ts";
import { afterSaving, merge, takeMine, takeTheirs } from "./merge.ts";
import { draftProblems } from "./problems.ts";
import { initialSettings } from "./settings.ts";

const [a, b] = ["a".repeat(64), "b".repeat(64)];
const at = "2026-08-12T09:00:00.000Z";
const baseUrl = "https://langfuse.example.com";
const ids = { id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", workspace_id: "7c9e6679-7425-40de-944b-e07fc1f90ae8" };
const openai = { field: "model", operator: "starts_with", value: "openai/" } as const;
const record: DestinationRecord = {
  ...initialSettings,
  ...ids,
  name: "langfuse-prod",
  type: "langfuse",
  enabled: true,
  regions: ["global"],
  created_at: at,
  updated_at: at,
  config: { secretKey: "sk-l...4bE1", publicKey: "pk-lf-1", baseUrl, headers: { "X-Team": "blue...gray" } },
  api_key_hashes: [a],
  filter_rules: { groups: [{ logic: "and", rules: [openai] }] },
  privacy_mode: true,
  sampling_rate: 0.07,
};
type Value = Draft["config"][string];
const draft = draftOf(record);
const edit = (change: Partial<Draft>): Draft => ({ ...draft, ...change });
const member = (name: string, value: Value) => edit({ config: { ...draft.config, [name]: value } });
const typed = (text: string) => ({ state: "typed", text }) as const;
const secret = (text: string) => member("secretKey", typed(text));
const removed = { state: "removed", text: "" } as const;
const kept = { state: "kept", text: "" } as const;
const header = <Secret>(name: string, value: Secret) => ({ name, value });
const withConfig = (config: object): DestinationRecord => ({ ...record, config: { ...record.config, ...config } });

const twoHeaders = [header("X-Team", kept), header("X-More", typed("1"))];
const everything = { name: "n", privacy_mode: false, sampling_rate: 1, api_key_hashes: null, filter_rules: null };
it.each<[string, Draft, UpdateDestinationBody]>([
  ["nothing: loading rewrites nothing", draft, {}],
  ["name", edit({ name: " renamed " }), { name: "renamed" }],
  ["privacy", edit({ privacy_mode: false }), { privacy_mode: false }],
  ["keys", edit({ api_key_hashes: [a, b] }), { api_key_hashes: [a, b] }],
  ["all keys", edit({ api_key_hashes: null }), { api_key_hashes: null }],
  ["no rules", edit({ filter_rules: null }), { filter_rules: null }],
  ["sampling", edit({ sampling_rate: 0.0001 }), { sampling_rate: 0.0001 }],
  ["context", edit({ broadcast_generation_request_context: true }), { broadcast_generation_request_context: true }],
  ["an address", member("baseUrl", "https://b.example.com"), { config: { baseUrl: "https://b.example.com" } }],
  ["an address cleared", member("baseUrl", " "), { config: { baseUrl: null } }],
  ["a secret", secret("sk-lf-new"), { config: { secretKey: "sk-lf-new" } }],
  ["no headers", member("headers", [header("X-Team", removed)]), { config: { headers: { "X-Team": null } } }],
  ["a second header beside a kept one", member("headers", twoHeaders), { config: { headers: { "X-More": "1" } } }],
  ["everything but secrets, neither kept ones nor their masks", edit(everything), everything],
])("the body of a PATCH has only what changed: %s", (_, edited, body) => {
  expect(updateBody(record, edited)).toEqual(body);
  expect(UpdateDestinationBody.safeParse(body).success).toBe(true);
});

it("the body of a PATCH knows a secret, and puts back what a save changed, unless an address or a secret was in it", () => {
  const drafts = [draft, newDraft("s3"), secret("sk"), member("headers", [header("X-A", typed("1"))])];
  expect(drafts.map(holdsSecret)).toEqual([false, false, true, true]);
  const after = { ...record, sampling_rate: 0.5, name: "other" };
  expect(undoBody(record, after)).toEqual({ sampling_rate: 0.07, name: "langfuse-prod" });
  expect(undoBody(record, { ...after, config: { ...record.config, publicKey: "x" } })).toBeNull();
  expect(undoBody(record, record)).toBeNull();
});

it.each(allKinds)("a new destination of the kind %s begins with its defaults, and sends no empty member", (kind) => {
  const fresh = newDraft(kind);
  const { config, privacy_mode } = createBody(kind, fresh, undefined);
  expect(privacy_mode).toBe(true);
  const defaults = formMembers(kind).filter(([, { default: standard }]) => standard !== undefined);
  expect(config).toEqual(Object.fromEntries(defaults.map(([name, one]) => [name, one.default])));
  const required = formMembers(kind).flatMap(([name, one]) => (one.required ? [`config.${name}`] : []));
  expect(Object.keys(draftProblems(kind, fresh, null)).toSorted()).toEqual(["name", ...required].toSorted());
});

it("a new destination sends what was typed", () => {
  const fresh = newDraft("webhook");
  const config = { ...fresh.config, url: "https://hook.example.com", headers: [header("X-A", typed("b"))] };
  expect(createBody("webhook", { ...fresh, name: "hook", config }, record.workspace_id)).toMatchObject({
    name: "hook",
    type: "webhook",
    workspace_id: record.workspace_id,
    config: { url: "https://hook.example.com", method: "POST", headers: { "X-A": "b" } },
  });
});

describe("what is wrong with a draft", () => {
  const problems = (edited: Draft) => draftProblems("langfuse", edited, record);
  const fields = (edited: Draft) => Object.keys(problems(edited));

  it("asks for every kept secret again when the host moves, not when only the path does, or nothing", () => {
    expect(problems(draft)).toEqual({});
    const moved = member("baseUrl", "https://evil.example.com");
    expect(fields(moved)).toEqual(["config.secretKey", "config.publicKey", "config.headers.0"]);
    expect(problems(member("baseUrl", `${baseUrl}/otel`))).toEqual({});
    expect(problems(member("baseUrl", baseUrl.replace("https", "http")))).not.toEqual({});
    const config = { ...moved.config, secretKey: typed("sk-new"), publicKey: typed("pk-new"), headers: [] };
    expect(problems(edit({ config }))).toEqual({});
  });

  it.each(["sk-l...4bE1", "sk-l…4bE1", "••••••"])("takes no mask for a secret: %s", (text) =>
    expect(problems(secret(text))["config.secretKey"]).toMatch(/masked value/),
  );

  it("wants a key, an address, a rate, headers with names of their own", () => {
    expect(problems(edit({ api_key_hashes: [], sampling_rate: null, name: " " }))).toEqual({
      name: "Enter a name",
      api_key_hashes: "Choose at least one, or pick All keys",
      sampling_rate: "Enter a percentage from 0.01 to 100",
    });
    expect(problems(member("baseUrl", "langfuse"))["config.baseUrl"]).toMatch(/http or https/);
    const headers = ["X-A", "x-a", "a b", ""].map((name) => header(name, typed("1")));
    expect(fields(member("headers", headers))).toEqual([1, 2, 3].map((index) => `config.headers.${index}`));
  });
});

const keyName = (one: string) => (one === b ? "customs-classifier" : one.slice(0, 4));
const texts = (edited: Draft) => changesOf(record, edited, { passing: 10_300, keyName }).map(({ text }) => text);
const costs = { groups: [{ logic: "or", rules: [{ field: "total_cost", operator: "gt", value: 0.01 }] }] };
const many = { name: "archive", privacy_mode: false, api_key_hashes: [b], sampling_rate: 0.7 };

const happens = [
  "Renamed from “langfuse-prod” to “archive”",
  "Prompts and responses will start being sent",
  "Key added: customs-classifier",
  "Key removed: aaaa",
  "The rules are switched off",
  "Rule added: total cost is over $0.01",
  "Rule removed: model starts with openai/",
  "Group 1 matches any of its rules",
  "Sampling 7% → 70%: about 721 → 7,210 events a day",
];
it.each<[string, Draft, string[]]>([
  ["none where nothing changed", draft, []],
  ["what happens", edit({ ...many, filter_rules: { ...costs, enabled: false } }), happens],
  ["all keys", edit({ api_key_hashes: null }), ["All keys, including future ones, instead of 1 key"]],
  ["no rules", edit({ filter_rules: null }), ["All rules are removed: every call passes"]],
  ["the default", member("baseUrl", ""), ["Base URL goes back to https://us.cloud.langfuse.com"]],
  ["no secret", secret("sk-canary"), ["Secret key is replaced; the old one cannot be recovered"]],
])("the changes in sentences say %s", (_, edited, sentences) => expect(texts(edited)).toEqual(sentences));

it("the changes in sentences say of a rule without a value that it is not finished", () => {
  const rule = { field: "model", operator: "equals", value: "" };
  const rules = { groups: [{ logic: "and", rules: [openai, rule] }] };
  expect(texts(edit({ filter_rules: rules }))).toEqual(["Rule added, without its value yet: model is"]);
});

it("the changes in sentences know what is tenfold", () =>
  expect([isTenfold(0.01, 0.1), isTenfold(0.01, 0.11), isTenfold(1, 0.09)]).toEqual([false, true, true]));

it("two people at once keep what only one of them touched", () => {
  const theirs = { ...withConfig({ baseUrl: `${baseUrl}/2` }), sampling_rate: 0.5 };
  const { draft: merged, overlaps, theirs: paths } = merge(edit({ name: "mine" }), record, theirs);
  expect(updateBody(theirs, merged)).toEqual({ name: "mine" });
  expect(merged).toMatchObject({ sampling_rate: 0.5, config: { baseUrl: `${baseUrl}/2` } });
  expect([overlaps, paths]).toEqual([[], ["sampling_rate", "config.baseUrl"]]);
});

it("two people at once are asked about what both touched, and either answer can be had", () => {
  const theirs = { ...record, sampling_rate: 0.5 };
  const { draft: merged, overlaps } = merge(edit({ sampling_rate: 0.2 }), record, theirs);
  expect(overlaps).toEqual([{ path: "sampling_rate", mine: 0.2, theirs: 0.5, base: 0.07 }]);
  expect(merged.sampling_rate).toBe(0.2);
  const taken = takeTheirs(merged, theirs, "sampling_rate");
  expect(updateBody(theirs, taken)).toEqual({});
  expect(overlaps[0] && takeMine(taken, overlaps[0]).sampling_rate).toBe(0.2);
});

it("two people at once see a secret that the other one replaced, and agree where both did the same", () => {
  const theirs = { ...withConfig({ secretKey: "sk-x...9999" }), name: "same" };
  const { overlaps } = merge({ ...secret("sk-lf-new"), name: "same" }, record, theirs);
  expect(overlaps.map(({ path }) => path)).toEqual(["config.secretKey"]);
});

it("what is edited while it is saved stays edited; all else is as it is stored, no secret left", () => {
  const sent = { ...secret("sk-lf-canary"), name: "saved" };
  const now = { ...sent, name: "saved and more", sampling_rate: 0.5 };
  const next = afterSaving(sent, now, { ...record, name: "saved" });
  expect(updateBody({ ...record, name: "saved" }, next)).toEqual({ name: "saved and more", sampling_rate: 0.5 });
  expect(holdsSecret(next)).toBe(false);
});

it("what is edited while it is saved includes a secret that was typed on", () => {
  const next = afterSaving(secret("sk-1"), secret("sk-12"), record);
  expect(updateBody(record, next)).toEqual({ config: { secretKey: "sk-12" } });
});

const [stored, fresh] = [header("X-Team", kept), header("X-New", typed("new"))];
const [keptNew, gone, other] = [header("X-New", kept), header("X-New", removed), header("X-Other", typed("other"))];
const renamed = header("X-Renamed", typed("new"));
it.each([
  ["unchanged", [stored, fresh], [keptNew, stored]],
  ["changed", [stored, header("X-New", typed("newer"))], [header("X-New", typed("newer")), stored]],
  ["removed", [stored], [gone, stored]],
  ["added", [stored, fresh, other], [keptNew, stored, other]],
  ["renamed", [stored, renamed], [gone, stored, renamed]],
])("what is edited while it is saved includes headers by their names: %s", (_, rows, after) => {
  const saved = { ...withConfig({ headers: { "X-New": "n...w", "X-Team": "b...y" } }), name: "saved" };
  const next = afterSaving(member("headers", [stored, fresh]), member("headers", rows), saved);
  expect(next.config["headers"]).toEqual(after);
});

it("what is edited while it is saved does not bring a header back that was removed and saved", () => {
  const edited = member("headers", [header("X-Team", removed)]);
  expect(afterSaving(edited, edited, withConfig({ headers: {} })).config["headers"]).toEqual([]);
});
