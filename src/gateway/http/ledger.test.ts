import { describe, expect, it } from "vitest";
import type { CreateKeyBody } from "#contract/keys.ts";
import { nextReset } from "#contract/time.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

let texts = 0;
const fresh = () => `ledger ${(texts += 1)}`;

describeGateway("what the ledger says", (gateway) => {
  const vendor = withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;
  const embed = async (key: string, input: unknown = fresh()) =>
    await call("POST", "/embeddings", { key, body: { model: "acme/embed", input } });

  const chat = (key: string, messages: object[]) =>
    call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages } });
  const made = async (body: Partial<CreateKeyBody> = {}) => (await makeKey(gateway(), body)).key;

  describe("upsertWorkspaceBudget, getWorkspaceBudget, listWorkspaceBudgets, deleteWorkspaceBudget", () => {
    it("200: sets, reads, lists and removes; removing what is not there succeeds", async () => {
      const { id, slug } = await makeWorkspace(gateway());
      const put = await call("PUT", `/workspaces/${slug}/budgets/monthly`, { body: { limit_usd: 10 } });
      expect(put.json).toMatchObject({
        data: {
          limit_usd: 10,
          reset_interval: "monthly",
          workspace_id: id,
          spent_usd: 0,
          resets_at: nextReset("monthly", gateway().clock.now()).toISOString(),
        },
        include_byok_in_budgets: false,
      });
      await call("PUT", `/workspaces/${id}/budgets/lifetime`, {
        body: { limit_usd: 100, include_byok_in_budgets: true },
      });
      const listed = (await call("GET", `/workspaces/${id}/budgets`)).json;
      expect(listed.data.map((budget: { reset_interval: string | null }) => budget.reset_interval)).toEqual([
        null,
        "monthly",
      ]);
      expect(listed.include_byok_in_budgets).toBe(true);
      expect((await read(`/workspaces/${id}/budgets/lifetime`)).reset_interval).toBeNull();
      for (let time = 0; time < 2; time += 1) {
        expect((await call("DELETE", `/workspaces/${id}/budgets/lifetime`)).json).toEqual({ deleted: true });
      }
      expectError(await call("GET", `/workspaces/${id}/budgets/lifetime`), "not_found", /lifetime/);
      const audit = await read(`/audit?workspace_id=${id}`);
      expect(audit.map((row: { action: string }) => row.action)).toEqual([
        "deleteWorkspaceBudget",
        "upsertWorkspaceBudget",
        "upsertWorkspaceBudget",
        "createWorkspace",
      ]);
    });

    it("400: limits must fall from lifetime to daily", async () => {
      const { id } = await makeWorkspace(gateway());
      const put = (interval: string, limit_usd: number) =>
        call("PUT", `/workspaces/${id}/budgets/${interval}`, { body: { limit_usd } });
      await put("weekly", 5);
      expectIssues(await put("daily", 5), "limit_usd");
      expectIssues(await put("monthly", 4), "limit_usd");
      expect((await put("daily", 4)).status).toBe(200);
    });

    it("403: a call that does not fit into the workspace's budget, naming the broadest that is spent", async () => {
      const { id } = await makeWorkspace(gateway());
      const key = await made({ workspace_id: id });
      const other = await made({ workspace_id: id });
      await call("PUT", `/workspaces/${id}/budgets/monthly`, { body: { limit_usd: 0.00004 } });
      await call("PUT", `/workspaces/${id}/budgets/daily`, { body: { limit_usd: 0.00003 } });
      const statuses = [];
      for (let each = 0; each < 20; each += 1) statuses.push((await embed(each % 2 === 0 ? key : other)).status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
      const refused = await embed(key);
      expectError(refused, "permission_denied", /workspace's budget/);
      expect(refused.json.error.metadata).toMatchObject({ limit_kind: "workspace_budget", limit_reset: "daily" });
      const { data } = (await call("GET", `/workspaces/${id}/budgets/daily`)).json;
      expect(data.spent_usd).toBe(refused.json.error.metadata.spent);
      expect(data.spent_usd).toBeLessThanOrEqual(0.00003);
      await call("DELETE", `/workspaces/${id}/budgets/daily`);
      await call("DELETE", `/workspaces/${id}/budgets/monthly`);
      expect((await embed(key)).status).toBe(200);
    });
  });

  describe("getCredits, addCredits", () => {
    it("200: what all keys used; a limit for all of them from the first entry on", async () => {
      const key = await made();
      const before = await read("/credits");
      await embed(key);
      const after = await read("/credits");
      expect(after.total_usage - before.total_usage).toBeCloseTo(0.000002, 12);
      const added = await call("POST", "/credits", {
        body: { amount_usd: after.total_usage + 0.00001, note: "first" },
      });
      expect(added.json.data).toMatchObject({ note: "first" });
      const refused = await embed(key, Array.from({ length: 10 }, fresh));
      expectError(refused, "payment_required", /credits/);
      expect(refused.json.error.metadata).toMatchObject({ limit_kind: "credits", remaining: 0.00001 });
      expect((await call("POST", "/credits", { body: { amount_usd: 1_000 } })).status).toBe(201);
      expect((await embed(key, Array.from({ length: 10 }, fresh))).status).toBe(200);
    });

    it("400: never more in all than the store counts in, however many are added at once", async () => {
      const most = { body: { amount_usd: 1_000_000_000 } };
      const answers = await Promise.all(Array.from({ length: 12 }, () => call("POST", "/credits", most)));
      for (const answer of answers) expectIssues(answer, "amount_usd");
      expect((await call("GET", "/credits")).status).toBe(200);
    });
  });

  describe("getActivity", () => {
    /** The date so many days from the clock's. */
    const day = (offset: number) =>
      new Date(gateway().clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);

    it("200: completed days only, by model and provider", async () => {
      const { key, record } = await makeKey(gateway(), { creator_user_id: "ada" });
      await embed(key);
      await embed(key);
      const listed = async (query: string) => await read(`/activity?${query}`);
      expect(await listed(`api_key_hash=${record.hash}`)).toEqual([]);
      const date = day(0);
      gateway().clock.advance(86_400_000);
      const [row, ...more] = await listed(`api_key_hash=${record.hash}`);
      expect(row).toMatchObject({ date, model: "acme/embed", provider_name: "acme", usage: 0.000004, requests: 2 });
      expect([more, await listed(`user_id=ada&date=${date}`)]).toEqual([[], [row]]);
      gateway().clock.advance(-86_400_000);
    });
  });

  describe("getGeneration", () => {
    it("200: to a key of the workspace and to a management key", async () => {
      const key = await made();
      const sibling = await made();
      const id = (await embed(key)).headers.get("x-generation-id");
      for (const caller of [sibling, gateway().managementKey]) {
        const { json } = await call("GET", `/generation?id=${id}`, { key: caller });
        expect(json.data).toMatchObject({
          id,
          api_type: "embeddings",
          model: "acme/embed",
          provider_name: "acme",
          total_cost: 0.000002,
          usage: 0.000002,
          tokens_prompt: 2,
          status: 200,
          metered_by: "upstream",
          priced: true,
          provider_responses: [{ provider_name: "acme", status: 200 }],
        });
      }
    });

    it("a call that failed is on the ledger too, with what was tried", async () => {
      const key = await made();
      vendor().fail({ type: "status", status: 500 });
      await embed(key);
      const { rows } = await gateway().deps.store.pool.query(
        "select id from ledger where status = 502 order by created_at desc, id desc limit 1",
      );
      const { data } = (await call("GET", `/generation?id=${rows[0].id}`, { key })).json;
      expect(data).toMatchObject({ status: 502, error_type: "provider_unavailable", total_cost: 0 });
      expect(data.provider_responses).toMatchObject([{ status: 500 }]);
    });
  });

  describe("getGenerationContent", () => {
    it("200: where the workspace keeps bodies, sealed in the store; 404: where it does not", async () => {
      const { id: workspace } = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
      const key = await made({ workspace_id: workspace });
      const messages = [{ role: "user", content: "a secret of mine" }];
      const id = (await chat(key, messages)).headers.get("x-generation-id");
      expect((await call("GET", `/generation/content?id=${id}`, { key })).json.data).toEqual({
        input: { prompt: "", messages },
        output: { completion: "Hello from the fake vendor.", reasoning: null },
        error: null,
      });
      const { rows } = await gateway().deps.store.pool.query("select sealed from generation_contents");
      expect(JSON.stringify(rows)).not.toContain("secret of mine");
      const other = await made();
      const unkept = (await embed(other)).headers.get("x-generation-id");
      expectError(await call("GET", `/generation/content?id=${unkept}`, { key: other }), "not_found", /not kept/);
    });

    it("200: where an answer was long on the wire, and its text was not; 404: where its text was too", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
      const key = await made({ workspace_id });
      const content = async (characters: number) => {
        const choice = { index: 0, message: { role: "assistant", content: "@" }, finish_reason: "stop" };
        const body = JSON.stringify({ id: "u", choices: [choice] }).replace("@", "\\u4e2d".repeat(characters));
        vendor().fail({ type: "body", body, contentType: "application/json" }, 1);
        const messages = [{ role: "user", content: "Say it in Chinese" }];
        const answer = await chat(key, messages);
        expect(answer.json.choices[0].message.content).toHaveLength(characters);
        return await call("GET", `/generation/content?id=${answer.headers.get("x-generation-id")}`, { key });
      };
      const short = await content(60_000);
      expect(short.status).toBe(200);
      expect(short.json.data.output.completion).toBe("中".repeat(60_000));
      expectError(await content(270_000), "not_found", /more than 262144 characters/);
    });

    it("404: keeps no bodies where a list of keys was stored that names none here", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway(), { is_observability_io_logging_enabled: true });
      const { store } = gateway().deps;
      await store.pool.query("update workspaces set io_logging_api_key_ids = '{1}' where id = $1", [workspace_id]);
      const key = await made({ workspace_id });
      const id = (await embed(key)).headers.get("x-generation-id");
      expectError(await call("GET", `/generation/content?id=${id}`, { key }), "not_found", /not kept/);
    });
  });

  describe("a limit that is only watched", () => {
    const recordOf = async (hash: string) => await read(`/keys/${hash}`);
    const watched = { limit: 0.000001, limit_reset: "daily", limit_watch_only: true } as const;

    it("200: counts what goes beyond it in full, reserves nothing and refuses nothing, until it is enforced", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { workspace_id: id, ...watched });
      for (let each = 0; each < 3; each += 1) {
        const answer = await embed(key);
        expect(answer.status).toBe(200);
        const generation = await read(`/generation?id=${answer.headers.get("x-generation-id")}`);
        expect(generation.total_cost).toBeCloseTo(0.000002, 12);
      }
      const after = await recordOf(record.hash);
      expect(after).toMatchObject({ ...watched, status: "active", limit_remaining: 0 });
      expect(after.usage_daily).toBeCloseTo(0.000006, 12);
      const { rows } = await gateway().deps.store.pool.query(
        "select sum(s.reserved)::int as reserved, count(l.*)::int as leases from api_keys k join spends s on s.id = k.spend_id left join leases l on l.spend_id = s.id where k.hash = $1",
        [record.hash],
      );
      expect(rows).toEqual([{ reserved: 0, leases: 0 }]);
      const listed = async (filter: string) => (await read(`/keys?workspace_id=${id}&${filter}`)).length;
      expect(await listed("status=active&limit_state=over")).toBe(1);
      expect(await listed("status=over_limit")).toBe(0);
      const counts = await read(`/keys/count?workspace_id=${id}`);
      expect(counts).toMatchObject({ active: { count: 1 }, over_limit: { count: 0 } });
      const current = (await call("GET", "/key", { key })).json.data;
      expect(current).toMatchObject({ limit_remaining: 0, limit_watch_only: true });

      await call("PATCH", `/keys/${record.hash}`, { body: { limit_watch_only: false } });
      expect((await recordOf(record.hash)).status).toBe("over_limit");
      expectError(await embed(key), "payment_required", /key's limit/);
      await call("PATCH", `/keys/${record.hash}`, { body: { limit_watch_only: true } });
      expect((await embed(key)).status).toBe(200);
    });

    it("403 and 429: the workspace's budget and the key's rates hold as before", async () => {
      const { id } = await makeWorkspace(gateway());
      const key = await made({ workspace_id: id, ...watched, requests_per_minute: 2 });
      expect([(await embed(key)).status, (await embed(key)).status]).toEqual([200, 200]);
      expectError(await embed(key), "rate_limit_exceeded", /2 requests a minute/);
      gateway().clock.advance(61_000);
      await call("PUT", `/workspaces/${id}/budgets/monthly`, { body: { limit_usd: 0.000004 } });
      expectError(await embed(key), "permission_denied", /workspace's budget/);
    });

    it("402: for the key that it replaced, which draws on the same count under an enforced limit", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 0.0001 });
      const rotated = await call("POST", `/keys/${record.hash}/rotate`, { body: { grace_seconds: 3_600 } });
      const { hash } = rotated.json.data;
      await call("PATCH", `/keys/${hash}`, { body: { limit_watch_only: true } });
      for (let each = 0; each < 5; each += 1) expect((await embed(rotated.json.key)).status).toBe(200);
      // what the successor spends takes nothing from the old key but what it has spent
      expect((await embed(key)).status).toBe(200);
      expect((await recordOf(record.hash)).limit_remaining).toBeCloseTo(0.0001 - 6 * 0.000002, 12);
      await call("PATCH", `/keys/${record.hash}`, { body: { limit: 0.000005 } });
      expectError(await embed(key), "payment_required", /key's limit/);
      expect((await embed(rotated.json.key)).status).toBe(200);
    });
  });

  describe("rates", () => {
    const used = (answer: { headers: Headers }) => ({
      limit: answer.headers.get("x-ratelimit-limit"),
      remaining: answer.headers.get("x-ratelimit-remaining"),
    });

    it("429: a key's calls a minute, with what was used and when to come back", async () => {
      const key = await made({ requests_per_minute: 3 });
      for (let each = 0; each < 3; each += 1) expect((await embed(key)).status).toBe(200);
      const refused = await embed(key);
      expectError(refused, "rate_limit_exceeded", /3 requests a minute/);
      expect(used(refused)).toEqual({ limit: "3", remaining: "0" });
      expect(refused.json.error.metadata).toMatchObject({ limit_kind: "key_requests_per_minute", limit: 3, spent: 3 });
      gateway().clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
      expect((await embed(key)).status).toBe(200);
    });

    it("429: a key's tokens a minute, by what the vendor counted", async () => {
      const key = await made({ tokens_per_minute: 10 });
      expect((await embed(key, "one two three four five six seven eight nine ten")).status).toBe(200);
      const none = await embed(key);
      expectError(none, "rate_limit_exceeded", /10 tokens a minute/);
      expect(none.json.error.metadata).toMatchObject({ remaining: 0, fits: null });
      const other = await made({ tokens_per_minute: 10 });
      await embed(other, "one two three four five six");
      const some = await embed(other, "a text of many more tokens than are left, by any count of them");
      expect(some.json.error.metadata).toMatchObject({ remaining: 4, fits: { tokens: 4 } });
    });

    it("counts no token of a call that failed toward a rate", async () => {
      const key = await made({ tokens_per_minute: 10 });
      vendor().fail({ type: "status", status: 500 });
      for (let time = 0; time < 3; time += 1)
        expect((await embed(key, `${fresh()} three four five six`)).status).toBe(502);
      vendor().fail(null);
      expect((await embed(key, `${fresh()} three four five six`)).status).toBe(200);
    });

    it("429: all keys of a workspace together", async () => {
      const { id } = await makeWorkspace(gateway(), { requests_per_minute: 2 });
      const one = await made({ workspace_id: id });
      const other = await made({ workspace_id: id });
      expect([(await embed(one)).status, (await embed(other)).status]).toEqual([200, 200]);
      expectError(await embed(one), "rate_limit_exceeded", /workspace/);
    });

    it("says nothing of rates where there is none", async () => {
      const key = await made();
      expect(used(await embed(key))).toEqual({ limit: null, remaining: null });
    });
  });
});

describeGateway("models without a price", (gateway) => {
  withVendor(gateway, { embed: { pricing: null }, provider: { position: 1 } });
  const embed = (key: string) =>
    gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "a" } });

  it("402: for keys with a limit, and says what to do", async () => {
    const { key } = await makeKey(gateway(), { limit: 1 });
    expectError(await embed(key), "payment_required", /no price at acme.*give the model a price/);
    const { key: unlimited } = await makeKey(gateway());
    const answer = await embed(unlimited);
    expect(answer.status).toBe(200);
    const id = answer.headers.get("x-generation-id");
    const { data } = (await gateway().call("GET", `/generation?id=${id}`, { key: unlimited })).json;
    expect(data).toMatchObject({ priced: false, total_cost: 0, tokens_prompt: 1 });
    const { key: watched } = await makeKey(gateway(), { limit: 1, limit_watch_only: true });
    expect((await embed(watched)).status).toBe(200);
  });

  it("gives way to a provider that has a price for the model", async () => {
    const acme = (await gateway().call("GET", "/providers/acme")).json.data;
    const [{ id, upstream_id, type, dimensions }] = acme.models;
    const models = [{ id, upstream_id, type, dimensions, pricing: { prompt: "0.000001" } }];
    await makeProvider(gateway(), { slug: "priced", base_url: acme.base_url, models });
    const { key } = await makeKey(gateway(), { limit: 1 });
    const body = { model: "acme/embed", input: "b", provider: { order: ["acme", "priced"] } };
    const answer = await gateway().call("POST", "/embeddings", { key, body });
    expect(answer.json.usage).toMatchObject({ cost: 0.000001 });
    await gateway().call("DELETE", "/providers/priced");
  });
});

describeGateway(
  "settings for every key",
  (gateway) => {
    withVendor(gateway, { embed: { pricing: null } });
    const embed = async (key: string) =>
      (await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "a" } })).status;

    it("a rate: 429, unless the key has one of its own", async () => {
      const { key } = await makeKey(gateway());
      expect([await embed(key), await embed(key), await embed(key)]).toEqual([200, 200, 429]);
      const { key: faster } = await makeKey(gateway(), { requests_per_minute: 3 });
      const statuses = [await embed(faster), await embed(faster), await embed(faster), await embed(faster)];
      expect(statuses).toEqual([200, 200, 200, 429]);
    });

    it("models without a price: 200 for keys with a limit, which they use nothing of", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 0.000001 });
      expect(await embed(key)).toBe(200);
      expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data).toMatchObject({ usage: 0 });
    });
  },
  { env: { GATEHOUSE_RATE_LIMIT: "2/min", GATEHOUSE_UNPRICED: "allow" } },
);
