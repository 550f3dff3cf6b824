import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const clean = async () => void (await gateway().call("DELETE", "/providers/acme"));

  describe("createProvider", () => {
    it("201: answers with the record, its key masked, and serves its models from then on", async () => {
      const made = await gateway().call("POST", "/providers", { body: acme() });
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
      const listed = await gateway().call("GET", "/embeddings/models", { key: null });
      expect(listed.json.data).toContainEqual(
        expect.objectContaining({ id: "acme/embed-small", context_length: 8192, pricing: embedSmall.pricing }),
      );
      await clean();
    });

    it("leaves no trace of the key in the store, the log and the audit log", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      const { rows } = await gateway().deps.store.pool.query("select secret from providers where slug = 'acme'");
      expect(rows[0].secret).toMatch(/^v1:/);
      const audit = await gateway().call("GET", "/audit?target_type=provider");
      expect(audit.text).toContain("createProvider");
      expect(audit.text + gateway().log() + JSON.stringify(rows)).not.toContain(secret);
      await clean();
    });

    it("400: names the member and what would be right", async () => {
      const post = (more: object) => gateway().call("POST", "/providers", { body: acme(more) });
      expectIssues(await post({ slug: "No Slug" }), "slug");
      expectIssues(await post({ kind: "builtin" }), "kind");
      expectIssues(await post({ preset: "cohere" }), "preset");
      expectIssues(await post({ base_url: "ftp://acme.example" }), "base_url");
      expectIssues(await post({ base_url: undefined }), "base_url");
      expectIssues(await post({ base_url: "http://169.254.169.254/v1" }), "base_url");
      expectIssues(await post({ base_url: "http://[fe80::1]/v1" }), "base_url");
      expectIssues(await post({ models: [embedSmall, embedSmall] }), "models.1.id");
      expectIssues(
        await post({ models: [{ ...embedSmall, pricing: { prompt: "cheap" } }] }),
        "models.0.pricing.prompt",
      );
      expectIssues(await post({ models: [{ ...embedSmall, id: "embed-small" }] }), "models.0.id");
      expectIssues(await post({ surprise: true }), "surprise");
      expectIssues(await post({ api_key: "sk-a...cdef" }), "api_key");
      expectIssues(await post({ models: [{ ...embedSmall, id: "gatehouse/lexical", type: "chat" }] }), "models.0.type");
      expectError(await gateway().call("GET", "/providers/acme"), "not_found", /acme/);
    });

    it("403: not for ordinary keys", async () => {
      const { key } = await makeKey(gateway());
      expectError(await gateway().call("POST", "/providers", { key, body: acme() }), "permission_denied", /management/);
    });

    it("409: a slug is taken once", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      expectError(await gateway().call("POST", "/providers", { body: acme() }), "conflict", /acme/);
      await clean();
    });
  });

  describe("updateProvider", () => {
    it("keeps absent members, and the key when it is absent or comes back masked", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      const before = await gateway().deps.store.pool.query("select secret from providers where slug = 'acme'");
      const patched = await gateway().call("PATCH", "/providers/acme", {
        body: { name: "Acme Inc", api_key: "sk-a...cdef" },
      });
      expect(patched.json.data).toMatchObject({ name: "Acme Inc", api_key: "sk-a...cdef", base_url: baseUrl });
      expect(patched.json.data.models).toHaveLength(1);
      const after = await gateway().deps.store.pool.query("select secret from providers where slug = 'acme'");
      expect(after.rows).toEqual(before.rows);
      const cleared = await gateway().call("PATCH", "/providers/acme", { body: { api_key: null } });
      expect(cleared.json.data.api_key).toBeNull();
      await clean();
    });

    it("carries a kept key to no other host", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      const patch = (body: object) => gateway().call("PATCH", "/providers/acme", { body });
      const moved = "https://elsewhere.example/v1";
      expectIssues(await patch({ base_url: moved }), "api_key");
      for (const slip of ["sk-copied\n", "sk-“quoted”"]) expectIssues(await patch({ api_key: slip }), "api_key");
      expectIssues(await patch({ base_url: moved, api_key: "sk-a...cdef" }), "api_key");
      expect((await gateway().call("GET", "/providers/acme")).json.data.base_url).toBe(baseUrl);
      expect((await patch({ base_url: `${new URL(baseUrl).origin}/v2` })).status).toBe(200);
      expect((await patch({ base_url: moved, api_key: "sk-another-key" })).json.data.base_url).toBe(moved);
      await clean();
    });

    it("replaces the list of models, and keeps what a model's entry leaves out", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      const body = {
        models: [
          { id: "acme/embed-small", upstream_id: "embed-small", type: "embedding", pricing: null },
          { id: "acme/talk", upstream_id: "talk", type: "chat" },
        ],
      };
      const patched = await gateway().call("PATCH", "/providers/acme", { body });
      expect(patched.json.data.models).toMatchObject([
        { id: "acme/embed-small", name: "Embed small", dimensions: 1536, pricing: null },
        { id: "acme/talk", name: "talk", pricing: null },
      ]);
      await clean();
    });

    it("disabling takes its models out of the listings at once", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      await gateway().call("PATCH", "/providers/acme", { body: { enabled: false } });
      expectError(
        await gateway().call("GET", "/model/acme/embed-small", { key: null }),
        "not_found",
        /acme\/embed-small/,
      );
      await clean();
    });

    it("prices the built-in model, and changes nothing else of it", async () => {
      const lexical = { id: "gatehouse/lexical", upstream_id: "lexical", type: "embedding" };
      const patch = (body: object) => gateway().call("PATCH", "/providers/gatehouse", { body });
      const priced = await patch({ models: [{ ...lexical, pricing: { prompt: "0.000001" } }] });
      expect(priced.json.data.models).toMatchObject([
        { id: "gatehouse/lexical", dimensions: 384, pricing: { prompt: "0.000001" } },
      ]);
      expectIssues(await patch({ models: [{ ...lexical, dimensions: 8 }] }), "models.0.dimensions");
      expectIssues(await patch({ models: [{ ...lexical, id: "gatehouse/other" }] }), "models.0.id");
      expectIssues(await patch({ models: [] }), "models");
      expectIssues(await patch({ api_key: "secret" }), "api_key");
      expectError(await gateway().call("DELETE", "/providers/gatehouse"), "invalid_request", /enabled/);
      await patch({ models: [{ ...lexical, pricing: { prompt: "0" } }] });
    });
  });

  describe("updateProvider with If-Match", () => {
    it("409: a stale write loses nothing; another key is another version, even under the same mask", async () => {
      await gateway().call("POST", "/providers", { body: acme({ options: { timeout_seconds: 60 } }) });
      const patch = (etag: string | null, body: object) =>
        gateway().call("PATCH", "/providers/acme", { headers: { "if-match": etag ?? "" }, body });
      const seen = (await gateway().call("GET", "/providers/acme")).headers.get("etag");
      const first = await patch(seen, { api_key: secret.replace("0123456789", "9876543210") });
      expect(first.status).toBe(200);
      expect(first.headers.get("etag")).not.toBe(seen);
      expectError(await patch(seen, { name: "Second" }), "conflict", /provider was changed by someone else/);
      const read = await gateway().call("GET", "/providers/acme");
      expect(read.json.data).toMatchObject({ name: "Acme" });
      expect(read.headers.get("etag")).toBe(first.headers.get("etag"));
      const models = [{ ...embedSmall, enabled: false }];
      const second = await patch(first.headers.get("etag"), { models });
      expect((await gateway().call("GET", "/providers/acme")).headers.get("etag")).toBe(second.headers.get("etag"));
      expectError(await patch(first.headers.get("etag"), { models: [embedSmall] }), "conflict", /changed by someone/);
      const remove = (etag: string | null) =>
        gateway().call("DELETE", "/providers/acme", { headers: { "if-match": etag ?? "" } });
      expectError(await remove(first.headers.get("etag")), "conflict", /provider was changed by someone else/);
      expect((await remove(second.headers.get("etag"))).status).toBe(200);
      await clean();
    });
  });

  describe("testProvider", () => {
    it("says what the vendor said, without the key even if the vendor repeats it", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      const good = await gateway().call("POST", "/providers/acme/test");
      expect(good.json.data).toMatchObject({ ok: true, status: 200, models: ["embed-small"] });
      expect(authorization).toBe(`Bearer ${secret}`);
      await gateway().call("PATCH", "/providers/acme", { body: { api_key: "sk-wrong-key-0123456789" } });
      const bad = await gateway().call("POST", "/providers/acme/test");
      expect(bad.json.data).toMatchObject({ ok: false, status: 401, message: "Incorrect API key: [key]" });
      await clean();
    });

    it("says so when nobody answers", async () => {
      await gateway().call("POST", "/providers", { body: acme({ base_url: "http://127.0.0.1:1/v1" }) });
      const { json } = await gateway().call("POST", "/providers/acme/test");
      expect(json.data).toMatchObject({
        ok: false,
        status: null,
        message: expect.stringMatching(/^Nothing is listening at 127\.0\.0\.1:1\. .*ECONNREFUSED/),
      });
      await clean();
    });
  });

  describe("testProviderSettings", () => {
    const ask = (body: object) => gateway().call("POST", "/provider-settings/test", { body });
    const unsaved = { kind: "openai-compatible", api_key: secret };

    it("200: says what the vendor answers to settings that are not saved, and stores nothing", async () => {
      const before = await gateway().call("GET", "/audit?limit=1");
      const good = await ask({ ...unsaved, base_url: baseUrl });
      expect(good.json.data).toMatchObject({ ok: true, status: 200, models: ["embed-small"] });
      expect(authorization).toBe(`Bearer ${secret}`);
      const bad = await ask({ ...unsaved, base_url: baseUrl, api_key: "sk-wrong-key-0123456789" });
      expect(bad.json.data).toMatchObject({ ok: false, status: 401, message: "Incorrect API key: [key]" });
      const { json } = await gateway().call("GET", "/provider-settings");
      expect(json.data.map(({ slug }: { slug: string }) => slug)).toEqual(["gatehouse"]);
      expect((await gateway().call("GET", "/audit?limit=1")).json.data).toEqual(before.json.data);
      expect(gateway().log()).not.toContain(secret);
    });

    it("200: takes what is left out, and a key that comes masked, from the provider that is named", async () => {
      await gateway().call("POST", "/providers", { body: acme() });
      for (const kept of [{ slug: "acme" }, { slug: "acme", api_key: "sk-a...cdef" }]) {
        expect((await ask(kept)).json.data).toMatchObject({ ok: true, models: ["embed-small"] });
        expect(authorization).toBe(`Bearer ${secret}`);
      }
      expect((await ask({ slug: "acme", api_key: null })).json.data).toMatchObject({ ok: false, status: 401 });
      expect(
        (await ask({ slug: "acme", base_url: "http://127.0.0.1:1/v1", api_key: "sk-new" })).json.data,
      ).toMatchObject({ ok: false, status: null });
      expect((await gateway().call("POST", "/providers/acme/test")).json.data).toMatchObject({ ok: true });
      await clean();
    });

    it("400: names what is wrong, and never carries a stored key to another host", async () => {
      expectIssues(await ask({ base_url: baseUrl }), "kind");
      expectIssues(await ask({ ...unsaved }), "base_url");
      expectIssues(await ask({ ...unsaved, base_url: "http://169.254.169.254/v1" }), "base_url");
      expectIssues(await ask({ ...unsaved, base_url: baseUrl, api_key: "sk-a...cdef" }), "api_key");
      expectIssues(await ask({ ...unsaved, base_url: baseUrl, surprise: true }), "surprise");
      expectIssues(await ask({ slug: "gatehouse", api_key: secret }), "api_key");
      await gateway().call("POST", "/providers", { body: acme() });
      authorization = undefined;
      expectIssues(await ask({ slug: "acme", base_url: "https://elsewhere.example/v1" }), "api_key");
      expectIssues(await ask({ slug: "acme", kind: "cohere" }), "kind");
      expect(authorization).toBeUndefined();
      await clean();
    });

    it("403 and 404: not for ordinary keys, nor for a provider that nobody has", async () => {
      const { key } = await makeKey(gateway());
      const body = { slug: "nobody" };
      const path = "/provider-settings/test";
      expectError(await gateway().call("POST", path, { key, body }), "permission_denied", /management/);
      expectError(await gateway().call("POST", path, { body }), "not_found", /nobody/);
    });
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//acme.example"])("400: %s is no link", async (link) => {
    const refused = await gateway().call("POST", "/providers", { body: acme({ terms_of_service_url: link }) });
    expectIssues(refused, "terms_of_service_url");
  });

  describe("listProviders, listProviderSettings and listModelEndpoints", () => {
    it("200: lists for the public by slug and name, for the admin with settings and health", async () => {
      await gateway().call("POST", "/providers", {
        body: acme({ privacy_policy_url: "https://acme.example/privacy" }),
      });
      const open = await gateway().call("GET", "/providers", { key: null });
      expect(open.json.data).toContainEqual({
        slug: "acme",
        name: "Acme",
        privacy_policy_url: "https://acme.example/privacy",
        terms_of_service_url: null,
        status_page_url: null,
        headquarters: null,
        datacenters: null,
      });
      const all = await gateway().call("GET", "/provider-settings");
      expect(all.json.data.map(({ slug }: { slug: string }) => slug)).toEqual(["gatehouse", "acme"]);
      expect(all.json.data[1].health).toMatchObject({ status: "idle", calls_last_30m: 0 });
      const offered = await gateway().call("GET", "/models/acme/embed-small/endpoints", { key: null });
      expect(offered.json.data.endpoints).toMatchObject([
        { tag: "acme", provider_name: "Acme", context_length: 8192, status: 0, uptime_last_30m: null },
      ]);
      await clean();
    });
  });

  describe("getProvider and deleteProvider", () => {
    it("200: as it was made, and gone with its models once deleted", async () => {
      const made = await gateway().call("POST", "/providers", { body: acme() });
      expect((await gateway().call("GET", "/providers/acme")).json).toEqual(made.json);
      expect((await gateway().call("DELETE", "/providers/acme")).json).toEqual({ deleted: true });
      expectError(
        await gateway().call("GET", "/models/acme/embed-small/endpoints", { key: null }),
        "not_found",
        /acme/,
      );
    });

    it("404: for a slug that nobody has, whatever is asked of it", async () => {
      for (const [method, path] of [
        ["GET", "/providers/nobody"],
        ["DELETE", "/providers/nobody"],
        ["POST", "/providers/nobody/test"],
      ] as const) {
        expectError(await gateway().call(method, path), "not_found", /nobody/);
      }
      expectError(await gateway().call("PATCH", "/providers/nobody", { body: { name: "x" } }), "not_found", /nobody/);
    });

    it("403: not for ordinary keys", async () => {
      const { key } = await makeKey(gateway());
      for (const path of ["/providers/gatehouse", "/provider-settings", "/provider-settings/detected"]) {
        expectError(await gateway().call("GET", path, { key }), "permission_denied", /management/);
      }
    });
  });

  it("listDetectedProviders leaves out what is a provider already", async () => {
    const { deps } = gateway();
    const { detected } = await import("../domain/providers/providers.ts");
    const found = { preset: "ollama" as const, name: "Ollama", base_url: baseUrl, models: ["llama"] };
    const ctx = { ...makeContext(deps), detectProviders: async () => [found] };
    expect(await detected(ctx)).toEqual({ data: [found] });
    await gateway().call("POST", "/providers", {
      body: { ...acme(), base_url: baseUrl.replace("127.0.0.1", "localhost") },
    });
    expect(await detected(ctx)).toEqual({ data: [] });
    await clean();
  });

  describe("listModels, countModels, getModel, retrieveModel, retrieveModelOfAuthor and listModelsForUser", () => {
    it("400 and 404: name what is wrong", async () => {
      expectIssues(await gateway().call("GET", "/models?sort=prettiest", { key: null }), "sort");
      expectIssues(await gateway().call("GET", "/models?limit=1001", { key: null }), "limit");
      expectIssues(await gateway().call("GET", "/models?category=cooking", { key: null }), "category");
      expectError(await gateway().call("GET", "/model/no/body", { key: null }), "not_found", /no\/body/);
    });

    it("200: to a key what it may use; 401 without one, 403 with a management key", async () => {
      const { key } = await makeKey(gateway());
      const mine = await gateway().call("GET", "/models/user", { key });
      expect(mine.json.data.map(({ id }: { id: string }) => id)).toContain("gatehouse/lexical");
      expectError(await gateway().call("GET", "/models/user", { key: null }), "authentication", /./);
      expectError(await gateway().call("GET", "/models/user"), "permission_denied", /./);
    });

    it("200: names the parameters that reach a chat model whose row states none", async () => {
      const talk = { id: "acme/talk", upstream_id: "talk", type: "chat" };
      await gateway().call("POST", "/providers", { body: acme({ models: [embedSmall, talk] }) });
      const listed = await gateway().call("GET", "/models?supported_parameters=tools", { key: null });
      expect(listed.json.data).toMatchObject([
        { id: "acme/talk", supported_parameters: expect.arrayContaining(["tools", "tool_choice", "max_tokens"]) },
      ]);
      await clean();
    });

    it("200 and 404: one model in OpenAI's form, the slash of its id as it is or encoded", async () => {
      for (const path of ["/models/gatehouse%2Flexical", "/models/gatehouse/lexical"]) {
        const { status, json } = await gateway().call("GET", path, { key: null });
        expect(status).toBe(200);
        expect(json).toMatchObject({ id: "gatehouse/lexical", object: "model", owned_by: "gatehouse" });
      }
      expectError(await gateway().call("GET", "/models/no%2Fbody", { key: null }), "not_found", /no\/body/);
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
      await gateway().call("POST", "/providers", { body: acme({ models: [embedSmall, cheap, talk] }) });
      const ids = async (query: string) => {
        const { json } = await gateway().call("GET", `/models?${query}`, { key: null });
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
      for (let time = 0; time < 2; time += 1) await gateway().call("POST", "/embeddings", { key, body });
      for (const sort of ["top-weekly", "most-popular"])
        expect((await ids(`${all}&sort=${sort}`))[0]).toBe("gatehouse/lexical");
      expect(await ids(`${all}&sort=coding-high-to-low`)).toEqual(everything);
      const page = await gateway().call("GET", `/models?${all}&offset=1&limit=2`, { key: null });
      expect(page.json).toMatchObject({
        total_count: everything.length,
        links: { next: "?offset=3&limit=2&output_modalities=all" },
      });
      expect(page.json.data).toHaveLength(2);
      const filtered = await gateway().call("GET", `/models?${all}&providers=acme&limit=1`, { key: null });
      expect(filtered.json.links.next).toBe("?limit=1&output_modalities=all&providers=acme&offset=1");
      const counted = async (query: string) =>
        (await gateway().call("GET", `/models/count?${query}`, { key: null })).json.data.count;
      expect([await counted(""), await counted(all)]).toEqual([1, everything.length]);
      await clean();
    });
  });
});
