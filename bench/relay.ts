// What a call through Gatehouse costs beside bare Fastify and undici relays in the same run: key check, limit, routing,
// metering and the durable ledger all on. Vendor, relay, gateway and load are processes of their own.
// Usage: node bench/relay.ts [seconds] [embedded|postgres]
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, startPostgres } from "#gateway/testing/postgres.ts";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { peerHeaders, peerName, startPeer } from "./relay-peer.ts";
import { printTable } from "./table.ts";

const seconds = Number(process.argv[2] ?? 8);
const engine = process.argv[3] ?? "embedded";
const children: ChildProcess[] = [];

interface Result {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

function start(script: string, argument: string): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), argument], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stdout ?? []) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}

async function load(
  port: number,
  path: string,
  key: string,
  connections: number,
  inputs: number,
  headers: Record<string, string> = {},
): Promise<Result> {
  const child = start(
    "relay-load.ts",
    JSON.stringify({ port, path, key, model: "acme/embed", connections, seconds, inputs, headers }),
  );
  return JSON.parse(await firstLine(child)) as Result;
}

const vendorPort = await firstLine(start("relay-vendor.ts", ""));
const vendor = `http://127.0.0.1:${vendorPort}/v1`;
const barePort = Number(await firstLine(start("relay-bare.ts", vendor)));

const peer = await startPeer();
if (peer !== null) children.push(peer.process);

const postgres = engine === "postgres" ? await startPostgres() : null;
const gateways: RunningGateway[] = [];

/** A gateway with a provider at the vendor, and a key with a limit. */
async function gateway(cacheMegabytes: number): Promise<{ running: RunningGateway; port: number; key: string }> {
  const database = postgres === null ? null : await createDatabase(postgres.url);
  const running = await startGatewayProcess({
    env: {
      NODE_ENV: "production",
      GATEHOUSE_EMBEDDING_CACHE: String(cacheMegabytes),
      GATEHOUSE_LOG_LEVEL: "warn",
      ...(database === null ? {} : { DATABASE_URL: database.url }),
    },
  });
  gateways.push(running);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${running.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${running.managementKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as { key: string };
  };
  const model = {
    id: "acme/embed",
    upstream_id: "embed-small",
    type: "embedding",
    name: "Embed",
    context_length: 8192,
  };
  await post("/providers", {
    slug: "acme",
    name: "Acme",
    kind: "openai-compatible",
    base_url: vendor,
    api_key: null,
    data_collection: "deny",
    enabled: true,
    models: [{ ...model, dimensions: 1536, max_batch: 2048, pricing: { prompt: "0.00000002" } }],
  });
  const { key } = await post("/keys", { name: "bench", limit: 1_000_000 });
  return { running, port: Number(new URL(running.url).port), key };
}

function megabytes({ pid }: ChildProcess): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)} MB`;
}

const head = ["what", "calls/s", "p50 ms", "p99 ms", "of bare", "p50 added ms", "p99 × bare", "memory", "statuses"];

const row = (name: string, result: Result, bare: Result, memory = "") => [
  name,
  Math.round(result.perSecond),
  result.p50.toFixed(2),
  result.p99.toFixed(2),
  (result.perSecond / bare.perSecond).toFixed(2),
  (result.p50 - bare.p50).toFixed(2),
  (result.p99 / bare.p99).toFixed(2),
  memory,
  JSON.stringify(result.statuses),
];

const ours = "/api/v1/embeddings";

try {
  const off = await gateway(0);
  const rows = [];
  for (const [what, connections, inputs] of [
    ["32 connections", 32, 1],
    ["1 connection", 1, 1],
    ["8 connections, 256 inputs", 8, 256],
  ] as const) {
    const direct = await load(Number(vendorPort), "/v1/embeddings", "none", connections, inputs);
    const bare = await load(barePort, "/metered", "none", connections, inputs);
    rows.push(row(`${what}: direct to the vendor`, direct, bare));
    rows.push(row(`${what}: bare relay, key checked, answer parsed for its usage`, bare, bare));
    for (const path of ["/stream", "/bytes"]) {
      rows.push(
        row(`${what}: bare relay, ${path.slice(1)}`, await load(barePort, path, "none", connections, inputs), bare),
      );
    }
    if (peer !== null) {
      const result = await load(peer.port, "/v1/embeddings", "none", connections, inputs, peerHeaders(vendor));
      rows.push(row(`${what}: ${peerName}`, result, bare, megabytes(peer.process)));
    }
    const gatehouse = await load(off.port, ours, off.key, connections, inputs);
    rows.push(row(`${what}: Gatehouse, cache off`, gatehouse, bare, megabytes(off.running.process)));
    if (connections !== 32) continue;
    const on = await gateway(32);
    const cached = await load(on.port, ours, on.key, connections, inputs);
    rows.push(row(`${what}: Gatehouse, cache on, all misses`, cached, bare, megabytes(on.running.process)));
    await on.running.dispose();
  }
  printTable(`Embeddings of 1,536 numbers (17 kB each), ${engine} store, ${seconds} s each`, head, rows);
} finally {
  for (const child of children) child.kill("SIGKILL");
  for (const running of gateways) await running.dispose();
  await postgres?.stop();
}
