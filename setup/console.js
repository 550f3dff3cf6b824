import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installPackages, measureInstalled } from "./install.js";
import { ownNode, root, run } from "./run.js";

const inputs = ["src/console", "src/contract", "public", "index.html", "vite.config.ts", "package-lock.json"];
/** What else is read while the console is built: its packages, and how. */
const machinery = ["package.json", "tsconfig.json", "setup"];
/** What the console is built with and of; the gateway runs without. */
export const packages = [
  "@radix-ui/react-dialog",
  "@radix-ui/react-slider",
  "@tailwindcss/vite",
  "@tanstack/react-query",
  "@tanstack/react-router",
  "@vitejs/plugin-react",
  "get-nonce",
  "hyparquet",
  "diff",
  "lucide-react",
  "papaparse",
  "react",
  "react-dom",
  "react-hook-form",
  "tailwindcss",
  "umap-js",
  "vite",
  "zod",
];
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
  if (existsSync(join(root, "node_modules", "vite"))) await viteBuild(root);
  else await buildApart();
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** @param {string} folder */
export async function viteBuild(folder) {
  const vite = join(folder, "node_modules", "vite", "bin", "vite.js");
  const args = [vite, "build", "--logLevel=warn"];
  await run("Building the console", ownNode(), args, { cwd: folder, quiet: true });
}

/** Builds in a folder of its own, with packages that go with it: what only builds does not stay where the gateway runs. */
async function buildApart() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-console-")));
  try {
    copySources(folder);
    await installPackages(folder, ["ci"]);
    await viteBuild(folder);
    const built = join("dist", "console");
    rmSync(join(root, built), { recursive: true, force: true });
    cpSync(join(folder, built), join(root, built), { recursive: true });
    console.log(`Built the console with ${measureInstalled(join(folder, "node_modules"))}, which are removed again`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Copies all that the console is built of, apart from packages, into a folder.
 * @param {string} folder
 */
export function copySources(folder) {
  for (const input of [...inputs, ...machinery]) cpSync(join(root, input), join(folder, input), { recursive: true });
  keepConsole(folder);
}

/**
 * Leaves only the console in a copied package.json, package-lock.json and tsconfig.json: versions and hashes stay.
 * @param {string} folder
 */
function keepConsole(folder) {
  const [manifestFile, lockFile] = [join(folder, "package.json"), join(folder, "package-lock.json")];
  const { dependencies, devDependencies, imports, name, version } = JSON.parse(readFileSync(manifestFile, "utf8"));
  const all = { ...dependencies, ...devDependencies };
  const kept = { name, version, dependencies: Object.fromEntries(packages.map((each) => [each, all[each]])) };
  writeFileSync(manifestFile, JSON.stringify({ ...kept, type: "module", imports }));
  const typescript = join(folder, "tsconfig.json");
  const references = [{ path: "src/contract" }, { path: "src/console" }];
  writeFileSync(typescript, JSON.stringify({ ...JSON.parse(readFileSync(typescript, "utf8")), references }));
  const lock = JSON.parse(readFileSync(lockFile, "utf8"));
  writeFileSync(lockFile, JSON.stringify({ ...lock, packages: { ...lock.packages, "": kept } }));
}

/** Sizes and times of the inputs: some hundred stat calls, a few milliseconds, where hashing contents would be felt. */
function stampOfInputs() {
  const hash = createHash("sha256");
  for (const input of [...inputs, ...machinery]) {
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
