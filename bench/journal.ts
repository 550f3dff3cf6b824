// What the journal saves: processor time per embedding call by thread, with and without it, in interleaved rounds of one run.
// Usage: node bench/journal.ts [rounds] [seconds] [seconds of warm-up]
import { threadSeconds } from "./cpu-time.ts";
import { median, printTable } from "./figures.ts";
import {
  addVendor,
  type BenchGateway,
  models,
  numberArgument,
  runLoad,
  startGateway,
  startLoad,
  startServer,
  underLoad,
} from "./harness.ts";

const [rounds, seconds, warmUpSeconds] = [numberArgument(1, 3), numberArgument(2, 5), numberArgument(3, 15)];
const connections = [1, 8, 32];
/** As Linux names them: V8's helpers, and the store's thread. */
const threads = { main: "MainThread", store: "WorkerThread", V8: "V8Worker", files: "libuv-worker" };

using vendor = await startServer("relay-vendor.ts");
const preloaded = (script: string) => ["--import", new URL(script, import.meta.url).href];
const env = { ...underLoad, GATEHOUSE_EMBEDDING_CACHE: "0" };
await using journaled = await startGateway({ env });
await using direct = await startGateway({ env, nodeArguments: preloaded("without-journal.ts") });
await using uncommitted = await startGateway({ env, nodeArguments: preloaded("without-commit.ts") });

interface Target {
  name: string;
  gateway: BenchGateway;
  key: string;
}
const targets: Target[] = [];
for (const [name, gateway] of [
  ["journal", journaled],
  ["no journal", direct],
  ["no commits", uncommitted],
] as const) {
  targets.push({ name, gateway, key: await addVendor(gateway, vendor.origin) });
}

const loadOn = ({ gateway, key }: Target, count: number, forSeconds: number) => ({
  port: gateway.port,
  path: "/api/v1/embeddings",
  key,
  model: models.embed,
  connections: count,
  seconds: forSeconds,
  inputs: 1,
});

async function measure(target: Target, count: number) {
  using load = startLoad(loadOn(target, count, seconds));
  await load.measuring;
  const pid = target.gateway.process.pid ?? 0;
  const before = threadSeconds(pid);
  const at = performance.now();
  const result = await load.result;
  const calls = result.perSecond * ((performance.now() - at) / 1_000);
  const used = (name: string) => (((threadSeconds(pid).get(name) ?? 0) - (before.get(name) ?? 0)) / calls) * 1e6;
  const byThread = Object.values(threads).map(used);
  return [byThread.reduce((sum, one) => sum + one, 0), ...byThread, result.perSecond, result.p50, result.p99];
}

for (const target of targets) if (warmUpSeconds > 0) await runLoad(loadOn(target, 8, warmUpSeconds));
const measured = new Map<string, number[][]>();
for (let round = 0; round < rounds; round += 1) {
  for (const count of connections) {
    for (const target of targets) {
      const key = `${count}/${target.name}`;
      measured.set(key, [...(measured.get(key) ?? []), await measure(target, count)]);
    }
  }
}
printTable(
  `CPU µs per embedding call, median of ${rounds} interleaved rounds of ${seconds} s`,
  ["connections", "", "all", ...Object.keys(threads), "calls/s", "p50 ms", "p99 ms"],
  connections.flatMap((count) =>
    targets.map(({ name }) => {
      const all = measured.get(`${count}/${name}`) ?? [];
      const middle = (all[0] ?? []).map((_, column) => median(all.map((row) => row[column] ?? 0)));
      return [count, name, ...middle.map((value, column) => (column < 6 ? Math.round(value) : value.toFixed(2)))];
    }),
  ),
);
