// What a call through Gatehouse costs compared with bare Fastify and undici relays: key check, limit, routing,
// metering and the durable ledger all on. Vendor, relay, gateway and load are processes of their own.
// Usage: node bench/relay.ts [seconds] [embedded|postgres]
import { printTable } from "./figures.ts";
import {
  addVendor,
  type LoadResult,
  megabytes,
  models,
  numberArgument,
  runLoad,
  startEngine,
  startGateway,
  startServer,
  underLoad,
} from "./harness.ts";
import { peerHeaders, peerName, startPeer } from "./relay-peer.ts";

const seconds = numberArgument(1, 8);
const engine = process.argv[3] ?? "embedded";

using vendor = await startServer("relay-vendor.ts");
using bareRelay = await startServer("relay-bare.ts", `${vendor.origin}/v1`);
using peer = await startPeer();
await using store = await startEngine(engine);

/** A gateway with a provider at the vendor, and a key with a limit. */
async function gatewayWithCache(megabytesOfCache: number) {
  const gateway = await startGateway({
    env: {
      ...underLoad,
      GATEHOUSE_EMBEDDING_CACHE: String(megabytesOfCache),
      DATABASE_URL: await store.database(),
    },
  });
  const key = await addVendor(gateway, vendor.origin);
  return { ...gateway, target: { port: gateway.port, path: "/api/v1/embeddings", key } };
}

const head = ["what", "calls/s", "p50 ms", "p99 ms", "of bare", "p50 added ms", "p99 × bare", "memory", "statuses"];

const row = (name: string, result: LoadResult, bare: LoadResult, memory = "") => [
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

await using off = await gatewayWithCache(0);
const rows = [];
for (const [what, connections, inputs] of [
  ["32 connections", 32, 1],
  ["1 connection", 1, 1],
  ["8 connections, 256 inputs", 8, 256],
] as const) {
  const load = (target: { port: number; path: string; key?: string; headers?: Record<string, string> }) =>
    runLoad({ key: "none", model: models.embed, connections, seconds, inputs, ...target });
  const direct = await load({ port: vendor.port, path: "/v1/embeddings" });
  const bare = await load({ port: bareRelay.port, path: "/metered" });
  rows.push(row(`${what}: direct to the vendor`, direct, bare));
  rows.push(row(`${what}: bare relay, key checked, answer parsed for its usage`, bare, bare));
  for (const path of ["/stream", "/bytes"]) {
    rows.push(row(`${what}: bare relay, ${path.slice(1)}`, await load({ port: bareRelay.port, path }), bare));
  }
  if (peer !== null) {
    const headers = peerHeaders(`${vendor.origin}/v1`);
    const result = await load({ port: peer.port, path: "/v1/embeddings", headers });
    rows.push(row(`${what}: ${peerName}`, result, bare, `${megabytes(peer.process)} MB`));
  }
  const gatehouse = await load(off.target);
  rows.push(row(`${what}: Gatehouse, cache off`, gatehouse, bare, `${megabytes(off.process)} MB`));
  if (connections !== 32) continue;
  await using on = await gatewayWithCache(32);
  const cached = await load(on.target);
  rows.push(row(`${what}: Gatehouse, cache on, all misses`, cached, bare, `${megabytes(on.process)} MB`));
}
printTable(`Embeddings of 1,536 numbers (17 kB each), ${engine} store, ${seconds} s each`, head, rows);
