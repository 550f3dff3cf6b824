import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { ledgerRows } from "./domain/ledger/columns.ts";
import { openStore } from "./storage/store.ts";
import { startFakeSink } from "./testing/fake-sink.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { type GatewayOptions, type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { addKey, addVendor, chat, costOfCall, embed, manage, sharedSecrets, verify } from "./testing/process-calls.ts";
import "./testing/vitest-setup.ts";

let vendor: FakeVendor;
let database: { url: string; drop(): Promise<void> };
let gateway: RunningGateway;
const begin = (options: GatewayOptions = {}) =>
  startGatewayProcess({
    ...options,
    env: { ...sharedSecrets, DATABASE_URL: database.url, GATEHOUSE_WORKERS: "2", ...options.env },
  });

beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  vendor = await startFakeVendor();
  vendor.settings.dimensions = 4;
  gateway = await begin({ npm: true, env: { GATEHOUSE_STOP_TIMEOUT: "600", GATEHOUSE_CONNECTIONS: "100" } });
  await addVendor(gateway, vendor);
});
afterEach(() => {
  vendor.reset();
  vendor.settings.dimensions = 4;
});
afterAll(async () => {
  await gateway.dispose();
  await vendor.close();
  await database.drop();
});

const lines = () =>
  gateway
    .printed()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** The processes of the workers, in the order in which they began to listen. */
const pids = () =>
  lines().flatMap((line) => (line["msg"] === "a worker listens" ? [Number(line["pid_of_worker"])] : []));
const ended = () => lines().filter(({ msg }) => msg === "a worker ended and is replaced");
const readiness = async () => await (await fetch(`${gateway.url}/readyz`)).text();

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.managementKey}` };
  return await (await fetch(`${gateway.url}/metrics`, { headers })).text();
}

/** Calls until it is stopped; what the caller was answered, and how many connections broke. */
function push(key: string) {
  let stopped = false;
  const ids: string[] = [];
  const statuses = new Map<number, number>();
  let broken = 0;
  const one = async () => {
    while (!stopped) {
      try {
        const { status, id } = await embed(gateway, key);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200 && id !== null) ids.push(id);
      } catch {
        broken += 1;
      }
    }
  };
  const all = Promise.all(Array.from({ length: 6 }, one));
  return {
    ids,
    async stop() {
      stopped = true;
      await all;
      return { ids, statuses, broken };
    },
  };
}

const served = "HTTP/1.1 200 OK";

/** The beginning of the answer on a connection of its own; empty where that was closed instead. */
async function answerOnce(): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const chunks = await socket.toArray().catch(() => []);
  return chunks.join("").slice(0, served.length);
}

/** In this order: the tests at the end kill what the others need. */
describe("GATEHOUSE_WORKERS", () => {
  it("starts so many", async () => await expect.poll(pids).toHaveLength(2));

  it("ends with 1 and one message where the first worker cannot start", async () => {
    await expect(begin({ dataDir: gateway.dataDir, env: { PORT: new URL(gateway.url).port } })).rejects.toThrow(
      /ended with 1 before it listened:\n(Connecting to the database …\n)?Port \d+ on 127\.0\.0\.1 is in use[^\n]*\n$/,
    );
  });

  it("spends no more than a limit, whichever workers serve, and adds up what they count", async () => {
    const affordable = 40;
    const { key, hash } = await addKey(gateway, affordable * costOfCall);
    const answers = await Promise.all(Array.from({ length: affordable * 3 }, () => embed(gateway, key)));
    while ((await embed(gateway, key)).status === 200);
    const { usage, limit_remaining } = (await manage(gateway, "GET", `/keys/${hash}`)).data;
    expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
    expect(Number(usage)).toBeLessThanOrEqual(affordable * costOfCall + 1e-12);
    expect(Number(limit_remaining)).toBeGreaterThanOrEqual(0);
    const served = Math.round(Number(usage) / costOfCall);
    await expect
      .poll(metrics)
      .toContain(`gatehouse_calls_total{api="embeddings",provider="acme",status="200"} ${served}\n`);
  });

  it("counts a call against a rate limit once, whichever worker serves it", async () => {
    const { key } = await addKey(gateway, null, { requests_per_minute: 12 });
    const statuses: number[] = [];
    for (let call = 0; call < 12; call += 1) statuses.push((await embed(gateway, key)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expect.poll(async () => (await embed(gateway, key)).status).toBe(429);
  });

  it("forwards each call once", async () => {
    const sink = await startFakeSink();
    try {
      const { data } = await manage(gateway, "POST", "/workspaces", { name: "Forwarded", slug: "forwarded" });
      const forwarding = { workspace_id: data["id"] };
      const webhook = { type: "webhook", name: "one sink", config: { url: sink.url }, ...forwarding };
      const { data: made } = await manage(gateway, "POST", "/observability/destinations", webhook);
      const { key } = await addKey(gateway, null, forwarding);
      const ids = (await Promise.all(Array.from({ length: 20 }, () => embed(gateway, key)))).map(({ id }) => id);
      await sink.until(20);
      // Unless one worker was kept from its claim for so long that the other one took it over.
      const takenOver = gateway.printed().includes("forwarding was taken over");
      expect((takenOver ? [...new Set(sink.accepted)] : sink.accepted).toSorted()).toEqual(ids.toSorted());
      await manage(gateway, "DELETE", `/observability/destinations/${String(made["id"])}`);
    } finally {
      await sink.close();
    }
  });

  it("closes a connection beyond the bound, as a single process does", async () => {
    const { hostname, port } = new URL(gateway.url);
    let closed = 0;
    const sockets = Array.from({ length: 400 }, () =>
      connect(Number(port), hostname)
        .on("error", () => {})
        .on("close", () => (closed += 1))
        .resume(),
    );
    await expect.poll(() => closed).toBeGreaterThanOrEqual(200);
    await expect.poll(() => gateway.printed()).toContain("there are as many as GATEHOUSE_CONNECTIONS");
    for (const socket of sockets) socket.destroy();
    // Each worker counts its own connections, and sees by itself that they ended.
    await expect.poll(() => Promise.all(Array.from({ length: 8 }, answerOnce))).toEqual(Array(8).fill(served));
  });

  it("closes the connection that a killed worker was given and had not taken", async () => {
    const first = pids().at(-1) ?? 0;
    process.kill(first, "SIGSTOP");
    const answers = Array.from({ length: 4 }, answerOnce);
    await Promise.any(answers);
    process.kill(first, "SIGKILL");
    expect((await Promise.all(answers)).toSorted()).toEqual(["", ...Array<string>(3).fill(served)]);
    await expect.poll(pids).toHaveLength(3);
    await expect.poll(readiness).toBe('{"status":"ready"}');
  });

  it("replaces a worker that is killed under load: the others go on, and every answered call is on the ledger", async () => {
    const { key, hash } = await addKey(gateway, 1);
    const load = push(key);
    await expect.poll(() => load.ids.length).toBeGreaterThan(20);
    // A scrape waits for a worker for three seconds only.
    await expect.poll(metrics).toContain("gatehouse_workers 2");
    const [first = 0] = pids();
    process.kill(first, "SIGKILL");
    await expect.poll(() => ended().at(-1)).toMatchObject({ worker: 1, pid_of_worker: first, signal: "SIGKILL" });
    const meanwhile = load.ids.length;
    await expect.poll(() => load.ids.length).toBeGreaterThan(meanwhile);
    await expect.poll(pids).toHaveLength(4);
    await expect.poll(readiness).toBe('{"status":"ready"}');
    const { ids, statuses, broken } = await load.stop();
    // One call at most of each of the seven connections that there may be, and of the one that it was handed meanwhile.
    expect(broken).toBeLessThanOrEqual(8);
    expect([...statuses.keys()]).toEqual([200]);
    const total = async () =>
      Number(/gatehouse_calls_total\{[^}]*status="200"[^}]*\} (\d+)/.exec(await metrics())?.[1]);
    // what the killed one counted since the last scrape is lost, as it is when a process of its own dies
    await expect.poll(total).toBeGreaterThan(0);
    const { usage } = (await manage(gateway, "GET", `/keys/${hash}`)).data;
    expect(Number(usage)).toBeGreaterThanOrEqual(ids.length * costOfCall - 1e-9);
    const store = await openStore({ engine: "postgres", url: database.url }, () => new Date());
    const rows = await ledgerRows(store.db).select("id").execute();
    await store.close();
    const recorded = new Set(rows.map(({ id }) => id));
    expect(ids.filter((id) => !recorded.has(id))).toEqual([]);
  });

  it("on SIGTERM to npm start lets calls on all workers end, and exits with 0", async () => {
    const letGo = vendor.hold();
    const { key } = await addKey(gateway, null);
    const replaced = ended().length;
    const streams = Array.from({ length: 6 }, () => chat(gateway, key));
    await expect.poll(() => vendor.inFlight()).toBe(6);
    gateway.process.kill("SIGTERM");
    // A service manager sends it to every process.
    for (const pid of pids().slice(-2)) process.kill(pid, "SIGTERM");
    await expect.poll(readiness).toContain("The gateway is stopping");
    letGo();
    for (const { status, text } of await Promise.all(streams)) {
      expect([status, text.endsWith("data: [DONE]\n\n")]).toEqual([200, true]);
    }
    await gateway.ended;
    expect(gateway.process.exitCode).toBe(0);
    expect(lines().filter(({ msg }) => msg === "stopped")).toHaveLength(2);
    expect(ended()).toHaveLength(replaced);
    const environment = { ...sharedSecrets, DATABASE_URL: database.url, GATEHOUSE_DATA_DIR: gateway.dataDir };
    expect(await verify(environment)).toContain("all agree");
  });

  it("ends the workers, gracefully, when the process that started them is killed", async () => {
    gateway = await begin();
    await expect.poll(pids).toHaveLength(2);
    const letGo = vendor.hold();
    const { key } = await addKey(gateway, null);
    const held = [chat(gateway, key), chat(gateway, key)];
    await expect.poll(() => vendor.inFlight()).toBe(2);
    const killed = gateway.stop("SIGKILL");
    await expect.poll(() => lines().filter(({ msg }) => msg === "stopping")).toHaveLength(2);
    letGo();
    for (const { text } of await Promise.all(held)) expect(text).toContain("data: [DONE]");
    await killed;
    expect(lines().filter(({ msg }) => msg === "stopped")).toHaveLength(2);
  });
});
