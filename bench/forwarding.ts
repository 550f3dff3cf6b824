// What forwarding carries and costs: events a second to one sink and to ten, memory with a long backlog, the time from
// answer to arrival at an idle sink, and what ten enabled destinations cost the relay. Vendor, sink, gateway and load
// are processes of their own; the store is the embedded one.
// Usage: node bench/forwarding.ts [events of the throughput runs] [events of the backlog] [seconds of load]
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createDestination, updateDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { openStore } from "#gateway/storage/store.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import type { RunningGateway } from "#gateway/testing/process.ts";
import { percentile, printTable } from "./figures.ts";
import {
  addVendor,
  type BenchGateway,
  type LoadResult,
  megabytes,
  models,
  numberArgument,
  runLoad,
  startGateway,
  startServer,
  underLoad,
} from "./harness.ts";

const events = numberArgument(1, 100_000);
const backlog = numberArgument(2, 1_000_000);
const seconds = numberArgument(3, 8);
/** Off and on take turns, so that what else the machine does falls on both. */
const rounds = 5;

function start(on?: RunningGateway): Promise<BenchGateway> {
  const env = { ...underLoad, GATEHOUSE_EMBEDDING_CACHE: "0" };
  if (on === undefined) return startGateway({ env });
  return startGateway({ env: { ...env, GATEHOUSE_MANAGEMENT_KEY: on.managementKey }, dataDir: on.dataDir });
}

async function addSinks(at: RunningGateway, count: number, url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const name = `sink ${made}`;
    // Five of a kind at most.
    const body =
      made < 5
        ? { name, type: "webhook" as const, config: { url } }
        : { name, type: "otel-collector" as const, config: { endpoint: url } };
    ids.push((await apiOf(at)(createDestination, { body })).data.id);
  }
  return ids;
}

/** Puts calls into the ledger of a gateway that is stopped, behind its destinations' places. */
async function fill(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ engine: "embedded", folder: dataDir }, () => new Date());
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

const counted = async (origin: string) =>
  (await (await fetch(`${origin}/count`)).json()) as { spans: number; requests: number };

/** How fast a backlog drains to this many destinations, and the most memory meanwhile. */
async function drain(count: number, sinks: number) {
  using sink = await startServer("forwarding-sink.ts");
  await using prepared = await start();
  await addSinks(prepared, sinks, `${sink.origin}/v1/traces`);
  await prepared.stop();
  await fill(prepared.dataDir, count);
  await using running = await start(prepared);
  const began = performance.now();
  const before = await counted(sink.origin);
  let most = 0;
  for (;;) {
    const { spans } = await counted(sink.origin);
    most = Math.max(most, megabytes(running.process));
    if (spans - before.spans >= count * sinks - before.spans) break;
    await wait(100);
  }
  return { perSecond: (count * sinks) / ((performance.now() - began) / 1_000), most };
}

/** Resident memory of a gateway with one destination whose sink is down: at rest, and with calls that wait. */
async function memory(count: number) {
  using sink = await startServer("forwarding-sink.ts");
  await fetch(`${sink.origin}/down`);
  await using prepared = await start();
  await addSinks(prepared, 1, `${sink.origin}/v1/traces`);
  const settled = async (at: RunningGateway) => {
    await wait(10_000);
    return megabytes(at.process);
  };
  const idle = await settled(prepared);
  await prepared.stop();
  // A thousand calls as the baseline, so that both have met their sink.
  await fill(prepared.dataDir, 1_000);
  const few = await start(prepared);
  const withFew = await settled(few);
  await few.stop();
  await fillMore(few.dataDir, count);
  await using many = await start(prepared);
  const withMany = await settled(many);
  await fetch(`${sink.origin}/up`);
  let most = withMany;
  for (let tries = 0; tries < 600; tries += 1) {
    most = Math.max(most, megabytes(many.process));
    if ((await counted(sink.origin)).spans >= count) break;
    await wait(100);
  }
  return { idle, withFew, withMany, most };
}

async function fillMore(dataDir: string, count: number): Promise<void> {
  const store = await openStore({ engine: "embedded", folder: dataDir }, () => new Date());
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
  await using running = await start();
  await addSinks(running, 1, `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`);
  const { key } = await apiOf(running)(createKey, { body: { name: "bench" } });
  const took: number[] = [];
  for (let made = 0; made < calls; made += 1) {
    const body = { model: "gatehouse/lexical", input: `text ${made}` };
    const { id = "" } = await apiOf(running, key)(createEmbeddings, { body });
    const answered = performance.now();
    while (!arrived.has(id)) await new Promise<void>((resolve) => (told = resolve));
    took.push(Math.max(0, (arrived.get(id) ?? 0) - answered));
    await wait(50 + (made % 7) * 40);
  }
  sink.closeAllConnections();
  sink.close();
  return took;
}

/** The relay under load with ten destinations off, on, and off and on again. */
async function relayCost(privacy: boolean): Promise<{ off: LoadResult[]; on: LoadResult[] }> {
  using vendor = await startServer("relay-vendor.ts");
  using sink = await startServer("forwarding-sink.ts");
  await using running = await start();
  const key = await addVendor(running, vendor.origin);
  const ids = await addSinks(running, 10, `${sink.origin}/`);
  const load = async (enabled: boolean) => {
    const body = { enabled, privacy_mode: privacy, resume: "from_now" as const };
    for (const id of ids) await apiOf(running)(updateDestination, { params: { id }, body });
    await wait(1_000);
    const target = { port: running.port, path: "/api/v1/embeddings", key, model: models.embed };
    return await runLoad({ ...target, connections: 32, seconds, inputs: 1 });
  };
  const off: LoadResult[] = [];
  const on: LoadResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    off.push(await load(false));
    on.push(await load(true));
  }
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
      ["one OTLP sink", Math.round(one.perSecond), "≥ 5,000", `${one.most} MB`],
      ["ten at once, together", Math.round(ten.perSecond), "≥ 10,000", `${ten.most} MB`],
    ],
  );
  const took = await latency(60);
  printTable(
    "From answer to arrival, an idle sink",
    ["p50 ms", "p95 ms", "asked"],
    [[percentile(took, 50).toFixed(1), percentile(took, 95).toFixed(1), "p50 ≤ 500"]],
  );
}

const describeLoad = ({ perSecond, p50 }: LoadResult) => `${Math.round(perSecond)}/s ${p50.toFixed(1)} ms`;
const middle = (loads: LoadResult[]) =>
  loads.toSorted((a, b) => a.perSecond - b.perSecond)[loads.length >> 1] as LoadResult;

/** What ten destinations cost the relay. */
async function cost(privacy: boolean): Promise<void> {
  const { off, on } = await relayCost(privacy);
  const [without, withTen] = [middle(off), middle(on)];
  const figures = ({ perSecond, p50, p99 }: LoadResult) => [Math.round(perSecond), p50.toFixed(2), p99.toFixed(2)];
  const ratio = (withTen.perSecond / without.perSecond).toFixed(3);
  console.log(`off ${off.map(describeLoad).join(", ")}; on ${on.map(describeLoad).join(", ")}`);
  printTable(
    `Ten destinations beside the relay, 32 connections, ${privacy ? "metadata only" : "with bodies"} (median)`,
    ["destinations", "calls/s", "p50 ms", "p99 ms", "of off", "p50 added ms", "asked"],
    [
      ["off", ...figures(without), "", "", ""],
      ["ten on", ...figures(withTen), ratio, (withTen.p50 - without.p50).toFixed(2), "≥ 0.95, ≤ 0.2"],
    ],
  );
}

/** Memory while calls wait and while they are sent. */
async function waiting(): Promise<void> {
  const { idle, withFew, withMany, most } = await memory(backlog);
  printTable(
    `Memory, one sink that is down, then up (backlog of ${backlog.toLocaleString("en")})`,
    ["when", "MB"],
    [
      ["no backlog", idle],
      ["1,000 calls wait", withFew],
      [`${backlog.toLocaleString("en")} wait`, withMany],
      ["the most in the first minute of draining", most],
    ],
  );
}

if (events > 0) await throughput();
if (seconds > 0) {
  await cost(true);
  await cost(false);
}
if (backlog > 0) await waiting();
