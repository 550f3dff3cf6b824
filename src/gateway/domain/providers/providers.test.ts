import { describe, expect, it } from "vitest";
import type { CreateProviderBody } from "#contract/providers.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { commitCalls } from "../../testing/ledger-calls.ts";
import * as audit from "../audit.ts";
import { candidatesOf } from "../routing/candidates.ts";
import * as byok from "./byok.ts";
import * as connectionTest from "./connection-test.ts";
import { providersOnLedger } from "./hours.ts";
import { localModelId, offerLocalModel, withdrawLocalModels } from "./local-model.ts";
import * as providers from "./providers.ts";
import { seedProviders } from "./seed.ts";

describe("localModelId", () => {
  it.each([
    ["Xenova/all-MiniLM-L6-v2", "local/all-minilm-l6-v2"],
    ["/models/My Model (v2)/", "local/my-model-v2-"],
    ["C:\\models\\bge_small.en", "local/bge_small.en"],
    ["plain", "local/plain"],
    ["//", "local/model"],
    ["", "local/model"],
  ])("of %j is %s", (model, id) => expect(localModelId(model)).toBe(id));
});

let made = 0;

describeGateway("providers", (gateway) => {
  const { context, makeWorkspace } = ownContext(gateway, "2027-02-10T12:30:00Z");
  const model = (slug: string) => ({ id: `${slug}/embed`, upstream_id: "embed", type: "embedding" as const });
  const makeProvider = async (settings: Partial<CreateProviderBody> = {}) => {
    const slug = `vendor-${(made += 1)}`;
    const plain = { slug, name: slug, kind: "openai-compatible", base_url: `https://${slug}.example/v1` } as const;
    return await providers.create(context(), { ...plain, models: [model(slug)], ...settings });
  };

  describe("a workspace's own keys", () => {
    const secret = (name: string) => `sk-${name}-0123456789abcdef`;
    const add = async (workspace_id: string, provider: string, name: string) =>
      await byok.create(context(), { provider, workspace_id, name, key: secret(name) });
    /** The secrets that a call of this workspace may be made with, in the catalog's order. */
    const offered = (workspaceId: string, slug: string) => {
      const caller = { workspaceId, keyHash: "0".repeat(64), userId: null };
      const asked = { modelIds: [`${slug}/embed`], type: "embedding", caller, guardrails: [] } as const;
      const health = { state: "up", errorRate: null, latency: null, throughput: null } as const;
      const catalog = gateway().deps.catalog.current(gateway().deps);
      return candidatesOf(catalog, asked, () => health).map(({ provider }) => provider.apiKey);
    };

    it("line up behind one another, per workspace and provider, and never take a deleted one's place", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const [{ slug }, { slug: elsewhere }] = [await makeProvider(), await makeProvider()];
      const first = await add(one, slug, "first");
      const second = await add(one, slug, "second");
      expect([first.sort_order, second.sort_order]).toEqual([0, 1]);
      expect((await add(other, slug, "other")).sort_order).toBe(0);
      expect((await add(one, elsewhere, "elsewhere")).sort_order).toBe(0);
      await byok.remove(context(), second.id);
      expect((await add(one, slug, "third")).sort_order).toBe(2);
      expect(offered(one, slug)).toEqual([secret("first"), secret("third"), null]);
      await byok.update(context(), first.id, { sort_order: 3 });
      expect(offered(one, slug)).toEqual([secret("third"), secret("first"), null]);
      expect(offered(other, slug)).toEqual([secret("other"), null]);
    });

    it("stay where their provider stays: another path is the same place, another port is not", async () => {
      const workspace = await makeWorkspace();
      const { slug } = await makeProvider();
      const base_url = `https://${slug}.example/v1`;
      const { id, origin } = await add(workspace, slug, "bound");
      expect(origin).toBe(`https://${slug}.example`);
      await providers.update(context(), slug, { base_url: `${base_url}/other` });
      expect((await byok.get(context(), id)).disabled).toBe(false);
      expect(offered(workspace, slug)).toEqual([secret("bound"), null]);
      await providers.update(context(), slug, { base_url: `https://${slug}.example:8443/v1` });
      expect(await byok.get(context(), id)).toMatchObject({ disabled: true, origin });
      expect(offered(workspace, slug)).toEqual([null]);
      const strayed = `key has to be sent again: it was given for ${origin}, and ${slug} is at ${origin}:8443`;
      await expect(byok.update(context(), id, { disabled: false })).rejects.toThrow(strayed);
      await expect(connectionTest.testByokKey(context(), id)).rejects.toThrow(strayed);
      // a mask is not the key
      const mask = (await byok.get(context(), id)).label;
      await expect(byok.update(context(), id, { key: mask, disabled: false })).rejects.toThrow(strayed);
      // the provider's return does not switch it on by itself, but makes it possible
      await providers.update(context(), slug, { base_url });
      expect((await byok.get(context(), id)).disabled).toBe(true);
      expect((await byok.update(context(), id, { disabled: false })).disabled).toBe(false);
      expect(offered(workspace, slug)).toEqual([secret("bound"), null]);
    });

    it("are changed by a new key alone: neither the same one nor its mask is a change", async () => {
      const { slug } = await makeProvider();
      const { id, label } = await add(await makeWorkspace(), slug, "same");
      const changes = async () => (await audit.list(context(), { target_type: "byok_key", target_id: id })).data.length;
      expect(await changes()).toBe(1);
      for (const key of [secret("same"), label, "sk-...cdef"]) await byok.update(context(), id, { key });
      expect(await changes()).toBe(1);
      // with the same mask as before
      await byok.update(context(), id, { key: "sk-s-another-key-abcdef" });
      expect((await byok.get(context(), id)).label).toBe(label);
      expect(await changes()).toBe(2);
    });
  });

  describe("what the ledger knows of a provider", () => {
    it("is of the last 24 UTC hours with the current one, by hour and by model, and blames it for its own faults", async () => {
      const workspaceId = await makeWorkspace();
      const slug = `ledger-${(made += 1)}`;
      const call = { workspaceId, provider: slug };
      const { deps } = gateway();
      await commitCalls(deps, "2027-02-09T12:59:59.999Z", [{ ...call, status: 500 }]);
      const tell = async () => (await providersOnLedger(context(), [slug, "unheard-of"]))(slug);
      expect(await tell()).toMatchObject({ calls: 0, models: [], last_call_hour: "2027-02-09T12:00:00.000Z" });
      const own = [{ status: 500, cancelled: true }, ...[500, 499, 400, 402].map((status) => ({ status }))];
      await commitCalls(
        deps,
        "2027-02-09T13:00:00.000Z",
        own.map((more) => ({ ...call, ...more })),
      );
      const others = [
        { ...call, model: "acme/other", status: 529 },
        { ...call, provider: "another" },
      ];
      await commitCalls(deps, "2027-02-10T12:29:59.999Z", [call, ...others]);
      const told = await tell();
      expect(told.hours).toHaveLength(24);
      expect(told.hours.filter(({ calls }) => calls > 0)).toEqual([
        { at: "2027-02-09T13:00:00.000Z", calls: 5, failures: 1 },
        { at: "2027-02-10T12:00:00.000Z", calls: 2, failures: 1 },
      ]);
      const models = [
        { id: "acme/embed", calls: 6, failures: 1 },
        { id: "acme/other", calls: 1, failures: 1 },
      ];
      expect(told).toMatchObject({ calls: 7, failures: 2, models, last_call_hour: "2027-02-10T12:00:00.000Z" });
    });

    it("is nothing for a provider without calls", async () => {
      const told = (await providersOnLedger(context(), ["unheard-of"]))("unheard-of");
      expect(told).toMatchObject({ calls: 0, failures: 0, models: [], last_call_hour: null });
      expect(told.hours.map(({ calls }) => calls)).toEqual(Array.from({ length: 24 }, () => 0));
      expect((await providersOnLedger(context(), []))("unheard-of").hours).toHaveLength(24);
    });
  });

  describe("the first start", () => {
    it("adds a provider for each vendor whose key is set, with its models, and seals the key", async () => {
      const key = "jina-0123456789abcdef";
      const environment = { JINA_API_KEY: key, GROQ_API_KEY: "", OTHER_API_KEY: "x" };
      expect(await seedProviders(gateway().deps, environment)).toEqual(["jina"]);
      const { data: provider } = await providers.get(context(), "jina");
      expect(provider).toMatchObject({ name: "Jina", preset: "jina", api_key: "jina...cdef", enabled: true });
      expect(provider.models).toMatchObject([
        { id: "jina/jina-embeddings-v3", upstream_id: "jina-embeddings-v3", dimensions: 1_024, pricing: null },
      ]);
      const { rows } = await gateway().deps.store.pool.query("select * from providers");
      expect(JSON.stringify(rows)).not.toContain(key);
      await expect(providers.get(context(), "groq")).rejects.toMatchObject({ status: 404 });
    });

    it("changes nothing of a provider that is there, whatever was made of it", async () => {
      expect(await seedProviders(gateway().deps, { VOYAGE_API_KEY: "pa-the-first-key-0001" })).toEqual(["voyage"]);
      const ours = { name: "Ours", enabled: false, api_key: "pa-the-second-key-0002", models: [model("voyage")] };
      await providers.update(context(), "voyage", ours);
      const kept = await providers.get(context(), "voyage");
      expect(kept.data).toMatchObject({ name: "Ours", enabled: false, api_key: "pa-t...0002" });
      expect(await seedProviders(gateway().deps, { VOYAGE_API_KEY: "pa-the-third-key-0003" })).toEqual([]);
      expect(await providers.get(context(), "voyage")).toEqual(kept);
    });

    it("of several processes at once adds each provider once", async () => {
      const environment = { MISTRAL_API_KEY: "m-0123456789", TOGETHER_API_KEY: "t-0123456789" };
      const added = await Promise.all([1, 2, 3].map(() => seedProviders(gateway().deps, environment)));
      expect(added.flat().toSorted()).toEqual(["mistral", "together"]);
      const { data } = await providers.list(context());
      const count = (of: string) => data.filter(({ slug }) => slug === of).map(({ models }) => models.length);
      expect([count("mistral"), count("together")]).toEqual([[2], [0]]);
    });
  });

  describe("the local model", () => {
    const offer = async (name: string, dimensions: number, contextLength: number) =>
      await offerLocalModel(context(), name, { dimensions, contextLength });
    const builtin = async () => (await providers.get(context(), "gatehouse")).data.models;
    const local = async () => (await builtin()).filter(({ upstream_id: upstream }) => upstream === "local");

    it("is offered at no cost, and takes what its files state at every start; what an admin changed stays", async () => {
      await offer("Xenova/Small", 384, 512);
      const stated = (dimensions: number, context_length: number) => ({
        dimensions,
        dimensions_range: { minimum: dimensions, maximum: dimensions },
        context_length,
      });
      const plain = { id: "local/small", name: "Xenova/Small", pricing: { prompt: "0" }, enabled: true };
      expect(await local()).toMatchObject([{ ...plain, ...stated(384, 512) }]);
      const changes = { name: "Ours", enabled: false, pricing: { prompt: "0.1" } };
      const changed = (id: string) => (id === "local/small" ? changes : {});
      const models = (await builtin()).map(({ id, upstream_id, type }) => ({ id, upstream_id, type, ...changed(id) }));
      await providers.update(context(), "gatehouse", { models });
      await offer("Xenova/Small", 768, 256);
      expect(await local()).toMatchObject([{ ...changes, ...stated(768, 256) }]);
    });

    it("is withdrawn when no setting names it any more, and nothing else with it", async () => {
      const others = (await builtin()).length - (await local()).length;
      await offer("Xenova/One", 4, 8);
      await offer("Xenova/Two", 4, 8);
      await withdrawLocalModels(context(), "elsewhere/two");
      expect((await local()).map(({ id }) => id)).toEqual(["local/two"]);
      await withdrawLocalModels(context(), null);
      expect(await local()).toEqual([]);
      expect((await builtin()).length).toBe(others);
    });
  });

  describe("the connection test", () => {
    const message = "The stored key cannot be decrypted: enter it again";
    const unreadable = { ok: false, latency_ms: 0, status: null, message, models: [] };

    it("says so when a stored key cannot be decrypted, and asks nobody", async () => {
      const { slug } = await makeProvider({ api_key: "sk-shared-0123456789" });
      const { id } = await byok.create(context(), { provider: slug, key: "sk-own-0123456789abcdef" });
      const { pool } = gateway().deps.store;
      // sealed for another place
      const elsewhere = gateway().deps.secrets.seal("sk", "elsewhere");
      await pool.query("update providers set secret = $1 where slug = $2", [elsewhere, slug]);
      await pool.query("update byok_keys set secret = $1 where id = $2", [elsewhere, id]);
      const asked: unknown[] = [];
      const testProvider = async (provider: unknown) => {
        asked.push(provider);
        return { ...unreadable, ok: true };
      };
      const ctx = { ...context(), testProvider };
      expect(await connectionTest.testStored(ctx, slug)).toEqual(unreadable);
      expect(await connectionTest.testUnsaved(ctx, { slug })).toEqual(unreadable);
      expect(await connectionTest.testByokKey(ctx, id)).toEqual(unreadable);
      expect(asked).toEqual([]);
      // a new key needs nothing of the old one
      expect(await connectionTest.testUnsaved(ctx, { slug, api_key: "sk-new-0123456789" })).toMatchObject({ ok: true });
      expect(asked).toMatchObject([{ slug, apiKey: "sk-new-0123456789", unreadable: false }]);
    });

    it("of the built-in provider makes no call, and says so", async () => {
      const builtIn = { ok: true, status: null, message: "Built in: it makes no calls", models: [] };
      expect(await connectionTest.testStored(context(), "gatehouse")).toMatchObject(builtIn);
    });

    it("names what is missing or cannot be tried", async () => {
      const { slug } = await makeProvider({ api_key: "sk-shared-0123456789" });
      for (const [body, refused] of [
        [{}, "kind is missing: say which dialect it speaks, or name a provider by slug"],
        [{ slug, kind: "cohere" }, `kind cannot be changed: ${slug} is openai-compatible`],
        [{ slug: "gatehouse", api_key: "sk-any" }, "api_key cannot be set for the built-in provider"],
        [{ slug: "nobody" }, "No provider has the slug nobody"],
        [
          { slug, base_url: "https://x.example/v1" },
          "api_key has to be sent again, because base_url now names another",
        ],
        [{ kind: "openai-compatible" }, "base_url is missing: Custom has no address of its own"],
      ] as [Parameters<typeof connectionTest.testUnsaved>[1], string][])
        await expect(connectionTest.testUnsaved(context(), body)).rejects.toThrow(refused);
    });
  });
});
