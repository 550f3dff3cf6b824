import { type ChildProcess, type ChildProcessByStdio, spawn, type StdioOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { putStore } from "./store-template.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A host name that the journeys' browser maps to this machine. */
export const lanHost = "gatehouse.test";

export interface RunningGateway {
  /** where it answers, with the base path, without a slash at the end */
  readonly url: string;
  /** the same through a host name: for browsers an insecure origin */
  readonly lanUrl: string;
  readonly managementKey: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** everything it has printed so far, both outputs */
  printed(): string;
  /** resolves when it has ended by itself, and all that it printed is there */
  readonly ended: Promise<void>;
  /** Ends it and waits for the end; the data folder stays. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it and removes its data folder. */
  dispose(): Promise<void>;
}

export interface GatewayOptions {
  /** before the program, such as `--import` and a module to load into the process */
  nodeArguments?: string[];
  /** further environment variables; undefined takes one away */
  env?: Record<string, string | undefined>;
  /** a data folder to start on, empty or not; without it, one with a migrated store that holds nothing */
  dataDir?: string;
  /** started by npm, whose process is the one that gets the signals */
  npm?: boolean;
  /** lives for minutes, in which optimizing the store's code pays */
  longLived?: boolean;
}

const program = ["--import", "./setup/memory-flags.js", "--import", "./setup/compile-cache.js", "src/gateway/main.ts"];
/**
 * Runs WebAssembly as it was first compiled. Optimizing the embedded store's is a quarter of the CPU time of a start, and
 * pays after a thousand requests.
 */
export const unoptimized = "--liftoff-only";
/** Without the set-up that comes before it. */
const npmStart = ["npm", "start", "--ignore-scripts"] as const;

/**
 * Starts the real program, as `npm start` does, on a free port and a data folder of its own: `unoptimized`, unless it
 * lives long, or has arguments of its own, like the tests that measure.
 */
export async function startGatewayProcess(options: GatewayOptions = {}): Promise<RunningGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "gatehouse-e2e-")));
  const embedded = options.env?.["DATABASE_URL"] === undefined;
  if (options.dataDir === undefined && embedded) await putStore(dataDir);
  const managementKey = options.env?.["GATEHOUSE_MANAGEMENT_KEY"] ?? randomBytes(24).toString("base64url");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: undefined,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_MANAGEMENT_KEY: managementKey,
    ...options.env,
  };
  const nodeArguments = options.nodeArguments ?? (options.longLived === true ? [] : [unoptimized]);
  const [command, ...args] = options.npm === true ? npmStart : [process.execPath, ...nodeArguments, ...program];
  // A program that a test loads into the process answers over the channel.
  const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...(options.nodeArguments ? (["ipc"] as const) : [])];
  const child = spawn(command, args, { cwd: root, env, stdio }) as ChildProcessByStdio<null, Readable, Readable>;
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const port = await listeningPort(child, () => printed);
  const basePath = options.env?.["GATEHOUSE_BASE_PATH"] ?? "";

  async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  }
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    lanUrl: `http://${lanHost}:${port}${basePath}`,
    managementKey,
    dataDir,
    process: child,
    ended,
    printed: () => printed,
    stop,
    dispose: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function listeningPort(child: ChildProcess, printed: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed())?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The gateway ended with ${code} before it listened:\n${printed()}`)));
  });
}
