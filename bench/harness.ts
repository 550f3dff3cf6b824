// The basis of every bench: its arguments, the processes that it starts, and what it puts into a gateway.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "playwright";
import { basePath } from "#contract/api.ts";
import { createKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { createDatabase, startPostgres } from "#gateway/testing/postgres.ts";
import { type GatewayOptions, type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import type { Load } from "./relay-load.ts";

/** The number at this position of the command line, counted from 1. */
export function numberArgument(position: number, fallback: number): number {
  return Number(process.argv[position + 1] ?? fallback);
}

/** The first line that a process prints. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stdout ?? []) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}

function spawnScript(script: string, parameters: string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, script), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
}

/** Starts another script of this folder, a server that prints its port, as a process of its own. */
export async function startServer(script: string, ...parameters: string[]) {
  const child = spawnScript(script, parameters);
  const port = Number(await firstLine(child));
  const end = () => void child.kill("SIGKILL");
  return { port, pid: child.pid ?? 0, origin: `http://127.0.0.1:${port}`, [Symbol.dispose]: end };
}

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

/** Puts load on a relay from a process of its own. */
export function startLoad(load: Load) {
  const child = spawnScript("relay-load.ts", [JSON.stringify(load)]);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("The load ended before it had measured.");
    return value;
  };
  const measuring = line();
  return {
    /** its warm-up is over */
    measuring,
    result: measuring.then(line).then((text) => JSON.parse(text) as LoadResult),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

/** Puts load on a relay, and waits for what was measured. */
export async function runLoad(load: Load): Promise<LoadResult> {
  using started = startLoad(load);
  return await started.result;
}

export type BenchGateway = RunningGateway & AsyncDisposable & { readonly port: number };

/** Starts the real program; it ends with the scope that holds it. */
export async function startGateway(options: GatewayOptions = {}): Promise<BenchGateway> {
  // measured is what runs for months: the store's code is optimized
  const gateway = await startGatewayProcess({ longLived: true, ...options });
  return { ...gateway, port: Number(new URL(gateway.url).port), [Symbol.asyncDispose]: gateway.dispose };
}

/** The environment of a gateway under load. */
export const underLoad = { NODE_ENV: "production", GATEHOUSE_LOG_LEVEL: "warn" };

/** The models of `addVendor`. */
export const models = { embed: "acme/embed", talk: "acme/talk" };

/** Makes a provider at `relay-vendor.ts`. @returns a key with a limit that no bench reaches */
export async function addVendor(gateway: RunningGateway, origin: string): Promise<string> {
  const api = apiOf(gateway);
  await api(createProvider, {
    body: {
      slug: "acme",
      name: "Acme",
      kind: "openai-compatible",
      base_url: `${origin}/v1`,
      models: [
        {
          id: models.embed,
          upstream_id: "embed-small",
          type: "embedding",
          context_length: 8192,
          dimensions: 1536,
          max_batch: 2048,
          pricing: { prompt: "0.00000002" },
        },
        {
          id: models.talk,
          upstream_id: "talk",
          type: "chat",
          context_length: 8192,
          max_completion_tokens: 1024,
          pricing: { prompt: "0.0000001", completion: "0.0000002" },
        },
      ],
    },
  });
  return (await api(createKey, { body: { name: "bench", limit: 1_000_000 } })).key;
}

/** Signs a browser's page in. */
export async function signIn(page: Pick<Page, "request">, gateway: RunningGateway): Promise<void> {
  await page.request.post(`${gateway.url}${basePath}/session`, { data: { management_key: gateway.managementKey } });
}

/** A data folder of its own, removed with the scope that holds it. */
export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The engine that a bench runs on: databases on a PostgreSQL of its own, or none for the embedded store. */
export async function startEngine(name: string) {
  const server = name === "postgres" ? await startPostgres() : null;
  return {
    /** a new database; undefined: the embedded store needs none */
    database: async () => (server === null ? undefined : (await createDatabase(server.url)).url),
    [Symbol.asyncDispose]: async () => server?.stop(),
  };
}

/** Resident memory of a process. */
export function megabytes({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Math.round(Number(kilobytes ?? 0) / 1024);
}
