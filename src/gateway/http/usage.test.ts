import { describe, expect, it } from "vitest";
import { verifyLedger } from "../domain/ledger/verify.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

let texts = 0;
const fresh = () => `usage ${(texts += 1)}`;
const hourMs = 3_600_000;

describeGateway("usage over time", (gateway) => {
  const vendor = withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const embed = async (key: string, model = "acme/embed") =>
    await call("POST", "/embeddings", { key, body: { model, input: fresh() } });
  const usage = async (query: Record<string, string>) =>
    (await call("GET", `/usage?${new URLSearchParams(query).toString()}`)).json.data;
  const workspaceWithKey = async () => {
    const { id } = await makeWorkspace(gateway());
    return { id, ...(await makeKey(gateway(), { workspace_id: id })) };
  };

  describe("getUsage", () => {
    /** The start of the hour that is so many hours from the clock's. */
    const hour = (offset: number) =>
      new Date((Math.floor(gateway().clock.now().getTime() / hourMs) + offset) * hourMs).toISOString();

    it("200: by hour, and the stretch before is summed up", async () => {
      const { id, key } = await workspaceWithKey();
      await embed(key);
      gateway().clock.advance(2 * hourMs);
      await embed(key);
      vendor().fail({ type: "status", status: 500 });
      await embed(key);
      vendor().reset();
      expect(await usage({ workspace_id: id, by: "hour", last: "2" })).toMatchObject([
        {
          group: null,
          name: null,
          total: { usage: 0.000002, requests: 2, failures: 1, prompt_tokens: 2, saved: 0 },
          previous: { usage: 0.000002, requests: 1, failures: 0 },
          points: [
            { at: hour(-1), requests: 0, usage: 0 },
            { at: hour(0), requests: 2, usage: 0.000002 },
          ],
        },
      ]);
      gateway().clock.advance(-2 * hourMs);
    });

    it("200: what repeated inputs saved", async () => {
      const { id, key } = await workspaceWithKey();
      for (let each = 0; each < 2; each += 1) {
        await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "the same words" } });
      }
      const [all] = await usage({ workspace_id: id, last: "1" });
      expect(all.total).toMatchObject({ requests: 2, usage: 0.000003, saved: 0.000003 });
    });

    it("200: by model, provider, key and workspace", async () => {
      const { id, key, record } = await workspaceWithKey();
      await embed(key);
      await embed(key, "gatehouse/lexical");
      const groups = async (group_by: string) =>
        (await usage({ workspace_id: id, group_by, last: "1" })).map(
          (one: { group: string; name: string; total: { requests: number } }) => [
            one.group,
            one.name,
            one.total.requests,
          ],
        );
      expect(await groups("model")).toEqual([
        ["acme/embed", "acme/embed", 1],
        ["gatehouse/lexical", "gatehouse/lexical", 1],
      ]);
      expect(await groups("workspace")).toEqual([[id, expect.stringMatching(/^Workspace /), 2]]);
      expect((await groups("provider"))[0]).toEqual(["acme", "acme", 1]);
      expect(await groups("key")).toEqual([[record.hash, record.name, 2]]);
    });

    it("200: the whole account, with what was used in workspaces that are gone", async () => {
      const [before] = await usage({ last: "1" });
      const { id, key, record } = await workspaceWithKey();
      await embed(key);
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      expect((await call("DELETE", `/workspaces/${id}`)).status).toBe(200);
      const [after] = await usage({ workspace_id: "all", last: "1" });
      expect(after.total.requests - before.total.requests).toBe(1);
    });
  });

  it("getLatency, 200: percentiles of the answered calls, and none where there were none", async () => {
    const { id, key } = await workspaceWithKey();
    const latency = async (workspace: string) =>
      (await call("GET", `/usage/latency?workspace_id=${workspace}`)).json.data;
    const since = new Date(gateway().clock.now().getTime() - 24 * hourMs).toISOString();
    expect(await latency(id)).toEqual({ p50_ms: null, p95_ms: null, calls: 0, all: true, since });
    await embed(key);
    const took = expect.any(Number) as number;
    expect(await latency(id)).toMatchObject({ calls: 1, all: true, p50_ms: took, p95_ms: took });
    expect((await latency("all")).calls).toBeGreaterThanOrEqual(1);
  });

  describe("getModelUsage", () => {
    it("200: what a key used, in the rollup and in the sample", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { workspace_id: id });
      await embed(key);
      const { status, json } = await call("GET", `/usage/model?model=acme/embed&workspace_id=${id}`);
      expect(status).toBe(200);
      expect(json.data.keys).toMatchObject([{ key_hash: record.hash, workspace_id: id, requests: 1 }]);
      expect(json.data.sample).toMatchObject({ looked: 1, calls: 1, inputs: 1 });
      expect(json.data.sample.prompt_tokens).toBe(json.data.total.prompt_tokens);
    });

    it("200: reranks with an embedding model are no embeddings, neither in the rollup nor in the sample", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key, record } = await makeKey(gateway(), { workspace_id: id });
      const { key: reranking } = await makeKey(gateway(), { workspace_id: id });
      await embed(key);
      const path = `/usage/model?model=acme/embed&workspace_id=${id}`;
      const { json: before } = await call("GET", path);
      for (const by of [key, reranking]) {
        const body = { model: "acme/embed", query: fresh(), documents: [fresh(), fresh()] };
        expect((await call("POST", "/rerank", { key: by, body })).status).toBe(200);
      }
      const { json: after } = await call("GET", path);
      expect(after.data.keys).toMatchObject([{ key_hash: record.hash, requests: 1 }]);
      expect(after.data).toEqual({ ...before.data, sample: { ...before.data.sample, looked: 3 } });
      expect((await usage({ workspace_id: id }))[0].total.requests).toBe(3);
      const { differences } = await verifyLedger(gateway().deps);
      expect(differences.filter(({ row }) => row.startsWith(id))).toEqual([]);
    });
  });

  it.each([
    ["/usage?by=day&last=367", "last"],
    ["/usage?by=hour&last=745", "last"],
    ["/usage?by=week", "by"],
    ["/usage?until=yesterday", "until"],
    ["/usage/model?model=a/b&last=367", "last"],
    ["/overview?by=day&last=367", "last"],
    ["/overview?by=week", "by"],
    ["/counts?workspace_id=acme", "workspace_id"],
    ["/generations?status=lost", "status"],
    ["/generations?status=999", "status"],
    ["/generations?limit=0", "limit"],
    ["/generations?cursor=x", "cursor"],
    ["/generations?workspace_id=here", "workspace_id"],
    ["/generations?since=yesterday", "since"],
    ["/generations?since=2026-11-21T12:00:00Z&until=2026-11-21T12:00:00Z", "until"],
    ["/generations?until=2026-11-21T12:00:00%2B02:00", "until"],
    ["/generations/sessions?limit=101", "limit"],
    ["/generations/sessions?cursor=e30", "cursor"],
    ["/generations/count?since=2026-11-21T12:00:00Z&until=2026-11-21T12:00:00Z", "until"],
    ["/generations/count?buckets=121", "buckets"],
    ["/generations/count?cursor=e30", "cursor"],
    ["/refused-calls?status=200", "status"],
  ])("400: %s names %s", async (path, member) => {
    expectIssues(await call("GET", path), member);
  });
});
