// The resident memory of the idle gateway, and what makes it up: each row adds one thing to the row above it.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type GatewayOptions, startGatewayProcess } from "#gateway/testing/process.ts";
import { printTable } from "./figures.ts";
import { makeFolder, megabytes, startEngine } from "./harness.ts";

/** Long enough for the start-up's garbage to be collected and its pages given back. */
const settleMs = 10_000;

const bare = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
await wait(1000);
const bareNode = megabytes(bare);
bare.kill();

await using postgres = await startEngine("postgres");
await using folder = await makeFolder();
const shared = await idle({ dataDir: join(folder.path, "shared"), env: { DATABASE_URL: await postgres.database() } });
const dataDir = join(folder.path, "embedded");
const firstStart = await idle({ dataDir });
const embedded = await idle({ dataDir });

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

async function idle(options: GatewayOptions): Promise<number> {
  const gateway = await startGatewayProcess(options);
  await fetch(`${gateway.url}/api/v1/ready`);
  await wait(settleMs);
  const resident = megabytes(gateway.process);
  await gateway.stop();
  return resident;
}

function percent(part: number): string {
  return `${Math.round((100 * part) / embedded)} %`;
}
