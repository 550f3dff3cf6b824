import { beforeEach, describe, expect, it } from "vitest";
import { listMessageBatches } from "#contract/message-batches.ts";
import { cancelBatch, createBatch, deleteBatch, getBatch, listBatches } from "#contract/batches.ts";
import { markForPurge, purgeBatches } from "../domain/calls/batch-purge.ts";
import { claimInterrupted, claimRequests, endRequest } from "../domain/calls/batch-queue.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { submitBatch } from "../relay/batches/submit.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const ended = ["completed", "failed", "expired", "cancelled"];
const say = (content: string) => ({ messages: [{ role: "user", content }], max_tokens: 5 });
const chats = (...contents: string[]) => ({
  endpoint: "/v1/chat/completions",
  model: "acme/talk",
  requests: contents.map((content, index) => ({ custom_id: `c${index}`, body: say(content) })),
});
const minuteMs = 61_000;

describeGateway("batches", (gateway) => {
  const vendor = withVendor(gateway);
  let key = "";
  let hash = "";
  beforeEach(async () => {
    const made = await makeKey(gateway());
    [key, hash] = [made.key, made.record.hash];
  });
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const submit = async (body: unknown, by = key): Promise<Answer> =>
    await call(createBatch.method, createBatch.path, { key: by, body });
  const see = async (id: string, by = key): Promise<Answer> =>
    await call(getBatch.method, `/batches/${id}`, { key: by });
  const finished = async (id: string, by = key) =>
    (
      await eventually(
        () => see(id, by),
        ({ json }) => ended.includes(json.status),
      )
    ).json;
  const run = async (body: unknown, by = key) => await finished((await submit(body, by)).json.id, by);
  const cancel = async (id: string, by: string) => await call(cancelBatch.method, `/batches/${id}/cancel`, { key: by });
  const later = async (ms: number) => {
    gateway().clock.advance(ms);
    await gateway().batches.look();
  };
  /** A batch of a key whose rate lets one call of it be made, once that has been. */
  async function halted(contents: readonly string[], more: object = {}) {
    const slow = await makeKey(gateway(), { requests_per_minute: 1, ...more });
    const { id } = (await submit(chats(...contents), slow.key)).json;
    await eventually(
      () => see(id, slow.key),
      (seen) => seen.json.request_counts.completed === 1,
    );
    return { id: id as string, slow };
  }

  describe("that is made", () => {
    it("202: is made call by call, each on the ledger, and has its results in order", async () => {
      const headers = { "x-title": "Nightly", "x-openrouter-metadata": "enabled" };
      const answered = await call("POST", "/batches", { key, body: chats("a", "b", "c"), headers });
      expect(answered.status, answered.text).toBe(202);
      expect(answered.json).toMatchObject({
        object: "batch",
        endpoint: "/v1/chat/completions",
        model: "acme/talk",
        completion_window: "24h",
        status: "validating",
        request_counts: { total: 3, completed: 0, failed: 0 },
        finalized_at: null,
        usage: null,
        results: null,
        error: null,
      });
      const batch = await finished(answered.json.id);
      expect(batch).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 3, failed: 0 } });
      expect(batch.results.map((one: { custom_id: string }) => one.custom_id)).toEqual(["c0", "c1", "c2"]);
      let cost = 0n;
      let tokens = 0;
      for (const { id, response, error } of batch.results) {
        expect(error).toBeNull();
        expect(response).toMatchObject({ status_code: 200, body: { object: "chat.completion", model: "acme/talk" } });
        expect(response.body.openrouter_metadata).toMatchObject({ requested: "acme/talk", attempt: 1 });
        const { db } = gateway().deps.store;
        const row = await ledgerRows(db).selectAll().where("id", "=", id).executeTakeFirstOrThrow();
        const { request_id } = response;
        expect(row).toMatchObject({
          batch_id: batch.id,
          key_hash: hash,
          request_id,
          app_title: "Nightly",
          status: 200,
        });
        cost += row.cost;
        tokens += response.body.usage.total_tokens;
      }
      expect(cost).toBeGreaterThan(0n);
      expect(batch.usage.total_tokens).toBe(tokens);
      expect((await call("GET", `/keys/${hash}`)).json.data.usage).toBeCloseTo(Number(cost) / 1e9, 9);
    });

    it("takes the path of the public API's guides as well", async () => {
      const made = await call("POST", "/../beta/batches", { key, body: chats("a") });
      expect(made.status).toBe(202);
      expect((await call("GET", `/../beta/batches/${made.json.id}`, { key })).status).toBe(200);
      await finished(made.json.id);
    });

    it.each([
      ["/v1/responses", { input: "a" }, "response"],
      ["/v1/messages", say("a"), undefined],
    ])("takes requests to %s", async (endpoint, body, object) => {
      const batch = await run({ endpoint, model: "acme/talk", requests: [{ custom_id: "a", body }] });
      expect(batch.results[0].error).toBeNull();
      expect(batch.results[0].response.body.object).toBe(object);
      expect(batch.usage.prompt_tokens).toBeGreaterThan(0);
    });

    it("takes requests to embed, and asks for nothing twice", async () => {
      const requests = ["a", "b"].map((input) => ({ custom_id: input, body: { input, model: "acme/embed" } }));
      const { results } = await run({ endpoint: "/v1/embeddings", model: "acme/embed", requests });
      const vectors = ({ response }: { response: { body: { data: unknown[] } } }) => response.body.data.length;
      expect(results.map(vectors)).toEqual([1, 1]);
      expect(vendor().requests).toHaveLength(2);
    });

    it("keeps neither requests nor results readable in the store", async () => {
      const { id } = await run(chats("my secret question"));
      const { db } = gateway().deps.store;
      const rows = await db.selectFrom("batch_requests").selectAll().where("batch_id", "=", id).execute();
      expect(rows).toMatchObject([{ request: null }]);
      expect(rows[0]?.result?.toString("latin1")).not.toMatch(/secret|question|choices/);
      expect(gateway().log()).not.toContain("secret question");
    });
  });

  describe("whose requests are refused as their own calls would be", () => {
    it("a request that its endpoint does not take fails alone", async () => {
      const body = chats("a", "b");
      const content = [{ type: { toString: 1, valueOf: 1 } }];
      const wrong = [{ messages: [] }, { messages: [{ role: "user", content }] }];
      const requests = [...wrong.map((one, at) => ({ custom_id: `x${at}`, body: one })), ...body.requests];
      const batch = await run({ ...body, requests });
      expect(batch).toMatchObject({ status: "completed", request_counts: { total: 4, completed: 2, failed: 2 } });
      expect(batch.results[0]).toMatchObject({
        custom_id: "x0",
        response: null,
        error: { code: 400, type: "invalid_request", param: "messages" },
      });
      expect(batch.results[1].error).toMatchObject({ code: 400 });
    });

    it("402 for what its key has no money left for, and nothing of that is sent", async () => {
      const poor = await makeKey(gateway(), { limit: 0.000_1 });
      const contents = Array.from({ length: 30 }, (_, index) => `question ${index}`);
      const batch = await run(chats(...contents), poor.key);
      const { completed, failed } = batch.request_counts;
      expect(completed).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
      const codes = batch.results.flatMap(({ error }: { error: { code: number } | null }) => error?.code ?? []);
      expect(new Set(codes)).toEqual(new Set([402]));
      expect(vendor().requests).toHaveLength(completed);
      const { usage } = (await call("GET", `/keys/${poor.record.hash}`)).json.data;
      expect(usage).toBeLessThanOrEqual(0.000_1);
    });

    it("403 beyond its workspace's budget, and 404 where a guardrail forbids the model", async () => {
      const { id, default_guardrail_id: guardrail } = await makeWorkspace(gateway());
      const member = await makeKey(gateway(), { workspace_id: id });
      await call("PUT", `/workspaces/${id}/budgets/daily`, { body: { limit_usd: 0.000_000_1 } });
      expect((await run(chats("a"), member.key)).results[0].error.code).toBe(403);
      await call("PATCH", `/guardrails/${guardrail}`, { body: { allowed_models: ["acme/other"] } });
      expect((await run(chats("a"), member.key)).results[0].error.code).toBe(404);
      expect(vendor().requests).toHaveLength(0);
    });

    it("401 once its key is disabled, while its calls wait", async () => {
      const { id, slow } = await halted(["a", "b", "c"]);
      await call("PATCH", `/keys/${slow.record.hash}`, { body: { disabled: true } });
      await later(minuteMs);
      const batch = await finished(id, gateway().managementKey);
      expect(batch.request_counts).toEqual({ total: 3, completed: 1, failed: 2 });
      const refused = { code: 401, type: "authentication" };
      const errors = batch.results.flatMap(({ error }: { error: object | null }) => error ?? []);
      expect(errors).toMatchObject([refused, refused]);
    });

    it("waits for its key's rate instead of failing", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 4 });
      const { id } = (await submit(chats("a", "b", "c"), slow.key)).json;
      await eventually(
        () => see(id, slow.key),
        (seen) => seen.json.request_counts.completed === 2,
      );
      expect((await see(id, slow.key)).json.status).toBe("in_progress");
      const { db } = gateway().deps.store;
      const left = db.selectFrom("batch_requests").select("tries").where("batch_id", "=", id);
      // It was refused by the gateway itself, which is no try.
      const waiting = await eventually(
        () => left.where("state", "=", "queued").execute(),
        (rows) => rows.length === 1,
      );
      expect(waiting).toEqual([{ tries: 0 }]);
      await later(minuteMs);
      const batch = await finished(id, slow.key);
      expect(batch.request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
    });

    it("asks for no more of a key while that key's rate refuses it", async () => {
      const contents = Array.from({ length: 60 }, (_, at) => `${at}`);
      const { id, slow } = await halted(contents);
      const count = async (condition: string) => {
        const text = `select count(*)::integer as count from batch_requests where batch_id = $1 and ${condition}`;
        return (await gateway().deps.store.pool.query<{ count: number }>(text, [id])).rows[0]?.count ?? 0;
      };
      for (let look = 0; look < 5; look += 1) {
        await eventually(
          () => count("state = 'running'"),
          (running) => running === 0,
        );
        await gateway().batches.look();
      }
      expect(await count("request_id is null")).toBeGreaterThan(40);
      await cancel(id, slow.key);
      await finished(id, slow.key);
    });

    it("413 once its workspace's batches take 2 GB, and that is not sent", async () => {
      const workspace = await makeWorkspace(gateway());
      const { id, slow } = await halted(["a", "b"], { workspace_id: workspace.id });
      const full = "update batch_space set bytes = 2147483648 where workspace_id = $1";
      await gateway().deps.store.pool.query(full, [workspace.id]);
      await later(minuteMs);
      const batch = await finished(id, slow.key);
      const errors = batch.results.flatMap(({ error }: { error: object | null }) => error ?? []);
      expect(errors).toMatchObject([{ code: 413, message: expect.stringContaining("2 GB") }]);
      expect(vendor().requests).toHaveLength(1);
      expectError(await submit(chats("a"), slow.key), "payload_too_large", /2 GB/);
    });
  });

  describe("that is refused", () => {
    const good = chats("a");
    const one = (request: unknown) => ({ ...good, requests: [request] });
    const picture = { messages: [{ role: "user", content: [{ type: "image_url" }] }] };
    const text = JSON.stringify(good);
    const { endpoint, model, requests } = good;
    const cases: [string, unknown, RegExp][] = [
      ["no endpoint before requests", { model, requests, endpoint }, /after endpoint and model/],
      ["no model", { endpoint, requests }, /after endpoint and model/],
      ["an unknown endpoint", { ...good, endpoint: "/v1/images" }, /endpoint must be one of/],
      ["another window", { endpoint, model, completion_window: "1h", requests: [] }, /must be 24h/],
      ["a model that cannot be stored", { ...good, model: "a\0" }, /model must be well-formed/],
      ["no requests", { ...good, requests: [] }, /at least one request/],
      ["requests that are no list", { ...good, requests: {} }, /must be a list/],
      ["OpenAI's own form", { input_file_id: "file-1", endpoint }, /send the requests themselves/],
      ["a request that is no object", one(1), /requests\.0 must be an object/],
      ["a request with more", one({ custom_id: "a", body: {}, url: "/" }), /custom_id and body only/],
      ["no custom id", one({ body: {} }), /requests\.0\.custom_id must be/],
      ["a custom id twice", { ...good, requests: [requests[0], requests[0]] }, /requests\.1\.custom_id/],
      ["no body", one({ custom_id: "a" }), /requests\.0\.body must be an object/],
      ["another model", one({ custom_id: "a", body: { model: "x" } }), /must be the batch's model/],
      ["a stream", one({ custom_id: "a", body: { stream: true } }), /stream must not be true/],
      ["an image", one({ custom_id: "a", body: picture }), /text only/],
      ["requests twice", text.replace(/}$/, ',"requests":[{"custom_id":"z","body":{}}]}'), /has requests twice/],
      ["a member twice", text.replace(/^{/, '{"model":"acme/other",'), /model is there twice/],
      ["JSON that breaks off", text.slice(0, -1), /valid JSON/],
      ["a broken request", text.replace('"a"', "tru"), /valid JSON/],
      ["a list", "[]", /valid JSON/],
      ["text after its JSON", `${text} 1`, /valid JSON/],
    ];
    it.each(cases)("400: %s", async (_, body, message) => {
      const sent = typeof body === "string" ? { raw: body } : { body };
      expectError(await call("POST", "/batches", { key, ...sent }), "invalid_request", message);
      expect((await call("GET", "/batches", { key })).json.data).toEqual([]);
    });

    it("413 for a request of more than 4 MB", async () => {
      const long = one({ custom_id: "a", body: say("a".repeat(4_300_000)) });
      expectError(await submit(long), "payload_too_large", /requests\.0 has more than 4 MB/);
    });

    it("400 for more requests than there may be", async () => {
      const { deps } = gateway();
      const credential = await deps.credentials.read(deps, hash);
      if (credential === null) throw new Error("the key is not there");
      const upload = {
        form: "public" as const,
        credential,
        headers: {},
        attribution: { referer: null, title: null, categories: [] },
        apiUrl: "",
        stillAllowed: async () => {},
      };
      const send = async (count: number, most = 3) => {
        const content = Array.from({ length: count }, (_, at) => `${at}`);
        async function* pieces() {
          const whole = Buffer.from(JSON.stringify(chats(...content)));
          for (let at = 0; at < whole.length; at += 65_536) yield whole.subarray(at, at + 65_536);
        }
        return await submitBatch(deps, { ...upload, content: pieces() }, () => {}, most);
      };
      await expect(send(4)).rejects.toThrow(/requests must have at most 3 elements/);
      // They are counted as they come, which is faster than they are stored.
      const stored = async () => (await deps.store.pool.query("select count(*)::int n from batch_requests")).rows[0].n;
      const before = await stored();
      await expect(send(5_001, 5_000)).rejects.toThrow(/requests must have at most 5000 elements/);
      expect((await stored()) - before).toBeLessThan(2_500);
      expect((await call("GET", "/batches", { key })).json.data).toEqual([]);
      const { id } = await send(3);
      await gateway().batches.look();
      expect((await finished(id)).request_counts.total).toBe(3);
    });

    it("429 beyond twenty open ones, however many come at once", async () => {
      const { id, slow } = await halted(["a", "b"]);
      const copies = (count: number) => `
        insert into batches select (jsonb_populate_record(b, jsonb_build_object('id', b.id || n))).*
        from batches b, generate_series(1, ${count}) n where b.id = $1`;
      const { pool } = gateway().deps.store;
      await pool.query(copies(17), [id]);
      const once = await Promise.all(Array.from({ length: 5 }, () => submit(chats("a", "b"), slow.key)));
      expect(once.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429, 429]);
      expectError(await submit(good, slow.key), "rate_limit_exceeded", /20 batches/);
      await pool.query("delete from batches where spend_id = (select spend_id from api_keys where hash = $1)", [
        slow.record.hash,
      ]);
    });
  });

  describe("that is listed, cancelled and deleted", () => {
    it("is seen by its key and an admin, and by no other key", async () => {
      const { id } = await run(chats("a"));
      const other = await makeKey(gateway());
      for (const { method, path } of [getBatch, cancelBatch, deleteBatch]) {
        const refused = await call(method, path.replace("{id}", id), { key: other.key });
        expectError(refused, "not_found", /no batch/);
      }
      expect((await see(id, gateway().managementKey)).json.results).toHaveLength(1);
    });

    it("is on a page, the newest first, without results", async () => {
      const ids: string[] = [];
      for (const text of ["a", "b", "c"]) {
        gateway().clock.advance(10);
        ids.unshift((await submit(chats(text))).json.id);
      }
      for (const id of ids) await finished(id);
      const list = async (query: string) => await call(listBatches.method, `/batches${query}`, { key });
      const { json: first } = await list("?limit=2");
      expect(first).toMatchObject({ object: "list", first_id: ids[0], last_id: ids[1], has_more: true });
      expect(first.data.map((one: { results: unknown }) => one.results)).toEqual([null, null]);
      const { json: next } = await list(`?limit=2&after=${first.last_id}`);
      expect(next).toMatchObject({ first_id: ids[2], last_id: ids[2], has_more: false });
      expectError(await list("?after=nonsense"), "invalid_request", /after/);
    });

    it("is found by its status, says what its calls cost, and its calls are found by it", async () => {
      const admin = { key: gateway().managementKey };
      const list = async (query: string, by = admin) => await call(listBatches.method, `/batches?${query}`, by);
      await call("POST", "/chat/completions", { key, body: { model: "acme/talk", ...say("alone") } });
      const body = chats("a", "b");
      const refused = { custom_id: "x", body: { messages: [] } };
      const { id } = await run({ ...body, requests: [refused, ...body.requests] });
      const { id: open, slow } = await halted(["c", "d"]);
      const idsOf = async (query: string) =>
        (await list(query)).json.data.map((one: { id: string }) => one.id) as string[];
      expect(await idsOf("status=completed")).toContain(id);
      expect(await idsOf("status=completed")).not.toContain(open);
      expect(await idsOf("status=in_progress")).toContain(open);
      const { json: seen } = await see(`${id}?include_results=false`, admin.key);
      const other = await makeWorkspace(gateway());
      const theirs = await makeKey(gateway(), { workspace_id: other.id });
      const elsewhere = (await submit(chats("e"), theirs.key)).json.id;
      const everywhere = (await list("workspace_id=all")).json.data as { id: string; workspace_id: string }[];
      const shown = everywhere.map((one) => [one.id, one.workspace_id]);
      expect(shown).toEqual(
        expect.arrayContaining([
          [elsewhere, other.id],
          [open, seen.workspace_id],
        ]),
      );
      expect(await idsOf("limit=100")).not.toContain(elsewhere);
      expectError(await list("workspace_id=all", { key }), "permission_denied", /of its own workspace only/);
      expectError(await list("status=over"), "invalid_request", /status/);

      expect(seen).toMatchObject({ status: "completed", results: null, api_key_hash: hash, byok_cost: 0 });
      const { json: calls } = await call("GET", `/generations?batch_id=${id}&limit=1`);
      const rest = await call("GET", `/generations?batch_id=${id}&cursor=${calls.next_cursor}`);
      const found = [...calls.data, ...rest.json.data];
      expect(found.map((one) => one.batch_id)).toEqual([id, id]);
      expect(seen.cost).toBeGreaterThan(0);
      expect(seen.cost).toBeCloseTo(found[0].cost + found[1].cost, 9);
      const { json: counts } = await call("GET", `/generations/count?batch_id=${id}`);
      expect(counts.total).toMatchObject({ answered: 2, failed: 0, refused: null });
      expect((await list("", { key })).json.data[0].cost).toBeNull();
      await cancel(open, slow.key);
    });

    it("stops when it is cancelled: what was answered stays, the rest is not made", async () => {
      const { id, slow } = await halted(["a", "b", "c"]);
      const early = await call("DELETE", `/batches/${id}`, { key: slow.key });
      expectError(early, "conflict", /cancel it first/);
      const cancelled = await cancel(id, slow.key);
      expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelling"]);
      const { status, results } = await finished(id, slow.key);
      expect(status).toBe("cancelled");
      const isMade = ({ response }: { response: object | null }) => response !== null;
      const unmade = { response: null, error: { code: null, type: "cancelled" } };
      expect(results.filter(isMade)).toMatchObject([{ response: { status_code: 200 } }]);
      expect(results.filter((one: { response: null }) => !isMade(one))).toMatchObject([unmade, unmade]);
      expectError(await cancel(id, slow.key), "conflict", /ended/);
    });

    it("expires after 24 hours, as far as it was not begun", async () => {
      const { id, slow } = await halted(["a", "b"]);
      await later(24 * 3_600_000);
      const { status, results } = await finished(id, slow.key);
      const unmade = results.flatMap(({ error }: { error: { type: string } | null }) => error?.type ?? []);
      expect([status, unmade]).toEqual(["expired", ["expired"]]);
    });

    it("is gone once it is deleted, and 30 days after its end; its calls stay", async () => {
      const deleted = await run(chats("a"));
      const { json } = await call("DELETE", `/batches/${deleted.id}`, { key });
      expect(json).toEqual({ id: deleted.id, object: "batch", deleted: true });
      expect((await see(deleted.id)).status).toBe(404);
      const old = await run(chats("b"));
      gateway().clock.advance(31 * 24 * 3_600_000);
      const { deps } = gateway();
      await markForPurge(deps);
      expect((await see(old.id)).status).toBe(404);
      while (await purgeBatches(deps));
      const left = await deps.store.db.selectFrom("batch_requests").select("batch_id").execute();
      const ids = left.map((row) => row.batch_id);
      expect(ids).not.toContain(deleted.id);
      expect(ids).not.toContain(old.id);
      const calls = await ledgerRows(deps.store.db).select("id").where("id", "=", old.results[0].id).execute();
      expect(calls).toHaveLength(1);
    });

    it("is in the audit log where an admin deletes it", async () => {
      const { id } = await run(chats("a"));
      expect((await call("DELETE", `/batches/${id}`)).status).toBe(200);
      const { data } = (await call("GET", "/audit?limit=1")).json;
      expect(data[0]).toMatchObject({ action: deleteBatch.operationId, target_type: "batch", target_id: id });
    });

    it("goes with its workspace", async () => {
      const workspace = await makeWorkspace(gateway());
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      const { id } = await run(chats("a"), member.key);
      await call("DELETE", `/keys/${member.record.hash}`);
      expect((await call("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
      const { deps } = gateway();
      await markForPurge(deps);
      while (await purgeBatches(deps));
      expect(await deps.store.db.selectFrom("batches").select("id").where("id", "=", id).execute()).toEqual([]);
    });
  });

  describe("messages in Anthropic's dialect", () => {
    const params = { model: "acme/talk", ...say("a") };
    const submitMessages = async (requests: unknown, by = key) =>
      await call("POST", "/messages/batches", { key: by, body: { requests } });

    it("have no results where nothing of them can be read any more", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const { json } = await submitMessages(
        ["a", "b"].map((custom_id) => ({ custom_id, params })),
        slow.key,
      );
      const lost = "update batches set status = 'failed', error = 'The key is lost', ended_at = now() where id = $1";
      await gateway().deps.store.pool.query(lost, [json.id]);
      const refused = await call("GET", `/messages/batches/${json.id}/results`, { key: slow.key });
      expect(refused.json.error).toMatchObject({ message: "The key is lost" });
      expect(refused.status).toBeLessThan(500);
    });

    it.each([
      ["a custom id with a space", { custom_id: "a b", params }, /custom_id/],
      ["no model", { custom_id: "a", params: say("a") }, /names its model/],
      ["a member of the other dialect", { custom_id: "a", body: {} }, /custom_id and params only/],
    ])("400, in its own form: %s", async (_, request, message) => {
      const { json } = await submitMessages([request]);
      expect(json).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
      expect(json.error.message).toMatch(message);
    });

    it("400: a page after one and before another", async () => {
      const both = await call(listMessageBatches.method, "/messages/batches?after_id=a&before_id=b", { key });
      expect(both.status).toBe(400);
    });

    it("are shown to an admin among the others, with their results", async () => {
      const workspace = await makeWorkspace(gateway());
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      const requests = ["talk", "none"].map((name) => ({
        custom_id: name,
        params: { ...params, model: `acme/${name}` },
      }));
      const made = await submitMessages(requests, member.key);
      expect(made.status, made.text).toBe(200);
      const own = `workspace_id=${workspace.id}`;
      const batch = await eventually(
        async () => (await call("GET", `/batches/${made.json.id}?${own}`)).json,
        ({ status }) => status === "completed",
      );
      expect(batch).toMatchObject({ endpoint: "/v1/messages", model: null });
      expect(batch.results).toMatchObject([
        { custom_id: "talk", response: { status_code: 200, body: { type: "message" } }, error: null },
        { custom_id: "none", response: null, error: { code: 404, type: "not_found", param: null } },
      ]);
      expect((await call("GET", `/batches?${own}`)).json.data).toHaveLength(1);
      expect((await call("GET", "/batches", { key: member.key })).json.data).toEqual([]);
      expect((await call("GET", `/batches/${made.json.id}`, { key: member.key })).status).toBe(404);
      expect((await call("DELETE", `/batches/${made.json.id}?${own}`)).json.deleted).toBe(true);
    });
  });

  it("makes no request twice, and says of one whose process has gone that it may have been sent", async () => {
    const { deps } = gateway();
    const { id, slow } = await halted(["a", "b"]);
    // Another process, whose clock is ahead, would claim it like this, and be killed: for this one it is not due yet.
    const ahead = { ...deps, now: () => new Date(deps.now().getTime() + minuteMs) };
    const claimed = await eventually(
      () => claimRequests(ahead, { requestIds: ["req-other"], except: [] }),
      (found) => found !== null,
    );
    const request = claimed?.requests[0];
    if (request === undefined) throw new Error("nothing was claimed");
    expect(await claimInterrupted(deps, 4, [])).toEqual([]);
    await deps.store.pool.query(
      "update batch_requests set claimed_until = now() - interval '1 s' where batch_id = $1 and state = 'running'",
      [id],
    );
    await gateway().batches.look();
    const batch = await finished(id, slow.key);
    const message = expect.stringContaining("may have been sent") as string;
    expect(batch.results[request.n].error).toMatchObject({ code: 503, message });
    const late = { state: "completed", result: Buffer.from("late"), promptTokens: 0, completionTokens: 0 } as const;
    expect(await endRequest(deps, request, late)).toBe(false);
  });
});
