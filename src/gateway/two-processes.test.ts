import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { KeptFiles } from "#contract/files.ts";
import { eventually } from "./testing/eventually.ts";
import { type FakeSink, startFakeSink } from "./testing/fake-sink.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { type FlakyProxy, flakyProxy } from "./testing/flaky-proxy.ts";
import { createDatabase } from "./testing/postgres.ts";
import {
  addKey,
  addVendor,
  call,
  chat,
  costOfCall,
  embed,
  load,
  manage,
  type ProcessAnswer,
  sharedSecrets,
  usageOf,
  verify,
} from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { rounds } from "./testing/rounds.ts";
import { json, type ScriptedVendor, startScriptedVendor } from "./testing/scripted-vendor.ts";
import "./testing/vitest-setup.ts";

type Answered = Pick<ProcessAnswer, "status" | "headers">;

const usd = (calls: number) => Number((calls * costOfCall).toFixed(9));
const served = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length;

/** In this order: the tests at the end kill what the others need. */
describe("two processes on one PostgreSQL", () => {
  let vendor: FakeVendor;
  let studio: ScriptedVendor;
  let sink: FakeSink;
  let way: FlakyProxy;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let env: Record<string, string>;
  let here: RunningGateway;
  let there: RunningGateway;
  /** each of its calls is forwarded to the sink */
  let forwarded = "";
  const started: RunningGateway[] = [];
  const start = async (more: object = {}) => {
    const gateway = await startGatewayProcess({ env: { ...env, ...more } });
    started.push(gateway);
    return gateway;
  };
  const calls = (at: RunningGateway, key: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => embed(at, key)));

  beforeAll(async () => {
    [vendor, studio, sink] = await Promise.all([startFakeVendor(), startScriptedVendor(), startFakeSink()]);
    vendor.settings.dimensions = 4;
    database = await createDatabase(inject("postgresUrl"));
    env = { ...sharedSecrets, DATABASE_URL: database.url, GATEHOUSE_FILES_MB: "8" };
    const url = new URL(database.url);
    way = await flakyProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(way.port);
    [here, there] = await Promise.all([start({ DATABASE_URL: url.href }), start()]);
    await addVendor(here, vendor);
    await manage(here, "POST", "/providers", {
      slug: "studio",
      name: "Studio",
      kind: "openai-compatible",
      base_url: `${studio.url}/v1`,
      models: [{ id: "studio/camera", upstream_id: "sora-2", type: "video", pricing: { prompt: "0", second: "0.1" } }],
    });
    studio.answer(({ path }) => json(path.endsWith("/videos") ? { id: "v" } : { status: "in_progress" }));
    const { data } = await manage(here, "POST", "/workspaces", { name: "Forwarded", slug: "forwarded" });
    const webhook = { name: "Sink", type: "webhook", config: { url: sink.url }, workspace_id: data["id"] };
    await manage(here, "POST", "/observability/destinations", webhook);
    forwarded = (await addKey(here, null, { workspace_id: data["id"] })).key;
  });
  afterEach(() => sink.behave(null));
  afterAll(async () => {
    for (const each of started) await each.dispose();
    await Promise.all([vendor.close(), studio.close(), sink.close(), way.close()]);
    await database.drop();
  });

  describe("a limit that is lowered at one while the other holds a slice of it", () => {
    /** Spends at both, and says how many calls were served. */
    const spendAtBoth = async (key: string) =>
      served((await Promise.all([calls(there, key, 60), calls(here, key, 20)])).flat());
    /** Changes a limit. @returns how many calls may be served after it: any number where a process did not answer in time */
    async function lower(method: string, path: string, body: object): Promise<number> {
      const began = performance.now();
      expect((await manage(here, method, path, body)).status).toBeLessThan(300);
      return performance.now() - began < 2_000 ? 20 : Number.POSITIVE_INFINITY;
    }
    /** Spends 20 calls at the other one, which holds a slice then. */
    const spendThere = async (key: string) => expect(served(await calls(there, key, 20))).toBe(20);

    it("is not passed by what is spent after the answer: of a key", async () => {
      const { key, hash } = await addKey(here, usd(1_000));
      const before = vendor.calls();
      await spendThere(key);
      const most = await lower("PATCH", `/keys/${hash}`, { limit: usd(40) });
      const more = await spendAtBoth(key);
      expect(vendor.calls() - before).toBe(20 + more);
      expect(more).toBeGreaterThan(0);
      expect(more).toBeLessThanOrEqual(most);
    });

    it("of a workspace", async () => {
      const named = { name: "Lowered", slug: randomBytes(4).toString("hex") };
      const { id } = (await manage(here, "POST", "/workspaces", named)).data;
      const budget = `/workspaces/${String(id)}/budgets/lifetime`;
      expect((await manage(here, "PUT", budget, { limit_usd: usd(1_000) })).status).toBe(200);
      const { key } = await addKey(here, null, { workspace_id: id });
      await spendThere(key);
      const most = await lower("PUT", budget, { limit_usd: usd(40) });
      expect(await spendAtBoth(key)).toBeLessThanOrEqual(most);
    });

    it("of credits that are taken back", async () => {
      const used = Number((await manage(here, "GET", "/credits")).data["total_usage"]);
      const { key } = await addKey(here, null);
      await manage(here, "POST", "/credits", { amount_usd: used + usd(1_000) });
      await spendThere(key);
      const most = await lower("POST", "/credits", { amount_usd: -usd(960) });
      expect(await spendAtBoth(key)).toBeLessThanOrEqual(most);
      await manage(here, "POST", "/credits", { amount_usd: 1_000 });
    });

    it.each(["keys", "members"] as const)("of a guardrail for %s, new or lowered", async (end) => {
      const user = randomBytes(4).toString("hex");
      const { key, hash } = await addKey(here, null, { creator_user_id: user });
      await spendThere(key);
      const budget = { name: `Lowered for ${end}`, limit_usd: usd(1_000), reset_interval: "monthly" };
      const path = `/guardrails/${String((await manage(here, "POST", "/guardrails", budget)).data["id"])}`;
      const body = end === "keys" ? { key_hashes: [hash] } : { member_user_ids: [user] };
      expect((await manage(here, "POST", `${path}/assignments/${end}`, body)).status).toBe(200);
      await spendThere(key);
      const most = await lower("PATCH", path, { limit_usd: usd(60) });
      const more = await spendAtBoth(key);
      expect(more).toBeGreaterThan(0);
      expect(more).toBeLessThanOrEqual(most);
    });

    it("is kept from a process that does not answer: it loses its slice, and what it serves from it later is not charged", async () => {
      const { key, hash } = await addKey(here, usd(1_000));
      await spendThere(key);
      there.process.kill("SIGSTOP");
      const { status } = await manage(here, "PATCH", `/keys/${hash}`, { limit: usd(40) });
      there.process.kill("SIGCONT");
      expect(status).toBe(200);
      await spendAtBoth(key);
      expect(Math.round((await usageOf(here, hash)) * 1e9)).toBeLessThanOrEqual(Math.round(usd(40) * 1e9));
    });

    it("takes no slice away where it leaves room for every one", async () => {
      // So large that nobody waits for room.
      const { key, hash } = await addKey(here, usd(10_000));
      await spendThere(key);
      await manage(here, "PATCH", `/keys/${hash}`, { limit: usd(5_000) });
      expect(await spendAtBoth(key)).toBe(80);
    });
  });

  it("share a workspace's quota of files exactly", async () => {
    const { key } = await addKey(here, null);
    const filesAt = async (at: RunningGateway) => JSON.parse((await call(at, key, "/files")).text) as KeptFiles;
    const bytes = Math.floor(8_000_000 / 9);
    const headers = { authorization: `Bearer ${key}` };
    const upload = async ({ url }: RunningGateway) => {
      const body = new FormData();
      body.append("file", new Blob(["%PDF-", Buffer.alloc(bytes - 5, "x")]), "a.pdf");
      return (await fetch(`${url}/api/v1/files`, { method: "POST", headers, body })).status;
    };
    // Who sends on after a refusal may lose the connection before it has read it.
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => upload(at % 2 ? here : there)));
    const statuses = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.filter((status) => status !== 200 && status !== 413)).toEqual([]);
    for (const at of [here, there]) expect((await filesAt(at)).usage).toMatchObject({ bytes: 9 * bytes, files: 9 });
    const [file] = (await filesAt(there)).data;
    const gone = await fetch(`${there.url}/api/v1/files/${file?.id}`, { method: "DELETE", headers });
    expect(gone.status).toBe(200);
    expect((await filesAt(here)).usage).toMatchObject({ bytes: 8 * bytes, files: 8 });
  });

  it("share batches, and ask for nothing twice", async () => {
    const { key } = await addKey(here, 1);
    const before = vendor.calls();
    const submit = async (at: RunningGateway) => {
      const body = { input: `text ${randomBytes(8).toString("hex")}` };
      const requests = Array.from({ length: 60 }, (_, index) => ({
        custom_id: `${index}`,
        body: { input: `${body.input} ${index}` },
      }));
      const begun = await call(at, key, "/batches", { endpoint: "/v1/embeddings", model: "acme/embed", requests });
      expect(begun.status).toBe(202);
      return JSON.parse(begun.text).id as string;
    };
    for (const id of [await submit(here), await submit(there)]) {
      const batch = await eventually(
        async () => JSON.parse((await call(here, key, `/batches/${id}`)).text),
        ({ status }) => status === "completed",
      );
      expect(batch.request_counts).toEqual({ total: 60, completed: 60, failed: 0 });
    }
    expect(vendor.calls() - before).toBe(120);
  });

  it("forward each call once", async () => {
    const ids = [...(await calls(here, forwarded, 20)), ...(await calls(there, forwarded, 20))].map(({ id }) => id);
    await sink.until(40);
    // Whoever forwards after the other one would send again what this one does not know to be sent.
    ids.push((await embed(there, forwarded)).id);
    await sink.until(41);
    // Unless one was kept from its claim for so long that the other one took it over.
    const takenOver = (here.printed() + there.printed()).includes("forwarding was taken over");
    expect((takenOver ? [...new Set(sink.accepted)] : sink.accepted).toSorted()).toEqual(ids.toSorted());
  });

  it("live on when their connections end under load of every kind: nobody gets a 500, every answered call is on the ledger once", async () => {
    const terminations = 20 * rounds(10);
    const admin = new pg.Client(database.url);
    await admin.connect();
    const limited = await Promise.all(Array.from({ length: 10 }, () => addKey(here, 1)));
    const unlimited = await addKey(here, null);
    const refused: Answered[] = [];
    const whole: ProcessAnswer[] = [];
    const streams: ProcessAnswer[] = [];
    const made: string[] = [];
    let answers = 0;
    let loaded = true;
    /** Does the same again and again, and keeps what was refused. */
    async function again<T extends Answered>(work: () => Promise<T>, keep: (answer: T) => void = () => {}) {
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
      while (loaded) {
        const answer = await work();
        if (answer.status >= 400) {
          refused.push(answer);
          await sleep(5);
        } else {
          answers += 1;
          keep(answer);
        }
      }
    }
    const embeds = (key: string) =>
      again(
        () => embed(here, key),
        (answer) => whole.push(answer),
      );
    const chats = (key: string) =>
      again(
        () => chat(here, key),
        (answer) => streams.push(answer),
      );
    const working = Promise.all([
      ...limited.map(({ key }) => embeds(key)),
      ...limited.slice(0, 3).map(({ key }) => chats(key)),
      ...[1, 2, 3].map(() => embeds(unlimited.key)),
      chats(unlimited.key),
      ...["/keys", "/generations", "/audit", "/workspaces"].map((path) => again(() => manage(here, "GET", path))),
      again(
        () => manage(here, "POST", "/keys", { name: "made meanwhile" }),
        (answer) => made.push(String(answer.data["hash"])),
      ),
    ]);
    const gone = () => here.process.exitCode !== null;
    for (let ended = 0; ended < terminations;) {
      const before = answers;
      const { rows } = await admin.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
         order by state = 'idle', random() limit 5`,
      );
      ended += rows.length;
      while (answers === before && !gone()) await sleep(2);
    }
    const ended = () => streams.filter(({ text }) => text.endsWith("data: [DONE]\n\n"));
    // Some of each kind have come through by then.
    await eventually(() => gone() || (ended().length > 0 && made.length > 0), Boolean);
    expect([here.process.exitCode, there.process.exitCode]).toEqual([null, null]);
    loaded = false;
    await working;
    // What is still to be committed holds nobody up, so it is waited for.
    for (const at of [here, there]) await expect.poll(async () => (await embed(at, unlimited.key)).status).toBe(200);

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(refused.length > 0 ? [503] : []));
    expect(refused.filter(({ headers }) => Number(headers.get("retry-after")) < 1)).toEqual([]);
    const ids = (await admin.query<{ id: string }>("select id from ledger")).rows.map(({ id }) => id);
    const recorded = new Set(ids);
    expect(recorded.size).toBe(ids.length);
    expect([...whole, ...ended()].filter(({ id }) => id === null || !recorded.has(id))).toEqual([]);
    const hashes = new Set(
      (await admin.query<{ hash: string }>("select hash from api_keys")).rows.map(({ hash }) => hash),
    );
    expect(made.filter((hash) => !hashes.has(hash))).toEqual([]);
    await admin.end();
  });

  it("one of them without its store: limited keys get 503, liveness stays, it recovers by itself, nothing is lost", async () => {
    const awayMs = rounds(30) * 1_000;
    const { key, hash } = await addKey(here, 100);
    const status = async (path: string) => (await fetch(`${here.url}/api/v1${path}`)).status;
    const all = Array.from({ length: 20 }, () => embed(here, key));
    await Promise.all(all);
    let refusals = 0;
    const began = performance.now();
    await way.cut();
    // Calls that are under way when the store goes wait for it, so nobody waits for the calls here.
    while (refusals < 5 || performance.now() - began < awayMs) {
      const one = embed(here, key);
      all.push(one);
      void one.then((answer) => (refusals += answer.status === 503 ? 1 : 0));
      await sleep(100);
    }
    expect(await status("/health")).toBe(200);
    expect(await status("/ready")).toBe(503);
    await way.mend();
    await eventually(
      async () => {
        const one = embed(here, key);
        all.push(one);
        return (await one).status;
      },
      (last) => last === 200,
    );
    const answers = await Promise.all(all);
    const refused = answers.filter(({ status: answer }) => answer !== 200);
    expect(
      refused.filter(({ headers, ...one }) => one.status !== 503 || !(Number(headers.get("retry-after")) > 0)),
    ).toEqual([]);
    await expect.poll(() => status("/ready")).toBe(200);
    expect(await usageOf(here, hash)).toBeCloseTo((answers.length - refused.length) * costOfCall, 9);
  });

  /** Spends at one until the key has almost nothing left: until then, what another one holds counts as reserved. */
  async function spendAll(at: RunningGateway, { key, hash }: { key: string; hash: string }): Promise<void> {
    const spend = async () => {
      for (;;) {
        const { status } = await embed(at, key);
        if (status === 402) return Number((await manage(at, "GET", `/keys/${hash}`)).data["limit_remaining"]);
      }
    };
    await eventually(spend, (remaining) => remaining < 10 * costOfCall);
  }
  const expectWithin = async (at: RunningGateway, hash: string, most: number) =>
    expect(Math.round((await usageOf(at, hash)) * 1e9)).toBeLessThanOrEqual(Math.round(usd(most) * 1e9));

  it("one of them frozen for longer than its leases last: the other one spends what it held, and nothing passes the limit when it goes on", async () => {
    const own = await addKey(here, usd(400));
    const answered: string[] = [];
    const enough = new AbortController();
    const loading = load(here, own.key, answered, enough.signal);
    await eventually(() => answered.length >= 20, Boolean);
    here.process.kill("SIGSTOP");
    await spendAll(there, own);
    here.process.kill("SIGCONT");
    // It learns what it lost, and serves again.
    await expect.poll(async () => (await embed(here, own.key)).status).toBe(402);
    enough.abort();
    await loading;
    await expectWithin(there, own.hash, 400);
  });

  it("one of them killed: the other one spends what it held, to the last call, forwards in its place, and looks after its videos", async () => {
    const own = await addKey(here, usd(400));
    const filming = await addKey(here, 1);
    const film = { model: "studio/camera", prompt: "a", duration: 4 };
    const { id } = JSON.parse((await call(here, filming.key, "/videos", film)).text) as { id: string };
    const before = new Set(sink.accepted).size;
    const answered: string[] = [];
    const loading = load(here, own.key, answered);
    await eventually(() => answered.length >= 50, Boolean);
    await here.stop("SIGKILL");
    await loading;
    await spendAll(there, own);
    await expectWithin(there, own.hash, 400);

    const later = (await calls(there, forwarded, 20)).map((one) => one.id ?? "none");
    await sink.until(before + 20);
    expect(later.filter((each) => !sink.accepted.includes(each))).toEqual([]);

    // A third one, so that there are two again that could charge for it.
    here = await start();
    studio.answer(() => json({ id: "v", status: "completed" }));
    const see = async (at: RunningGateway) => JSON.parse((await call(at, filming.key, `/videos/${id}`)).text).status;
    for (const at of [here, there]) await expect.poll(() => see(at)).toBe("completed");
    expect(await usageOf(here, filming.hash)).toBe(0.4);
  });

  it(`killed ${rounds(10)} times soon after a start, with nobody else there: what the dead held starves no key`, async () => {
    await there.stop("SIGTERM");
    expect(there.process.exitCode).toBe(0);
    // Each life leases an eighth of what is left, several times, and spends a few.
    const own = await addKey(here, usd(500));
    const billed = vendor.calls();
    const firsts: number[] = [];
    for (let kill = 0; kill < rounds(10); kill += 1) {
      firsts.push((await embed(here, own.key)).status);
      const answered: string[] = [];
      const loading = load(here, own.key, answered);
      await eventually(() => answered.length > 0, Boolean);
      await here.stop("SIGKILL");
      await loading;
      here = await start();
    }
    firsts.push((await embed(here, own.key)).status);
    expect(firsts).toEqual(firsts.map(() => 200));
    await spendAll(here, own);
    await expectWithin(here, own.hash, Math.min(500, vendor.calls() - billed));
  });

  it("leave a ledger whose sums agree, and on which nothing passed its limit", async () => {
    await here.stop();
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: here.dataDir })).toContain("all agree");
  });
});
