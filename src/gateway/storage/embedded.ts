import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { EmbeddedSettings } from "./embedded-worker.ts";
import { DataFolderTaken, takeDataFolder } from "./data-folder-lock.ts";
import { unreadableStore, unusableFolder } from "./store-errors.ts";

/** The running embedded PostgreSQL, reached by the ordinary driver over a socket that only this user can open. */
export interface Embedded {
  socketFolder: string;
  close(): Promise<void>;
}

/** Any number: with a socket folder, the driver only uses it to name the socket. */
export const embeddedPort = 5432;
const socketName = `.s.PGSQL.${embeddedPort}`;

/** Stores that are being opened before they were asked for, by their folders. */
const ahead = new Map<string, Promise<Embedded>>();

/**
 * Begins to open the store of a folder. `startEmbedded` takes it over, and throws what went wrong.
 * @returns once it needs this thread no more
 */
export async function openAhead(folder: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const opening = open(folder, resolve);
    opening.catch(resolve);
    ahead.set(folder, opening);
  });
}

/**
 * Starts PGlite in a worker thread, so that no statement ever blocks the event loop.
 *
 * @param folder where the data lies (made if missing, for this user only)
 * @throws DataFolderTaken when another process has it open; StoreUnusable
 */
export async function startEmbedded(folder: string): Promise<Embedded> {
  const begun = ahead.get(folder);
  if (begun === undefined) return await open(folder);
  ahead.delete(folder);
  return await begun;
}

/** @param begun is called once a thread or a process of its own works on it */
async function open(folder: string, begun = () => {}): Promise<Embedded> {
  const release = await takeFolder(folder);
  const socketFolder = await makeSocketFolder(folder);
  const dataDir = join(folder, "store");
  const cleanUp = async () => {
    await rm(socketFolder, { recursive: true, force: true });
    release();
  };
  try {
    if (!existsSync(join(dataDir, "PG_VERSION"))) await create(dataDir, begun);
    const starting = run({ dataDir, socketPath: join(socketFolder, socketName) });
    begun();
    const running = await starting;
    await chmod(dataDir, 0o700);
    return {
      socketFolder,
      async close() {
        await running.end();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw unreadableStore(dataDir, error);
  }
}

// V8 recompiles calls out of WebAssembly once they are frequent, and shares the result between a process's threads:
// when one store has just ended and another one runs, that occasionally crashes the process (nodejs/node#64500). The
// initial versions are as fast: 3,000 durable inserts take the same time.
setFlagsFromString("--wasm-wrapper-tiering-budget=1000000000");

/**
 * Copies the store that holds nothing, as `npm start` prepares it (setup/empty-store.js): that takes a fraction of a second,
 * and making one several. It is named after the version of PGlite, which made it.
 * @returns false where there is none that this user can read; the folder is empty then
 */
function copyPrepared(to: string): boolean {
  try {
    const packages = new URL("../../../node_modules/@electric-sql/pglite/package.json", import.meta.url);
    const { version } = JSON.parse(readFileSync(packages, "utf8")) as { version: string };
    const prepared = new URL(`../../../.cache/empty-store/${version}`, import.meta.url);
    // Its twelve hundred small files take seven times as long one by one; nothing else runs at this moment of a start.
    cpSync(prepared, to, { recursive: true });
    return true;
  } catch {
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { mode: 0o700 });
    return false;
  }
}

/**
 * Creates an empty store, beside its place until it is whole. Making one takes three times the memory of running one, which
 * a process gives back, and a thread never does.
 */
async function create(dataDir: string, begun: () => void): Promise<void> {
  const folder = dirname(dataDir);
  const left = (await readdir(folder)).filter((name) => name.startsWith(unfinished));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  const made = await mkdtemp(join(folder, unfinished));
  if (!copyPrepared(made)) {
    const program = fileURLToPath(new URL("./create-store.ts", import.meta.url));
    // What runs once is not worth optimizing.
    const making = promisify(execFile)(process.execPath, ["--liftoff-only", program, made]);
    begun();
    await making;
  }
  await rename(made, dataDir);
}

/** Runs PGlite in a thread until `end` is called. */
async function run(settings: EmbeddedSettings): Promise<{ end(): Promise<void> }> {
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
    workerData: settings,
    // A statement's objects in JavaScript are short-lived; a larger nursery only takes memory.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  try {
    await heard(worker, "ready");
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    async end() {
      const exited = once(worker, "exit");
      worker.postMessage("close");
      await heard(worker, "closed");
      // A thread that ends by itself shuts its WebAssembly down cleanly; terminating it occasionally crashed the
      // process.
      await Promise.race([exited, setTimeout(longestExitMs, undefined, { ref: false })]);
      await worker.terminate();
    },
  };
}

const longestExitMs = 2_000;

/** Under `node --watch` a worker also sends messages of Node's own: the files that it has loaded. */
async function heard(worker: Worker, expected: "ready" | "closed"): Promise<void> {
  let message: unknown;
  do [message] = (await once(worker, "message")) as unknown[];
  while (message !== expected);
}

async function takeFolder(folder: string): Promise<() => void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await isOurs(folder)) await chmod(folder, 0o700);
    return takeDataFolder(folder);
  } catch (error) {
    throw error instanceof DataFolderTaken ? error : unusableFolder(folder, error);
  }
}

/** A folder with other content, such as /var/lib, keeps its permissions: what we put into it has its own. */
async function isOurs(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.every((name) => ownNames.has(name) || name.startsWith("secret.key") || name.startsWith(unfinished));
}

/** How the folder of a store begins that is being created. */
const unfinished = "store.unfinished-";

/** What Gatehouse itself puts into a data folder. */
const ownNames = new Set(["store", "journal", "run", "lock.db", "lock.db-journal", "local-model"]);

/** A socket's path has to fit into 104 bytes, the smallest limit among operating systems. */
const longestSocketPath = 103;

/** In the data folder, where the next process clears up what a killed one left behind. */
async function makeSocketFolder(folder: string): Promise<string> {
  const inside = join(resolve(folder), "run");
  if (Buffer.byteLength(join(inside, socketName)) > longestSocketPath) {
    return await mkdtemp(join(tmpdir(), "gatehouse-socket-"));
  }
  await rm(inside, { recursive: true, force: true });
  await mkdir(inside, { mode: 0o700 });
  return inside;
}
