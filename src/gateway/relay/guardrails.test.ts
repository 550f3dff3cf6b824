import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { verifyLedger } from "../domain/ledger/verify.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";
import type { CallOptions } from "../testing/gateway.ts";

const models = (price: string) =>
  ["openai/embed", "mistral/embed"].map((id) => ({
    id,
    upstream_id: "embed",
    type: "embedding" as const,
    dimensions: 4,
    pricing: { prompt: price },
  }));
const talk = ["openai/talk", "mistral/talk"].map((id) => ({
  id,
  upstream_id: "talk",
  type: "chat" as const,
  context_length: 1_000,
  max_completion_tokens: 10,
  pricing: { prompt: "0.000001", completion: "0.000002" },
}));

describeGateway("guardrails", (gateway) => {
  let keeping: FakeVendor;
  let forgetting: FakeVendor;
  let made = 0;
  beforeAll(async () => {
    [keeping, forgetting] = [await startFakeVendor(), await startFakeVendor()];
    const provider = { api_key: "sk-vendor-0123456789abcdef", models: [...models("0.000001"), ...talk] };
    await makeProvider(gateway(), {
      ...provider,
      slug: "keeping",
      base_url: keeping.baseUrl,
      data_collection: "allow",
    });
    await makeProvider(gateway(), {
      ...provider,
      slug: "forgetting",
      base_url: forgetting.baseUrl,
      data_collection: "deny",
      zdr: true,
    });
  });
  afterEach(() => {
    for (const vendor of [keeping, forgetting]) {
      vendor.reset();
      vendor.settings.dimensions = 4;
    }
  });
  afterAll(async () => {
    await Promise.all([keeping.close(), forgetting.close()]);
  });

  const call = async (method: string, path: string, options: CallOptions = {}) =>
    await gateway().call(method, path, options);
  const embed = async (key: string, body: object = {}) => {
    keeping.settings.dimensions = forgetting.settings.dimensions = 4;
    const input = `text ${(made += 1)}`;
    return await call("POST", "/embeddings", { key, body: { model: "openai/embed", input, ...body } });
  };
  const say = async (key: string, body: object = {}, headers: Record<string, string> = {}) => {
    const messages = [{ role: "user", content: "Hello" }];
    return await call("POST", "/chat/completions", { key, headers, body: { model: "openai/talk", messages, ...body } });
  };
  async function guardrail(body: object): Promise<string> {
    return (await call("POST", "/guardrails", { body: { name: `Guardrail ${(made += 1)}`, ...body } })).json.data.id;
  }
  const change = async (id: string, body: object) =>
    expect((await call("PATCH", `/guardrails/${id}`, { body })).status).toBe(200);
  const assign = async (id: string, ...hashes: string[]) =>
    expect(
      (await call("POST", `/guardrails/${id}/assignments/keys`, { body: { key_hashes: hashes } })).json.assigned_count,
    ).toBe(hashes.length);
  const assignMember = async (id: string, user: string) =>
    expect(
      (await call("POST", `/guardrails/${id}/assignments/members`, { body: { member_user_ids: [user] } })).status,
    ).toBe(200);
  /** A key with a guardrail of its own. */
  async function guarded(body: object) {
    const { key, record } = await makeKey(gateway());
    const id = await guardrail(body);
    await assign(id, record.hash);
    return { key, hash: record.hash, id };
  }

  describe("in routing", () => {
    it("leave the call to the providers that they allow, and say what they exclude where none is left", async () => {
      const { key, id } = await guarded({ allowed_providers: ["Forgetting"] });
      for (let each = 0; each < 5; each += 1) expect((await embed(key)).status).toBe(200);
      expect([keeping.calls(), forgetting.calls()]).toEqual([0, 5]);
      const refused = await embed(key, { provider: { only: ["keeping"] } });
      expectError(refused, "not_found", /the guardrail Guardrail \d+ does not allow it/);
      expect(refused.json.error.availability).toMatchObject({
        code: "constraint_filtered",
        excluded_by: ["allowed_providers"],
        affected_providers: ["forgetting", "keeping"],
      });
      await change(id, { allowed_providers: null, ignored_models: ["openai/embed"] });
      expectError(await embed(key), "not_found", /does not allow openai\/embed/);
      expect((await embed(key, { model: "mistral/embed" })).status).toBe(200);
      await change(id, { enforce_zdr_openai: true, ignored_models: null, ignored_providers: ["forgetting"] });
      const none = (await embed(key)).json.error.availability;
      expect([none.code, none.excluded_by.toSorted()]).toEqual([
        "constraint_filtered",
        ["data_policy:zdr", "ignored_providers"],
      ]);
      await change(id, { ignored_providers: null });
      await call("PATCH", "/providers/forgetting", { body: { zdr: false } });
      expect((await embed(key)).json.error.availability.code).toBe("privacy_restricted");
      await call("PATCH", "/providers/forgetting", { body: { zdr: true } });
    });

    it("leave a fallback that is allowed to a chat", async () => {
      const { key } = await guarded({ ignored_models: ["openai/talk"] });
      const answer = await say(key, { models: ["mistral/talk"] });
      expect([answer.status, answer.json.model]).toEqual([200, "mistral/talk"]);
      expectError(await say(key), "not_found", /does not allow openai\/talk/);
    });

    it("let nothing be retained here where they enforce zero data retention", async () => {
      const { key, id } = await guarded({ enforce_zdr: true });
      const cached = { "x-openrouter-cache": "true" };
      const status = async () => {
        await say(key, {}, cached);
        return (await say(key, {}, cached)).headers.get("x-openrouter-cache-status");
      };
      expect(await status()).toBeNull();
      const store = { model: "openai/talk", input: "a", store: true };
      const isRefused = [400, expect.stringContaining("a guardrail")];
      const refused = await call("POST", "/responses", { key, body: store });
      expect([refused.status, refused.json.error.message]).toEqual(isRefused);
      const { status: code, json } = await say(key, { store: true });
      expect([code, json.error.message]).toEqual(isRefused);
      expect((await say(key, { store: false })).status).toBe(200);
      await change(id, { enforce_zdr: false });
      expect(await status()).toBe("HIT");
      expect((await say(key, { store: true })).status).toBe(200);
      for (const provider of [{ zdr: true }, { data_collection: "deny" }]) {
        expectIssues(await say(key, { store: true, provider }), "store");
      }
    });

    it("combine: the workspace's default one, that of the key's creator, and the key's own", async () => {
      const { id: workspace, default_guardrail_id: byDefault } = await makeWorkspace(gateway());
      const user = `creator-${(made += 1)}`;
      const { key, record } = await makeKey(gateway(), { workspace_id: workspace, creator_user_id: user });
      const { key: plain } = await makeKey(gateway(), { workspace_id: workspace });
      await change(byDefault, { ignored_models: ["mistral/embed"] });
      expectError(await embed(plain, { model: "mistral/embed" }), "not_found", /the guardrail Default guardrail does/);
      expect((await embed(key)).status).toBe(200);
      const ofMember = await guardrail({ ignored_providers: ["keeping"] });
      await assignMember(ofMember, user);
      for (let each = 0; each < 5; each += 1) expect((await embed(key)).status).toBe(200);
      const own = await guardrail({ allowed_models: ["openai/talk"], workspace_id: workspace });
      await assign(own, record.hash);
      expectError(await embed(key), "not_found", /does not allow openai\/embed/);
      expect((await embed(plain)).status).toBe(200);
      await call("DELETE", `/guardrails/${own}`);
      expect((await embed(key, { provider: { only: ["keeping"] } })).status).toBe(404);
      await call("POST", `/guardrails/${ofMember}/assignments/members/remove`, { body: { member_user_ids: [user] } });
      expect((await embed(key, { provider: { only: ["keeping"] } })).status).toBe(200);
    });
  });

  describe("as budgets", () => {
    const budget = { limit_usd: 0.00004, reset_interval: "daily" };
    /** Spends until a call is refused. */
    async function spend(...keys: string[]) {
      for (let each = 0; each < 60; each += 1) {
        const answer = await embed(keys[each % keys.length] ?? "");
        if (answer.status !== 200) return answer;
      }
      throw new Error("nothing was refused");
    }
    const usageOf = async (hash: string) => (await call("GET", `/keys/${hash}`)).json.data.usage;
    const agree = async () => {
      const { differences, excesses } = await verifyLedger(gateway().deps);
      expect([differences, excesses]).toEqual([[], []]);
    };

    it("403: each key by itself, naming the guardrail, until the interval is over", async () => {
      const { key, hash, id } = await guarded({ name: "Ten", ...budget });
      const { key: other, record } = await makeKey(gateway());
      await assign(id, record.hash);
      const refused = await spend(key);
      expectError(refused, "permission_denied", /^The guardrail's budget leaves no room .* The guardrail is Ten\.$/);
      expect(refused.json.error.metadata).toMatchObject({
        limit_kind: "guardrail_budget",
        guardrail_id: id,
        limit: 0.00004,
        limit_reset: "daily",
      });
      expect(await usageOf(hash)).toBeGreaterThan(0.00001);
      expect(await usageOf(hash)).toBeLessThanOrEqual(0.00004);
      expect((await embed(other)).status).toBe(200);
      gateway().clock.set(new Date(refused.json.error.metadata.resets_at));
      expect((await embed(key)).status).toBe(200);
      await agree();
    });

    it("403: the keys of a member together, whatever workspace they are of", async () => {
      const user = `creator-${(made += 1)}`;
      const { id: workspace } = await makeWorkspace(gateway());
      const keys = [
        await makeKey(gateway(), { creator_user_id: user }),
        await makeKey(gateway(), { creator_user_id: user, workspace_id: workspace }),
      ];
      await assignMember(await guardrail(budget), user);
      const [first, second] = keys;
      expectError(await spend(first?.key ?? "", second?.key ?? ""), "permission_denied", /^The guardrail's budget/);
      const usage = await Promise.all(keys.map(({ record }) => usageOf(record.hash)));
      expect(Math.min(...usage)).toBeGreaterThan(0);
      expect(usage.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(0.00004);
      const { key: other } = await makeKey(gateway(), { creator_user_id: `creator-${(made += 1)}` });
      expect((await embed(other)).status).toBe(200);
      await agree();
    });

    it("403: each key of a workspace by itself, by its default guardrail", async () => {
      const { id: workspace, default_guardrail_id: id } = await makeWorkspace(gateway());
      const [one, two] = [1, 2].map(() => makeKey(gateway(), { workspace_id: workspace }));
      const [first, second] = [(await one)?.key ?? "", (await two)?.key ?? ""];
      await change(id, budget);
      expectError(await spend(first), "permission_denied", /The guardrail is Default guardrail/);
      expect((await embed(second)).status).toBe(200);
      await agree();
      await change(id, { limit_usd: 0.001 });
      expect((await embed(first)).status).toBe(200);
      await call("DELETE", `/guardrails/${id}`);
      expect((await embed(first)).status).toBe(200);
    });

    it("402 or 403: the tightest of a key's limit and its guardrails' budgets", async () => {
      const { key, id, hash } = await guarded(budget);
      await call("PATCH", `/keys/${hash}`, { body: { limit: 0.00002 } });
      expectError(await spend(key), "payment_required", /^This key's limit/);
      await call("PATCH", `/keys/${hash}`, { body: { limit: 1 } });
      expectError(await spend(key), "permission_denied", /^The guardrail's budget/);
      await change(id, { limit_usd: null, reset_interval: null });
      expect((await embed(key)).status).toBe(200);
      await agree();
    });

    it("count calls with the workspace's own provider keys only where they say so", async () => {
      const { id: workspace, default_guardrail_id: id } = await makeWorkspace(gateway());
      for (const provider of ["keeping", "forgetting"]) {
        const body = { provider, key: "sk-own-0123456789abcdef", workspace_id: workspace };
        expect((await call("POST", "/byok", { body })).status).toBe(201);
      }
      const { key } = await makeKey(gateway(), { workspace_id: workspace });
      await change(id, budget);
      for (let each = 0; each < 20; each += 1) expect((await embed(key)).status).toBe(200);
      await change(id, { include_byok_in_budgets: true });
      expectError(await embed(key), "permission_denied", /^The guardrail's budget/);
      await agree();
    });

    it("are found by verify to be exceeded where a count says so", async () => {
      const { key, hash } = await guarded(budget);
      await embed(key);
      gateway().clock.advance(2 * 3_600_000);
      const { pool } = gateway().deps.store;
      const move = async (sign: "+" | "-") =>
        await pool.query(
          `update spends set day = day ${sign} 1000000 where id = (select spend_id from api_keys where hash = $1)`,
          [hash],
        );
      await move("+");
      const { excesses } = await verifyLedger(gateway().deps);
      await move("-");
      expect(excesses).toEqual([
        expect.objectContaining({
          of: expect.stringMatching(/^budget of guardrail .* for key /),
          reset: "daily",
          allowed: 40_000n,
        }),
      ]);
    });
  });
});
