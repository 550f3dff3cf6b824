import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownNode, root, run } from "./run.js";

const inputs = ["src/console", "src/contract", "public", "index.html", "vite.config.ts", "package-lock.json"];
const stampFile = join(root, ".cache", "console-built-from");

/** Builds the console into dist/console when it was never built, or its inputs changed since. */
export async function ensureConsole() {
  const stamp = stampOfInputs();
  const built = existsSync(join(root, "dist", "console", "index.html"));
  if (built && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  console.log("Building the console (after changes only, a few seconds)");
  await buildConsole();
}

/** Builds the console, whatever is there. */
export async function buildConsole() {
  const stamp = stampOfInputs();
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  await run("Building the console", ownNode, [vite, "build", "--logLevel=warn"], { quiet: true });
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Sizes and times of the inputs: some hundred stat calls, a few milliseconds, where hashing contents would be felt. */
function stampOfInputs() {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of filesIn(join(root, input))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} path a file or a folder; one that is missing has no files
 * @returns {string[]}
 */
function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
