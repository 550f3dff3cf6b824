import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { EmbeddedSettings } from "./embedded-worker.ts";
import { DataFolderTaken, takeDataFolder } from "./owner-lock.ts";
import { unreadableStore, unusableFolder } from "./unusable.ts";

/** The running embedded PostgreSQL, reached by the ordinary driver over a socket that only this user can open. */
export interface Embedded {
  socketFolder: string;
  close(): Promise<void>;
}

/** Any number: with a socket folder, the driver only uses it to name the socket. */
export const embeddedPort = 5432;
const socketName = `.s.PGSQL.${embeddedPort}`;

/**
 * Starts PGlite in a worker thread, so that no statement ever blocks the event loop.
 *
 * @param folder where the data lies (made if missing, for this user only); null: in memory
 * @throws DataFolderTaken when another process has it open; StoreUnusable
 */
export async function startEmbedded(folder: string | null): Promise<Embedded> {
  const release = folder === null ? () => {} : await takeFolder(folder);
  const socketFolder = await makeSocketFolder(folder);
  const settings: EmbeddedSettings = {
    dataDir: folder === null ? null : join(folder, "store"),
    socketPath: join(socketFolder, socketName),
  };
  const cleanUp = async () => {
    await rm(socketFolder, { recursive: true, force: true });
    release();
  };
  try {
    // Making a store takes three times the memory that running it does, and a thread keeps what it has once taken.
    if (settings.dataDir !== null && !existsSync(join(settings.dataDir, "PG_VERSION")))
      await (await run(settings)).end();
    const running = await run(settings);
    return {
      socketFolder,
      async close() {
        await running.end();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw folder === null ? error : unreadableStore(settings.dataDir ?? folder, error);
  }
}

// V8 compiles the calls out of WebAssembly anew once they are frequent, and shares them between the threads of a process:
// where one store has just ended and another runs, that now and then ends the process (nodejs/node#64500). The ones that
// it starts with are as fast: 3,000 durable inserts take the same time.
setFlagsFromString("--wasm-wrapper-tiering-budget=1000000000");

/** Runs PGlite in a thread until `end` is called. */
async function run(settings: EmbeddedSettings): Promise<{ end(): Promise<void> }> {
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), {
    workerData: settings,
    // What a statement leaves behind in JavaScript is garbage at once; a larger nursery only takes memory.
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
      // A thread that ends by itself takes its WebAssembly down in order; a terminated one now and then took the process.
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
    await chmod(folder, 0o700);
    return takeDataFolder(folder);
  } catch (error) {
    throw error instanceof DataFolderTaken ? error : unusableFolder(folder, error);
  }
}

/** A socket's path has to fit into 104 bytes, the least of what operating systems take. */
const longestSocketPath = 103;

/** In the data folder, where a process that was killed leaves nothing that the next one does not clear away. */
async function makeSocketFolder(folder: string | null): Promise<string> {
  const inside = folder === null ? null : join(resolve(folder), "run");
  if (inside === null || Buffer.byteLength(join(inside, socketName)) > longestSocketPath) {
    return await mkdtemp(join(tmpdir(), "gatehouse-socket-"));
  }
  await rm(inside, { recursive: true, force: true });
  await mkdir(inside, { mode: 0o700 });
  return inside;
}
