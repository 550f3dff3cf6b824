// Whether memory stays flat at full load: embeddings at 32 connections, embedded store, cache and ledger on, for minutes.
// Vendor, gateway and load are processes of their own. Usage: node bench/soak.ts [minutes]
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startGatewayProcess } from "#gateway/testing/process.ts";
import { printTable } from "./table.ts";

const minutes = Number(process.argv[2] ?? 10);
const children: ChildProcess[] = [];

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

const vendor = `http://127.0.0.1:${await firstLine(start("relay-vendor.ts", ""))}/v1`;
const gateway = await startGatewayProcess({ env: { NODE_ENV: "production", GATEHOUSE_LOG_LEVEL: "warn" } });

async function post(path: string, body: unknown): Promise<{ key: string }> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as { key: string };
}

const megabytes = () =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.process.pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
  );

try {
  const model = { id: "acme/embed", upstream_id: "embed-small", type: "embedding", context_length: 8192 };
  await post("/providers", {
    slug: "acme",
    name: "Acme",
    kind: "openai-compatible",
    base_url: vendor,
    models: [{ ...model, dimensions: 1536, max_batch: 2048, pricing: { prompt: "0.00000002" } }],
  });
  const { key } = await post("/keys", { name: "soak", limit: 1_000_000 });
  const rows = [["before", "", String(megabytes()), "", ""]];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const load = {
      port: Number(new URL(gateway.url).port),
      path: "/api/v1/embeddings",
      key,
      model: "acme/embed",
      connections: 32,
      seconds: 58.5,
      inputs: 1,
      // Texts of their own in every minute: a text that was asked for before would come out of the cache.
      headers: { "cache-control": "no-cache" },
    };
    const samples: number[] = [];
    const done = firstLine(start("relay-load.ts", JSON.stringify(load)));
    let over = false;
    void done.then(() => (over = true));
    while (!over) {
      await wait(1_000);
      samples.push(megabytes());
    }
    const { perSecond, p99, statuses } = JSON.parse(await done) as {
      perSecond: number;
      p99: number;
      statuses: Record<string, number>;
    };
    const [least, most] = [Math.min(...samples), Math.max(...samples)];
    rows.push([
      `minute ${minute}`,
      String(Math.round(perSecond)),
      `${least} to ${most}`,
      p99.toFixed(1),
      JSON.stringify(statuses),
    ]);
    console.log(rows.at(-1)?.join("  "));
  }
  await wait(10_000);
  rows.push(["10 s after", "", String(megabytes()), "", ""]);
  printTable(
    `${minutes} minutes at full load, 32 connections`,
    ["when", "calls/s", "resident MB", "p99 ms", "statuses"],
    rows,
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await gateway.dispose();
}
