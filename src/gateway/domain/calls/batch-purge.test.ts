import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeGateway, engine } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { newBatchKey, sealResult } from "./batch-content.ts";
import { markForPurge, purgeBatches } from "./batch-purge.ts";
import { releaseRequests } from "./batch-queue.ts";
import { addRequests, beginBatch, type BatchKey, dropBatch, openBatch } from "./batches.ts";

const secret = {
  key: newBatchKey(),
  headers: {},
  attribution: { referer: null, title: null, categories: [] },
  apiUrl: "http://gateway.example/api/v1",
};

describeGateway("the space of batches", (gateway) => {
  withVendor(gateway);

  const begin = async () => {
    const { deps } = gateway();
    const workspace = await makeWorkspace(gateway());
    const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id });
    const credential = await deps.credentials.read(deps, record.hash);
    if (credential === null) throw new Error("the key is not known");
    const endpoint = "/v1/embeddings" as const;
    const batch = await beginBatch(deps, { form: "public", endpoint, model: "acme/embed", credential, secret });
    return { batch, key, credential };
  };
  const requests = (count: number, bytes: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({
      n: from + at,
      customId: `${from + at}`,
      body: Buffer.from(JSON.stringify({ model: "acme/embed", input: "x".repeat(bytes) })),
    }));
  const query = async <Row extends object>(text: string, ...values: unknown[]) =>
    (await gateway().deps.store.pool.query<Row>(text, values)).rows;
  /** What is counted for a workspace, its batch, and how many rows there are. */
  const counted = async ({ workspace_id: id }: BatchKey) => {
    const [row] = await query<{ space: bigint; batches: bigint; rows: number }>(
      `select coalesce((select bytes from batch_space where workspace_id = $1), 0)::bigint as space,
         coalesce((select sum(bytes) from batches where workspace_id = $1), 0)::bigint as batches,
         (select count(*)::integer from batch_requests where workspace_id = $1) as rows`,
      id,
    );
    if (row === undefined) throw new Error("no row");
    expect(row.space).toBe(row.batches);
    return { bytes: Number(row.space), rows: row.rows };
  };
  const gone = async (batch: BatchKey) =>
    await eventually(
      async () => await counted(batch),
      ({ bytes, rows }) => bytes === 0 && rows === 0,
    );
  const reach = async (id: string, key: string, status: string) =>
    await eventually(
      async () => (await gateway().call("GET", `/batches/${id}`, { key })).json.status,
      (is) => is === status,
    );

  it("is taken by requests as they come, and kept by what did not come whole until its rows are gone", async () => {
    const { deps } = gateway();
    const { batch } = await begin();
    await addRequests(deps, batch, secret, requests(2, 1_000));
    const two = await counted(batch);
    expect(two.bytes).toBeGreaterThan(2_000);
    for (let from = 2; from < 1_100; from += 100) await addRequests(deps, batch, secret, requests(100, 10, from));
    const long = { n: 1_102, customId: "long", body: Buffer.alloc(4_300_000, "x") };
    await addRequests(deps, batch, secret, [long, { ...long, n: 1_103 }]);
    const all = await counted(batch);
    expect(all).toMatchObject({ rows: 1_104 });
    expect(all.bytes).toBeGreaterThan(2 * 4_300_000 + 1_102 * 512);
    await dropBatch(deps, batch);
    expect(await counted(batch)).toEqual(all);
    // A step takes so many rows, or so many bytes.
    expect(await purgeBatches(deps)).toBe(true);
    expect((await counted(batch)).rows).toBe(104);
    expect(await purgeBatches(deps)).toBe(true);
    expect((await counted(batch)).rows).toBe(1);
    while (await purgeBatches(deps));
    expect(await counted(batch)).toEqual({ bytes: 0, rows: 0 });
  });

  it("is kept by a deleted batch until its rows are gone, which begins at once", async () => {
    const { batch, key } = await begin();
    await addRequests(gateway().deps, batch, secret, requests(20, 1_000));
    // Not due, or the gateway may begin to make them before they are cancelled.
    const later = "update batch_requests set due_at = due_at + interval '1 hour' where batch_id = $1";
    await query(later, batch.id);
    await openBatch(gateway().deps, batch, 20);
    await gateway().call("POST", `/batches/${batch.id}/cancel`, { key });
    await reach(batch.id, key, "cancelled");
    expect((await counted(batch)).bytes).toBeGreaterThan(20_000);
    expect((await gateway().call("DELETE", `/batches/${batch.id}`, { key })).json.deleted).toBe(true);
    await gone(batch);
  });

  it("is counted alike once requests have results", async () => {
    const { key, record } = await makeKey(gateway(), { workspace_id: (await makeWorkspace(gateway())).id });
    const body = { endpoint: "/v1/embeddings", model: "acme/embed" };
    const given = ["a", "b"].map((input) => ({ custom_id: input, body: { input } }));
    const { json } = await gateway().call("POST", "/batches", { key, body: { ...body, requests: given } });
    await reach(json.id, key, "completed");
    const [batch] = await query<BatchKey>("select * from batches where id = $1", json.id);
    if (batch === undefined) throw new Error("no batch");
    expect(record.workspace_id).toBe(batch.workspace_id);
    expect((await counted(batch)).rows).toBe(2);
    await gateway().call("DELETE", `/batches/${json.id}`, { key });
    await gone(batch);
  });

  it("takes no request once the batch took too long to come", async () => {
    const { deps, clock } = gateway();
    const { batch } = await begin();
    await addRequests(deps, batch, secret, requests(1, 10));
    clock.advance(11 * 60_000);
    await markForPurge(deps);
    while (await purgeBatches(deps));
    await expect(addRequests(deps, batch, secret, requests(1, 10, 1))).rejects.toThrow(/took too long/);
    await expect(openBatch(deps, batch, 1)).rejects.toThrow(/took too long/);
    expect(await counted(batch)).toEqual({ bytes: 0, rows: 0 });
  });

  it("is free of what a killed process took, where there is no other one", async () => {
    const { deps, clock } = gateway();
    const { batch } = await begin();
    await releaseRequests(deps, batch.created_at);
    const state = async () =>
      (await query<{ status: string }>("select status from batches where id = $1", batch.id))[0]?.status;
    expect(await state()).toBe("receiving");
    clock.advance(1);
    await releaseRequests(deps, clock.now());
    expect(await state()).toBe(engine === "embedded" ? "deleted" : "receiving");
  });

  it("cuts an answer off whose results go while it is read", async () => {
    const { deps, url } = gateway();
    const { batch, key } = await begin();
    const count = 16;
    await addRequests(deps, batch, secret, requests(count, 10));
    const text = JSON.stringify("x".repeat(1_000_000));
    for (let n = 0; n < count; n += 1) {
      const head = { customId: `${n}`, generationId: null, requestId: `req-${randomUUID()}`, status: 200 };
      const result = sealResult(secret.key, { batchId: batch.id, n }, { ...head, body: Buffer.from(text) });
      const answered = "update batch_requests set state = 'completed', result = $3 where batch_id = $1 and n = $2";
      await deps.store.pool.query(answered, [batch.id, n, result]);
    }
    const ended = "update batches set status = 'completed', total = $2, completed = $2, ended_at = now() where id = $1";
    await query(ended, batch.id, count);
    const answer = await fetch(`${url}/api/v1/batches/${batch.id}`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
    await reader.read();
    await gateway().call("DELETE", `/batches/${batch.id}`, { key });
    const left = async () => (await query("select 1 from batches where id = $1", batch.id)).length;
    await eventually(left, (rows) => rows === 0);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow("terminated");
    expect((await gateway().call("GET", `/batches/${batch.id}`, { key })).status).toBe(404);
  });
});
