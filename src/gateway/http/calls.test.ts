import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

let texts = 0;
const fresh = () => `call ${(texts += 1)}`;

describeGateway("the calls", (gateway) => {
  const vendor = withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const embed = async (key: string, more: object = {}) =>
    await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: fresh(), ...more } });
  const listed = async (query: Record<string, string>) =>
    (await call("GET", `/generations?${new URLSearchParams(query).toString()}`)).json;
  const idsOf = (answer: { data: { id: string }[] }) => answer.data.map(({ id }) => id);

  /** Calls of one workspace, each a second after the other, newest first. */
  async function someCalls(count: number, more: object = {}) {
    const { id: workspace } = await makeWorkspace(gateway());
    const { key, record } = await makeKey(gateway(), { workspace_id: workspace });
    const ids: string[] = [];
    for (let each = 0; each < count; each += 1) {
      gateway().clock.advance(1_000);
      const answer = await embed(key, more);
      expect(answer.status).toBe(200);
      ids.unshift(answer.headers.get("x-generation-id") ?? "");
    }
    return { workspace, key, record, ids };
  }

  describe("listGenerations", () => {
    it("200: the call of a request id, in its workspace alone", async () => {
      const { workspace, key, ids } = await someCalls(1);
      const answer = await embed(key);
      const request_id = answer.headers.get("x-request-id") ?? "";
      const found = await listed({ request_id });
      expect(idsOf(found)).toEqual([answer.headers.get("x-generation-id")]);
      expect(found.data[0]).toMatchObject({ request_id, workspace_id: workspace });
      expect(ids).not.toContain(idsOf(found)[0]);
      expect(idsOf(await listed({ request_id, workspace_id: (await makeWorkspace(gateway())).id }))).toEqual([]);
      expect(idsOf(await listed({ request_id: "req-unheard-of" }))).toEqual([]);
    });

    it("200: of a stretch of time and of all workspaces, page by page, newest first", async () => {
      const begun = gateway().clock.now().getTime();
      const at = (second: number) => new Date(begun + second * 1_000).toISOString();
      const { workspace, ids, record } = await someCalls(4);
      const other = await someCalls(2);
      const range = { since: at(2), until: at(6) };
      for (const filter of [{}, { model: "acme/embed" }, { status: "succeeded" }]) {
        const first = await listed({ ...range, ...filter, limit: "2" });
        expect(idsOf(first)).toEqual([...other.ids.slice(1), ...ids.slice(0, 1)]);
        const second = await listed({ ...range, ...filter, limit: "2", cursor: first.next_cursor });
        expect(idsOf(second)).toEqual(ids.slice(1, 3));
        expect(second).toMatchObject({ next_cursor: null, looked_back_to: null });
      }
      expect(idsOf(await listed({ ...range, until: at(3), model: "no/such" }))).toEqual([]);
      expect((await listed({ workspace_id: workspace, limit: "1" })).data[0]).toMatchObject({
        workspace_id: workspace,
        key_hash: record.hash,
        key_name: record.name,
        api_type: "embeddings",
        model: "acme/embed",
        provider: "acme",
        provider_name: "acme",
        status: 200,
        error_type: null,
        attempts: [{ provider: "acme", status: 200, error: null }],
        prompt_tokens: 2,
        cost: 0.000002,
        overrun: 0,
        inputs: 1,
      });
    });

    it("200: filtered by key, model, provider, status and session, alone and together", async () => {
      const { workspace, key, ids } = await someCalls(2, { session_id: "s-1" });
      const { key: other, record } = await makeKey(gateway(), { workspace_id: workspace });
      gateway().clock.advance(1_000);
      const lexical = (await embed(other, { model: "gatehouse/lexical" })).headers.get("x-generation-id");
      vendor().fail({ type: "status", status: 500 });
      gateway().clock.advance(1_000);
      expect((await embed(other)).status).toBe(502);
      const [failed] = (await listed({ workspace_id: workspace, limit: "1" })).data;
      expect(failed).toMatchObject({ status: 502, error_type: "provider_unavailable", cost: 0 });
      expect(failed.attempts).toMatchObject([{ provider: "acme", status: 500, error: expect.any(String) }]);

      for (const [query, expected] of [
        [{ model: "acme/embed" }, [failed.id, ...ids]],
        [{ model: "gatehouse/lexical" }, [lexical]],
        [{ provider: "acme", status: "succeeded" }, ids],
        [{ status: "failed" }, [failed.id]],
        [{ status: "502" }, [failed.id]],
        [{ status: "429" }, []],
        [{ session_id: "s-1" }, ids],
        [{ session_id: "s-2" }, []],
        [{ api_key_hash: record.hash }, [failed.id, lexical]],
        [{ api_key_hash: record.hash, status: "failed" }, [failed.id]],
        [{ model: "acme/never" }, []],
      ] as const) {
        expect(idsOf(await listed({ workspace_id: workspace, ...query })), JSON.stringify(query)).toEqual(expected);
      }
      vendor().fail(null);
      expect((await embed(key)).status).toBe(200);
    });

    it("200: one by its id; a deleted key keeps its calls, without its name", async () => {
      const { workspace, ids, record } = await someCalls(2);
      await call("DELETE", `/keys/${record.hash}`);
      const [, id = ""] = ids;
      expect((await listed({ id })).data).toMatchObject([{ id, key_hash: record.hash, key_name: null }]);
      expect(idsOf(await listed({ id, workspace_id: workspace }))).toEqual([id]);
      expect((await listed({ id: "gen-1" })).data).toEqual([]);
      const { id: elsewhere } = await makeWorkspace(gateway());
      expect((await listed({ id, workspace_id: elsewhere })).data).toEqual([]);
    });

    it("200: a filter looks through a bounded number of calls, says how far, and misses none", async () => {
      const { workspace, key, record } = await someCalls(1, { session_id: "rare" });
      const { pool } = gateway().deps.store;
      const at = gateway().clock.now();
      // twenty-five thousand calls after the one that is looked for
      await pool.query(
        `insert into ledger overriding user value
         select filler.* from ledger l, generate_series(1, 25000) as n, jsonb_populate_record(l, jsonb_build_object(
           'id', 'gen-filler-' || n, 'created_at', $1::timestamptz + n * interval '1 millisecond', 'session_id', null)) as filler
         where l.workspace_id = $2`,
        [at.toISOString(), workspace],
      );
      gateway().clock.advance(60_000);
      const query = { workspace_id: workspace, session_id: "rare" };
      const first = await listed(query);
      expect(first.data).toEqual([]);
      expect(Date.parse(first.looked_back_to)).toBeGreaterThan(at.getTime());
      const second = await listed({ ...query, cursor: first.next_cursor });
      expect(second.data).toMatchObject([{ session_id: "rare", key_hash: record.hash }]);
      expect(second.next_cursor).toBeNull();
      expect((await embed(key)).status).toBe(200);
    });
  });

  describe("listGenerationSessions", () => {
    it("200: the calls of a workspace by their session", async () => {
      const { workspace, key } = await someCalls(2, { session_id: "s-1" });
      expect((await embed(key)).status).toBe(200);
      const { status, json } = await call("GET", `/generations/sessions?workspace_id=${workspace}`);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        data: [{ session_id: "s-1", workspace_id: workspace, calls: 2, failed: 0, tokens: 4, model: "acme/embed" }],
        total: { sessions: 1, calls: 2, others: 1 },
        counted_since: null,
      });
    });
  });

  describe("countGenerations", () => {
    it("200: every call of the list, by outcome, whatever a page of the list holds", async () => {
      const { workspace, key, record } = await someCalls(3);
      expect((await embed(key, { input: "the same" })).status).toBe(200);
      expect((await embed(key, { input: "the same" })).status).toBe(200);
      vendor().fail({ type: "status", status: 400 });
      expect((await embed(key)).status).toBe(400);
      const query = new URLSearchParams({ workspace_id: workspace, api_key_hash: record.hash, buckets: "120" });
      const { status, json } = await call("GET", `/generations/count?${query.toString()}`);
      expect(status).toBe(200);
      const rows = (await listed({ workspace_id: workspace })).data as { status: number; cached_inputs: number }[];
      const cached = rows.filter((row) => row.cached_inputs > 0).length;
      const answered = rows.filter((row) => row.status < 400).length - cached;
      expect(json.total).toEqual({ answered, cached, failed: 1, provider_faults: 0, refused: 0 });
      expect([answered, cached]).toEqual([4, 1]);
      expect(json).toMatchObject({ source: "calls", counted_since: null, bucket_minutes: 1 });
    });
  });
});
