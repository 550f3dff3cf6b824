import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The project's own Node.js 24, from node_modules; where none is published for the platform, the machine's. Every part of
 * the product runs on it, set-up alone runs on the machine's.
 *
 * @returns {string} the path of the executable
 */
export function ownNode() {
  const installed = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  throw new Error(
    `package-lock.json has no Node.js 24 for ${process.platform}-${process.arch}, and this is ${process.version}. ` +
      "Install Node.js 24 or later (https://nodejs.org), then run the same command again.",
  );
}

/**
 * Runs a command to its end, with a line every few seconds while it is silent.
 * @param {string} what what is going on, in words, for the progress and the error
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: show the output only when it fails
 * @returns {Promise<void>} rejects with the command, its exit code and its output
 */
export function run(what, command, args, options = {}) {
  const started = process.hrtime.bigint();
  const seconds = () => Number((process.hrtime.bigint() - started) / 1_000_000_000n);
  const ticker = setInterval(() => console.log(`  ${what}: ${seconds()} s so far`), 10_000);
  // Windows starts .cmd files through a shell only, and a shell takes a path with a space for two words.
  const shell = process.platform === "win32";
  const words = shell ? [command, ...args].map((word) => (/\s/.test(word) ? `"${word}"` : word)) : [command, ...args];
  return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    let output = "";
    const child = spawn(words[0] ?? command, words.slice(1), {
      cwd: options.cwd ?? root,
      env: { ...(options.env ?? process.env), ...(options.quiet ? { NO_COLOR: "1" } : {}) },
      stdio: ["ignore", options.quiet ? "pipe" : "inherit", options.quiet ? "pipe" : "inherit"],
      shell,
    });
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => reject(new Error(`${what} failed: cannot run ${command} (${error.message})`)));
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(new Error(`${what} failed: ${command} ${args.join(" ")} ended with ${code}\n${output}`.trimEnd()));
    });
  }).finally(() => clearInterval(ticker));
}

/** The environment without this project's node_modules in PATH: npm must not run on the Node.js that it replaces. */
export function outsideEnvironment() {
  const own = join(root, "node_modules");
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.startsWith(own));
  return { ...process.env, PATH: path.join(delimiter) };
}
