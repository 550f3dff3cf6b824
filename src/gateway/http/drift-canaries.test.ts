import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { type CanaryRecord, type CanaryRun, canaryTexts, mostCanaryRuns } from "#contract/canaries.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { startFakeSink } from "../testing/fake-sink.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const hour = 3_600_000;
const missing = "00000000-0000-4000-8000-000000000001";

describeGateway("drift canaries, over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const vendor = withVendor(gateway);
  const db = () => gateway().deps.store.db;
  const dataOf = async (path: string) => (await call("GET", path)).json.data;
  const list = async (query = ""): Promise<CanaryRecord[]> => await dataOf(`/canaries${query}`);
  const read = async (id: string) => (await list()).find((one) => one.id === id);
  const runs = async (id: string): Promise<CanaryRun[]> => await dataOf(`/canaries/${id}/runs`);
  const untilNext = ({ next_run_at }: CanaryRecord) =>
    new Date(next_run_at).getTime() - gateway().clock.now().getTime();
  /** as soon as it has so many runs and is not running */
  const after = async (id: string, count: number): Promise<CanaryRecord> => {
    const ended = async () => ((await runs(id)).length === count ? await read(id) : undefined);
    return (await eventually(ended, (record) => record?.running === false)) as CanaryRecord;
  };
  const due = () => gateway().deps.store.notices.send("gatehouse_canaries", "");
  const check = async (id: string, count: number, aheadMs = hour) => {
    gateway().clock.advance(aheadMs);
    // What is due by then may begin, and end, before it is asked for.
    expect([200, 429]).toContain((await call("POST", `/canaries/${id}/check`)).status);
    return await after(id, count);
  };
  const watch = async (body: object = {}): Promise<CanaryRecord> => {
    const made = await call("POST", "/canaries", { body: { provider: "acme", model: "acme/embed", ...body } });
    expect(made.status, made.text).toBe(201);
    return made.json.data;
  };
  /** with its baseline */
  const watched = async (body: object = {}) => {
    const { id } = await watch(body);
    await after(id, 1);
    return id;
  };
  afterEach(async () => {
    for (const { id } of await list()) await call("DELETE", `/canaries/${id}`);
  });
  const drifts = async () => (await dataOf("/attention")).filter(({ kind }: { kind: string }) => kind === "drift");

  describe("createCanary", () => {
    it("201: measures a baseline by five calls of a key of its own, on the ledger like any other", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway());
      const made = await watch({ workspace_id, every_hours: 6 });
      expect(made).toMatchObject({ status: "new", measures_next: true, every_hours: 6, provider_name: "acme" });
      const canary = await after(made.id, 1);
      expect(canary).toMatchObject({
        status: "steady",
        measures_next: false,
        baseline: { space: expect.stringMatching(/^vs_[0-9a-f]{20}-4$/), noise: 0, threshold: 0.0001 },
        last_run: { outcome: "baseline", distance: 0 },
      });
      expect(Math.abs(untilNext(canary) / hour - 6)).toBeLessThanOrEqual(0.6);
      const { rows } = await sql<{
        name: string;
        purpose: string;
        limit_nano: bigint;
        cost: bigint;
        inputs: number;
        trace: object;
      }>`
        select k.name, k.purpose, k.limit_nano, l.cost, l.inputs, l.trace
        from ledger l join api_keys k on k.hash = l.key_hash where l.workspace_id = ${workspace_id}`.execute(db());
      expect(rows).toHaveLength(5);
      for (const row of rows) {
        expect(row).toMatchObject({ name: "Drift canaries", purpose: "canary", limit_nano: 1_000_000_000n });
        expect(row).toMatchObject({ inputs: canaryTexts, trace: { canary: "baseline", trace_name: "Drift canary" } });
        expect(row.cost).toBeGreaterThan(0n);
      }
      const answered = await call("GET", `/generations?workspace_id=${workspace_id}`);
      expect(answered.json.data).toHaveLength(5);
      const [key] = await dataOf(`/keys?workspace_id=${workspace_id}`);
      expect((await call("POST", `/keys/${key.hash}/rotate`, { body: { grace_seconds: 0 } })).status).toBe(409);
      const audit = await dataOf(`/audit?workspace_id=${workspace_id}`);
      expect(audit.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining(["createCanary", "createKeys"]),
      );
    });

    it.each([
      ["a chat model", { model: "acme/talk" }, 400],
      ["a built-in model", { provider: "gatehouse", model: "gatehouse/lexical" }, 400],
      ["a model that is not there", { model: "acme/none" }, 404],
      ["a workspace that is not there", { workspace_id: missing }, 400],
    ])("%s: refused", async (_, body, status) => {
      const answer = await call("POST", "/canaries", { body: { provider: "acme", model: "acme/embed", ...body } });
      expect(answer.status, answer.text).toBe(status);
      expect(await dataOf("/canaries")).toEqual([]);
    });

    it("409: twice the same endpoint; then checkCanary and acceptCanaryBaseline: 429 within a minute; updateCanary: 400", async () => {
      const id = await watched();
      const again = await call("POST", "/canaries", { body: { provider: "acme", model: "acme/embed" } });
      expect([again.status, again.json.error.message]).toEqual([409, "acme/embed at acme is watched already"]);
      const soon = await call("POST", `/canaries/${id}/check`);
      expect([soon.status, soon.headers.get("retry-after")]).toEqual([429, "60"]);
      expect((await call("POST", `/canaries/${id}/baseline`)).status).toBe(429);
      expect((await call("PATCH", `/canaries/${id}`, { body: { workspace_id: missing } })).status).toBe(400);
    });
  });

  describe("a run", () => {
    it("reports a drift once a second run confirms it, to the workspace's destinations too, and ends it likewise", async () => {
      const sink = await startFakeSink();
      const { id: workspace_id } = await makeWorkspace(gateway());
      const body = { name: "Sink", type: "webhook", config: { url: `${sink.url}/v1/traces` }, workspace_id };
      await call("POST", "/observability/destinations", { body });
      const id = await watched({ workspace_id });
      vendor().settings.drift = 0.3;
      const suspected = await check(id, 2);
      expect(suspected).toMatchObject({ status: "suspected", drift: null, last_run: { outcome: "suspected" } });
      expect(untilNext(suspected)).toBeLessThan(70_000);
      expect(await drifts()).toEqual([]);
      const { status, baseline, drift } = await check(id, 3, 61_000);
      const since = gateway().clock.now().toISOString();
      expect([status, drift]).toMatchObject(["drift", { reason: "distance", since, space: baseline?.space }]);
      const distance = drift?.distance;
      expect(distance).toBeGreaterThan(0.001);
      expect(await drifts()).toMatchObject([
        {
          object: { type: "model", id: "acme/embed", name: "acme/embed at acme" },
          figure: distance,
          message: expect.stringContaining("The same texts have other vectors: they moved"),
        },
      ]);
      const headers = { authorization: `Bearer ${gateway().managementKey}` };
      const metrics = async () => await (await fetch(`${gateway().url}/metrics`, { headers })).text();
      // A scrape waits for the store for two seconds only.
      await expect.poll(metrics).toContain('gatehouse_canaries{state="drift"} 1');
      const changed = {
        canary: "drift",
        canary_reason: "distance",
        canary_distance: distance,
        canary_space: baseline?.space,
        canary_changed: true,
      };
      const { rows } = await sql<{ trace: object }>`
        select trace from ledger where trace ->> 'canary_changed' = 'true'`.execute(db());
      expect(rows).toMatchObject([{ trace: changed }]);
      await sink.until(7);
      const sent = JSON.stringify(sink.requests.map(({ json }) => json));
      for (const [name, value] of Object.entries(changed))
        expect(sent).toMatch(new RegExp(`"trace.metadata.${name}","value":{"\\w+":"?${value}`));
      await sink.close();
      vendor().settings.drift = 0;
      expect(await check(id, 4)).toMatchObject({ status: "drift", last_run: { outcome: "steady" } });
      expect(await check(id, 5, 61_000)).toMatchObject({ status: "steady", drift: null });
      expect(await drifts()).toEqual([]);
    });

    it("keeps quiet about what a single run saw; reports another length of vectors, and another model's name", async () => {
      const id = await watched();
      vendor().settings.dimensions = 3;
      await check(id, 2);
      vendor().settings.dimensions = 4;
      expect(await check(id, 3, 61_000)).toMatchObject({ status: "steady", drift: null });
      expect((await runs(id)).map(({ outcome }) => outcome)).toEqual(["steady", "suspected", "baseline"]);
      vendor().settings.dimensions = 3;
      await check(id, 4);
      const shorter = await check(id, 5, 61_000);
      expect(shorter.drift).toMatchObject({ reason: "length", distance: null, space: expect.stringMatching(/-3$/) });
      expect((await drifts())[0].message).toContain("Its vectors have another length: ");
      Object.assign(vendor().settings, { dimensions: 4, answeredModel: "embed-small-0613" });
      const renamed = await check(id, 6);
      expect(renamed.drift).toMatchObject({ reason: "model_name", distance: 0 });
      expect(renamed.drift?.space).toMatch(/-4-[0-9a-f]{8}$/);
    });

    it("takes a vendor's noise for what it is", async () => {
      vendor().settings.noise = 0.02;
      const id = await watched();
      expect((await read(id))?.baseline?.noise).toBeGreaterThan(0.000_01);
      const { last_run: last } = await check(id, 2);
      expect([last?.outcome, last?.distance]).toEqual(["steady", expect.any(Number)]);
      expect(last?.distance).toBeGreaterThan(0);
    });

    it("sends no cached vectors; does not take a failure for drift, says why it failed, and is tried again sooner", async () => {
      const id = await watched();
      const calls = vendor().calls();
      expect(await check(id, 2)).toMatchObject({ last_run: { outcome: "steady", distance: 0, reason: null } });
      expect(vendor().calls()).toBe(calls + 1);
      vendor().fail({ type: "status", status: 500, message: "out of memory" });
      const failed = await check(id, 3);
      expect(failed).toMatchObject({ status: "steady", drift: null, failures: 1 });
      expect(failed.last_run).toMatchObject({
        outcome: "failed",
        distance: null,
        message: expect.stringMatching("acme"),
      });
      expect(untilNext(failed)).toBeLessThanOrEqual(330_000);
      expect(await drifts()).toEqual([]);
      vendor().fail(null);
      expect(await check(id, 4)).toMatchObject({ failures: 0, last_run: { outcome: "steady" } });
    });

    it("fails where its key may not spend, at no cost", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway());
      const id = await watched({ workspace_id });
      const [key] = await dataOf(`/keys?workspace_id=${workspace_id}`);
      await call("PATCH", `/keys/${key.hash}`, { body: { limit: 0 } });
      const calls = vendor().calls();
      const canary = await check(id, 2);
      expect(canary.last_run).toMatchObject({ outcome: "failed", message: expect.stringContaining("limit") });
      await call("PATCH", `/keys/${key.hash}`, { body: { disabled: true } });
      expect((await check(id, 3)).last_run?.message).toContain("key of this workspace is disabled");
      expect(vendor().calls()).toBe(calls);
    });

    it("measures a new baseline where an admin set the endpoint up otherwise", async () => {
      const id = await watched();
      const before = (await read(id))?.baseline?.space;
      const embed = { id: "acme/embed", upstream_id: "embed-small", type: "embedding" };
      const talk = { id: "acme/talk", upstream_id: "talk", type: "chat" };
      const revise = (revision: string | null) =>
        call("PATCH", "/providers/acme", { body: { models: [{ ...embed, revision }, talk] } });
      await revise("two");
      vendor().settings.drift = 0.3;
      const canary = await check(id, 2);
      expect(canary).toMatchObject({ status: "steady", last_run: { outcome: "baseline" } });
      expect(canary.baseline?.space).not.toBe(before);
      await revise(null);
    });

    it("is not begun while another process holds it", async () => {
      const id = await watched();
      const until = new Date(gateway().clock.now().getTime() + hour + 60_000);
      await sql`update canaries set claim = ${missing}, claimed_until = ${until} where id = ${id}`.execute(db());
      gateway().clock.advance(hour);
      expect((await call("POST", `/canaries/${id}/check`)).json.data.running).toBe(true);
    });

    it("keeps a bounded history", async () => {
      const id = await watched();
      await sql`insert into canary_runs (id, canary_id, at, outcome)
        select gen_random_uuid(), ${id}, ${new Date(0)}, 'failed' from generate_series(1, ${mostCanaryRuns + 20})`.execute(
        db(),
      );
      gateway().clock.advance(hour);
      await call("POST", `/canaries/${id}/check`);
      const count = sql<{ count: bigint }>`select count(*) from canary_runs where canary_id = ${id}`;
      const kept = async () => (await count.execute(db())).rows[0]?.count;
      expect(await eventually(kept, (many) => many === BigInt(mostCanaryRuns))).toBe(BigInt(mostCanaryRuns));
    });

    it("runs by itself when it is due; ends with its model, and is then no longer listed", async () => {
      const pricing = { prompt: "0" };
      const models = [{ id: "acme/passing", upstream_id: "passing", type: "embedding" as const, pricing }];
      await makeProvider(gateway(), { slug: "passing", base_url: vendor().baseUrl, models });
      const id = await watched({ provider: "passing", model: "acme/passing", every_hours: 1 });
      gateway().clock.advance(2 * hour);
      await due();
      expect((await after(id, 2)).last_run?.outcome).toBe("steady");
      await call("DELETE", "/providers/passing");
      gateway().clock.advance(30 * hour);
      await due();
      const gone = (record: unknown) => record === undefined;
      expect(await eventually(() => read(id), gone)).toBeUndefined();
    });
  });

  it("listCanaries, listCanaryRuns, deleteCanary: 200, of one model; the newest run first; gone with its history", async () => {
    const id = await watched({ every_hours: 720 });
    expect((await list("?model=acme/embed")).map((one) => one.id)).toEqual([id]);
    expect(await list("?model=acme/talk")).toEqual([]);
    await check(id, 2);
    expect((await runs(id)).map(({ outcome }) => outcome)).toEqual(["steady", "baseline"]);
    const [only, ...more] = await dataOf(`/canaries/${id}/runs?limit=1`);
    expect([only.outcome, more]).toEqual(["steady", []]);
    expect(await dataOf(`/generation?id=${only.generation_id}`)).toMatchObject({ model: "acme/embed" });
    const changed = (await call("PATCH", `/canaries/${id}`, { body: { every_hours: 1 } })).json.data;
    expect(untilNext(changed)).toBeLessThanOrEqual(hour);
    await call("DELETE", `/canaries/${id}`);
    expect((await call("GET", `/canaries/${id}/runs`)).status).toBe(404);
  });

  describe("acceptCanaryBaseline", () => {
    it("200: the vectors of now are the baseline, and the audit log says who accepted them", async () => {
      const id = await watched();
      vendor().settings.drift = 0.3;
      await check(id, 2);
      expect((await check(id, 3, 61_000)).status).toBe("drift");
      const accepted = await call("POST", `/canaries/${id}/baseline`);
      expect(accepted.json.data).toMatchObject({ status: "drift", measures_next: true });
      expect(await after(id, 4)).toMatchObject({ status: "steady", drift: null, last_run: { outcome: "baseline" } });
      expect(await check(id, 5)).toMatchObject({ status: "steady", last_run: { distance: expect.closeTo(0, 6) } });
      const [row] = await dataOf(`/audit?target_id=${id}&action=acceptCanaryBaseline`);
      expect(row).toMatchObject({
        target_name: "acme/embed at acme",
        before: { baseline: { noise: 0 }, drift_since: expect.any(String) },
        after: { baseline: null, drift_since: null },
      });
    });
  });

  it("has cached vectors passed over once a drift is confirmed, and those of the drift once it is accepted", async () => {
    const { key } = await makeKey(gateway());
    const embed = async () => {
      const body = { model: "acme/embed", input: ["cache me"], provider: { only: ["acme"] } };
      const { json } = await call("POST", "/embeddings", { key, body });
      return (json.usage.prompt_tokens_details?.cached_tokens ?? 0) > 0 ? "cached" : "asked";
    };
    const id = await watched();
    expect([await embed(), await embed()]).toEqual(["asked", "cached"]);
    vendor().settings.drift = 0.3;
    await check(id, 2);
    expect(await embed()).toBe("cached");
    await check(id, 3, 61_000);
    expect([await embed(), await embed()]).toEqual(["asked", "cached"]);
    gateway().clock.advance(hour);
    await call("POST", `/canaries/${id}/baseline`);
    await after(id, 4);
    expect([await embed(), await embed()]).toEqual(["asked", "cached"]);
    await call("DELETE", `/canaries/${id}`);
    expect(await embed()).toBe("cached");
  });
});
