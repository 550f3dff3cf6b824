import { sql } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type CanaryRecord, type CanaryRun, canaryTexts, mostCanaryRuns } from "#contract/canaries.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { startFakeSink } from "../testing/fake-sink.ts";
import { makeProvider, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const hour = 3_600_000;
const missing = "00000000-0000-4000-8000-000000000001";

describeGateway("drift canaries, over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const vendor = withVendor(gateway);
  const db = () => gateway().deps.store.db;
  const read = async (id: string) =>
    ((await call("GET", "/canaries")).json.data as CanaryRecord[]).find((one) => one.id === id);
  const runs = async (id: string) => (await call("GET", `/canaries/${id}/runs`)).json.data as CanaryRun[];
  /** as soon as it has so many runs and is not running */
  const after = async (id: string, count: number): Promise<CanaryRecord> =>
    await vi.waitFor(
      async () => {
        const record = await read(id);
        expect([(await runs(id)).length, record?.running]).toEqual([count, false]);
        return record as CanaryRecord;
      },
      { timeout: patience, interval: 50 },
    );
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
    const { data } = (await call("GET", "/canaries")).json;
    for (const { id } of data as CanaryRecord[]) await call("DELETE", `/canaries/${id}`);
  });
  const drifts = async () =>
    (await call("GET", "/attention")).json.data.filter(({ kind }: { kind: string }) => kind === "drift");

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
      const lead = new Date(canary.next_run_at).getTime() - gateway().clock.now().getTime();
      expect(lead / hour).toBeGreaterThanOrEqual(5.4);
      expect(lead / hour).toBeLessThanOrEqual(6.6);
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
      const [key] = (await call("GET", `/keys?workspace_id=${workspace_id}`)).json.data;
      expect((await call("POST", `/keys/${key.hash}/rotate`, { body: { grace_seconds: 0 } })).status).toBe(409);
      const audit = (await call("GET", `/audit?workspace_id=${workspace_id}`)).json.data;
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
      expect((await call("GET", "/canaries")).json.data).toEqual([]);
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
    it("finds no drift where nothing changed, and sends no cached vectors", async () => {
      const id = await watched();
      const calls = vendor().calls();
      expect(await check(id, 2)).toMatchObject({ last_run: { outcome: "steady", distance: 0, reason: null } });
      expect([vendor().calls(), await drifts()]).toEqual([calls + 1, []]);
    });

    it("reports a drift once a second run confirms it, and ends it likewise", async () => {
      const id = await watched();
      vendor().settings.drift = 0.3;
      const suspected = await check(id, 2);
      expect(suspected).toMatchObject({ status: "suspected", drift: null, last_run: { outcome: "suspected" } });
      expect(new Date(suspected.next_run_at).getTime() - gateway().clock.now().getTime()).toBeLessThan(70_000);
      expect(await drifts()).toEqual([]);
      const drifted = await check(id, 3, 61_000);
      expect(drifted).toMatchObject({
        status: "drift",
        drift: { reason: "distance", since: gateway().clock.now().toISOString(), space: drifted.baseline?.space },
      });
      expect(drifted.drift?.distance).toBeGreaterThan(0.001);
      expect(await drifts()).toMatchObject([
        {
          object: { type: "model", id: "acme/embed", name: "acme/embed at acme" },
          workspace_id: null,
          figure: drifted.drift?.distance,
          message: expect.stringContaining("The same texts have other vectors: they moved"),
        },
      ]);
      const metrics = async () => {
        const headers = { authorization: `Bearer ${gateway().managementKey}` };
        return await (await fetch(`${gateway().url}/metrics`, { headers })).text();
      };
      // A scrape waits for the store for two seconds only.
      await expect.poll(metrics).toContain('gatehouse_canaries{state="drift"} 1');
      const { rows } = await sql<{ trace: object }>`
        select trace from ledger where trace ->> 'canary_changed' = 'true' order by created_at desc limit 1`.execute(
        db(),
      );
      expect(rows[0]?.trace).toMatchObject({
        canary: "drift",
        canary_reason: "distance",
        canary_distance: drifted.drift?.distance,
        canary_space: drifted.baseline?.space,
      });
      vendor().settings.drift = 0;
      expect(await check(id, 4)).toMatchObject({ status: "drift", last_run: { outcome: "steady" } });
      expect(await check(id, 5, 61_000)).toMatchObject({ status: "steady", drift: null });
      expect(await drifts()).toEqual([]);
    });

    it("tells the destinations of the workspace that pays, with its own call's event", async () => {
      const sink = await startFakeSink();
      const { id: workspace_id } = await makeWorkspace(gateway());
      const body = { name: "Sink", type: "webhook", config: { url: `${sink.url}/v1/traces` }, workspace_id };
      const { id: destination } = (await call("POST", "/observability/destinations", { body })).json.data;
      const id = await watched({ workspace_id });
      vendor().settings.drift = 0.3;
      await check(id, 2);
      const { last_run: last } = await check(id, 3, 61_000);
      await sink.until(7);
      const spans = sink.requests.flatMap(
        ({ json }): { attributes: { key: string; value: object }[] }[] =>
          json?.resourceSpans?.[0]?.scopeSpans?.[0]?.spans ?? [],
      );
      const told = spans.map(({ attributes }): Record<string, unknown> =>
        Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      );
      const changed = told.filter((attributes) => attributes["trace.metadata.canary_changed"] === true);
      expect(changed).toMatchObject([
        {
          "trace.name": "Drift canary",
          "trace.metadata.canary": "drift",
          "trace.metadata.canary_reason": "distance",
          "trace.metadata.canary_distance": last?.distance,
          "trace.metadata.canary_space": last?.space,
        },
      ]);
      await call("DELETE", `/observability/destinations/${destination}`);
      await sink.close();
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

    it("does not take a failure for drift, says why it failed, and is tried again sooner", async () => {
      const id = await watched();
      vendor().fail({ type: "status", status: 500, message: "out of memory" });
      const failed = await check(id, 2);
      expect(failed).toMatchObject({ status: "steady", drift: null, failures: 1 });
      expect(failed.last_run).toMatchObject({
        outcome: "failed",
        distance: null,
        message: expect.stringContaining("acme"),
      });
      expect(new Date(failed.next_run_at).getTime() - gateway().clock.now().getTime()).toBeLessThanOrEqual(330_000);
      expect(await drifts()).toEqual([]);
      vendor().fail(null);
      expect(await check(id, 3)).toMatchObject({ failures: 0, last_run: { outcome: "steady" } });
    });

    it("fails where its key may not spend, at no cost", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway());
      const id = await watched({ workspace_id });
      const [key] = (await call("GET", `/keys?workspace_id=${workspace_id}`)).json.data;
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
      const provider = (await call("GET", "/providers/acme")).json.data;
      const models = provider.models.map((model: { id: string }) =>
        model.id === "acme/embed"
          ? { id: model.id, upstream_id: "embed-small", type: "embedding", revision: "two" }
          : model,
      );
      const kept = models.filter(({ id }: { id: string }) => id === "acme/embed");
      const talk = { id: "acme/talk", upstream_id: "talk", type: "chat" };
      await call("PATCH", "/providers/acme", { body: { models: [...kept, talk] } });
      vendor().settings.drift = 0.3;
      const canary = await check(id, 2);
      expect(canary).toMatchObject({ status: "steady", last_run: { outcome: "baseline" } });
      expect(canary.baseline?.space).not.toBe(before);
      await call("PATCH", "/providers/acme", { body: { models: [{ ...kept[0], revision: null }, talk] } });
    });

    it("runs by itself when it is due", async () => {
      const id = await watched({ every_hours: 1 });
      gateway().clock.advance(2 * hour);
      await gateway().deps.store.notices.send("gatehouse_canaries", "");
      expect((await after(id, 2)).last_run?.outcome).toBe("steady");
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
      await vi.waitFor(
        async () => {
          const { rows } = await sql<{ count: bigint }>`
            select count(*) from canary_runs where canary_id = ${id}`.execute(db());
          expect(rows[0]?.count).toBe(BigInt(mostCanaryRuns));
        },
        { timeout: patience, interval: 50 },
      );
    });

    it("ends with its model, and is then no longer listed", async () => {
      await makeProvider(gateway(), {
        slug: "passing",
        base_url: vendor().baseUrl,
        models: [{ id: "acme/passing", upstream_id: "passing", type: "embedding" }],
      });
      const { id } = await watch({ provider: "passing", model: "acme/passing" });
      await after(id, 1);
      await call("DELETE", "/providers/passing");
      gateway().clock.advance(30 * hour);
      await gateway().deps.store.notices.send("gatehouse_canaries", "");
      await vi.waitFor(async () => expect(await read(id)).toBeUndefined(), { timeout: patience, interval: 50 });
    });
  });

  it("listCanaries, listCanaryRuns, deleteCanary: 200, of one model; the newest run first; gone with its history", async () => {
    const id = await watched({ every_hours: 720 });
    const listed = async (model: string) => (await call("GET", `/canaries?model=${model}`)).json.data as CanaryRecord[];
    expect((await listed("acme/embed")).map((one) => one.id)).toEqual([id]);
    expect(await listed("acme/talk")).toEqual([]);
    await check(id, 2);
    expect((await runs(id)).map(({ outcome }) => outcome)).toEqual(["steady", "baseline"]);
    const [only, ...more] = (await call("GET", `/canaries/${id}/runs?limit=1`)).json.data as CanaryRun[];
    expect([only?.outcome, more]).toEqual(["steady", []]);
    const answered = await call("GET", `/generation?id=${only?.generation_id}`);
    expect(answered.json.data).toMatchObject({ model: "acme/embed" });
    const changed = (await call("PATCH", `/canaries/${id}`, { body: { every_hours: 1 } })).json.data;
    expect(new Date(changed.next_run_at).getTime() - gateway().clock.now().getTime()).toBeLessThanOrEqual(hour);
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
      const [row] = (await call("GET", `/audit?target_id=${id}&action=acceptCanaryBaseline`)).json.data;
      expect(row).toMatchObject({
        target_name: "acme/embed at acme",
        before: { baseline: { noise: 0 }, drift_since: expect.any(String) },
        after: { baseline: null, drift_since: null },
      });
    });
  });
});
