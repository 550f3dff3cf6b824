import { describe, expect, it } from "vitest";
import { presets } from "#contract/provider-presets.ts";
import {
  CreateProviderBody,
  ProviderPreset,
  TestProviderSettingsBody,
  UpdateProviderBody,
  type ProviderRecord,
} from "#contract/providers.ts";
import { schemaProblems } from "../../form/problems.ts";
import { addedBy } from "./added-by.ts";
import {
  changedTestBody,
  createBody,
  fieldOfOption,
  mergeProvider,
  newProvider,
  newTestBody,
  providerLabels,
  providerProblems,
  providerWords,
  storedProvider,
  updateBody,
} from "./provider-form.ts";

const stored: ProviderRecord = {
  slug: "acme",
  name: "Acme",
  kind: "openai-compatible",
  preset: "custom",
  base_url: "https://api.acme.example/v1",
  api_key: "sk-1...wxyz",
  data_collection: "allow",
  zdr: false,
  enabled: true,
  options: {},
  position: 100,
  privacy_policy_url: null,
  terms_of_service_url: null,
  status_page_url: null,
  models: [],
  health: {
    status: "idle",
    calls_last_30m: 0,
    error_rate_last_30m: null,
    overload_rate_last_30m: null,
    latency_p50_ms: null,
    latency_p95_ms: null,
    retry_at: null,
    last_failure: null,
    ledger: { calls: 0, failures: 0, hours: [], models: [], last_call_hour: null },
  },
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: null,
};
const values = storedProvider(stored);
const sent = (change: Partial<typeof values>) => JSON.stringify(updateBody(stored, { ...values, ...change }));

describe("a provider that somebody else changed meanwhile", () => {
  const moved: ProviderRecord = { ...stored, base_url: "https://elsewhere.example/v1", zdr: true, enabled: false };

  it("is followed where nothing was typed", () => {
    const merged = mergeProvider({ ...values, name: "Mine" }, stored, moved);
    expect(JSON.stringify(updateBody(moved, merged))).toBe('{"name":"Mine"}');
  });

  it("does not take a typed key along to another address", () => {
    const merged = mergeProvider({ ...values, api_key: { state: "typed", text: "sk-new" } }, stored, moved);
    expect(updateBody(moved, merged)).toEqual({ api_key: "sk-new", base_url: stored.base_url });
  });

  it("has its settings in words, and of its key the mask alone", () => {
    const words = providerWords(moved);
    expect(words).toMatchObject({ Address: "https://elsewhere.example/v1", "API key": "sk-1...wxyz" });
    expect(words).toMatchObject({ "Keeps nothing": "Yes", "Takes calls": "No", Models: "None", "API version": "None" });
  });
});

describe("changing a provider", () => {
  it("sends nothing where nothing changed, the kept secret least of all", () => {
    expect(sent({})).toBe("{}");
  });

  it.each([
    ["name", { name: " Acme EU " }, '{"name":"Acme EU"}'],
    ["base_url", { base_url: "https://api.acme.example/v2" }, '{"base_url":"https://api.acme.example/v2"}'],
    ["data_collection", { data_collection: "deny" as const }, '{"data_collection":"deny"}'],
    ["zdr", { zdr: true }, '{"zdr":true}'],
    ["options", { api_version: "2024-10-21" }, '{"options":{"api_version":"2024-10-21"}}'],
    ["a time limit", { timeout_seconds: " 300 " }, '{"options":{"timeout_seconds":300}}'],
    ["a link", { status_page_url: "https://s.example" }, '{"status_page_url":"https://s.example"}'],
    [
      "a replaced key",
      { api_key: { state: "typed" as const, text: "sk-new" } },
      `{"api_key":"sk-new","base_url":"${stored.base_url}"}`,
    ],
    ["a removed key", { api_key: { state: "removed" as const, text: "" } }, '{"api_key":null}'],
  ])("sends %s alone", (_, change, body) => {
    expect(sent(change)).toBe(body);
    expect(UpdateProviderBody.safeParse(JSON.parse(body)).success).toBe(true);
  });

  it("keeps the other option where one is changed", () => {
    const azure = { ...stored, options: { api_version: "2024-10-21", timeout_seconds: 300 } };
    expect(updateBody(azure, storedProvider(azure))).toEqual({});
    expect(updateBody(azure, { ...storedProvider(azure), timeout_seconds: "" })).toEqual({
      options: { api_version: "2024-10-21" },
    });
  });

  it("says at its field what a time limit may be", () => {
    for (const timeout_seconds of ["0", "1.5", "soon", "3601"]) {
      const body = updateBody(stored, { ...values, timeout_seconds });
      expect(schemaProblems(UpdateProviderBody, body, fieldOfOption, providerLabels)).toEqual({
        timeout_seconds: "Time limit must be a whole number of seconds from 1 to 3600",
      });
    }
  });

  it("asks for the key again when the address leads to another host", () => {
    const elsewhere = { ...values, base_url: "https://collector.example/v1" };
    expect(providerProblems(elsewhere, stored)).toHaveProperty("api_key");
    expect(providerProblems({ ...elsewhere, api_key: { state: "typed", text: "sk-new" } }, stored)).toEqual({});
    expect(providerProblems({ ...elsewhere, api_key: { state: "removed", text: "" } }, stored)).toEqual({});
    expect(providerProblems({ ...values, base_url: "https://api.acme.example/v2" }, stored)).toEqual({});
  });

  it("takes no mask for a key", () => {
    const masked = { ...values, api_key: { state: "typed" as const, text: "sk-1...wxyz" } };
    expect(providerProblems(masked, stored)).toHaveProperty("api_key");
  });
});

describe("adding a provider", () => {
  const own = ProviderPreset.options.filter((preset) => presets[preset].baseUrl !== null);

  it.each(own)("%s is whole with nothing but its key", (preset) => {
    const body = createBody(preset, { ...newProvider(preset, []), api_key: { state: "typed", text: "sk-new" } });
    expect(CreateProviderBody.safeParse(body).success).toBe(true);
    expect(body.api_key).toBe("sk-new");
  });

  it("gives a second account at a vendor a slug of its own", () => {
    expect(newProvider("openai", ["openai", "openai-2"])).toMatchObject({ name: "OpenAI 3", slug: "openai-3" });
  });

  it("adds the models that are chosen, and names the one that cannot be added", () => {
    const pick = { upstream_id: "small", id: "acme/small", type: "embedding" as const, price: "0.02" };
    const chosen = { ...newProvider("openai", []), models: [pick] };
    expect(createBody("openai", chosen).models).toMatchObject([
      { id: "acme/small", pricing: { prompt: "0.00000002" } },
    ]);
    expect(providerProblems(chosen, null)).toEqual({});
    expect(providerProblems({ ...chosen, models: [{ ...pick, id: "small" }] }, null)["models"]).toMatch(
      /^small: The id/,
    );
  });

  it("has no key where none is typed", () => {
    expect(createBody("ollama", newProvider("ollama", [])).api_key).toBeNull();
  });
});

describe("testing before saving", () => {
  it("asks with what is typed", () => {
    const body = newTestBody("openai", { ...newProvider("openai", []), api_key: { state: "typed", text: "sk-new" } });
    expect(body).toEqual({
      kind: "openai-compatible",
      preset: "openai",
      base_url: presets.openai.baseUrl,
      api_key: "sk-new",
      options: {},
    });
    expect(TestProviderSettingsBody.safeParse(body).success).toBe(true);
  });

  it("asks with the stored key while it is kept, without one when it is to be removed", () => {
    expect(changedTestBody(stored, { ...values, name: "Acme EU" })).toEqual({ slug: "acme" });
    expect(changedTestBody(stored, { ...values, api_key: { state: "removed", text: "" } })).toEqual({
      slug: "acme",
      api_key: null,
    });
  });
});

it("finds who added a provider last", () => {
  const entries = [
    { target_id: "openai", actor: "Ana" },
    { target_id: "mistral", actor: "gatehouse" },
    { target_id: "openai", actor: "gatehouse" },
  ];
  expect([...addedBy(entries)]).toEqual([
    ["openai", "Ana"],
    ["mistral", "gatehouse"],
  ]);
});
