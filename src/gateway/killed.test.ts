import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeptFile, KeptFiles } from "#contract/files.ts";
import { openStore } from "./storage/store.ts";
import { eventually } from "./testing/eventually.ts";
import { type FakeSink, startFakeSink } from "./testing/fake-sink.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import {
  addKey,
  addVendor,
  call,
  embed,
  load,
  manage,
  sharedSecrets,
  usageOf,
  verify,
} from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { rounds } from "./testing/rounds.ts";
import { json, type ScriptedVendor, startScriptedVendor } from "./testing/scripted-vendor.ts";

const kills = rounds(20);
/** So many that some are left at the last kill: in each life the vendor answers some, and more are in flight when it ends. */
const [batched, answeredEachLife] = [40 * kills + 20, 20];

interface Batch {
  readonly status: string;
  readonly request_counts: { total: number; completed: number; failed: number };
  readonly results: { response: object | null; error: { message: string } | null }[] | null;
}

const nothing = () => {};
const embedding = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.6, 0.8] }],
  model: "embed",
  usage: { prompt_tokens: 2, total_tokens: 2 },
};

/** The processes of the semantic model that a process has started. */
const modelsOf = (parent: number | undefined) =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, of, ...args]) => Number(of) === parent && args.join(" ").includes("semantic/model-process.ts"))
    .map(([own]) => Number(own));
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe(`a gateway on its own folder, killed ${kills} times with kill -9 in the middle of everything`, () => {
  let dataDir: string;
  let vendor: FakeVendor;
  let studio: ScriptedVendor;
  let sink: FakeSink;
  let gateway: RunningGateway;
  const start = async () => void (gateway = await startGatewayProcess({ dataDir, env: sharedSecrets }));

  let keys: Record<"load" | "uploads" | "batch" | "videos" | "lost" | "forwarded", { key: string; hash: string }>;
  const answered: string[] = [];
  const uploaded: string[] = [];
  const forwarded: string[] = [];
  const videos: string[] = [];
  let batch = "";
  /** how many requests of the batch were completed just before each kill, and just after the start that followed */
  const progress: { before: number; after: number }[] = [];
  let videoBeyondReservation: number | null = null;
  let finishing = false;
  const models: number[] = [];

  const film = (prompt: string, key: string) =>
    call(gateway, key, "/videos", { model: "studio/camera", prompt, duration: 4 });
  const see = async <T>(path: string, key: string) => JSON.parse((await call(gateway, key, path)).text) as T;
  const batchRequests = () => studio.requests.filter(({ path }) => path.endsWith("/embeddings")).length;
  const seeBatch = () => see<Batch>(`/batches/${batch}`, keys.batch.key);

  async function prepare(): Promise<void> {
    await addVendor(gateway, vendor);
    const pricing = { prompt: "0", second: "0.1" };
    await manage(gateway, "POST", "/providers", {
      slug: "studio",
      name: "Studio",
      kind: "openai-compatible",
      base_url: `${studio.url}/v1`,
      models: [
        { id: "studio/camera", upstream_id: "sora-2", type: "video", pricing },
        { id: "studio/embed", upstream_id: "embed", type: "embedding", dimensions: 2, pricing: { prompt: "0.000001" } },
      ],
    });
    const { data } = await manage(gateway, "POST", "/workspaces", { name: "Forwarded", slug: "forwarded" });
    const forwarding = { workspace_id: data["id"] };
    const webhook = { name: "Sink", type: "webhook", config: { url: sink.url }, ...forwarding };
    await manage(gateway, "POST", "/observability/destinations", webhook);
    keys = {
      load: await addKey(gateway, 100),
      uploads: await addKey(gateway, null),
      batch: await addKey(gateway, 1),
      videos: await addKey(gateway, 1),
      lost: await addKey(gateway, 1),
      forwarded: await addKey(gateway, null, forwarding),
    };
    const requests = Array.from({ length: batched }, (_, at) => ({ custom_id: `${at}`, body: { input: `of ${at}` } }));
    const begun = await call(gateway, keys.batch.key, "/batches", {
      endpoint: "/v1/embeddings",
      model: "studio/embed",
      requests,
    });
    expect(begun.status).toBe(202);
    batch = JSON.parse(begun.text).id;
    for (const prompt of ["one", "two"]) videos.push(JSON.parse((await film(prompt, keys.videos.key)).text).id);
  }

  /** Uploads until the gateway is gone. */
  async function upload(): Promise<void> {
    const { url } = gateway;
    const one = async (bytes: number) => {
      for (;;) {
        const body = new FormData();
        body.append("file", new Blob(["%PDF-", Buffer.alloc(bytes - 5, "x")]), "a.pdf");
        const headers = { authorization: `Bearer ${keys.uploads.key}` };
        const answer = await fetch(`${url}/api/v1/files`, { method: "POST", headers, body });
        if (answer.status === 200) uploaded.push(((await answer.json()) as { id: string }).id);
      }
    };
    await Promise.all([100_000, 300_000, 600_000].map((bytes) => one(bytes).catch(() => {})));
  }

  const forward = async (count: number) => {
    const made = await Promise.all(Array.from({ length: count }, () => embed(gateway, keys.forwarded.key)));
    forwarded.push(...made.map(({ id }) => id ?? "none"));
  };

  /** Videos are made for ever, and some requests of the batch answered; the others, and a video, wait until it died. */
  function answerUntil(died: Promise<void>): void {
    let embedded = 0;
    studio.answer(async ({ path, body }) => {
      if (body.includes("lost")) await died;
      if (path.endsWith("/videos")) return json({ id: "v" });
      if (!path.endsWith("/embeddings")) return json({ id: "v", status: finishing ? "completed" : "in_progress" });
      embedded += 1;
      if (embedded > answeredEachLife) await died;
      return json(embedding);
    });
  }

  async function live(kill: number): Promise<void> {
    const died = Promise.withResolvers<void>();
    answerUntil(died.promise);
    await start();
    if (kill === 0) {
      await prepare();
      await call(gateway, keys.load.key, "/embeddings", { model: "gatehouse/semantic-en", input: "a gate" });
      models.push(...modelsOf(gateway.process.pid));
    } else {
      const { request_counts: counts } = await seeBatch();
      const last = progress.at(-1);
      if (last !== undefined) last.after = counts.completed;
    }
    // 0.8 of 1 are reserved.
    if (kill === 1) videoBeyondReservation = (await film("three", keys.videos.key)).status;
    // The sink takes one request, and has another one in its hands when the process dies, which is then sent again.
    let requests = 0;
    sink.behave(() => ((requests += 1) === 1 ? null : { after: died.promise, status: 503 }));
    await forward(5);
    await eventually(() => requests > 0, Boolean);
    await forward(20);
    const [called, kept, done] = [answered.length, uploaded.length, progress.at(-1)?.after ?? 0];
    const loaded = [load(gateway, keys.load.key, answered), upload()];
    // The vendor never answers this one.
    if (kill === 0) {
      loaded.push(film("lost", keys.lost.key).then(nothing, nothing));
      await eventually(() => studio.requests.some(({ body }) => body.includes("lost")), Boolean);
    }
    await eventually(() => answered.length > called && uploaded.length > kept, Boolean);
    const before = await eventually(seeBatch, ({ request_counts: counts }) => counts.completed >= done + 5);
    expect(before.status).toBe("in_progress");
    await eventually(batchRequests, (count) => count > before.request_counts.completed);
    progress.push({ before: before.request_counts.completed, after: 0 });
    if (kill === kills - 1) finishing = true;
    await eventually(() => requests > 1, Boolean);
    await sleep(Math.random() * 150);
    await gateway.stop("SIGKILL");
    died.resolve();
    await Promise.allSettled(loaded);
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "gatehouse-killed-"));
    [vendor, studio, sink] = await Promise.all([startFakeVendor(), startScriptedVendor(), startFakeSink()]);
    vendor.settings.dimensions = 4;
    vendor.delay({ first: 20 });
    for (let kill = 0; kill < kills; kill += 1) await live(kill);
    answerUntil(Promise.resolve());
    await start();
    const last = progress.at(-1);
    if (last !== undefined) last.after = (await seeBatch()).request_counts.completed;
  }, 3_600_000);
  afterAll(async () => {
    await gateway.dispose();
    await Promise.all([vendor.close(), studio.close(), sink.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it("loses no event that it forwards", async () => {
    sink.behave(null);
    await sink.until(forwarded.length);
    expect(new Set(sink.accepted)).toEqual(new Set(forwarded));
  });

  it("has kept every file that it answered, whole, and nothing else", async () => {
    const { data, usage } = await see<KeptFiles>("/files?limit=1000", keys.uploads.key);
    expect(uploaded.length).toBeGreaterThanOrEqual(kills);
    expect(uploaded.filter((id) => !data.some((file) => file.id === id))).toEqual([]);
    const bytes = data.reduce((sum, { size_bytes: size }) => sum + size, 0);
    expect(usage).toMatchObject({ files: data.length, bytes });
    const folder = join(dataDir, "files");
    // The sweep after the start may be at work.
    const kept = await eventually(
      () => readdir(folder),
      (names) => names.length === data.length,
    );
    expect(new Set(kept)).toEqual(new Set(data.map(({ id }) => id)));
    const sealed = ({ size_bytes: size }: KeptFile) => size + 16 * Math.ceil(size / 262_144);
    for (const file of data) expect((await stat(join(folder, file.id))).size).toBe(sealed(file));
  });

  it("goes on with a batch, loses no answer that it had, and asks for nothing twice", async () => {
    const { results, request_counts: counts } = await eventually(seeBatch, ({ status }) => status === "completed");
    for (const { before, after } of progress) expect(after).toBeGreaterThanOrEqual(before);
    const answers = results?.filter(({ response }) => response !== null) ?? [];
    const lost = results?.filter(({ error }) => error !== null) ?? [];
    expect([answers.length, lost.length, counts.total]).toEqual([counts.completed, counts.failed, batched]);
    for (const { error } of lost) expect(error?.message).toMatch(/was not made again/);
    expect(batchRequests()).toBeGreaterThanOrEqual(answers.length);
    expect(batchRequests()).toBeLessThanOrEqual(batched);
    // No more than what was in flight at each kill.
    expect(lost.length).toBeLessThanOrEqual(16 * kills);
    expect(await usageOf(gateway, keys.batch.hash)).toBeGreaterThanOrEqual(answers.length * 0.000_001);
  });

  it("goes on with videos, keeps their reservation, and charges each once", async () => {
    const video = (id: string) => see<{ status: string }>(`/videos/${id}`, keys.videos.key);
    expect(videoBeyondReservation).toBe(402);
    for (const id of videos)
      await eventually(
        () => video(id),
        ({ status }) => status === "completed",
      );
    expect(await usageOf(gateway, keys.videos.hash)).toBe(0.8);
  });

  it("charges a video at its most that a vendor was asked for when the process died, since nobody knows", async () => {
    await expect.poll(() => usageOf(gateway, keys.lost.hash)).toBe(0.4);
  });

  it("and its semantic model end together, however it ends", async () => {
    expect(models).toHaveLength(1);
    await call(gateway, keys.load.key, "/embeddings", { model: "gatehouse/semantic-en", input: "a gate" });
    models.push(...modelsOf(gateway.process.pid));
    expect(models).toHaveLength(2);
    expect(isRunning(models[1] ?? 0)).toBe(true);
    await gateway.stop("SIGTERM");
    expect(gateway.process.exitCode).toBe(0);
    await expect.poll(() => models.filter(isRunning)).toEqual([]);
  });

  it("has what it answered on the ledger, once, and every sum agrees", async () => {
    expect(await verify({ GATEHOUSE_DATA_DIR: dataDir, ...sharedSecrets })).toContain("all agree");
    const store = await openStore({ engine: "embedded", folder: dataDir }, () => new Date());
    const { rows } = await store.pool.query<{ id: string }>(
      "select id from ledger where status = 200 and key_hash = $1 and model = 'acme/embed'",
      [keys.load.hash],
    );
    await store.close();
    const ids = new Set(rows.map(({ id }) => id));
    expect(answered.length).toBeGreaterThanOrEqual(kills);
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(rows.length);
  });
});
