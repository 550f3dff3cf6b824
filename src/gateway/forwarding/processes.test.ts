import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { type FakeSink, startFakeSink } from "../testing/fake-sink.ts";
import { startFakeVendor } from "../testing/fake-vendor.ts";
import { addVendor } from "../testing/process-calls.ts";
import { createDatabase } from "../testing/postgres.ts";
import { type RunningGateway, startGatewayProcess } from "../testing/process.ts";
import { rounds } from "../testing/rounds.ts";

/** What a process takes of the machine's memory; null where the system does not say. */
async function residentMb({ process: { pid } }: RunningGateway): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
}

/** The real program, whose forwarding runs in a thread of its own. */
describe("forwarding by processes that are killed", () => {
  let sink: FakeSink;
  const running: RunningGateway[] = [];
  const drops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    sink = await startFakeSink();
  });
  afterEach(async () => {
    sink.behave(null);
    for (const each of running.splice(0)) await each.dispose();
    for (const drop of drops.splice(0)) await drop();
  });
  afterAll(() => sink.close());

  const start = async (options: Parameters<typeof startGatewayProcess>[0]) => {
    const started = await startGatewayProcess(options);
    running.push(started);
    return started;
  };
  const post = async (at: RunningGateway, path: string, body: object, key = at.managementKey) => {
    const response = await fetch(`${at.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  };
  const embed = async (at: RunningGateway, key: string, count: number) =>
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const body = { model: "gatehouse/lexical", input: `text ${index}` };
        return (await post(at, "/embeddings", body, key)).id as string;
      }),
    );
  const addWebhook = (at: RunningGateway) =>
    post(at, "/observability/destinations", { name: "Sink", type: "webhook", config: { url: sink.url } });

  it("loses no event on the embedded store, killed again and again while it delivers", async () => {
    const managementKey = "m".repeat(40);
    const env = { GATEHOUSE_MANAGEMENT_KEY: managementKey };
    let gateway = await start({ env });
    const { key } = await post(gateway, "/keys", { name: "load" });
    await addWebhook(gateway);
    // Slow enough to be killed in the middle of a request, which is then sent again.
    sink.behave(() => ({ delayMs: 30 }));
    const ids: string[] = [];
    for (let kills = 0; kills < rounds(20); kills += 1) {
      ids.push(...(await embed(gateway, key, 25)));
      await wait((kills * 37) % 200);
      await gateway.stop("SIGKILL");
      gateway = await start({ env, dataDir: gateway.dataDir });
    }
    sink.behave(null);
    await sink.until(ids.length);
    expect(new Set(sink.accepted)).toEqual(new Set(ids));
  });

  it("keeps what a sink misses out of memory, and delivers all of it in order once the sink is back", async () => {
    const gateway = await start({});
    const vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
    drops.push(() => vendor.close());
    await addVendor(gateway, vendor);
    const { key } = await post(gateway, "/keys", { name: "load" });
    const from = sink.accepted.length;
    const already = new Set(sink.accepted).size;
    await addWebhook(gateway);
    sink.behave(() => ({ instead: "reset" }));
    const prompt = "the container is held at customs ".repeat(500);
    const [sessions, calls] = [40, 62];
    const sent = new Map<number, string[]>();
    const half = async (first: number) => {
      const one = async (session: number) => {
        const ids = sent.get(session) ?? [];
        sent.set(session, ids);
        for (let call = 0; call < calls; call += 1) {
          const body = { model: "acme/embed", input: `${prompt} ${call}`, session_id: `session ${session}` };
          ids.push((await post(gateway, "/embeddings", body, key)).id as string);
        }
      };
      await Promise.all(Array.from({ length: sessions / 2 }, (_, index) => one(first + index)));
    };
    await half(0);
    await half(0);
    const before = await residentMb(gateway);
    await half(sessions / 2);
    await half(sessions / 2);
    // 2,480 prompts of 16 kB more wait than before: held in memory they would be 40 MB as bytes, twice that as text.
    if (before !== null) await expect.poll(async () => await residentMb(gateway)).toBeLessThan(before + 40);
    sink.behave(null);
    await sink.until(already + sessions * calls * 2);
    const arrived = new Map<string, number>();
    for (const [at, id] of sink.accepted.slice(from).entries()) if (!arrived.has(id)) arrived.set(id, at);
    for (const ids of sent.values()) {
      const places = ids.map((id) => arrived.get(id) ?? Number.NaN);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  it("on one PostgreSQL one forwards at a time, and another takes over when it dies", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    drops.push(database.drop);
    const env = {
      DATABASE_URL: database.url,
      GATEHOUSE_MANAGEMENT_KEY: "m".repeat(40),
      GATEHOUSE_SECRET_KEY: "s".repeat(40),
    };
    const [first, second] = [await start({ env }), await start({ env })];
    const { key } = await post(first, "/keys", { name: "load" });
    const from = sink.accepted.length;
    const already = new Set(sink.accepted).size;
    await addWebhook(first);
    const ids = [...(await embed(first, key, 20)), ...(await embed(second, key, 20))];
    await sink.until(already + 40);
    // Each went once, unless one was kept from its claim for so long that the other one took it over.
    await wait(500);
    const arrived = sink.accepted.slice(from);
    const takenOver = (first.printed() + second.printed()).includes("forwarding was taken over");
    expect((takenOver ? [...new Set(arrived)] : arrived).toSorted()).toEqual(ids.toSorted());
    await first.stop("SIGKILL");
    const later = await embed(second, key, 20);
    await sink.until(already + 60);
    expect(new Set(sink.accepted.slice(from))).toEqual(new Set([...ids, ...later]));
    await second.stop("SIGTERM");
    expect(second.process.exitCode).toBe(0);
  });

  it("on a PostgreSQL waits for what runs in its own database, and for nothing in another one of the server", async () => {
    const [database, other] = [
      await createDatabase(inject("postgresUrl")),
      await createDatabase(inject("postgresUrl")),
    ];
    drops.push(database.drop, other.drop);
    const gateway = await start({ env: { DATABASE_URL: database.url } });
    const { key } = await post(gateway, "/keys", { name: "load" });
    await addWebhook(gateway);
    const from = sink.accepted.length;
    const already = new Set(sink.accepted).size;
    const open = async (url: string) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query("begin");
      await client.query("select pg_current_xact_id()");
      return client;
    };
    const stranger = await open(other.url);
    const first = await embed(gateway, key, 1);
    await sink.until(already + 1);
    const own = await open(database.url);
    const second = await embed(gateway, key, 1);
    await wait(700);
    expect(sink.accepted.slice(from)).toEqual(first);
    await own.end();
    await sink.until(already + 2);
    expect(sink.accepted.slice(from)).toEqual([...first, ...second]);
    await stranger.end();
  });
});
