// What too many calls do to everything else: one key pushes embeddings over many connections, each as fast as it is
// answered, while another key calls on one connection, and probes ask for /health and for the console's list of keys. The
// same with the bounds off. Beside the time on the clock, which includes what a busy machine does meanwhile (another
// program answers a probe as well, to show how much that is), each probe's time is measured in processor time of the
// gateway's main thread. Usage: node bench/overload.ts [seconds] [connections] [embedded|postgres]
import { once } from "node:events";
import { Agent, request as send } from "node:http";
import { loadavg } from "node:os";
import { pathToFileURL } from "node:url";
import { createKey } from "#contract/keys.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { percentile, printTable } from "./figures.ts";
import {
  addVendor,
  type BenchGateway,
  megabytes,
  models,
  numberArgument,
  runLoad,
  startEngine,
  startGateway,
  startServer,
  underLoad,
} from "./harness.ts";
import type { MeterReport } from "./overload-meter.ts";

const seconds = numberArgument(1, 8);
const connections = numberArgument(2, 2_000);
const engine = process.argv[4] ?? "embedded";

/** What the program sets for itself by starting again, which would end the channel to the meter. */
const memoryFlags = ["--max-semi-space-size=4"];
const meter = pathToFileURL(`${import.meta.dirname}/overload-meter.ts`).href;

using vendor = await startServer("relay-vendor.ts");
using control = await startServer("overload-control.ts");
await using store = await startEngine(engine);

interface Probe {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly key?: string;
  readonly body?: () => string;
  readonly everyMs?: number;
  /** each request comes on a new connection, which has to be accepted first */
  readonly fresh?: boolean;
}

/** One request after another on a connection of its own, until it is stopped. */
function start({ name, port, path, key, body, everyMs = 20, fresh = false }: Probe) {
  const agent = new Agent({ keepAlive: !fresh, maxSockets: 1 });
  const times: number[] = [];
  const statuses = new Map<number | string, number>();
  let stopped = false;
  const count = (what: number | string) => void statuses.set(what, (statuses.get(what) ?? 0) + 1);
  const headers = {
    "content-type": "application/json",
    "x-probe": name,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const ask = () =>
    new Promise<void>((resolve) => {
      const began = performance.now();
      const asked = send({ port, path, method: body === undefined ? "GET" : "POST", agent, headers }, (answer) => {
        answer.resume();
        answer.on("end", () => {
          count(answer.statusCode ?? 0);
          if (answer.statusCode === 200) times.push(performance.now() - began);
          resolve();
        });
      });
      asked.on("error", ({ code }: NodeJS.ErrnoException) => {
        count(code ?? "error");
        resolve();
      });
      asked.end(body?.());
    });
  const ended = (async () => {
    while (!stopped) {
      await ask();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    agent.destroy();
  })();
  return async () => {
    stopped = true;
    await ended;
    return { name, times, statuses };
  };
}

let texts = 0;
const text = () => JSON.stringify({ model: models.embed, input: `the other key's text number ${(texts += 1)}` });

async function report({ process: own }: BenchGateway): Promise<MeterReport> {
  const told = once(own, "message") as Promise<[MeterReport]>;
  own.send("report");
  return (await told)[0];
}

/** What everybody else sees during a piece of work. */
async function during<T>(gateway: BenchGateway, other: string, work: () => Promise<T>) {
  const { port, managementKey } = gateway;
  await report(gateway);
  const stops = [
    start({ name: "/health", port, path: "/api/v1/health" }),
    start({ name: "/health, new connections", port, path: "/api/v1/health", fresh: true }),
    start({ name: "the console's keys", port, path: "/api/v1/keys", key: managementKey, everyMs: 100 }),
    start({ name: "another key's call", port, path: "/api/v1/embeddings", key: other, body: text }),
    start({ name: "another program", port: control.port, path: "/" }),
  ];
  const result = await work();
  const metered = await report(gateway);
  return { result, metered, seen: await Promise.all(stops.map((stop) => stop())) };
}

const ms = (value: number | undefined) => (value === undefined ? "" : value.toFixed(1));
const rows: (string | number)[][] = [];
const loads: (string | number)[][] = [];
for (const [bounds, env] of [
  ["off", { GATEHOUSE_CALLS: "0", GATEHOUSE_PROVIDER_CALLS: "0" }],
  ["on", {}],
] as const) {
  await using gateway = await startGateway({
    nodeArguments: [...memoryFlags, "--import", meter],
    env: {
      ...underLoad,
      MALLOC_ARENA_MAX: "1",
      GATEHOUSE_EMBEDDING_CACHE: "0",
      DATABASE_URL: await store.database(),
      ...env,
    },
  });
  const key = await addVendor(gateway, vendor.origin);
  const other = (await apiOf(gateway)(createKey, { body: { name: "other", limit: 1_000_000 } })).key;
  const load = { port: gateway.port, path: "/api/v1/embeddings", key, model: models.embed, inputs: 1 };
  await runLoad({ ...load, connections: 32, seconds: 3 });
  const idle = await during(gateway, other, () => new Promise((resolve) => setTimeout(resolve, 2_000)));
  const pushed = await during(gateway, other, () => runLoad({ ...load, connections, seconds }));
  for (const { name, times, statuses } of pushed.seen) {
    const alone = idle.seen.find((one) => one.name === name)?.times ?? [];
    rows.push([
      name,
      bounds,
      ms(percentile(alone, 50)),
      ms(percentile(times, 50)),
      ms(percentile(times, 99)),
      ms(idle.metered.probes[name]?.p50),
      ms(pushed.metered.probes[name]?.p50),
      ms(pushed.metered.probes[name]?.p99),
      JSON.stringify(Object.fromEntries(statuses)),
    ]);
  }
  const { perSecond, p50, p99, statuses } = pushed.result;
  const answered = statuses["200"] ?? 0;
  loads.push([
    bounds,
    Math.round(perSecond),
    Math.round(p50),
    Math.round(p99),
    JSON.stringify(statuses),
    Math.round((pushed.metered.processMs * 1_000) / answered),
    ms(pushed.metered.turns.p99),
    ms(pushed.metered.turns.longest),
    `${megabytes(gateway.process)} MB`,
  ]);
}
printTable(
  `While ${connections} connections push, ${engine} store, ${seconds} s each; load average ${loadavg()[0]?.toFixed(1)}`,
  ["what", "bounds", "idle p50 ms", "p50 ms", "p99 ms", "idle p50 CPU ms", "p50 CPU ms", "p99 CPU ms", "statuses"],
  rows,
);
printTable(
  "Those who push, and the gateway",
  ["bounds", "answers/s", "p50 ms", "p99 ms", "statuses", "CPU µs/200", "turn p99 CPU ms", "longest", "memory"],
  loads,
);
