import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openStore } from "./storage/store.ts";
import { flakyProxy } from "./testing/flaky-proxy.ts";
import "./testing/vitest-setup.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import {
  addKey,
  addVendor,
  costOfCall,
  embed,
  manage,
  sharedSecrets as secrets,
  verify,
} from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { rounds } from "./testing/rounds.ts";

const awaySeconds = 30;

describe("the running program survives", () => {
  let vendor: FakeVendor;
  beforeAll(async () => {
    vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
  });
  afterAll(() => vendor.close());

  async function prepare(gateway: RunningGateway, limit: number) {
    await addVendor(gateway, vendor);
    return await addKey(gateway, limit);
  }

  /** Calls without end until the gateway is gone; what was answered whole is noted. */
  async function load(gateway: RunningGateway, key: string, answered: string[]): Promise<void> {
    const caller = async () => {
      for (;;) {
        const { status, id } = await embed(gateway, key);
        if (status === 200 && id !== null) answered.push(id);
      }
    };
    await Promise.all(Array.from({ length: 16 }, () => caller().catch(() => {})));
  }

  it("kill -9 at random moments under load, again and again: what was answered is on the ledger, once", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-survival-"));
    const answered: string[] = [];
    let key = "";
    let hash = "";
    for (let kill = 0; kill < rounds(20); kill += 1) {
      const gateway = await startGatewayProcess({ dataDir, env: secrets });
      if (kill === 0) ({ key, hash } = await prepare(gateway, 100));
      const before = answered.length;
      const loaded = load(gateway, key, answered);
      while (answered.length === before) await sleep(5);
      await sleep(Math.random() * 300);
      await gateway.stop("SIGKILL");
      await loaded;
    }
    expect(await verify({ GATEHOUSE_DATA_DIR: dataDir, ...secrets })).toContain("all agree");

    const gateway = await startGatewayProcess({ dataDir, env: secrets });
    const { data } = await manage(gateway, "GET", `/keys/${hash}`);
    await gateway.stop();
    const store = await openStore({ engine: "embedded", folder: dataDir }, () => new Date());
    const { rows } = await store.pool.query<{ id: string; cost: bigint }>(
      "select id, cost from ledger where status = 200",
    );
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
    const ids = new Set(rows.map((row) => row.id));
    expect(answered.length).toBeGreaterThanOrEqual(rounds(20));
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(rows.length);
    expect(data["usage"]).toBeCloseTo(rows.length * costOfCall, 9);
    expect(data["limit_remaining"]).toBeCloseTo(100 - rows.length * costOfCall, 9);
  });

  it("kill -9 of one of two processes: the other one spends what the dead one held, to the last call", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...secrets, DATABASE_URL: database.url };
    const [one, other] = [await startGatewayProcess({ env }), await startGatewayProcess({ env })];
    const { key, hash } = await prepare(one, 1_000 * costOfCall);
    const answered: string[] = [];
    const loaded = load(one, key, answered);
    while (answered.length < 50) await sleep(5);
    await one.stop("SIGKILL");
    await loaded;
    // Until the dead process's lease has run out, its slice counts as reserved.
    for (;;) {
      const { status } = await embed(other, key);
      const { data } = await manage(other, "GET", `/keys/${hash}`);
      if (status === 402 && Number(data["limit_remaining"]) < 20 * costOfCall) break;
      if (status === 402) await sleep(100);
    }
    const { data } = await manage(other, "GET", `/keys/${hash}`);
    expect(Math.round(Number(data["usage"]) * 1e9)).toBeLessThanOrEqual(Math.round(1_000 * costOfCall * 1e9));
    await other.stop();
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: one.dataDir })).toContain("all agree");
    await Promise.all([one.dispose(), other.dispose()]);
    await database.drop();
  });

  it("killed again and again soon after each start, on PostgreSQL: what the dead held starves no key", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...secrets, DATABASE_URL: database.url };
    // Each life leases about a hundred calls' worth and spends a few: ten of them, never released, would hold it all.
    const calls = 500;
    const { calls: billed } = vendor;
    const before = billed();
    let key = "";
    let hash = "";
    const firsts: number[] = [];
    let gateway = await startGatewayProcess({ env });
    for (let kill = 0; kill < rounds(10); kill += 1) {
      if (kill === 0) ({ key, hash } = await prepare(gateway, calls * costOfCall));
      else firsts.push((await embed(gateway, key)).status);
      const answered: string[] = [];
      const loaded = load(gateway, key, answered);
      while (answered.length === 0) await sleep(5);
      await gateway.stop("SIGKILL");
      await loaded;
      gateway = await startGatewayProcess({ env });
    }
    firsts.push((await embed(gateway, key)).status);
    expect(firsts).toEqual(firsts.map(() => 200));
    const { data } = await manage(gateway, "GET", `/keys/${hash}`);
    expect(Math.round(Number(data["usage"]) * 1e9)).toBeLessThanOrEqual(
      Math.round((billed() - before) * costOfCall * 1e9),
    );
    await gateway.stop();
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: gateway.dataDir })).toContain("all agree");
    await gateway.dispose();
    await database.drop();
  });

  it("frozen for longer than its leases last: others spend what it held, and nothing passes the limit when it goes on", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...secrets, DATABASE_URL: database.url };
    const [one, other] = [await startGatewayProcess({ env }), await startGatewayProcess({ env })];
    const calls = 400;
    const { key, hash } = await prepare(one, calls * costOfCall);
    const answered: string[] = [];
    const loaded = load(one, key, answered);
    while (answered.length < 20) await sleep(1);
    one.process.kill("SIGSTOP");
    // Until the frozen process's leases have run out, what they hold counts as reserved.
    for (;;) {
      const { status } = await embed(other, key);
      const { data } = await manage(other, "GET", `/keys/${hash}`);
      if (status === 402 && Number(data["limit_remaining"]) < 10 * costOfCall) break;
      if (status === 402) await sleep(100);
    }
    one.process.kill("SIGCONT");
    // It learns what it lost, and serves again.
    while ((await embed(one, key)).status !== 402) await sleep(50);
    await one.stop();
    await loaded;
    const { data } = await manage(other, "GET", `/keys/${hash}`);
    expect(Math.round(Number(data["usage"]) * 1e9)).toBeLessThanOrEqual(Math.round(calls * costOfCall * 1e9));
    await other.stop();
    // The sums agree, and nothing above the limit was charged.
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: one.dataDir })).toContain("all agree");
    await Promise.all([one.dispose(), other.dispose()]);
    await database.drop();
  });

  it("the store away for 30 s: limited keys get 503, liveness stays, it recovers by itself, nothing is lost", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const url = new URL(database.url);
    const way = await flakyProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(way.port);
    const env = { ...secrets, DATABASE_URL: url.href };
    const gateway = await startGatewayProcess({ env });
    const { key, hash } = await prepare(gateway, 100);
    const status = async (path: string) => (await fetch(`${gateway.url}/api/v1${path}`)).status;
    const calls = Array.from({ length: 20 }, () => embed(gateway, key));
    await Promise.all(calls);

    await way.cut();
    // Calls that are under way when the store goes wait for it, so nobody waits for the calls here.
    for (let tick = 0; tick < awaySeconds * 4; tick += 1) {
      calls.push(embed(gateway, key));
      await sleep(250);
    }
    expect(await status("/health")).toBe(200);
    expect(await status("/ready")).toBe(503);
    await way.mend();
    for (let recovered = false; !recovered;) {
      const call = embed(gateway, key);
      calls.push(call);
      recovered = (await call).status === 200;
      await sleep(50);
    }
    const answers = await Promise.all(calls);
    const refused = answers.filter(({ status: answer }) => answer !== 200);
    expect(refused.length).toBeGreaterThan(awaySeconds);
    expect(refused.every((answer) => answer.status === 503 && Number(answer.headers.get("retry-after")) > 0)).toBe(
      true,
    );
    await expect.poll(() => status("/ready")).toBe(200);
    const { data } = await manage(gateway, "GET", `/keys/${hash}`);
    expect(data["usage"]).toBeCloseTo((answers.length - refused.length) * costOfCall, 9);
    await gateway.stop();
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: gateway.dataDir })).toContain("all agree");
    await gateway.dispose();
    await way.close();
    await database.drop();
  });
});
