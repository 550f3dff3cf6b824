// The JavaScript peer for bench/cost.ts: Portkey's gateway, in the version whose figures the comparison began with. It
// is no dependency of this project: it is fetched into .cache/peer when the bench first runs. It speaks to the vendor as
// to Mistral: with its OpenAI dialect this version answers every embeddings call with 500.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const version = "1.15.2";
const folder = join(import.meta.dirname, "../.cache/peer");
const entry = join(folder, "node_modules/@portkey-ai/gateway/build/start-server.js");

export const peerName = `Portkey ${version}`;

/** What a call needs, apart from its body, to reach the vendor through it. */
export const peerHeaders = (vendor: string): Record<string, string> => ({
  "x-portkey-provider": "mistral-ai",
  "x-portkey-custom-host": vendor,
});

/** Starts it on a free port. @returns null where it cannot be fetched */
export async function startPeer(): Promise<({ port: number; process: ChildProcess } & Disposable) | null> {
  try {
    if (!existsSync(entry)) {
      const packages = ["--prefix", folder, "--no-audit", "--no-fund", `@portkey-ai/gateway@${version}`];
      execFileSync("npm", ["install", ...packages], { stdio: "ignore" });
    }
  } catch {
    return null;
  }
  const port = await freePort();
  const child = spawn(process.execPath, [entry, `--port=${port}`, "--headless"], {
    stdio: "ignore",
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
  });
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer !== null) return { port, process: child, [Symbol.dispose]: () => void child.kill("SIGKILL") };
    await wait(100);
  }
  child.kill("SIGKILL");
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
