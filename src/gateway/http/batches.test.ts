import { beforeEach, describe, expect, it } from "vitest";
import { listMessageBatches } from "#contract/message-batches.ts";
import { cancelBatch, createBatch, deleteBatch, getBatch, listBatches, mostBatchRequests } from "#contract/batches.ts";
import { markForPurge, purgeBatches } from "../domain/calls/batch-purge.ts";
import { claimInterrupted, claimRequests, endRequest } from "../domain/calls/batch-queue.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
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

describeGateway("batches", (gateway) => {
  const vendor = withVendor(gateway);
  let key = "";
  let hash = "";
  beforeEach(async () => {
    const made = await makeKey(gateway());
    key = made.key;
    hash = made.record.hash;
  });
  const submit = async (body: unknown, options: object = {}): Promise<Answer> =>
    await gateway().call(createBatch.method, createBatch.path, { key, body, ...options });
  const see = async (id: string, options: object = {}): Promise<Answer> =>
    await gateway().call(getBatch.method, `/batches/${id}`, { key, ...options });
  const finished = async (id: string, options: object = {}) =>
    (
      await eventually(
        () => see(id, options),
        ({ json }) => ended.includes(json.status),
      )
    ).json;
  const run = async (body: unknown) => await finished((await submit(body)).json.id);

  describe("that is made", () => {
    it("202: is made call by call, each on the ledger, and has its results in order", async () => {
      const answered = await submit(chats("a", "b", "c"), { headers: { "x-title": "Nightly" } });
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
        const row = await ledgerRows(gateway().deps.store.db)
          .selectAll()
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        expect(row).toMatchObject({
          batch_id: batch.id,
          key_hash: hash,
          request_id: response.request_id,
          app_title: "Nightly",
          status: 200,
        });
        cost += row.cost;
        tokens += response.body.usage.total_tokens;
      }
      expect(cost).toBeGreaterThan(0n);
      expect(batch.usage.total_tokens).toBe(tokens);
      expect((await gateway().call("GET", `/keys/${hash}`)).json.data.usage).toBeCloseTo(Number(cost) / 1e9, 9);
    });

    it("says how its calls were routed, if its header asks for it", async () => {
      const { json } = await submit(chats("a"), { headers: { "x-openrouter-metadata": "enabled" } });
      const [{ response }] = (await finished(json.id)).results;
      expect(response.body.openrouter_metadata).toMatchObject({ requested: "acme/talk", attempt: 1 });
    });

    it("takes the path of the public API's guides as well", async () => {
      const url = gateway().url;
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const made = await fetch(`${url}/api/beta/batches`, {
        method: "POST",
        headers,
        body: JSON.stringify(chats("a")),
      });
      expect(made.status).toBe(202);
      const { id } = (await made.json()) as { id: string };
      expect((await fetch(`${url}/api/beta/batches/${id}`, { headers })).status).toBe(200);
      await finished(id);
    });

    it.each([
      ["/v1/responses", { input: "a" }, "response"],
      ["/v1/messages", { ...say("a") }, undefined],
    ])("takes requests to %s", async (endpoint, body, object) => {
      const batch = await run({ endpoint, model: "acme/talk", requests: [{ custom_id: "a", body }] });
      expect(batch.results[0].error).toBeNull();
      expect(batch.results[0].response.body.object).toBe(object);
      expect(batch.usage.prompt_tokens).toBeGreaterThan(0);
    });

    it("takes requests to embed, and asks for nothing twice", async () => {
      const requests = ["a", "b"].map((input) => ({ custom_id: input, body: { input, model: "acme/embed" } }));
      const batch = await run({ endpoint: "/v1/embeddings", model: "acme/embed", requests });
      expect(
        batch.results.map(({ response }: { response: { body: { data: unknown[] } } }) => response.body.data.length),
      ).toEqual([1, 1]);
      expect(vendor().requests).toHaveLength(2);
    });

    it("keeps neither requests nor results readable in the store", async () => {
      const { id } = await run(chats("my secret question"));
      const rows = await gateway()
        .deps.store.db.selectFrom("batch_requests")
        .selectAll()
        .where("batch_id", "=", id)
        .execute();
      expect(rows).toHaveLength(1);
      expect(rows[0]?.request).toBeNull();
      expect(rows[0]?.result?.toString("latin1")).not.toMatch(/secret|question|c0|choices/);
      expect(gateway().log()).not.toContain("secret question");
    });
  });

  describe("whose requests are refused as their own calls would be", () => {
    it("a request that its endpoint does not take fails alone", async () => {
      const body = chats("a", "b");
      const wrong = { ...body, requests: [{ custom_id: "x", body: { messages: [] } }, ...body.requests] };
      const batch = await run(wrong);
      expect(batch).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 2, failed: 1 } });
      expect(batch.results[0]).toMatchObject({
        custom_id: "x",
        response: null,
        error: { code: 400, type: "invalid_request", param: "messages" },
      });
    });

    it("402 for what its key has no money left for, and nothing of that is sent", async () => {
      const poor = await makeKey(gateway(), { limit: 0.000_2 });
      const contents = Array.from({ length: 100 }, (_, index) => `question ${index}`);
      const { json } = await submit(chats(...contents), { key: poor.key });
      const batch = await finished(json.id, { key: poor.key });
      const { completed, failed } = batch.request_counts;
      expect(completed).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
      const codes = batch.results.flatMap(({ error }: { error: { code: number } | null }) =>
        error ? [error.code] : [],
      );
      expect(new Set(codes)).toEqual(new Set([402]));
      expect(vendor().requests).toHaveLength(completed);
      const { usage } = (await gateway().call("GET", `/keys/${poor.record.hash}`)).json.data;
      expect(usage).toBeLessThanOrEqual(0.000_2);
    });

    it("403 beyond its workspace's budget", async () => {
      const workspace = await makeWorkspace(gateway());
      await gateway().call("PUT", `/workspaces/${workspace.id}/budgets/daily`, { body: { limit_usd: 0.000_000_1 } });
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      const { json } = await submit(chats("a"), { key: member.key });
      const batch = await finished(json.id, { key: member.key });
      expect(batch.results[0].error.code).toBe(403);
      expect(vendor().requests).toHaveLength(0);
    });

    it("401 once its key is disabled, while its calls wait", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const { json } = await submit(chats("a", "b", "c"), { key: slow.key });
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 1,
      );
      await gateway().call("PATCH", `/keys/${slow.record.hash}`, { body: { disabled: true } });
      gateway().clock.advance(61_000);
      const batch = await finished(json.id, { key: gateway().managementKey });
      expect(batch.request_counts).toEqual({ total: 3, completed: 1, failed: 2 });
      const refused = { code: 401, type: "authentication" };
      expect(batch.results.flatMap(({ error }: { error: object | null }) => error ?? [])).toMatchObject([
        refused,
        refused,
      ]);
    });

    it("a part whose type is no text fails alone", async () => {
      const wrong = { messages: [{ role: "user", content: [{ type: { toString: 1, valueOf: 1 } }] }] };
      const batch = await run({ ...chats(), requests: [{ custom_id: "a", body: wrong }] });
      expect(batch.results[0].error).toMatchObject({ code: 400 });
    });

    it("404 where a guardrail forbids the model", async () => {
      const workspace = await makeWorkspace(gateway());
      await gateway().call("PATCH", `/guardrails/${workspace.default_guardrail_id}`, {
        body: { allowed_models: ["acme/other"] },
      });
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      const { json } = await submit(chats("a"), { key: member.key });
      expect((await finished(json.id, { key: member.key })).results[0].error).toMatchObject({ code: 404 });
      expect(vendor().requests).toHaveLength(0);
    });

    it("waits for its key's rate instead of failing", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 4 });
      const { json } = await submit(chats("a", "b", "c"), { key: slow.key });
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 2,
      );
      expect((await see(json.id, { key: slow.key })).json.status).toBe("in_progress");
      const left = gateway()
        .deps.store.db.selectFrom("batch_requests")
        .select("tries")
        .where("batch_id", "=", json.id)
        .where("state", "=", "queued");
      // It was refused by the gateway itself, which is no try.
      const waiting = await eventually(
        () => left.execute(),
        (rows) => rows.length === 1,
      );
      expect(waiting).toEqual([{ tries: 0 }]);
      gateway().clock.advance(61_000);
      const batch = await finished(json.id, { key: slow.key });
      expect(batch.request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
    });

    it("asks for no more of a key while that key's rate refuses it", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const { json } = await submit(chats(...Array.from({ length: 60 }, (_, at) => `${at}`)), { key: slow.key });
      const untouched = async () => {
        const { rows } = await gateway().deps.store.pool.query<{ count: number }>(
          "select count(*)::integer as count from batch_requests where batch_id = $1 and request_id is null",
          [json.id],
        );
        return rows[0]?.count ?? 0;
      };
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 1,
      );
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(await untouched()).toBeGreaterThan(40);
      await gateway().call("POST", `/batches/${json.id}/cancel`, { key: slow.key });
      await finished(json.id, { key: slow.key });
    });

    it("413 once its workspace's batches take 2 GB, and that is not sent", async () => {
      const workspace = await makeWorkspace(gateway());
      const slow = await makeKey(gateway(), { workspace_id: workspace.id, requests_per_minute: 1 });
      const { json } = await submit(chats("a", "b"), { key: slow.key });
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 1,
      );
      await gateway().deps.store.pool.query("update batch_space set bytes = 2147483648 where workspace_id = $1", [
        workspace.id,
      ]);
      gateway().clock.advance(61_000);
      const batch = await finished(json.id, { key: slow.key });
      expect(batch.results.flatMap(({ error }: { error: object | null }) => error ?? [])).toMatchObject([
        { code: 413, message: expect.stringContaining("2 GB") },
      ]);
      expect(vendor().requests).toHaveLength(1);
      expectError(await submit(chats("a"), { key: slow.key }), "payload_too_large", /2 GB/);
    });
  });

  describe("that is refused", () => {
    const good = chats("a");
    const cases: [string, unknown, RegExp][] = [
      [
        "no endpoint before requests",
        { model: "acme/talk", requests: good.requests, endpoint: good.endpoint },
        /after endpoint and model/,
      ],
      ["no model", { endpoint: good.endpoint, requests: good.requests }, /after endpoint and model/],
      ["an unknown endpoint", { ...good, endpoint: "/v1/images" }, /endpoint must be one of/],
      ["another window", { endpoint: good.endpoint, model: "m", completion_window: "1h", requests: [] }, /must be 24h/],
      ["a model that cannot be stored", { ...good, model: "a\0" }, /model must be well-formed/],
      ["no requests", { ...good, requests: [] }, /at least one request/],
      ["requests that are no list", { ...good, requests: {} }, /must be a list/],
      ["OpenAI's own form", { input_file_id: "file-1", endpoint: good.endpoint }, /send the requests themselves/],
      ["an unknown member", { color: 1, ...good }, /color is no member/],
      ["a request that is no object", { ...good, requests: [1] }, /requests\.0 must be an object/],
      [
        "a request with more",
        { ...good, requests: [{ custom_id: "a", body: {}, url: "/" }] },
        /custom_id and body only/,
      ],
      ["no custom id", { ...good, requests: [{ body: {} }] }, /requests\.0\.custom_id must be/],
      ["a custom id twice", { ...good, requests: [good.requests[0], good.requests[0]] }, /requests\.1\.custom_id/],
      ["no body", { ...good, requests: [{ custom_id: "a" }] }, /requests\.0\.body must be an object/],
      ["another model", { ...good, requests: [{ custom_id: "a", body: { model: "x" } }] }, /must be the batch's model/],
      ["a stream", { ...good, requests: [{ custom_id: "a", body: { stream: true } }] }, /stream must not be true/],
      [
        "an image",
        {
          ...good,
          requests: [{ custom_id: "a", body: { messages: [{ role: "user", content: [{ type: "image_url" }] }] } }],
        },
        /text only/,
      ],
      [
        "requests twice",
        Buffer.from(JSON.stringify(good).replace(/}$/, ',"requests":[{"custom_id":"z","body":{}}]}')),
        /has requests twice/,
      ],
      [
        "a member twice",
        Buffer.from(JSON.stringify(good).replace(/^{/, '{"model":"acme/other",')),
        /model is there twice/,
      ],
    ];
    it.each(cases)("400: %s", async (_, body, message) => {
      const refused = await submit(body, body instanceof Buffer ? { raw: body, body: undefined } : {});
      expectError(refused, "invalid_request", message);
      expect((await gateway().call("GET", "/batches", { key })).json.data).toEqual([]);
    });

    it.each([
      ["that breaks off", '{"endpoint":"/v1/chat/completions","model":"m","requests":[{"custom_id":"a","body":{}}'],
      [
        "with a broken request",
        '{"endpoint":"/v1/chat/completions","model":"m","requests":[{"custom_id":"a","body":{"a":tru}}]}',
      ],
      ["that is a list", "[]"],
      ["with text after it", `${JSON.stringify(good)} 1`],
    ])("400: JSON %s", async (_, raw) => {
      expectError(await submit(null, { raw, body: undefined }), "invalid_request", /valid JSON/);
    });

    it("400 without a body, 413 for a request of more than 4 MB, and for more requests than there may be", async () => {
      expectError(await submit(undefined), "invalid_request", /body is missing/);
      const long = { ...good, requests: [{ custom_id: "a", body: say("a".repeat(4_300_000)) }] };
      expectError(await submit(long), "payload_too_large", /requests\.0 has more than 4 MB/);
      const head = '{"endpoint":"/v1/chat/completions","model":"m","requests":[';
      const many = Array.from({ length: mostBatchRequests + 1 }, (_, index) => `{"custom_id":"${index}","body":{}}`);
      expectError(
        await submit(null, { raw: `${head}${many.join(",")}]}`, body: undefined }),
        "invalid_request",
        /at most 50000/,
      );
    }, 120_000);

    it("401 without a key, 403 with a management key, 429 beyond twenty open ones", async () => {
      expect((await submit(good, { key: null })).status).toBe(401);
      expect((await submit(good, { key: gateway().managementKey })).status).toBe(403);
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const ids = [];
      for (let count = 0; count < 20; count += 1) ids.push((await submit(chats("a", "b"), { key: slow.key })).json.id);
      expectError(await submit(good, { key: slow.key }), "rate_limit_exceeded", /20 batches/);
      const other = await makeKey(gateway(), { requests_per_minute: 1 });
      for (let count = 0; count < 18; count += 1) await submit(chats("a", "b"), { key: other.key });
      const once = await Promise.all(Array.from({ length: 5 }, () => submit(chats("a", "b"), { key: other.key })));
      expect(once.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([202, 202, 429, 429, 429]);
      for (const id of ids) await gateway().call("POST", `/batches/${id}/cancel`, { key: slow.key });
      for (const id of ids) await finished(id, { key: slow.key });
    });
  });

  describe("that is listed, cancelled and deleted", () => {
    it("is seen by its key and an admin, and by no other key", async () => {
      const { id } = await run(chats("a"));
      const other = await makeKey(gateway());
      for (const [method, path] of [
        [getBatch.method, `/batches/${id}`],
        [cancelBatch.method, `/batches/${id}/cancel`],
        [deleteBatch.method, `/batches/${id}`],
      ] as const) {
        expectError(await gateway().call(method, path, { key: other.key }), "not_found", /no batch/);
      }
      expect((await see(id, { key: gateway().managementKey })).json.results).toHaveLength(1);
      expectError(await see("batch-nonsense"), "not_found", /no batch/);
    });

    it("is on a page, the newest first, without results", async () => {
      const ids: string[] = [];
      for (const text of ["a", "b", "c"]) {
        gateway().clock.advance(10);
        ids.unshift((await run(chats(text))).id);
      }
      const list = async (query: string) =>
        (await gateway().call(listBatches.method, `/batches${query}`, { key })).json;
      const first = await list("?limit=2");
      expect(first).toMatchObject({ object: "list", first_id: ids[0], last_id: ids[1], has_more: true });
      expect(first.data.map((one: { results: unknown }) => one.results)).toEqual([null, null]);
      const next = await list(`?limit=2&after=${first.last_id}`);
      expect(next).toMatchObject({ first_id: ids[2], last_id: ids[2], has_more: false });
      expectError(await gateway().call("GET", "/batches?after=nonsense", { key }), "invalid_request", /after/);
    });

    it("is found by its status, says what its calls cost, and its calls are found by it", async () => {
      const admin = { key: gateway().managementKey };
      await gateway().call("POST", "/chat/completions", { key, body: { model: "acme/talk", ...say("alone") } });
      const body = chats("a", "b");
      const refused = { custom_id: "x", body: { messages: [] } };
      const { id } = await run({ ...body, requests: [refused, ...body.requests] });
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const open = (await submit(chats("c", "d"), { key: slow.key })).json.id;
      const idsOf = async (status: string) => {
        const { json } = await gateway().call(listBatches.method, `/batches?status=${status}`, admin);
        return json.data.map((one: { id: string }) => one.id);
      };
      expect(await idsOf("completed")).toContain(id);
      expect(await idsOf("completed")).not.toContain(open);
      await eventually(
        () => idsOf("in_progress"),
        (ids) => ids.includes(open),
      );
      const { json: seen } = await see(`${id}?include_results=false`, admin);
      const other = await makeWorkspace(gateway());
      const theirs = await makeKey(gateway(), { workspace_id: other.id });
      const elsewhere = (await submit(chats("e"), { key: theirs.key })).json.id;
      const everywhere = (await gateway().call(listBatches.method, "/batches?workspace_id=all", admin)).json;
      const shown = everywhere.data.map((one: { id: string; workspace_id: string }) => [one.id, one.workspace_id]);
      expect(shown).toContainEqual([elsewhere, other.id]);
      expect(shown).toContainEqual([open, seen.workspace_id]);
      const own = (await gateway().call(listBatches.method, "/batches?limit=100", admin)).json;
      expect(own.data.map((one: { id: string }) => one.id)).not.toContain(elsewhere);
      const beyond = await gateway().call(listBatches.method, "/batches?workspace_id=all", { key });
      expectError(beyond, "permission_denied", /of its own workspace only/);
      const unknown = await gateway().call(listBatches.method, "/batches?status=over", admin);
      expectError(unknown, "invalid_request", /status/);

      expect(seen).toMatchObject({ status: "completed", results: null, api_key_hash: hash, byok_cost: 0 });
      const { json: calls } = await gateway().call("GET", `/generations?batch_id=${id}&limit=1`, admin);
      const rest = await gateway().call("GET", `/generations?batch_id=${id}&cursor=${calls.next_cursor}`, admin);
      const found = [...calls.data, ...rest.json.data];
      expect(found.map((call) => call.batch_id)).toEqual([id, id]);
      expect(seen.cost).toBeGreaterThan(0);
      expect(seen.cost).toBeCloseTo(found[0].cost + found[1].cost, 9);
      const { json: counts } = await gateway().call("GET", `/generations/count?batch_id=${id}`, admin);
      expect(counts.total).toMatchObject({ answered: 2, failed: 0, refused: null });
      expect((await gateway().call(listBatches.method, "/batches", { key })).json.data[0].cost).toBeNull();
      await gateway().call("POST", `/batches/${open}/cancel`, { key: slow.key });
    });

    it("stops when it is cancelled: what was answered stays, the rest is not made", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const { json } = await submit(chats("a", "b", "c"), { key: slow.key });
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 1,
      );
      expectError(
        await gateway().call("DELETE", `/batches/${json.id}`, { key: slow.key }),
        "conflict",
        /cancel it first/,
      );
      const cancelled = await gateway().call("POST", `/batches/${json.id}/cancel`, { key: slow.key });
      expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelling"]);
      const batch = await finished(json.id, { key: slow.key });
      expect(batch.status).toBe("cancelled");
      const unmade = { response: null, error: { code: null, type: "cancelled" } };
      const isMade = ({ response }: { response: object | null }) => response !== null;
      expect(batch.results.filter(isMade)).toMatchObject([{ response: { status_code: 200 } }]);
      expect(batch.results.filter((one: { response: object | null }) => !isMade(one))).toMatchObject([unmade, unmade]);
      expectError(await gateway().call("POST", `/batches/${json.id}/cancel`, { key: slow.key }), "conflict", /ended/);
    });

    it("expires after 24 hours, as far as it was not begun", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const { json } = await submit(chats("a", "b"), { key: slow.key });
      await eventually(
        () => see(json.id, { key: slow.key }),
        (seen) => seen.json.request_counts.completed === 1,
      );
      gateway().clock.advance(24 * 3_600_000);
      const batch = await finished(json.id, { key: slow.key });
      const unmade = batch.results.flatMap(({ error }: { error: { type: string } | null }) => error?.type ?? []);
      expect([batch.status, unmade]).toEqual(["expired", ["expired"]]);
    });

    it("is gone once it is deleted, and 30 days after its end; its calls stay", async () => {
      const deleted = await run(chats("a"));
      expect((await gateway().call("DELETE", `/batches/${deleted.id}`, { key })).json).toEqual({
        id: deleted.id,
        object: "batch",
        deleted: true,
      });
      expect((await see(deleted.id)).status).toBe(404);
      const old = await run(chats("b"));
      gateway().clock.advance(31 * 24 * 3_600_000);
      await markForPurge(gateway().deps);
      expect((await see(old.id)).status).toBe(404);
      while (await purgeBatches(gateway().deps));
      const left = await gateway().deps.store.db.selectFrom("batch_requests").select("batch_id").execute();
      const ids = left.map((row) => row.batch_id);
      expect(ids).not.toContain(deleted.id);
      expect(ids).not.toContain(old.id);
      const call = await ledgerRows(gateway().deps.store.db).select("id").where("id", "=", old.results[0].id).execute();
      expect(call).toHaveLength(1);
    });

    it("is in the audit log where an admin deletes it", async () => {
      const { id } = await run(chats("a"));
      expect((await gateway().call("DELETE", `/batches/${id}`)).status).toBe(200);
      const { data } = (await gateway().call("GET", "/audit?limit=1")).json;
      expect(data[0]).toMatchObject({ action: deleteBatch.operationId, target_type: "batch", target_id: id });
    });

    it("goes with its workspace", async () => {
      const workspace = await makeWorkspace(gateway());
      const member = await makeKey(gateway(), { workspace_id: workspace.id });
      const { json } = await submit(chats("a"), { key: member.key });
      await finished(json.id, { key: member.key });
      await gateway().call("DELETE", `/keys/${member.record.hash}`);
      expect((await gateway().call("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
      await markForPurge(gateway().deps);
      while (await purgeBatches(gateway().deps));
      const rows = await gateway().deps.store.db.selectFrom("batches").select("id").where("id", "=", json.id).execute();
      expect(rows).toEqual([]);
    });
  });

  describe("messages in Anthropic's dialect", () => {
    it("have no results where nothing of them can be read any more", async () => {
      const slow = await makeKey(gateway(), { requests_per_minute: 1 });
      const requests = ["a", "b"].map((name) => ({ custom_id: name, params: { model: "acme/talk", ...say(name) } }));
      const { json } = await gateway().call("POST", "/messages/batches", { key: slow.key, body: { requests } });
      await gateway().deps.store.pool.query(
        "update batches set status = 'failed', error = 'The key is lost', ended_at = now() where id = $1",
        [json.id],
      );
      const refused = await gateway().call("GET", `/messages/batches/${json.id}/results`, { key: slow.key });
      expect(refused.json.error).toMatchObject({ message: "The key is lost" });
      expect(refused.status).toBeLessThan(500);
    });

    it("400 and 404 in its own form", async () => {
      const call = async (requests: unknown) =>
        await gateway().call("POST", "/messages/batches", { key, body: { requests } });
      const params = { model: "acme/talk", ...say("a") };
      for (const [request, message] of [
        [{ custom_id: "a b", params }, /custom_id/],
        [{ custom_id: "a", params: say("a") }, /names its model/],
        [{ custom_id: "a", body: {} }, /custom_id and params only/],
      ] as const) {
        const refused = await call([request]);
        expect(refused.json).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
        expect(refused.json.error.message).toMatch(message);
      }
      const missing = await gateway().call("GET", "/messages/batches/msgbatch_1", { key });
      expect([missing.status, missing.json.error.type]).toEqual([404, "not_found_error"]);
      const both = await gateway().call(listMessageBatches.method, "/messages/batches?after_id=a&before_id=b", { key });
      expect(both.status).toBe(400);
    });
  });

  it("shows an admin batches of either dialect, with their results", async () => {
    const workspace = await makeWorkspace(gateway());
    const member = await makeKey(gateway(), { workspace_id: workspace.id });
    const requests = ["acme/talk", "acme/none"].map((model) => ({
      custom_id: model.slice(5),
      params: { model, ...say("a") },
    }));
    const made = await gateway().call("POST", "/messages/batches", { key: member.key, body: { requests } });
    expect(made.status, made.text).toBe(200);
    const own = `workspace_id=${workspace.id}`;
    const batch = await eventually(
      async () => (await gateway().call("GET", `/batches/${made.json.id}?${own}`)).json,
      ({ status }) => status === "completed",
    );
    expect(batch).toMatchObject({ endpoint: "/v1/messages", model: null });
    expect(batch.results).toMatchObject([
      { custom_id: "talk", response: { status_code: 200, body: { type: "message" } }, error: null },
      { custom_id: "none", response: null, error: { code: 404, type: "not_found", param: null } },
    ]);
    expect((await gateway().call("GET", `/batches?${own}`)).json.data).toHaveLength(1);
    expect((await gateway().call("GET", "/batches", { key: member.key })).json.data).toEqual([]);
    expect((await gateway().call("GET", `/batches/${made.json.id}`, { key: member.key })).status).toBe(404);
    expect((await gateway().call("DELETE", `/batches/${made.json.id}?${own}`)).json.deleted).toBe(true);
  });

  it("makes no request twice, and says of one whose process has gone that it may have been sent", async () => {
    const { deps } = gateway();
    const slow = await makeKey(gateway(), { requests_per_minute: 1 });
    const { json } = await submit(chats("a", "b"), { key: slow.key });
    await eventually(
      () => see(json.id, { key: slow.key }),
      (seen) => seen.json.request_counts.completed === 1,
    );
    // Another process, whose clock is ahead, would claim it like this, and be killed: for this one it is not due yet.
    const ahead = { ...deps, now: () => new Date(deps.now().getTime() + 61_000) };
    const claimed = await eventually(
      () => claimRequests(ahead, { requestIds: ["req-other"], except: [] }),
      (found) => found !== null,
    );
    const request = claimed?.requests[0];
    if (request === undefined) throw new Error("nothing was claimed");
    expect(await claimInterrupted(deps, 4, [])).toEqual([]);
    await deps.store.pool.query(
      "update batch_requests set claimed_until = now() - interval '1 s' where batch_id = $1 and state = 'running'",
      [json.id],
    );
    const batch = await finished(json.id, { key: slow.key });
    expect(batch.results[request.n].error).toMatchObject({
      code: 503,
      message: expect.stringContaining("may have been sent"),
    });
    const late = { state: "completed", result: Buffer.from("late"), promptTokens: 0, completionTokens: 0 } as const;
    expect(await endRequest(deps, request, late)).toBe(false);
  });
});
