import { describe, expect, it, vi } from "vitest";
import type { RefusedCalls } from "#contract/refused-calls.ts";
import { Refusal } from "../domain/refusal.ts";
import { createRefusedCallCounter } from "../domain/calls/refused-call-counter.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";

describeGateway("refused calls over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const embed = (key: string, body: object = {}) =>
    call("POST", "/embeddings", { key, body: { model: "gatehouse/lexical", input: "a", ...body } });
  /** What is counted is written within a second or so. */
  const until = async <T>(read: () => Promise<T>, expected: (value: T) => void) => {
    await vi.waitFor(async () => expected(await read()), { timeout: patience, interval: 100 });
  };
  const refused = async (query: string) =>
    (await call("GET", `/refused-calls?workspace_id=all&${query}`)).json as {
      data: RefusedCalls[];
      total: { calls: number; records: number };
    };

  describe("listRefusedCalls", () => {
    it("200: one record for each key and reason, with the words and the request id of the last", async () => {
      const { key, record } = await makeKey(gateway(), { name: "busy", requests_per_minute: 2 });
      for (let index = 0; index < 2; index += 1) expect((await embed(key)).status).toBe(200);
      const first = gateway().clock.now().toISOString();
      for (let index = 0; index < 3; index += 1) expect((await embed(key)).status).toBe(429);
      gateway().clock.advance(1_000);
      const last = await embed(key);
      const unknown = await embed(key, { model: "no/such" });
      expectError(unknown, "not_found", /./);
      await until(
        () => refused(`api_key_hash=${record.hash}`),
        ({ data, total }) => {
          expect(total).toEqual({ calls: 5, records: 2 });
          expect(data.find(({ status }) => status === 429)).toMatchObject({
            key_name: "busy",
            reason: "key_requests_per_minute",
            count: 4,
            first_at: first,
            last_at: gateway().clock.now().toISOString(),
            last_request_id: last.headers.get("x-request-id"),
            last_message: last.json.error.message,
            // the limit counts requests, not dollars
            last_needed: null,
            last_remaining: null,
          });
          expect(data.find(({ status }) => status === 404)).toMatchObject({ reason: "not_found", count: 1 });
        },
      );
      // whatever the time: it is found by the instant in the id
      gateway().clock.advance(3 * 24 * 3_600_000);
      const byRequest = await refused(`request_id=${last.headers.get("x-request-id")}`);
      expect(byRequest.data).toMatchObject([{ key_hash: record.hash, status: 429 }]);
      expect((await refused("request_id=req-unheard-of")).data).toEqual([]);
      gateway().clock.advance(-3 * 24 * 3_600_000);
      expect((await refused(`api_key_hash=${record.hash}&status=404`)).total).toEqual({ calls: 1, records: 1 });
    });

    it("200: of every key, whatever one of them asked for", async () => {
      const big = await makeKey(gateway(), { limit: 0.001 });
      const other = await makeKey(gateway());
      const pricing = { prompt: "10", completion: "10" };
      await makeProvider(gateway(), {
        slug: "dear",
        base_url: "http://127.0.0.1:9/v1",
        models: [{ id: "dear/chat", upstream_id: "chat", type: "chat", pricing }],
      });
      const chat = { model: "dear/chat", messages: [{ role: "user", content: "a" }], n: 128 };
      const ask = (max_tokens: number) =>
        call("POST", "/chat/completions", { key: big.key, body: { ...chat, max_tokens } });
      expectIssues(await ask(Number.MAX_SAFE_INTEGER), "max_tokens");
      const short = await ask(10_000_000);
      expect(short.status).toBe(402);
      expectError(await embed(other.key, { model: "no/such\0\ud800" }), "not_found", /./);
      expect((await embed(other.key, { input: [] })).status).toBe(400);
      await until(
        () => refused(`api_key_hash=${big.record.hash}&status=402`),
        ({ data }) =>
          expect(data).toMatchObject([{ reason: "key", last_remaining: short.json.error.metadata.remaining }]),
      );
      const counts = async () => {
        const both = await Promise.all([big, other].map(({ record }) => refused(`api_key_hash=${record.hash}`)));
        return both.map(({ data }) => data.map(({ status, last_needed: needed }) => [status, needed]).toSorted());
      };
      await until(counts, (found) =>
        expect(found).toEqual([
          [
            [400, null],
            [402, 9_223_372_036.854_776],
          ],
          [
            [400, null],
            [404, null],
          ],
        ]),
      );
    });

    it("a count that the store cannot hold is dropped and told, and takes no other with it", async () => {
      const { record } = await makeKey(gateway());
      const warnings: string[] = [];
      const { deps, clock } = gateway();
      const counter = createRefusedCallCounter(deps.store, clock.now, (message) => warnings.push(message));
      const refusal = new Refusal("not_found", "There is no such model.");
      for (const keyHash of [`${record.hash.slice(0, -1)}\0`, record.hash]) {
        counter.count({ keyHash, workspaceId: record.workspace_id, requestId: "req-1" }, refusal);
      }
      await counter.close();
      expect((await refused(`api_key_hash=${record.hash}`)).total).toEqual({ calls: 1, records: 1 });
      expect(warnings).toEqual(["a count of refused calls cannot be stored and is dropped"]);
    });

    it("200: of a key that is disabled, expired or deleted, each for the key and in its own words", async () => {
      const made = async (name: string) => await makeKey(gateway(), { name });
      const [disabled, deleted] = [await made("switched off"), await made("gone")];
      const soon = new Date(gateway().clock.now().getTime() + 60_000).toISOString();
      const expired = await makeKey(gateway(), { name: "over", expires_at: soon });
      await call("PATCH", `/keys/${disabled.record.hash}`, { body: { disabled: true } });
      await call("DELETE", `/keys/${deleted.record.hash}`);
      gateway().clock.advance(60_000);
      const last = (await Promise.all(Array.from({ length: 40 }, async () => await embed(disabled.key)))).at(-1);
      expect(last?.json.error.metadata).toMatchObject({ error_type: "authentication", reason: "key_disabled" });
      const chat = { model: "acme/chat", messages: [{ role: "user", content: "a" }] };
      expectError(
        await call("POST", "/chat/completions", { key: expired.key, body: chat }),
        "authentication",
        /expired/,
      );
      expectError(await embed(deleted.key), "authentication", /deleted/);
      // what is not a model call is no refused call
      expectError(await call("GET", "/key", { key: disabled.key }), "authentication", /disabled/);
      const of = async ({ record }: typeof disabled) => (await refused(`api_key_hash=${record.hash}`)).data;
      await until(
        async () => [await of(disabled), await of(expired), await of(deleted)],
        (found) =>
          expect(found).toMatchObject([
            [
              {
                reason: "key_disabled",
                status: 401,
                count: 40,
                key_name: "switched off",
                last_message: "This API key is disabled",
              },
            ],
            [{ reason: "key_expired", status: 401, count: 1, key_name: "over" }],
            [{ reason: "key_deleted", status: 401, count: 1, key_name: null }],
          ]),
      );
      const usage = await call("GET", `/keys/${disabled.record.hash}/usage?by=hour&last=1`);
      expect(usage.json.data.at(-1)).toMatchObject({ requests: 0, refused: 40 });
    });

    it("200: of calls that are refused before their body is read", async () => {
      const { key, record } = await makeKey(gateway());
      expectError(await call("POST", "/embeddings", { key }), "invalid_request", /body is missing/);
      const headers = { "content-type": "text/plain" };
      expectError(await call("POST", "/embeddings", { key, raw: "{}", headers }), "invalid_request", /Content-Type/);
      await until(
        async () => (await refused(`api_key_hash=${record.hash}`)).data,
        (found) => expect(found).toMatchObject([{ reason: "invalid_request", status: 400, count: 2 }]),
      );
    });

    it("any number of refusals of one kind in one minute is one write", async () => {
      const { record } = await makeKey(gateway());
      const { deps } = gateway();
      const counter = createRefusedCallCounter(
        deps.store,
        () => new Date("2026-11-20T12:00:30Z"),
        () => {},
      );
      const refusal = new Refusal("authentication", "This API key is disabled", { reason: "key_disabled" });
      const writes = vi.spyOn(deps.store.db, "insertInto");
      for (let index = 0; index < 1_000; index += 1) {
        counter.count({ keyHash: record.hash, workspaceId: record.workspace_id, requestId: `req-${index}` }, refusal);
      }
      await counter.close();
      const tables = writes.mock.calls.map(([table]) => table);
      writes.mockRestore();
      expect(tables.filter((table) => table === "refused_calls")).toHaveLength(1);
      const range = "since=2026-11-20T12:00:00Z&until=2026-11-20T12:01:00Z";
      expect((await refused(`api_key_hash=${record.hash}&${range}`)).data).toMatchObject([{ count: 1_000 }]);
    });

    it("counts of more keys than one statement can hold are all written", async () => {
      const { id } = await makeWorkspace(gateway());
      const { deps, clock } = gateway();
      const warnings: string[] = [];
      const counter = createRefusedCallCounter(deps.store, clock.now, (message) => warnings.push(message));
      const refusal = new Refusal("unavailable", "The store does not answer.");
      const keys = Array.from({ length: 6_000 }, (_, index) => `${id}-${index}-`.padEnd(64, "0"));
      for (const keyHash of keys) counter.count({ keyHash, workspaceId: id, requestId: "req-1" }, refusal);
      await counter.close();
      const of = `select count(*)::int as keys, sum(count)::int as calls from refused_calls where workspace_id = $1`;
      expect((await deps.store.pool.query(of, [id])).rows).toEqual([{ keys: 6_000, calls: 6_000 }]);
      expect(warnings).toEqual([]);
    });

    it("counts that gather while the store is away are bounded, which is told, and those that are kept are written", async () => {
      const { id } = await makeWorkspace(gateway());
      const { deps, clock } = gateway();
      const warnings: [string, object][] = [];
      let away = true;
      const store = {
        ...deps.store,
        get db() {
          if (away) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
          return deps.store.db;
        },
      };
      const counter = createRefusedCallCounter(store, clock.now, (...said) => warnings.push(said));
      const refusal = new Refusal("unavailable", "The store does not answer.");
      const keyHash = (index: number) => `${id}-${index}-`.padEnd(64, "0");
      const count = (from: number, to: number) => {
        for (let index = from; index < to; index += 1) {
          counter.count({ keyHash: keyHash(index), workspaceId: id, requestId: "req-1" }, refusal);
        }
      };
      count(0, 8_000);
      const flushing = counter.flush();
      count(8_000, 12_000);
      await flushing;
      away = false;
      await counter.close();
      const of = `select key_hash from refused_calls where workspace_id = $1`;
      const { rows } = await deps.store.pool.query<{ key_hash: string }>(of, [id]);
      const written = new Set(rows.map((row) => row.key_hash));
      expect(Array.from({ length: 12_000 }, (_, index) => written.has(keyHash(index))).indexOf(true)).toBe(2_000);
      expect(written.size).toBe(10_000);
      expect(warnings).toEqual([
        ["counts of refused calls cannot be written now: they are kept and written later", { code: "ECONNREFUSED" }],
        ["there are too many counts of refused calls: the oldest were dropped", { dropped: 2_000 }],
      ]);
    });

    it("200: by hour and day in what a key and a workspace used, and in no request of theirs", async () => {
      const workspace = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id });
      await embed(key);
      for (let index = 0; index < 3; index += 1) await embed(key, { model: "no/such" });
      await until(
        async () => (await call("GET", `/keys/${record.hash}/usage?by=hour&last=2`)).json.data.at(-1),
        (hour) => expect(hour).toMatchObject({ requests: 1, refused: 3 }),
      );
      const { data, refused: counts } = (await call("GET", `/usage?by=day&last=2&workspace_id=${workspace.id}`)).json;
      expect(data[0].total).toMatchObject({ requests: 1, failures: 0 });
      expect(counts).toEqual({ total: 3, previous: 0, points: [0, 3] });
    });

    it("200: not of calls that are on the ledger, and not without a key that is known", async () => {
      const { key, record } = await makeKey(gateway());
      await embed(key);
      await embed(`${key}x`);
      await embed(key, { input: [] });
      await until(
        () => refused(`api_key_hash=${record.hash}`),
        ({ data }) => expect(data.map(({ status, count }) => [status, count])).toEqual([[400, 1]]),
      );
    });
  });
});
