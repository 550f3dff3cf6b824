import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeContext } from "../testing/context.ts";
import { makeKey } from "../testing/factories.ts";

/** A vendor of which only the list of models is asked. */
let vendor: Server;
let baseUrl: string;
let authorization: string | undefined;
beforeAll(async () => {
  vendor = createServer((request, response) => {
    authorization = request.headers.authorization;
    const allowed = authorization === "Bearer sk-acme-0123456789abcdef";
    response.writeHead(allowed ? 200 : 401, { "content-type": "application/json" });
    response.end(
      allowed
        ? JSON.stringify({ object: "list", data: [{ id: "embed-small", object: "model" }] })
        : JSON.stringify({
            error: { message: `Incorrect API key: ${authorization?.slice(7)}`, code: "invalid_api_key" },
          }),
    );
  });
  await new Promise<void>((resolve) => void vendor.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
});
afterAll(() => void vendor.close());

const secret = "sk-acme-0123456789abcdef";
const embedSmall = {
  id: "acme/embed-small",
  upstream_id: "embed-small",
  type: "embedding",
  name: "Embed small",
  context_length: 8192,
  dimensions: 1536,
  max_batch: 2048,
  input_modalities: ["text", "image"],
  pricing: { prompt: "0.00000002", completion: "0", image: "0", request: "0" },
};
const acme = (more: object = {}) => ({
  slug: "acme",
  name: "Acme",
  kind: "openai-compatible",
  base_url: baseUrl,
  api_key: secret,
  data_collection: "deny",
  enabled: true,
  models: [embedSmall],
  ...more,
});

describeGateway("providers", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const create = (more: object = {}) => call("POST", "/providers", { body: acme(more) });
  const patch = (body: object, slug = "acme") => call("PATCH", `/providers/${slug}`, { body });
  const open = (path: string) => call("GET", path, { key: null });
  afterEach(async () => void (await call("DELETE", "/providers/acme")));

  describe("createProvider, getProvider", () => {
    it("201: answers with the record, its key masked, and serves its models from then on", async () => {
      const made = await create();
      expect(made.text).toSatisfy(() => made.status === 201);
      expect(made.json.data).toMatchObject({
        slug: "acme",
        kind: "openai-compatible",
        preset: "custom",
        base_url: baseUrl,
        api_key: "sk-a...cdef",
        data_collection: "deny",
        models: [{ ...embedSmall, enabled: true, dimensions_range: null }],
      });
      const listed = await open("/embeddings/models");
      expect(listed.json.data).toContainEqual(
        expect.objectContaining({ id: "acme/embed-small", context_length: 8192, pricing: embedSmall.pricing }),
      );
    });

    it("400: names the member and what would be right, where the body's schema does not", async () => {
      expectIssues(await create({ kind: "builtin" }), "kind");
      expectIssues(await create({ preset: "cohere" }), "preset");
      expectIssues(await create({ base_url: undefined }), "base_url");
      expectIssues(await create({ base_url: "http://169.254.169.254/v1" }), "base_url");
      expectIssues(await create({ base_url: "http://[fe80::1]/v1" }), "base_url");
      expectIssues(await create({ models: [embedSmall, embedSmall] }), "models.1.id");
      expectIssues(await create({ api_key: "sk-a...cdef" }), "api_key");
      expectIssues(
        await create({ models: [{ ...embedSmall, id: "gatehouse/lexical", type: "chat" }] }),
        "models.0.type",
      );
      expectError(await call("GET", "/providers/acme"), "not_found", /acme/);
    });

    it("409: a slug is taken once", async () => {
      await create();
      expectError(await create(), "conflict", /acme/);
    });
  });

  describe("updateProvider", () => {
    it("keeps absent members, and the key when it is absent or comes back masked", async () => {
      await create();
      const before = await gateway().deps.store.pool.query("select secret from providers where slug = 'acme'");
      const patched = await patch({ name: "Acme Inc", api_key: "sk-a...cdef" });
      expect(patched.json.data).toMatchObject({ name: "Acme Inc", api_key: "sk-a...cdef", base_url: baseUrl });
      expect(patched.json.data.models).toHaveLength(1);
      const after = await gateway().deps.store.pool.query("select secret from providers where slug = 'acme'");
      expect(after.rows).toEqual(before.rows);
      const cleared = await patch({ api_key: null });
      expect(cleared.json.data.api_key).toBeNull();
    });

    it("carries a kept key to no other host", async () => {
      await create();
      const moved = "https://elsewhere.example/v1";
      expectIssues(await patch({ base_url: moved }), "api_key");
      expectIssues(await patch({ base_url: moved, api_key: "sk-a...cdef" }), "api_key");
      expect((await call("GET", "/providers/acme")).json.data.base_url).toBe(baseUrl);
      expect((await patch({ base_url: `${new URL(baseUrl).origin}/v2` })).status).toBe(200);
      expect((await patch({ base_url: moved, api_key: "sk-another-key" })).json.data.base_url).toBe(moved);
    });

    it("replaces the list of models, and keeps what a model's entry leaves out", async () => {
      await create();
      const body = {
        models: [
          { id: "acme/embed-small", upstream_id: "embed-small", type: "embedding", pricing: null },
          { id: "acme/talk", upstream_id: "talk", type: "chat" },
        ],
      };
      const patched = await patch(body);
      expect(patched.json.data.models).toMatchObject([
        { id: "acme/embed-small", name: "Embed small", dimensions: 1536, pricing: null },
        { id: "acme/talk", name: "talk", pricing: null },
      ]);
    });

    it("disabling takes its models out of the listings at once", async () => {
      await create();
      await patch({ enabled: false });
      expectError(await open("/model/acme/embed-small"), "not_found", /acme\/embed-small/);
    });

    it("prices the built-in model, and changes nothing else of it", async () => {
      const lexical = { id: "gatehouse/lexical", upstream_id: "lexical", type: "embedding" };
      const price = (body: object) => patch(body, "gatehouse");
      const priced = await price({ models: [{ ...lexical, pricing: { prompt: "0.000001" } }] });
      expect(priced.json.data.models).toMatchObject([
        { id: "gatehouse/lexical", dimensions: 384, pricing: { prompt: "0.000001" } },
      ]);
      expectIssues(await price({ models: [{ ...lexical, dimensions: 8 }] }), "models.0.dimensions");
      expectIssues(await price({ models: [{ ...lexical, id: "gatehouse/other" }] }), "models.0.id");
      expectIssues(await price({ models: [] }), "models");
      expectIssues(await price({ api_key: "secret" }), "api_key");
      expectError(await call("DELETE", "/providers/gatehouse"), "invalid_request", /enabled/);
      await price({ models: [{ ...lexical, pricing: { prompt: "0" } }] });
    });
  });

  describe("testProvider", () => {
    it("says what the vendor said, without the key even if the vendor repeats it", async () => {
      await create();
      const good = await call("POST", "/providers/acme/test");
      expect(good.json.data).toMatchObject({ ok: true, status: 200, models: ["embed-small"] });
      expect(authorization).toBe(`Bearer ${secret}`);
      await patch({ api_key: "sk-wrong-key-0123456789" });
      const bad = await call("POST", "/providers/acme/test");
      expect(bad.json.data).toMatchObject({ ok: false, status: 401, message: "Incorrect API key: [key]" });
    });

    it("says so when nobody answers", async () => {
      await create({ base_url: "http://127.0.0.1:1/v1" });
      const { json } = await call("POST", "/providers/acme/test");
      expect(json.data).toMatchObject({
        ok: false,
        status: null,
        message: expect.stringMatching(/^Nothing is listening at 127\.0\.0\.1:1\. .*ECONNREFUSED/),
      });
    });
  });

  describe("testProviderSettings", () => {
    const ask = (body: object) => call("POST", "/provider-settings/test", { body });
    const unsaved = { kind: "openai-compatible", api_key: secret };

    it("200: says what the vendor answers to settings that are not saved, and stores nothing", async () => {
      const before = await call("GET", "/audit?limit=1");
      const good = await ask({ ...unsaved, base_url: baseUrl });
      expect(good.json.data).toMatchObject({ ok: true, status: 200, models: ["embed-small"] });
      expect(authorization).toBe(`Bearer ${secret}`);
      const bad = await ask({ ...unsaved, base_url: baseUrl, api_key: "sk-wrong-key-0123456789" });
      expect(bad.json.data).toMatchObject({ ok: false, status: 401, message: "Incorrect API key: [key]" });
      const { json } = await call("GET", "/provider-settings");
      expect(json.data.map(({ slug }: { slug: string }) => slug)).toEqual(["gatehouse"]);
      expect((await call("GET", "/audit?limit=1")).json.data).toEqual(before.json.data);
      expect(gateway().log()).not.toContain(secret);
    });

    it("200: takes what is left out, and a key that comes masked, from the provider that is named", async () => {
      await create();
      for (const kept of [{ slug: "acme" }, { slug: "acme", api_key: "sk-a...cdef" }]) {
        expect((await ask(kept)).json.data).toMatchObject({ ok: true, models: ["embed-small"] });
        expect(authorization).toBe(`Bearer ${secret}`);
      }
      expect((await ask({ slug: "acme", api_key: null })).json.data).toMatchObject({ ok: false, status: 401 });
      expect(
        (await ask({ slug: "acme", base_url: "http://127.0.0.1:1/v1", api_key: "sk-new" })).json.data,
      ).toMatchObject({ ok: false, status: null });
      expect((await call("POST", "/providers/acme/test")).json.data).toMatchObject({ ok: true });
    });

    it("400: names what is wrong, and never carries a stored key to another host", async () => {
      expectIssues(await ask({ base_url: baseUrl }), "kind");
      expectIssues(await ask({ ...unsaved }), "base_url");
      expectIssues(await ask({ ...unsaved, base_url: "http://169.254.169.254/v1" }), "base_url");
      expectIssues(await ask({ ...unsaved, base_url: baseUrl, api_key: "sk-a...cdef" }), "api_key");
      expectIssues(await ask({ slug: "gatehouse", api_key: secret }), "api_key");
      await create();
      authorization = undefined;
      expectIssues(await ask({ slug: "acme", base_url: "https://elsewhere.example/v1" }), "api_key");
      expectIssues(await ask({ slug: "acme", kind: "cohere" }), "kind");
      expect(authorization).toBeUndefined();
      expectError(await ask({ slug: "nobody" }), "not_found", /nobody/);
    });
  });

  describe("listProviders, listProviderSettings and listModelEndpoints", () => {
    it("200: lists for the public by slug and name, for the admin with settings and health", async () => {
      await create({ privacy_policy_url: "https://acme.example/privacy" });
      expect((await open("/providers")).json.data).toContainEqual({
        slug: "acme",
        name: "Acme",
        privacy_policy_url: "https://acme.example/privacy",
        terms_of_service_url: null,
        status_page_url: null,
        headquarters: null,
        datacenters: null,
      });
      const all = await call("GET", "/provider-settings");
      expect(all.json.data.map(({ slug }: { slug: string }) => slug)).toEqual(["gatehouse", "acme"]);
      expect(all.json.data[1].health).toMatchObject({ status: "idle", calls_last_30m: 0 });
      const offered = await open("/models/acme/embed-small/endpoints");
      expect(offered.json.data.endpoints).toMatchObject([
        { tag: "acme", provider_name: "Acme", context_length: 8192, status: 0, uptime_last_30m: null },
      ]);
    });
  });

  it("deleteProvider: 200, and its models are gone", async () => {
    await create();
    expect((await call("DELETE", "/providers/acme")).json).toEqual({ deleted: true });
    expectError(await open("/models/acme/embed-small/endpoints"), "not_found", /acme/);
  });

  it("listDetectedProviders leaves out what is a provider already", async () => {
    const { deps } = gateway();
    const { detected } = await import("../domain/providers/providers.ts");
    const found = { preset: "ollama" as const, name: "Ollama", base_url: baseUrl, models: ["llama"] };
    const ctx = { ...makeContext(deps), detectProviders: async () => [found] };
    expect(await detected(ctx)).toEqual({ data: [found] });
    await create({ base_url: baseUrl.replace("127.0.0.1", "localhost") });
    expect(await detected(ctx)).toEqual({ data: [] });
  });

  describe("listModels, countModels, getModel, retrieveModel, retrieveModelOfAuthor and listModelsForUser", () => {
    it("404: a model that there is not", async () => {
      expectError(await open("/model/no/body"), "not_found", /no\/body/);
    });

    it("200: to a key what it may use", async () => {
      const { key } = await makeKey(gateway());
      const mine = await call("GET", "/models/user", { key });
      expect(mine.json.data.map(({ id }: { id: string }) => id)).toContain("gatehouse/lexical");
    });

    it("200: names the parameters that reach a chat model whose row states none", async () => {
      const talk = { id: "acme/talk", upstream_id: "talk", type: "chat" };
      await create({ models: [embedSmall, talk] });
      const listed = await open("/models?supported_parameters=tools");
      expect(listed.json.data).toMatchObject([
        { id: "acme/talk", supported_parameters: expect.arrayContaining(["tools", "tool_choice", "max_tokens"]) },
      ]);
    });

    it("200 and 404: one model in OpenAI's form, the slash of its id as it is or encoded", async () => {
      for (const path of ["/models/gatehouse%2Flexical", "/models/gatehouse/lexical"]) {
        const { status, json } = await open(path);
        expect(status).toBe(200);
        expect(json).toMatchObject({ id: "gatehouse/lexical", object: "model", owned_by: "gatehouse" });
      }
      expectError(await open("/models/no%2Fbody"), "not_found", /no\/body/);
    });

    it("filters, sorts and pages the models", async () => {
      const cheap = { ...embedSmall, id: "acme/cheap", pricing: { prompt: "0.00000001" } };
      const talk = {
        id: "acme/talk",
        upstream_id: "talk",
        type: "chat",
        context_length: 200_000,
        supported_parameters: ["tools"],
      };
      await create({ models: [embedSmall, cheap, talk] });
      const ids = async (query: string) => {
        const { json } = await open(`/models?${query}`);
        return json.data.map(({ id }: { id: string }) => id);
      };
      const all = "output_modalities=all";
      expect(await ids(`${all}&providers=acme`)).toEqual(["acme/cheap", "acme/embed-small", "acme/talk"]);
      for (const query of ["", "output_modalities=text", "use_rss=true&_=1750000000&offset="])
        expect(await ids(query)).toEqual(["acme/talk"]);
      expect(await ids(`${all}&providers=Acme&sort=pricing-high-to-low`)).toEqual([
        "acme/embed-small",
        "acme/cheap",
        "acme/talk",
      ]);
      expect(await ids("q=TALK")).toEqual(["acme/talk"]);
      expect(await ids(`${all}&max_price=0.015&min_price=0.005`)).toEqual(["acme/cheap"]);
      expect(await ids("supported_parameters=tools&context=100000")).toEqual(["acme/talk"]);
      // what the public API knows of models and nobody here does: no model has it
      for (const member of ["category=finance", "region=eu", "min_coding_index=10", "max_tool_success_rate=1"])
        expect(await ids(`${all}&${member}`)).toEqual([]);
      const everything = await ids(all);
      expect(everything).toEqual(expect.arrayContaining(["acme/cheap", "acme/talk", "gatehouse/lexical"]));
      expect(await ids(`${all}&arch=other&max_age_days=1`)).toEqual(everything);
      expect(await ids(`${all}&min_age_days=1`)).not.toContain("acme/talk");
      // the clock of another machine, or this one's before it was set right, was ahead
      const present = gateway().clock.now();
      gateway().clock.advance(-366 * 86_400_000);
      for (const query of ["", "min_age_days=0", "max_age_days=0"])
        expect(await ids(`${all}&providers=acme&${query}`)).toEqual(["acme/cheap", "acme/embed-small", "acme/talk"]);
      gateway().clock.set(present);
      const { key } = await makeKey(gateway());
      const body = { model: "gatehouse/lexical", input: "popular" };
      for (let time = 0; time < 2; time += 1) await call("POST", "/embeddings", { key, body });
      for (const sort of ["top-weekly", "most-popular"])
        expect((await ids(`${all}&sort=${sort}`))[0]).toBe("gatehouse/lexical");
      expect(await ids(`${all}&sort=coding-high-to-low`)).toEqual(everything);
      const page = await open(`/models?${all}&offset=1&limit=2`);
      expect(page.json).toMatchObject({
        total_count: everything.length,
        links: { next: "?offset=3&limit=2&output_modalities=all" },
      });
      expect(page.json.data).toHaveLength(2);
      const filtered = await open(`/models?${all}&providers=acme&limit=1`);
      expect(filtered.json.links.next).toBe("?limit=1&output_modalities=all&providers=acme&offset=1");
      const counted = async (query: string) => (await open(`/models/count?${query}`)).json.data.count;
      expect([await counted(""), await counted(all)]).toEqual([1, everything.length]);
    });
  });
});
