// What a request costs: CPU time over the whole process tree, and the throughput that still meets a latency bound.
// Gatehouse (key check, limit, routing, metering, the durable ledger; embedded store and PostgreSQL; and without its
// commits, which no setting allows) next to a bare Fastify and undici relay, Portkey's gateway and the vendor itself, in
// interleaved rounds of one run. Vendor, relays, gateways and load are processes of their own.
// Usage: node bench/cost.ts [--rounds=3] [--seconds=5] [--warm-up=15] [--only=embedding,chat…] [--no-frontier] [--loaded]
// [--manifest=FILE]
// It refuses to report from a machine that does something else as well; --loaded reports all the same, and says so.
import { writeFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { busySeconds, cpuSeconds, pidsOf } from "./cpu-time.ts";
import { median, printTable } from "./figures.ts";
import {
  addVendor,
  type BenchGateway,
  type LoadResult,
  megabytes,
  models,
  startEngine,
  startGateway,
  startLoad,
  startServer,
  underLoad,
} from "./harness.ts";
import type { Load } from "./relay-load.ts";
import { peerHeaders, peerName, startPeer } from "./relay-peer.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "15" },
    only: { type: "string" },
    "no-frontier": { type: "boolean", default: false },
    loaded: { type: "boolean", default: false },
    manifest: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const warmUpSeconds = Number(options["warm-up"]);
const cores = cpus().length;

/** A request of each kind. The vendor's answers: 17 kB, 4.3 MB, 2.8 MB, 0.3 kB, and 22 events. */
const workloads = {
  embedding: { endpoint: "embeddings", inputs: 1 },
  "batch of 256": { endpoint: "embeddings", inputs: 256 },
  "batch of 256, base64": { endpoint: "embeddings", inputs: 256, base64: true },
  chat: { endpoint: "chat/completions", inputs: 1 },
  "chat stream": { endpoint: "chat/completions", inputs: 1, stream: true },
} as const satisfies Record<string, Pick<Load, "inputs" | "base64" | "stream"> & { endpoint: string }>;
type Workload = keyof typeof workloads;
const wanted = (Object.keys(workloads) as Workload[]).filter(
  (name) => options.only === undefined || options.only.split(",").includes(name),
);

/** The connections that the cost is measured at; the first one is the yardstick's. */
const connectionsOf = (name: Workload) => (name === "embedding" ? [8, 1, 32] : [8]);
const frontierConnections = [1, 2, 4, 8, 16, 32, 64, 128];
const frontierBoundsMs = [1, 5, 10, 50, 100];

interface Target {
  name: string;
  port: number;
  path: (endpoint: string) => string;
  key?: string;
  headers?: Record<string, string>;
  /** the processes whose time counts, with their children */
  pids: () => number[];
  memory?: () => number;
}

/** How much of the machine other work may take. */
const mostForeign = 0.1;
let foreign = 0;

const before = { busy: busySeconds(), at: performance.now() };
await wait(3_000);
noteForeign((busySeconds() - before.busy) / cores / ((performance.now() - before.at) / 1_000));

using vendor = await startServer("relay-vendor.ts");
using bareRelay = await startServer("relay-bare.ts", `${vendor.origin}/v1`);
using peer = await startPeer();
await using embedded = await startEngine("embedded");
await using postgres = await startEngine("postgres");
const serverPids = pidsOf(process.pid).filter(({ command }) => command === "postgres");

const environment = { ...underLoad, GATEHOUSE_EMBEDDING_CACHE: "0" };
await using onEmbedded = await startGateway({ env: environment });
await using onPostgres = await startGateway({ env: { ...environment, DATABASE_URL: await postgres.database() } });
await using uncommitted = await startGateway({
  env: environment,
  nodeArguments: ["--import", new URL("without-commit.ts", import.meta.url).href],
});
void embedded;

async function ofGateway(name: string, gateway: BenchGateway, others: readonly number[] = []): Promise<Target> {
  const key = await addVendor(gateway, vendor.origin);
  return {
    name,
    port: gateway.port,
    path: (endpoint) => `/api/v1/${endpoint}`,
    key,
    pids: () => [gateway.process.pid ?? 0, ...others],
    memory: () => megabytes(gateway.process),
  };
}

const targets: Target[] = [
  { name: "direct", port: vendor.port, path: (endpoint) => `/v1/${endpoint}`, pids: () => [] },
  {
    name: "bare relay",
    port: bareRelay.port,
    path: (endpoint) => (endpoint === "embeddings" ? "/bytes" : "/chat"),
    pids: () => [bareRelay.pid],
  },
  ...(peer === null
    ? []
    : [
        {
          name: peerName,
          port: peer.port,
          path: (endpoint: string) => `/v1/${endpoint}`,
          headers: peerHeaders(`${vendor.origin}/v1`),
          pids: () => [peer.process.pid ?? 0],
          memory: () => megabytes(peer.process),
        },
      ]),
  await ofGateway("Gatehouse, embedded", onEmbedded),
  await ofGateway(
    "Gatehouse, PostgreSQL",
    onPostgres,
    serverPids.map(({ pid }) => pid),
  ),
  await ofGateway("Gatehouse, no commits", uncommitted),
];

interface Measured extends LoadResult {
  /** CPU microseconds per request */
  cpu: number;
}

async function measure(target: Target, name: Workload, connections: number, forSeconds: number): Promise<Measured> {
  console.error(`${target.name}: ${name} at ${connections} connections`);
  const { endpoint, ...body } = workloads[name];
  using load = startLoad({
    port: target.port,
    path: target.path(endpoint),
    key: target.key ?? "none",
    model: endpoint === "embeddings" ? models.embed : models.talk,
    connections,
    seconds: forSeconds,
    ...(target.headers !== undefined && { headers: target.headers }),
    ...body,
  });
  await load.measuring;
  const started = { cpu: cpuSeconds(target.pids()), own: cpuSeconds([process.pid]), busy: busySeconds() };
  const at = performance.now();
  const result = await load.result;
  const elapsed = (performance.now() - at) / 1_000;
  const cpu = cpuSeconds(target.pids()) - started.cpu;
  // the servers that this script started are its children
  const own = cpuSeconds([process.pid]) - started.own;
  noteForeign((busySeconds() - started.busy - own) / cores / elapsed);
  return { ...result, cpu: (cpu / (result.perSecond * elapsed)) * 1e6 };
}

function noteForeign(share: number): void {
  foreign = Math.max(foreign, share);
  if (share <= mostForeign || options.loaded) return;
  throw new Error(
    `Other work takes ${Math.round(share * 100)} % of this machine: end it, or say --loaded to measure all the same.`,
  );
}

/** Every call was answered: refusals are quick, and cost little. */
const isWhole = ({ statuses }: LoadResult) => Object.keys(statuses).every((status) => status === "200");

const marked = (title: string) =>
  foreign > mostForeign
    ? `${title} (LOADED: other work took up to ${Math.round(foreign * 100)} % of the machine)`
    : title;
const results = new Map<string, Measured[]>();
const resultOf = (target: Target, name: Workload, connections: number): Measured | null => {
  const all = results.get(`${target.name}/${name}/${connections}`);
  if (all === undefined) return null;
  const middle = (pick: (one: Measured) => number) => median(all.map(pick));
  return {
    cpu: middle((one) => one.cpu),
    perSecond: middle((one) => one.perSecond),
    p50: middle((one) => one.p50),
    p99: middle((one) => one.p99),
    statuses: all[0]?.statuses ?? {},
  };
};

for (const target of targets) if (warmUpSeconds > 0) await measure(target, wanted[0] ?? "embedding", 8, warmUpSeconds);
for (let round = 0; round < rounds; round += 1) {
  for (const name of wanted) {
    for (const connections of connectionsOf(name)) {
      for (const target of targets) {
        const result = await measure(target, name, connections, seconds);
        if (!isWhole(result)) {
          const what = `${target.name} answered ${name} with ${JSON.stringify(result.statuses)}`;
          if (target.name !== peerName) throw new Error(what);
          console.error(`${what}: it has no figure for it`);
          continue;
        }
        const key = `${target.name}/${name}/${connections}`;
        results.set(key, [...(results.get(key) ?? []), result]);
      }
    }
  }
}

const how = `median of ${rounds} interleaved rounds of ${seconds} s, ${cores} cores`;
printTable(
  marked(`CPU per request over the process tree at 8 connections, µs: ${how}`),
  ["", ...wanted],
  targets
    .filter(({ name }) => name !== "direct")
    .map((target) => [
      target.name,
      ...wanted.map((name) => {
        const result = resultOf(target, name, 8);
        return result === null ? "-" : Math.round(result.cpu);
      }),
    ]),
);
for (const name of wanted) {
  printTable(
    marked(`${name}: ${how}`),
    ["connections", "", "calls/s", "of bare", "p50 ms", "p99 ms", "CPU µs", "× bare"],
    connectionsOf(name).flatMap((connections) => {
      const bare = targets.find((target) => target.name === "bare relay");
      const beside = bare && resultOf(bare, name, connections);
      return targets.map((target) => {
        const result = resultOf(target, name, connections);
        if (result === null || !beside) return [connections, target.name, "-", "-", "-", "-", "-", "-"];
        return [
          connections,
          target.name,
          Math.round(result.perSecond),
          (result.perSecond / beside.perSecond).toFixed(2),
          result.p50.toFixed(2),
          result.p99.toFixed(2),
          target.name === "direct" ? "-" : Math.round(result.cpu),
          target.name === "direct" ? "-" : (result.cpu / beside.cpu).toFixed(2),
        ];
      });
    }),
  );
}
const batches = wanted.filter((name) => workloads[name].inputs > 1);
if (batches.length > 0) {
  printTable(
    marked(`Vectors of 1,536 numbers per second and core: ${how}`),
    ["", ...batches],
    targets
      .filter(({ name }) => name !== "direct")
      .map((target) => [
        target.name,
        ...batches.map((name) => {
          const cpu = resultOf(target, name, 8)?.cpu ?? 0;
          return cpu === 0 ? "-" : Math.round((workloads[name].inputs * 1e6) / cpu);
        }),
      ]),
  );
}

const frontier: Record<string, Record<string, number | null>> = {};
if (!options["no-frontier"] && wanted.includes("embedding")) {
  const points = new Map<Target, Measured[]>(targets.map((target) => [target, []]));
  for (const connections of frontierConnections) {
    for (const target of targets) points.get(target)?.push(await measure(target, "embedding", connections, seconds));
  }
  for (const [target, measured] of points) {
    frontier[target.name] = Object.fromEntries(
      frontierBoundsMs.map((bound) => {
        const within = measured.filter((one) => one.p99 <= bound && isWhole(one)).map(({ perSecond }) => perSecond);
        return [`p99 ≤ ${bound} ms`, within.length === 0 ? null : Math.round(Math.max(...within))];
      }),
    );
  }
  printTable(
    marked(
      `Most embedding calls a second within a bound of the 99th percentile, of ${frontierConnections.join(", ")} connections`,
    ),
    ["", ...frontierBoundsMs.map((bound) => `≤ ${bound} ms`)],
    Object.entries(frontier).map(([name, within]) => [name, ...Object.values(within).map((one) => one ?? "-")]),
  );
}
printTable(
  "Resident memory afterwards",
  ["", "MB"],
  targets.flatMap(({ name, memory }) => (memory === undefined ? [] : [[name, memory()]])),
);

if (options.manifest !== undefined) {
  const manifest = {
    machine: {
      cores,
      cpu: cpus()[0]?.model,
      memoryBytes: totalmem(),
      platform: platform(),
      release: release(),
      arch: arch(),
    },
    node: process.version,
    rounds,
    seconds,
    warmUpSeconds,
    otherWork: Number(foreign.toFixed(3)),
    workloads,
    results: Object.fromEntries(
      wanted.flatMap((name) =>
        connectionsOf(name).flatMap((connections) =>
          targets.map((target) => [`${name}, c=${connections}, ${target.name}`, resultOf(target, name, connections)]),
        ),
      ),
    ),
    frontier,
  };
  writeFileSync(options.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
}
