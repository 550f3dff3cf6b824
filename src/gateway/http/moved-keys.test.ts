import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { beginBatch } from "../domain/calls/batches.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

describeGateway("keys that move to another workspace", (gateway) => {
  const vendor = withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;
  const move = (hash: string, workspace_id: string, headers: Record<string, string> = {}) =>
    call("PATCH", `/keys/${hash}`, { body: { workspace_id }, headers });
  const speak = (key: string) =>
    call("POST", "/chat/completions", {
      key,
      body: { model: "acme/talk", messages: [{ role: "user", content: "a" }] },
    });
  const spent = async (id: string) => (await read(`/workspaces/${id}/budgets`))[0].spent_usd as number;
  const query = (text: string, ...values: unknown[]) => gateway().deps.store.pool.query(text, values);

  /** A key, in one of two workspaces that each have a budget. */
  async function start(body: object = {}) {
    const [from, to] = [await makeWorkspace(gateway()), await makeWorkspace(gateway())];
    for (const { id } of [from, to])
      await call("PUT", `/workspaces/${id}/budgets/monthly`, { body: { limit_usd: 50 } });
    return { from: from.id, to: to.id, ...(await makeKey(gateway(), { workspace_id: from.id, limit: 5, ...body })) };
  }

  it("200: its next call counts there; what it spent, and its calls so far, stay", async () => {
    const { from, to, key, record } = await start();
    await speak(key);
    const before = await spent(from);
    expect(before).toBeGreaterThan(0);
    const { status, json } = await move(record.hash, to);
    expect([status, json.data.workspace_id, json.data.usage]).toEqual([200, to, before]);
    expect((await read(`/keys?workspace_id=${to}`)).map(({ hash }: { hash: string }) => hash)).toEqual([record.hash]);
    expect(await read(`/keys?workspace_id=${from}`)).toEqual([]);
    expect((await call("GET", "/key", { key })).json.data.workspace_id).toBe(to);
    await speak(key);
    expect([await spent(from), await spent(to)]).toEqual([before, before]);
    expect((await read(`/keys/${record.hash}`)).usage).toBe(2 * before);
    const calls = await Promise.all([from, to].map((id) => read(`/generations?workspace_id=${id}`)));
    expect(calls.map((list) => list.length)).toEqual([1, 1]);
  });

  it("200: a call in flight is settled where it was made", async () => {
    const { from, to, key, record } = await start();
    const release = vendor().hold();
    const body = { model: "acme/talk", messages: [{ role: "user", content: "a" }], stream: true };
    const speaking = call("POST", "/chat/completions", { key, body });
    await expect.poll(() => vendor().requests.length).toBe(1);
    await move(record.hash, to);
    release();
    expect((await speaking).status).toBe(200);
    expect([await spent(from), await spent(to)]).toEqual([expect.any(Number), 0]);
    expect(await spent(from)).toBeGreaterThan(0);
  });

  it("200: again changes nothing, is on the audit log with both workspaces, and can be taken back", async () => {
    const { from, to, record } = await start();
    const changed = (await move(record.hash, to)).json.data;
    gateway().clock.advance(1_000);
    expect((await move(record.hash, to)).json.data).toEqual(changed);
    const logged = async () =>
      (await read(`/audit?target_id=${record.hash}`)).filter(
        ({ action }: { action: string }) => action === "updateKeys",
      );
    expect(await logged()).toMatchObject([{ before: { workspace_id: from }, after: { workspace_id: to } }]);
    expect((await move(record.hash, from)).json.data).toMatchObject({ workspace_id: from });
    expect(await logged()).toHaveLength(2);
  });

  it("200: the keys that it had made go with it, and all leave the guardrails of the old workspace", async () => {
    const { from, to, key, record } = await start({ limit: null });
    const code = await call("POST", "/auth/keys/code", { key, body: { callback_url: "http://localhost:3000/" } });
    const app = (await call("POST", "/auth/keys", { key: null, body: { code: code.json.data.id } })).json.key;
    const made = createHash("sha256").update(app).digest("hex");
    const body = { name: "Only one model", workspace_id: from, allowed_models: ["acme/embed"] };
    const guardrail = (await call("POST", "/guardrails", { body })).json.data;
    await call("POST", `/guardrails/${guardrail.id}/assignments/keys`, { body: { key_hashes: [record.hash] } });
    expect((await speak(app)).status).not.toBe(200);
    await move(record.hash, to);
    expect((await read(`/keys/${made}`)).workspace_id).toBe(to);
    expect((await speak(app)).status).toBe(200);
    expect(await read(`/guardrails/${guardrail.id}/assignments/keys`)).toEqual([]);
    const [released] = await read(`/audit?target_id=${guardrail.id}`);
    expect(released.before).toEqual({ key_hashes: [record.hash, made].toSorted() });
  });

  describe("refusals, which change nothing", () => {
    it("400: no such workspace", async () => {
      const { from, record } = await start();
      expectIssues(await move(record.hash, randomUUID()), "workspace_id");
      const gone = await makeWorkspace(gateway());
      await call("DELETE", `/workspaces/${gone.id}`);
      expectIssues(await move(record.hash, gone.id), "workspace_id");
      expect((await read(`/keys/${record.hash}`)).workspace_id).toBe(from);
    });

    it("409: it was changed or moved since", async () => {
      const { from, to, record } = await start();
      const etag = (await call("GET", `/keys/${record.hash}`)).headers.get("etag") ?? "";
      await move(record.hash, to);
      expectError(await move(record.hash, from, { "If-Match": etag }), "conflict", /changed/);
    });

    it("409: the gateway made it for its own calls, or a batch of it is open", async () => {
      const { from, to, record } = await start();
      await query("update api_keys set purpose = 'playground' where hash = $1", record.hash);
      expectError(await move(record.hash, to), "conflict", /own calls/);
      await query("update api_keys set purpose = null where hash = $1", record.hash);
      await query(
        `insert into batches (workspace_id, created_at, id, form, key_hash, spend_id, endpoint, status, sealed, expires_at)
         select workspace_id, now(), 'batch_open', 'public', hash, spend_id, '/v1/embeddings', 'in_progress', '', now()
         from api_keys where hash = $1`,
        record.hash,
      );
      expectError(await move(record.hash, to), "conflict", /batch_open/);
      await query("update batches set ended_at = now() where id = 'batch_open'");
      expect((await move(record.hash, to)).status).toBe(200);
      expect(from).not.toBe(to);
    });

    it("503: of a batch whose key moved while its body came, which would run in the one workspace for the other", async () => {
      const { to, record } = await start();
      const { deps } = gateway();
      const credential = await deps.credentials.read(deps, record.hash);
      expect((await move(record.hash, to)).status).toBe(200);
      if (credential === null) throw new Error("the key is known");
      const secret = { key: "", apiUrl: "", headers: {}, attribution: { referer: null, title: null, categories: [] } };
      const batch = { form: "messages", endpoint: "/v1/messages", model: null, credential, secret } as const;
      await expect(beginBatch(deps, batch)).rejects.toMatchObject({ type: "unavailable" });
      expect(await query("select 1 from batches where key_hash = $1", record.hash)).toMatchObject({ rows: [] });
    });
  });
});
