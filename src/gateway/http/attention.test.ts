import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { AttentionKind, AttentionRow } from "#contract/attention.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const nano = 1_000_000_000;

describeGateway("what needs attention, over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const vendor = withVendor(gateway, { slug: "sound" });
  const attention = async (workspace: string) =>
    (await call("GET", `/attention?workspace_id=${workspace}`)).json as {
      data: AttentionRow[];
      totals: Record<AttentionKind, { count: number; more: boolean }>;
    };
  const spend = async (id: string, usd: number) =>
    await sql`update spends set total = ${usd * nano} where id = (select spend_id from api_keys where hash = ${id})`.execute(
      gateway().deps.store.db,
    );
  const used = async (workspace: string, provider: string, [requests, failures]: [number, number]) => {
    const hour = new Date(Math.floor(gateway().clock.now().getTime() / 3_600_000) * 3_600_000);
    await sql`insert into usage_hourly (workspace_id, hour, key_hash, model, provider, usage, byok_usage, saved,
        requests, failures, provider_faults, prompt_tokens, completion_tokens, reasoning_tokens)
      values (${workspace}, ${hour}, 'k', 'm', ${provider}, 0, 0, 0, ${requests}, ${failures}, ${failures}, 0, 0, 0)`.execute(
      gateway().deps.store.db,
    );
  };

  describe("getAttention", () => {
    it("200: nothing where all is well", async () => {
      const { id } = await makeWorkspace(gateway());
      await makeKey(gateway(), { workspace_id: id, limit: 1 });
      const { data, totals } = await attention(id);
      expect(data).toEqual([]);
      expect(Object.values(totals).every(({ count, more }) => count === 0 && !more)).toBe(true);
    });

    it("200: a key over a limit that is only watched, apart from those that are refused", async () => {
      const { id } = await makeWorkspace(gateway());
      const body = { workspace_id: id, limit: 1 };
      const { record: watched } = await makeKey(gateway(), { ...body, name: "watched", limit_watch_only: true });
      const { record: refused } = await makeKey(gateway(), { ...body, name: "refused" });
      for (const { hash } of [watched, refused]) await spend(hash, 2.5);
      const { data, totals } = await attention(id);
      expect(data.map(({ kind, object, spent, limit, figure }) => [kind, object.name, spent, limit, figure])).toEqual([
        ["over_limit", "refused", 2.5, 1, 2.5],
        ["over_watched_limit", "watched", 2.5, 1, 2.5],
      ]);
      expect([totals.over_limit.count, totals.over_watched_limit.count, totals.near_limit.count]).toEqual([1, 1, 0]);
    });

    it("200: keys and budgets that run out within 7 days at their pace, the soonest first", async () => {
      const { id } = await makeWorkspace(gateway());
      const now = gateway().clock.now();
      const { pool } = gateway().deps.store;
      const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
      const pace = async (spend: string, usd: number, since: Date) =>
        await pool.query(
          `update spends set total = $2, month = $2, week = $2, month_start = date_trunc('month', $3::timestamptz, 'UTC'),
             week_start = date_trunc('week', $3::timestamptz, 'UTC') where id = $1`,
          [spend, usd * nano, since],
        );
      const key = async (name: string, usd: number, body: object = {}) => {
        const { record } = await makeKey(gateway(), { workspace_id: id, name, limit: 50, ...body });
        const { rows } = await pool.query<{ spend_id: string }>(
          "update api_keys set created_at = $2, last_used_at = $3 where hash = $1 returning spend_id",
          [record.hash, ago(2), now],
        );
        await pace(rows[0]?.spend_id ?? "", usd, now);
      };
      await key("in eight days", 10);
      await key("in three days", 20);
      await key("in two", 25);
      await key("only watched", 25, { limit_watch_only: true });
      await call("PUT", `/workspaces/${id}/budgets/lifetime`, { body: { limit_usd: 50 } });
      await pool.query("update workspaces set created_at = $2 where id = $1", [id, ago(2)]);
      await pool.query("insert into spends (id, day_start, week_start, month_start) values ($1, $2, $2, $2)", [
        id,
        now,
      ]);
      await pace(id, 20, now);
      const { data, totals } = await attention(id);
      const until = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
      expect(data.map(({ kind, object, lasts_until }) => [kind, object.type, object.name, lasts_until])).toEqual([
        ["running_out", "key", "in two", until(2)],
        ["running_out", "key", "in three days", until(3)],
        ["budget", "workspace", expect.any(String), until(3)],
      ]);
      expect(totals.running_out).toEqual({ count: 2, more: false });
    });

    it("200: keys near their limit however many others spent more, with true totals", async () => {
      const { id } = await makeWorkspace(gateway());
      const { record: big } = await makeKey(gateway(), { workspace_id: id, name: "big" });
      const copied = { hash: "md5(n::text) || md5(k.hash)", spend: "md5(n || k.hash)::uuid" };
      const { pool } = gateway().deps.store;
      await pool.query(
        `with copied as (insert into api_keys select (jsonb_populate_record(k, jsonb_build_object(
           'hash', ${copied.hash}, 'spend_id', ${copied.spend}))).* from api_keys k, generate_series(1, 109) n
           where k.hash = $1)
         insert into spends select (jsonb_populate_record(s, jsonb_build_object('id', ${copied.spend}))).*
         from spends s join api_keys k on k.spend_id = s.id, generate_series(1, 109) n where k.hash = $1`,
        [big.hash],
      );
      await pool.query(
        "update spends set total = 100e9 where id in (select spend_id from api_keys where workspace_id = $1)",
        [id],
      );
      for (let index = 0; index < 7; index += 1) {
        const { record } = await makeKey(gateway(), { workspace_id: id, name: `near ${index}`, limit: 1 });
        await spend(record.hash, index === 0 ? 1 : 0.94);
      }
      const { data, totals } = await attention(id);
      expect(totals.near_limit).toEqual({ count: 6, more: false });
      expect(totals.over_limit).toEqual({ count: 1, more: false });
      const near = data.filter(({ kind }) => kind === "near_limit");
      expect(near).toHaveLength(5);
      expect(near[0]).toMatchObject({ workspace_id: id, figure: 0.94, spent: 0.94, limit: 1 });
      expect(data.find(({ kind }) => kind === "over_limit")?.object.name).toBe("near 0");
      const listed = await call("GET", `/keys?workspace_id=${id}&status=active&limit_state=near`);
      expect(listed.json.data).toHaveLength(6);
    });

    it("200: keys that end within a week, and those that were never used in 30 days", async () => {
      const { id } = await makeWorkspace(gateway());
      const at = (days: number) => new Date(gateway().clock.now().getTime() + days * 86_400_000);
      const soon = at(6).toISOString();
      await makeKey(gateway(), { workspace_id: id, name: "soon", expires_at: soon });
      await makeKey(gateway(), { workspace_id: id, name: "later", expires_at: at(8).toISOString() });
      const { record } = await makeKey(gateway(), { workspace_id: id, name: "idle" });
      await sql`update api_keys set created_at = ${at(-31)} where hash = ${record.hash}`.execute(
        gateway().deps.store.db,
      );
      const { data } = await attention(id);
      expect(data.map(({ kind, object, until }) => [kind, object.name, until])).toEqual([
        ["expiring", "soon", soon],
        ["unused", "idle", null],
      ]);
    });

    it("200: failing providers, error rates and budgets, from the ledger's own figures", async () => {
      const { id, name } = await makeWorkspace(gateway());
      await makeProvider(gateway(), { slug: "shaky", base_url: "http://127.0.0.1:9/v1", models: [] });
      await used(id, "shaky", [20, 7]);
      await call("PUT", `/workspaces/${id}/budgets/lifetime`, { body: { limit_usd: 10 } });
      await sql`insert into spends (id, total, day_start, week_start, month_start)
        values (${id}, ${9 * nano}, now(), now(), now())
        on conflict (id) do update set total = excluded.total`.execute(gateway().deps.store.db);
      const { data } = await attention(id);
      expect(data.map(({ kind, object, figure }) => [kind, object.id, figure])).toEqual([
        ["provider", "shaky", 0.35],
        ["errors", id, 0.35],
        ["budget", id, 0.9],
      ]);
      expect(data[1]?.object.name).toBe(name);
      // the figures of three hours ago say nothing of now
      gateway().clock.advance(3 * 3_600_000);
      expect((await attention(id)).data.map(({ kind }) => kind)).toEqual(["budget"]);
    });

    it("200: a provider that failed all of a few calls, and none that failed some of them", async () => {
      const { id } = await makeWorkspace(gateway());
      for (const slug of ["few", "some"]) {
        await makeProvider(gateway(), { slug, base_url: "http://127.0.0.1:9/v1", models: [] });
      }
      await used(id, "few", [2, 2]);
      await used(id, "some", [4, 3]);
      const found = (await attention(id)).data.filter(({ kind }) => kind === "provider");
      expect(found.map(({ object, figure }) => [object.id, figure])).toEqual([["few", 1]]);
      gateway().clock.advance(3 * 3_600_000);
    });

    it("200: no provider is blamed for what callers asked wrongly or left, and one that fails is", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key } = await makeKey(gateway(), { workspace_id: id });
      const body = { model: "acme/talk", messages: [{ role: "user", content: "a" }] };
      const ask = async (more: object = {}, signal?: AbortSignal) =>
        await fetch(`${gateway().url}/api/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ ...body, ...more }),
          ...(signal && { signal }),
        });
      const ledger = async () => (await call("GET", "/providers/sound")).json.data.health.ledger;
      const faults = async () =>
        (await attention(id)).data
          .map(({ kind, object }) => [kind, object.type])
          .filter(([kind]) => kind !== "refused");
      for (const status of [400, 413, 422, 400]) {
        vendor().fail({ type: "status", status }, 1);
        expect((await ask()).status).toBe(status);
      }
      vendor().settings.words = Array.from({ length: 500 }, (_, index) => ` word${index}`);
      vendor().delay({ between: 1 });
      const leaving = new AbortController();
      const reader = (await ask({ stream: true }, leaving.signal)).body?.getReader();
      await reader?.read();
      leaving.abort();
      const row = sql<{ status: number }>`select status from ledger where workspace_id = ${id} and cancelled`;
      await vi.waitFor(
        async () => expect((await row.execute(gateway().deps.store.db)).rows).toEqual([{ status: 499 }]),
        { timeout: patience, interval: 100 },
      );
      await vi.waitFor(async () => expect(await ledger()).toMatchObject({ calls: 5, failures: 0 }), {
        timeout: patience,
        interval: 100,
      });
      expect(await faults()).toEqual([]);
      vendor().fail({ type: "status", status: 500 }, 1);
      expect((await ask()).status).toBe(502);
      await vi.waitFor(async () => expect(await ledger()).toMatchObject({ calls: 6, failures: 1 }), {
        timeout: patience,
        interval: 100,
      });
      expect(await faults()).toEqual([["provider", "provider"]]);
      const [row500] = (await attention(id)).data.filter(({ kind }) => kind === "provider");
      expect(row500).toMatchObject({ status: 500, message: expect.any(String) });
    });

    it("200: a burst of refused calls, with the reason of most of them and its last words", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { workspace_id: id, name: "refused" });
      const body = { model: "no/such", input: "a" };
      for (let index = 0; index < 8; index += 1) await call("POST", "/embeddings", { key, body });
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      for (let index = 0; index < 2; index += 1) await call("POST", "/embeddings", { key, body });
      const refused = async () => (await attention(id)).data.filter(({ kind }) => kind === "refused");
      await vi.waitFor(
        async () =>
          expect(await refused()).toMatchObject([{ object: { id: record.hash, name: "refused" }, figure: 10 }]),
        { timeout: patience, interval: 100 },
      );
      const [most] = await refused();
      expect(most).toMatchObject({ status: 404, reason: "not_found", reason_count: 8 });
      expect(most?.message).toContain("no/such");
    });

    it("200: a provider that fails although others answer its calls", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key } = await makeKey(gateway(), { workspace_id: id });
      const model = {
        id: "acme/carried",
        upstream_id: "carried",
        type: "embedding" as const,
        pricing: { prompt: "0" },
      };
      for (const slug of ["carried", "carrier"]) {
        await makeProvider(gateway(), { slug, base_url: vendor().baseUrl, models: [model] });
      }
      const body = { model: "acme/carried", input: "a", provider: { order: ["carried"] } };
      for (let index = 0; index < 8; index += 1) {
        if (index % 2 === 0) vendor().fail({ type: "status", status: 500, message: "out of memory" }, 1);
        expect((await call("POST", "/embeddings", { key, body: { ...body, input: `a ${index}` } })).status).toBe(200);
      }
      const row = (await attention(id)).data.find(({ object }) => object.id === "carried");
      expect(row).toMatchObject({ kind: "provider", figure: 0.5, status: 500, state: "failing", minutes: 30 });
      const { health } = (await call("GET", "/providers/carried")).json.data;
      expect(health).toMatchObject({ status: "failing", recent: { calls: 8, error_rate: 0.5, minutes: 30 } });
    });
  });
});
