import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectIssues } from "../testing/expect-error.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";

let vendor: FakeVendor;
beforeAll(async () => void (vendor = await startFakeVendor()));
afterAll(() => vendor.close());

const own = "sk-own-0123456789abcdef";
const nobody = "00000000-0000-4000-8000-000000000000";

describeGateway("provider keys of workspaces", (gateway) => {
  beforeAll(async () => {
    const pricing = { prompt: "0.000001" };
    const models = [{ id: "acme/embed", upstream_id: "embed", type: "embedding" as const, dimensions: 8, pricing }];
    await makeProvider(gateway(), { slug: "acme", base_url: vendor.baseUrl, api_key: "sk-shared", models });
  });
  beforeEach(async () => {
    vendor.reset();
    vendor.settings.dimensions = 8;
    const { json } = await gateway().call("GET", "/byok?limit=100");
    for (const { id } of json.data) await gateway().call("DELETE", `/byok/${id}`);
  });

  const add = (body: object = {}) => gateway().call("POST", "/byok", { body: { provider: "acme", key: own, ...body } });
  const embed = (key: string) =>
    gateway().call("POST", "/embeddings", {
      key,
      body: { model: "acme/embed", input: "one" },
      headers: { "cache-control": "no-store" },
    });
  const used = () => vendor.requests.map(({ headers }) => headers["authorization"]);

  describe("createByokKey", () => {
    it("201: answers with the record, masked", async () => {
      const made = await add({ name: "ours" });
      expect(made.text).toSatisfy(() => made.status === 201);
      expect(made.json.data).toMatchObject({
        provider: "acme",
        name: "ours",
        label: "sk-o...cdef",
        origin: new URL(vendor.url).origin,
        disabled: false,
        is_fallback: false,
        sort_order: 0,
        allowed_models: null,
        allowed_user_ids: null,
        allowed_api_key_hashes: null,
      });
    });

    it("400: what the body's schema does not tell", async () => {
      expectIssues(await add({ key: "sk-o...cdef" }), "key");
      expectIssues(await add({ provider: "nobody" }), "provider");
      expectIssues(await add({ provider: "gatehouse" }), "provider");
      expectIssues(await add({ workspace_id: nobody }), "workspace_id");
      expectIssues(await add({ allowed_api_key_hashes: ["0".repeat(64)] }), "allowed_api_key_hashes.0");
    });
  });

  it("listByokKeys: by workspace and provider", async () => {
    const workspace = await makeWorkspace(gateway());
    await add({ name: "first" });
    await add({ name: "elsewhere", workspace_id: workspace.id });
    const names = async (query: string) =>
      (await gateway().call("GET", `/byok?${query}`)).json.data.map(({ name }: { name: string }) => name);
    expect(await names(`workspace_id=${workspace.id}`)).toEqual(["elsewhere"]);
    expect((await names("provider=acme")).toSorted()).toEqual(["elsewhere", "first"]);
    expect(await names("provider=nobody")).toEqual([]);
  });

  it("updateByokKey: moves a key to another place, and calls follow", async () => {
    const { key } = await makeKey(gateway());
    const first = await add({ key: "sk-first-0123456789abcdef" });
    const second = await add({ key: "sk-second-0123456789abcdef" });
    const order = (id: string, place: number) =>
      gateway().call("PATCH", `/byok/${id}`, { body: { sort_order: place } });
    expect((await order(first.json.data.id, 1)).json.data.sort_order).toBe(1);
    await order(second.json.data.id, 0);
    const { json } = await gateway().call("GET", "/byok?provider=acme");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([second.json.data.id, first.json.data.id]);
    await embed(key);
    expect(used()).toEqual(["Bearer sk-second-0123456789abcdef"]);
  });

  it("updateByokKey, getByokKey: another key takes its place; deleteByokKey: wipes it", async () => {
    const { id } = (await add()).json.data;
    const patched = await gateway().call("PATCH", `/byok/${id}`, { body: { key: "sk-new-9876543210" } });
    expect(patched.json.data.label).toBe("sk-n...3210");
    await gateway().call("DELETE", `/byok/${id}`);
    const { rows } = await gateway().deps.store.pool.query("select secret from byok_keys where id = $1", [id]);
    expect(rows).toEqual([{ secret: null }]);
  });

  describe("a call", () => {
    it("goes with the workspace's own key first, and is counted apart", async () => {
      const { key } = await makeKey(gateway(), { limit: 1 });
      await add();
      const answer = await embed(key);
      expect(answer.json.usage).toMatchObject({ is_byok: true, cost: 0.000001 });
      expect(used()).toEqual([`Bearer ${own}`]);
      const { json } = await gateway().call("GET", "/key", { key });
      expect(json.data).toMatchObject({ usage: 0, byok_usage: 0.000001, limit_remaining: 1 });
    });

    it("serves beyond a limit that it does not count toward, and then without the shared key behind it", async () => {
      const { key } = await makeKey(gateway(), { limit: 0 });
      await add();
      expect((await embed(key)).json.usage).toMatchObject({ is_byok: true });
      vendor.fail({ type: "status", status: 401 });
      expect((await embed(key)).status).toBe(502);
      expect(used()).toEqual([`Bearer ${own}`, `Bearer ${own}`]);
      const { key: counted } = await makeKey(gateway(), { limit: 0, include_byok_in_limit: true });
      expect((await embed(counted)).status).toBe(402);
    });

    it("counts toward the limit only when the key says so", async () => {
      const { key } = await makeKey(gateway(), { limit: 1, include_byok_in_limit: true });
      await add();
      await embed(key);
      expect((await gateway().call("GET", "/key", { key })).json.data).toMatchObject({ limit_remaining: 0.999999 });
    });

    it("falls back to the shared key when the own one is refused, and a fallback key waits for the end", async () => {
      const { key } = await makeKey(gateway());
      await add();
      vendor.fail({ type: "status", status: 401 }, 1);
      expect((await embed(key)).json.usage.is_byok).toBe(false);
      expect(used()).toEqual([`Bearer ${own}`, "Bearer sk-shared"]);

      const [{ id }] = (await gateway().call("GET", "/byok")).json.data;
      await gateway().call("PATCH", `/byok/${id}`, { body: { is_fallback: true } });
      vendor.reset();
      vendor.settings.dimensions = 8;
      await embed(key);
      expect(used()).toEqual(["Bearer sk-shared"]);
    });

    it("does not go with a key that is disabled, of another workspace, for other models, keys or users", async () => {
      const workspace = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { creator_user_id: "ann" });
      const { record: other } = await makeKey(gateway());
      await add({ disabled: true });
      await add({ workspace_id: workspace.id });
      await add({ allowed_models: ["acme/other"] });
      await add({ allowed_api_key_hashes: [other.hash] });
      await add({ allowed_user_ids: ["bob"] });
      await embed(key);
      expect(used()).toEqual(["Bearer sk-shared"]);
      await add({
        allowed_models: ["acme/embed"],
        allowed_api_key_hashes: [record.hash],
        allowed_user_ids: ["ann"],
        key: "sk-matching",
      });
      await embed(key);
      expect(used().at(-1)).toBe("Bearer sk-matching");
    });
  });

  describe("testByokKey", () => {
    it("200: asks the vendor with the stored key, also while it is switched off, and keeps a masked one", async () => {
      const { id } = (await add({ disabled: true })).json.data;
      const test = () => gateway().call("POST", `/byok/${id}/test`);
      expect((await test()).json.data).toMatchObject({ ok: true, models: ["embed-small", "talk"] });
      expect((await gateway().call("PATCH", `/byok/${id}`, { body: { key: "sk-o...cdef" } })).status).toBe(200);
      await test();
      expect(used()).toEqual([`Bearer ${own}`, `Bearer ${own}`]);
    });
  });

  describe("the address that a key was given for", () => {
    let elsewhere: FakeVendor;
    beforeAll(async () => {
      elsewhere = await startFakeVendor();
      elsewhere.settings.dimensions = 8;
    });
    afterAll(() => elsewhere.close());

    const models = [{ id: "moving/embed", upstream_id: "embed", type: "embedding", dimensions: 8, pricing: null }];
    const provider = (base_url: string) => ({
      slug: "moving",
      name: "Moving",
      kind: "openai-compatible",
      base_url,
      models,
    });
    const call = async () => {
      const { key } = await makeKey(gateway());
      const body = { model: "moving/embed", input: "one" };
      const headers = { "cache-control": "no-store" };
      return await gateway().call("POST", "/embeddings", { key, body, headers });
    };
    const headersAt = ({ requests }: FakeVendor) => requests.map(({ headers }) => headers["authorization"]);

    it.each([
      [
        "moved",
        () =>
          gateway().call("PATCH", "/providers/moving", { body: { base_url: elsewhere.baseUrl, api_key: "sk-any" } }),
      ],
      [
        "deleted and made again",
        async () => {
          await gateway().call("DELETE", "/providers/moving");
          return await gateway().call("POST", "/providers", { body: provider(elsewhere.baseUrl) });
        },
      ],
    ])("is the only one that it is sent to: off when its provider is %s", async (_, move) => {
      await gateway().call("DELETE", "/providers/moving");
      expect((await gateway().call("POST", "/providers", { body: provider(vendor.baseUrl) })).status).toBe(201);
      const { id } = (await add({ provider: "moving" })).json.data;
      expect((await call()).json.usage.is_byok).toBe(true);

      expect((await move()).status).toBeLessThan(300);
      expect((await call()).json.usage.is_byok).toBe(false);
      expectIssues(await gateway().call("POST", `/byok/${id}/test`), "key");
      expect(headersAt(elsewhere)).not.toContain(`Bearer ${own}`);
      const { data } = (await gateway().call("GET", `/byok/${id}`)).json;
      expect(data).toMatchObject({ disabled: true, origin: new URL(vendor.url).origin });
      expectIssues(await gateway().call("PATCH", `/byok/${id}`, { body: { disabled: false } }), "key");
      const audit = await gateway().call("GET", "/audit?target_type=byok_key");
      expect(audit.json.data[0]).toMatchObject({ action: "updateBYOKKey" });

      const again = { key: "sk-own-for-the-new-place", disabled: false };
      expect((await gateway().call("PATCH", `/byok/${id}`, { body: again })).status).toBe(200);
      expect((await call()).json.usage.is_byok).toBe(true);
      expect(headersAt(elsewhere).at(-1)).toBe(`Bearer ${again.key}`);
    });
  });
});
