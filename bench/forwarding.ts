// What forwarding carries and costs: events a second to one sink and to ten, memory with a long backlog, the time from
// answer to arrival at an idle sink, and what ten enabled destinations cost the relay. Vendor, sink, gateway and load
// are processes of their own; the store is the embedded one.
// Usage: node bench/forwarding.ts [events of the throughput runs] [events of the backlog] [seconds of load]
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { openStore } from "#gateway/storage/store.ts";
import { percentile, printTable } from "./table.ts";

const events = Number(process.argv[2] ?? 100_000);
const backlog = Number(process.argv[3] ?? 1_000_000);
const seconds = Number(process.argv[4] ?? 8);
/** Off and on take turns, so that what else the machine does falls on both. */
const rounds = 5;
const children: ChildProcess[] = [];
const gateways: RunningGateway[] = [];
const env = { NODE_ENV: "production", GATEHOUSE_LOG_LEVEL: "warn", GATEHOUSE_EMBEDDING_CACHE: "0" };

async function start(script: string, ...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  children.push(child);
  let text = "";
  for await (const piece of child.stdout ?? []) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}

async function gateway(dataDir?: string, managementKey?: string): Promise<RunningGateway> {
  const running = await startGatewayProcess({
    env: { ...env, ...(managementKey === undefined ? {} : { GATEHOUSE_MANAGEMENT_KEY: managementKey }) },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  gateways.push(running);
  return running;
}

async function api(at: RunningGateway, method: string, path: string, body?: object) {
  const response = await fetch(`${at.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${at.managementKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

async function addSinks(at: RunningGateway, count: number, url: string): Promise<string[]> {
  // Five of a kind at most.
  const kinds = [
    (name: string) => ({ name, type: "webhook", config: { url } }),
    (name: string) => ({ name, type: "otel-collector", config: { endpoint: url } }),
  ];
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const body = kinds[Math.floor(made / 5)]?.(`sink ${made}`) ?? {};
    ids.push((await api(at, "POST", "/observability/destinations", body)).data.id);
  }
  return ids;
}

/** Puts calls into the ledger of a gateway that is stopped, behind its destinations' places. */
async function fill(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ engine: "embedded", folder: dataDir });
  const { rows } = await store.pool.query("select id from workspaces where is_default");
  for (let done = 0; done < count; done += 50_000) {
    await store.pool.query(
      `insert into ledger (id, workspace_id, created_at, settled_at, key_hash, spend_id, api_type, model, provider, status,
         prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, metered_by, priced, byok, cost, byok_cost,
         overrun, saved, inputs, cached_inputs, latency_ms, duration_ms, streamed, cancelled, attempts, session_id, trace)
       select 'gen-' || n, $1, now() + n * interval '1 microsecond', now(), repeat('a', 64), $1, 'embeddings', 'acme/embed',
         'acme', 200, 8, 0, 0, 0, 'upstream', true, false, 160, 0, 0, 0, 1, 0, 12, 14, false, false, '[]',
         'session ' || n % 1000, '{"team":"docs"}'
       from generate_series($2::int, $3::int) n`,
      [rows[0].id, done, Math.min(done + 50_000, count) - 1],
    );
  }
  await store.pool.query("analyze ledger");
  await store.close();
}

const megabytes = ({ process: { pid } }: RunningGateway) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

const counted = async (port: number) =>
  (await (await fetch(`http://127.0.0.1:${port}/count`)).json()) as { spans: number; requests: number };

/** How fast a backlog drains to this many destinations, and the most memory meanwhile. */
async function drain(count: number, sinks: number) {
  const port = Number(await start("forwarding-sink.ts"));
  const prepared = await gateway();
  await addSinks(prepared, sinks, `http://127.0.0.1:${port}/v1/traces`);
  await prepared.stop();
  await fill(prepared.dataDir, count);
  const running = await gateway(prepared.dataDir, prepared.managementKey);
  const began = performance.now();
  const before = await counted(port);
  let most = 0;
  for (;;) {
    const { spans } = await counted(port);
    most = Math.max(most, megabytes(running));
    if (spans - before.spans >= count * sinks - before.spans) break;
    await wait(100);
  }
  const perSecond = (count * sinks) / ((performance.now() - began) / 1_000);
  await running.dispose();
  return { perSecond, most };
}

/** Resident memory of a gateway with one destination whose sink is down: at rest, and with calls that wait. */
async function memory(count: number) {
  const port = Number(await start("forwarding-sink.ts"));
  await fetch(`http://127.0.0.1:${port}/down`);
  const prepared = await gateway();
  await addSinks(prepared, 1, `http://127.0.0.1:${port}/v1/traces`);
  const settle = async (at: RunningGateway) => {
    await wait(10_000);
    return megabytes(at);
  };
  const idle = await settle(prepared);
  await prepared.stop();
  // One call as the baseline, so that both have met their sink.
  await fill(prepared.dataDir, 1_000);
  const few = await gateway(prepared.dataDir, prepared.managementKey);
  const withFew = await settle(few);
  await few.stop();
  await fillMore(few.dataDir, count);
  const many = await gateway(prepared.dataDir, prepared.managementKey);
  const withMany = await settle(many);
  await fetch(`http://127.0.0.1:${port}/up`);
  let most = withMany;
  for (let tries = 0; tries < 600; tries += 1) {
    most = Math.max(most, megabytes(many));
    if ((await counted(port)).spans >= count) break;
    await wait(100);
  }
  await many.dispose();
  return { idle, withFew, withMany, most };
}

async function fillMore(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ engine: "embedded", folder: dataDir });
  await store.pool.query("delete from ledger");
  await store.close();
  await fill(dataDir, count);
}

/** From a caller's answer to the span's arrival, one call at a time. */
async function latency(calls: number): Promise<number[]> {
  const arrived = new Map<string, number>();
  let told = () => {};
  const sink = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      const at = performance.now();
      for (const [, id] of text.matchAll(/"stringValue":"(gen-[^"]+)"/g)) if (id !== undefined) arrived.set(id, at);
      response.end("{}");
      told();
    });
  });
  await new Promise<void>((resolve) => void sink.listen(0, "127.0.0.1", resolve));
  const running = await gateway();
  await addSinks(running, 1, `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`);
  const { key } = await api(running, "POST", "/keys", { name: "bench" });
  const took: number[] = [];
  for (let made = 0; made < calls; made += 1) {
    const response = await fetch(`${running.url}/api/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gatehouse/lexical", input: `text ${made}` }),
    });
    const { id } = (await response.json()) as { id: string };
    const answered = performance.now();
    while (!arrived.has(id)) await new Promise<void>((resolve) => (told = resolve));
    took.push(Math.max(0, (arrived.get(id) ?? 0) - answered));
    await wait(50 + (made % 7) * 40);
  }
  await running.dispose();
  sink.closeAllConnections();
  sink.close();
  return took;
}

interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

/** The relay under load with ten destinations off, on, and off and on again. */
async function relayCost(privacy: boolean): Promise<{ off: Load[]; on: Load[] }> {
  const vendor = await start("relay-vendor.ts", "");
  const port = Number(await start("forwarding-sink.ts"));
  const running = await gateway();
  const model = {
    id: "acme/embed",
    upstream_id: "embed-small",
    type: "embedding",
    name: "Embed",
    context_length: 8192,
  };
  await api(running, "POST", "/providers", {
    slug: "acme",
    name: "Acme",
    kind: "openai-compatible",
    base_url: `http://127.0.0.1:${vendor}/v1`,
    api_key: null,
    data_collection: "deny",
    enabled: true,
    models: [{ ...model, dimensions: 1536, max_batch: 2048, pricing: { prompt: "0.00000002" } }],
  });
  const { key } = await api(running, "POST", "/keys", { name: "bench", limit: 1_000_000 });
  const ids = await addSinks(running, 10, `http://127.0.0.1:${port}/`);
  const set = async (enabled: boolean) => {
    const body = { enabled, privacy_mode: privacy, resume: "from_now" };
    for (const id of ids) await api(running, "PATCH", `/observability/destinations/${id}`, body);
  };
  const load = async () =>
    JSON.parse(
      await start(
        "relay-load.ts",
        JSON.stringify({
          port: Number(new URL(running.url).port),
          path: "/api/v1/embeddings",
          key,
          model: "acme/embed",
          connections: 32,
          seconds,
          inputs: 1,
        }),
      ),
    ) as Load;
  const off: Load[] = [];
  const on: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await set(false);
    await wait(1_000);
    off.push(await load());
    await set(true);
    await wait(1_000);
    on.push(await load());
  }
  await running.dispose();
  return { off, on };
}

/** A backlog drains, and an idle sink gets what is new. */
async function throughput(): Promise<void> {
  const one = await drain(events, 1);
  const ten = await drain(events / 4, 10);
  printTable(
    `A backlog drains (${events.toLocaleString("en")} calls)`,
    ["to", "events/s", "asked", "most memory"],
    [
      ["one OTLP sink", Math.round(one.perSecond), "≥ 5,000", `${Math.round(one.most)} MB`],
      ["ten at once, together", Math.round(ten.perSecond), "≥ 10,000", `${Math.round(ten.most)} MB`],
    ],
  );
  const took = await latency(60);
  printTable(
    "From answer to arrival, an idle sink",
    ["p50 ms", "p95 ms", "asked"],
    [[percentile(took, 50).toFixed(1), percentile(took, 95).toFixed(1), "p50 ≤ 500"]],
  );
}

const sayLoad = ({ perSecond, p50 }: Load) => `${Math.round(perSecond)}/s ${p50.toFixed(1)} ms`;
const middle = (loads: Load[]) => loads.toSorted((a, b) => a.perSecond - b.perSecond)[loads.length >> 1] as Load;

try {
  if (events > 0) await throughput();
  if (seconds > 0) {
    for (const privacy of [true, false]) {
      const { off, on } = await relayCost(privacy);
      const [without, withTen] = [middle(off), middle(on)];
      console.log(`off ${off.map(sayLoad).join(", ")}; on ${on.map(sayLoad).join(", ")}`);
      printTable(
        `Ten destinations beside the relay, 32 connections, ${privacy ? "metadata only" : "with bodies"} (median)`,
        ["destinations", "calls/s", "p50 ms", "p99 ms", "of off", "p50 added ms", "asked"],
        [
          ["off", Math.round(without.perSecond), without.p50.toFixed(2), without.p99.toFixed(2), "", "", ""],
          [
            "ten on",
            Math.round(withTen.perSecond),
            withTen.p50.toFixed(2),
            withTen.p99.toFixed(2),
            (withTen.perSecond / without.perSecond).toFixed(3),
            (withTen.p50 - without.p50).toFixed(2),
            "≥ 0.95, ≤ 0.2",
          ],
        ],
      );
    }
  }
  if (backlog > 0) {
    const { idle, withFew, withMany, most } = await memory(backlog);
    printTable(
      `Memory, one sink that is down, then up (backlog of ${backlog.toLocaleString("en")})`,
      ["when", "MB"],
      [
        ["no backlog", Math.round(idle)],
        ["1,000 calls wait", Math.round(withFew)],
        [`${backlog.toLocaleString("en")} wait`, Math.round(withMany)],
        ["the most in the first minute of draining", Math.round(most)],
      ],
    );
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  for (const running of gateways) await running.dispose();
}
