import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
  /** Ends it and waits for the end; the data folder stays. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it and removes its data folder. */
  dispose(): Promise<void>;
}

export interface GatewayOptions {
  /** further environment variables; undefined takes one away */
  env?: Record<string, string | undefined>;
  /** an existing data folder, to start again on it */
  dataDir?: string;
}

/** Starts the real program, as `npm start` does, on a free port and a data folder of its own. */
export async function startGatewayProcess(options: GatewayOptions = {}): Promise<RunningGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "gatehouse-e2e-")));
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
  const child = spawn(
    process.execPath,
    ["--import", "./setup/lean.js", "--import", "./setup/compile-cache.js", "src/gateway/main.ts"],
    {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
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
