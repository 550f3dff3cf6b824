import { describe, expect, it } from "vitest";
import { presets } from "#contract/provider-presets.ts";
import {
  CreateProviderBody,
  ProviderPreset,
  TestProviderSettingsBody,
  UpdateProviderBody,
} from "#contract/providers.ts";
import { provider } from "../../api/example-providers.ts";
import { schemaProblems } from "../../form/problems.ts";
import { addedBy } from "./added-by.ts";
import * as form from "./provider-form.ts";

const stored = provider("acme", { name: "Acme", api_key: "sk-1...wxyz" });
const values = form.storedProvider(stored);
const typed = { state: "typed", text: "sk-new" } as const;
const removed = { state: "removed", text: "" } as const;

const moved = { ...stored, base_url: "https://elsewhere.example/v1", zdr: true, enabled: false };

it("a provider that somebody else changed meanwhile is followed where nothing was typed", () => {
  const merged = form.mergeProvider({ ...values, name: "Mine" }, stored, moved);
  expect(JSON.stringify(form.updateBody(moved, merged))).toBe('{"name":"Mine"}');
});

it("a provider that somebody else changed meanwhile does not take a typed key along to another address", () => {
  const merged = form.mergeProvider({ ...values, api_key: typed }, stored, moved);
  expect(form.updateBody(moved, merged)).toEqual({ api_key: "sk-new", base_url: stored.base_url });
});

it("a provider that somebody else changed meanwhile has its settings in words, and of its key the mask alone", () => {
  const words = form.providerWords(moved);
  expect(words).toMatchObject({ Address: "https://elsewhere.example/v1", "API key": "sk-1...wxyz" });
  expect(words).toMatchObject({ "Keeps nothing": "Yes", "Takes calls": "No", Models: "None", "API version": "None" });
});

describe("changing a provider", () => {
  it.each<[string, Partial<typeof values>, string]>([
    ["nothing, the kept secret least of all,", {}, "{}"],
    ["name", { name: " Acme EU " }, '{"name":"Acme EU"}'],
    ["base_url", { base_url: "https://api.acme.example/v2" }, '{"base_url":"https://api.acme.example/v2"}'],
    ["data_collection", { data_collection: "deny" }, '{"data_collection":"deny"}'],
    ["zdr", { zdr: true }, '{"zdr":true}'],
    ["options", { api_version: "2024-10-21" }, '{"options":{"api_version":"2024-10-21"}}'],
    ["a time limit", { timeout_seconds: " 300 " }, '{"options":{"timeout_seconds":300}}'],
    ["a link", { status_page_url: "https://s.example" }, '{"status_page_url":"https://s.example"}'],
    ["a replaced key", { api_key: typed }, `{"api_key":"sk-new","base_url":"${stored.base_url}"}`],
    ["a removed key", { api_key: removed }, '{"api_key":null}'],
  ])("sends %s alone", (_, change, body) => {
    expect(JSON.stringify(form.updateBody(stored, { ...values, ...change }))).toBe(body);
    expect(UpdateProviderBody.safeParse(JSON.parse(body)).success).toBe(true);
  });

  it("keeps the other option where one is changed", () => {
    const azure = { ...stored, options: { api_version: "2024-10-21", timeout_seconds: 300 } };
    expect(form.updateBody(azure, form.storedProvider(azure))).toEqual({});
    const changed = { ...form.storedProvider(azure), timeout_seconds: "" };
    expect(form.updateBody(azure, changed)).toEqual({ options: { api_version: "2024-10-21" } });
  });

  it.each(["0", "1.5", "soon", "3601"])("says at its field that a time limit cannot be %s", (timeout_seconds) => {
    const body = form.updateBody(stored, { ...values, timeout_seconds });
    expect(schemaProblems(UpdateProviderBody, body, form.fieldOfOption, form.providerLabels)).toEqual({
      timeout_seconds: "Time limit must be a whole number of seconds from 1 to 3600",
    });
  });

  it("asks for the key again when the address leads to another host, and takes no mask for one", () => {
    const elsewhere = { ...values, base_url: "https://collector.example/v1" };
    const masked = { ...values, api_key: { ...typed, text: "sk-1...wxyz" } };
    for (const wrong of [elsewhere, masked]) expect(form.providerProblems(wrong, stored)).toHaveProperty("api_key");
    const path = { ...values, base_url: "https://api.acme.example/v2" };
    const right = [{ ...elsewhere, api_key: typed }, { ...elsewhere, api_key: removed }, path];
    expect(right.map((one) => form.providerProblems(one, stored))).toEqual([{}, {}, {}]);
  });
});

const own = ProviderPreset.options.filter((preset) => presets[preset].baseUrl !== null);

it.each(own)("adding a provider %s is whole with nothing but its key", (preset) => {
  const body = form.createBody(preset, { ...form.newProvider(preset, []), api_key: typed });
  expect(CreateProviderBody.safeParse(body).success).toBe(true);
  expect(body.api_key).toBe("sk-new");
});

it("adding a provider gives a second account a slug of its own, adds chosen models, and names the one it cannot", () => {
  expect(form.newProvider("openai", ["openai", "openai-2"])).toMatchObject({ name: "OpenAI 3", slug: "openai-3" });
  expect(form.createBody("ollama", form.newProvider("ollama", [])).api_key).toBeNull();
  const pick = { upstream_id: "small", id: "acme/small", type: "embedding" as const, price: "0.02" };
  const chosen = { ...form.newProvider("openai", []), models: [pick] };
  const { models } = form.createBody("openai", chosen);
  expect(models).toMatchObject([{ id: "acme/small", pricing: { prompt: "0.00000002" } }]);
  expect(form.providerProblems(chosen, null)).toEqual({});
  const { models: problem } = form.providerProblems({ ...chosen, models: [{ ...pick, id: "small" }] }, null);
  expect(problem).toMatch(/^small: The id/);
});

it("testing before saving asks with what is typed, or the stored key while it is kept", () => {
  const body = form.newTestBody("openai", { ...form.newProvider("openai", []), api_key: typed });
  const { baseUrl: base_url } = presets.openai;
  expect(body).toEqual({ kind: "openai-compatible", preset: "openai", base_url, api_key: "sk-new", options: {} });
  expect(TestProviderSettingsBody.safeParse(body).success).toBe(true);
  expect(form.changedTestBody(stored, { ...values, name: "Acme EU" })).toEqual({ slug: "acme" });
  expect(form.changedTestBody(stored, { ...values, api_key: removed })).toEqual({ slug: "acme", api_key: null });
});

it("finds who added a provider last", () => {
  const entry = (target_id: string, actor: string) => ({ target_id, actor });
  const entries = [entry("openai", "Ana"), entry("mistral", "gatehouse"), entry("openai", "gatehouse")];
  expect(Object.fromEntries(addedBy(entries))).toEqual({ openai: "Ana", mistral: "gatehouse" });
});
