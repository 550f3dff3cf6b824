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
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  beforeAll(async () => {
    const pricing = { prompt: "0.000001" };
    const models = [{ id: "acme/embed", upstream_id: "embed", type: "embedding" as const, dimensions: 8, pricing }];
    await makeProvider(gateway(), { slug: "acme", base_url: vendor.baseUrl, api_key: "sk-shared", models });
  });
  beforeEach(async () => {
    vendor.reset();
    vendor.settings.dimensions = 8;
    const { json } = await call("GET", "/byok?limit=100");
    for (const { id } of json.data) await call("DELETE", `/byok/${id}`);
  });

  const add = (body: object = {}) => call("POST", "/byok", { body: { provider: "acme", key: own, ...body } });
  const change = (id: string, body: object) => call("PATCH", `/byok/${id}`, { body });
  const embed = (key: string, model = "acme/embed") =>
    call("POST", "/embeddings", { key, body: { model, input: "one" }, headers: { "cache-control": "no-store" } });
  const used = ({ requests } = vendor) => requests.map(({ headers }) => headers["authorization"]);

  it("createByokKey: 201 with the key masked; 400 for what the body's schema does not tell", async () => {
    const { data } = (await add({ name: "ours" })).json;
    expect(data).toMatchObject({
      provider: "acme",
      name: "ours",
      label: "sk-o...cdef",
      origin: new URL(vendor.url).origin,
    });
    expect(data).toMatchObject({ disabled: false, is_fallback: false, sort_order: 0, allowed_models: null });
    expect(data).toMatchObject({ allowed_user_ids: null, allowed_api_key_hashes: null });
    expectIssues(await add({ key: "sk-o...cdef" }), "key");
    expectIssues(await add({ provider: "nobody" }), "provider");
    expectIssues(await add({ provider: "gatehouse" }), "provider");
    expectIssues(await add({ workspace_id: nobody }), "workspace_id");
    expectIssues(await add({ allowed_api_key_hashes: ["0".repeat(64)] }), "allowed_api_key_hashes.0");
  });

  it("listByokKeys: by workspace and provider", async () => {
    const workspace = await makeWorkspace(gateway());
    await add({ name: "first" });
    await add({ name: "elsewhere", workspace_id: workspace.id });
    const names = async (query: string) =>
      (await call("GET", `/byok?${query}`)).json.data.map(({ name }: { name: string }) => name);
    expect(await names(`workspace_id=${workspace.id}`)).toEqual(["elsewhere"]);
    expect((await names("provider=acme")).toSorted()).toEqual(["elsewhere", "first"]);
    expect(await names("provider=nobody")).toEqual([]);
  });

  it("updateByokKey: moves a key to another place, and calls follow", async () => {
    const { key } = await makeKey(gateway());
    const { data: first } = (await add({ key: "sk-first-0123456789abcdef" })).json;
    const { data: second } = (await add({ key: "sk-second-0123456789abcdef" })).json;
    expect((await change(first.id, { sort_order: 1 })).json.data.sort_order).toBe(1);
    await change(second.id, { sort_order: 0 });
    const { json } = await call("GET", "/byok?provider=acme");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    await embed(key);
    expect(used()).toEqual(["Bearer sk-second-0123456789abcdef"]);
  });

  it("updateByokKey, getByokKey: another key takes its place; deleteByokKey: wipes it", async () => {
    const { id } = (await add()).json.data;
    expect((await change(id, { key: "sk-new-9876543210" })).json.data.label).toBe("sk-n...3210");
    await call("DELETE", `/byok/${id}`);
    const { rows } = await gateway().deps.store.pool.query("select secret from byok_keys where id = $1", [id]);
    expect(rows).toEqual([{ secret: null }]);
  });

  describe("a call", () => {
    it("goes with the workspace's own key first, and counts toward the limit only when the key says so", async () => {
      const { key } = await makeKey(gateway(), { limit: 1 });
      await add();
      const answer = await embed(key);
      expect(answer.json.usage).toMatchObject({ is_byok: true, cost: 0.000001 });
      expect(used()).toEqual([`Bearer ${own}`]);
      const { json } = await call("GET", "/key", { key });
      expect(json.data).toMatchObject({ usage: 0, byok_usage: 0.000001, limit_remaining: 1 });
      const { key: counted } = await makeKey(gateway(), { limit: 1, include_byok_in_limit: true });
      await embed(counted);
      const { data } = (await call("GET", "/key", { key: counted })).json;
      expect(data).toMatchObject({ limit_remaining: 0.999999 });
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

    it("falls back to the shared key when the own one is refused, and a fallback key waits for the end", async () => {
      const { key } = await makeKey(gateway());
      await add();
      vendor.fail({ type: "status", status: 401 }, 1);
      expect((await embed(key)).json.usage.is_byok).toBe(false);
      expect(used()).toEqual([`Bearer ${own}`, "Bearer sk-shared"]);

      const [{ id }] = (await call("GET", "/byok")).json.data;
      await change(id, { is_fallback: true });
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
      const allowed = { allowed_models: ["acme/embed"], allowed_api_key_hashes: [record.hash] };
      await add({ ...allowed, allowed_user_ids: ["ann"], key: "sk-matching" });
      await embed(key);
      expect(used().at(-1)).toBe("Bearer sk-matching");
    });
  });

  it("testByokKey: 200, asks the vendor with the stored key, also while it is switched off, and keeps a masked one", async () => {
    const { id } = (await add({ disabled: true })).json.data;
    const test = () => call("POST", `/byok/${id}/test`);
    expect((await test()).json.data).toMatchObject({ ok: true, models: ["embed-small", "talk"] });
    expect((await change(id, { key: "sk-o...cdef" })).status).toBe(200);
    await test();
    expect(used()).toEqual([`Bearer ${own}`, `Bearer ${own}`]);
  });

  describe("the address that a key was given for", () => {
    let elsewhere: FakeVendor;
    beforeAll(async () => {
      elsewhere = await startFakeVendor();
      elsewhere.settings.dimensions = 8;
    });
    afterAll(() => elsewhere.close());

    const models = [{ id: "moving/embed", upstream_id: "embed", type: "embedding", dimensions: 8, pricing: null }];
    const make = (base_url: string) => {
      const body = { slug: "moving", name: "Moving", kind: "openai-compatible", base_url, models };
      return call("POST", "/providers", { body });
    };
    const remove = () => call("DELETE", "/providers/moving");
    const isOwn = async () =>
      (await embed((await makeKey(gateway())).key, "moving/embed")).json.usage.is_byok as boolean;

    const move = () => call("PATCH", "/providers/moving", { body: { base_url: elsewhere.baseUrl, api_key: "sk-any" } });
    it.each([
      ["moved", move],
      ["deleted and made again", async () => (await remove(), await make(elsewhere.baseUrl))],
    ])("is the only one that it is sent to: off when its provider is %s", async (_, moveAway) => {
      await remove();
      expect((await make(vendor.baseUrl)).status).toBe(201);
      const { id } = (await add({ provider: "moving" })).json.data;
      expect(await isOwn()).toBe(true);

      expect((await moveAway()).status).toBeLessThan(300);
      expect(await isOwn()).toBe(false);
      expectIssues(await call("POST", `/byok/${id}/test`), "key");
      expect(used(elsewhere)).not.toContain(`Bearer ${own}`);
      const { data } = (await call("GET", `/byok/${id}`)).json;
      expect(data).toMatchObject({ disabled: true, origin: new URL(vendor.url).origin });
      expectIssues(await change(id, { disabled: false }), "key");
      const audit = await call("GET", "/audit?target_type=byok_key");
      expect(audit.json.data[0]).toMatchObject({ action: "updateBYOKKey" });

      const again = { key: "sk-own-for-the-new-place", disabled: false };
      expect((await change(id, again)).status).toBe(200);
      expect(await isOwn()).toBe(true);
      expect(used(elsewhere).at(-1)).toBe(`Bearer ${again.key}`);
    });
  });
});
