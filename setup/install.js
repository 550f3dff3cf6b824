import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outsideEnvironment, ownNode, root, run } from "./run.js";

const modules = join(root, "node_modules");
const lockFile = join(root, "package-lock.json");
const stampFile = join(modules, ".gatehouse-installed");

/**
 * Installs when node_modules is missing or is not what package-lock.json says.
 *
 * @param {boolean} forRunning true: what the gateway needs to run is enough. What builds the console, the tests and the
 *   tools stay away, unless they were installed here before.
 */
export async function ensureInstalled(forRunning) {
  const lock = readFileSync(lockFile);
  const hash = createHash("sha256").update(lock).digest("hex");
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined;
  const present = readInstalled(modules);
  const wanted = /** @type {Lock} */ (JSON.parse(lock.toString()));
  const onlyRunning = forRunning && !(present !== undefined && hasDevelopmentPackages(wanted, present));
  const complete = `${hash} ${onlyRunning ? "running" : "everything"}`;
  if (stamp === complete) return;
  if (present === undefined || !isInstalled(wanted, present, onlyRunning)) {
    console.log(`Installing ${onlyRunning ? "what the gateway needs" : "dependencies"} (once, about 20 s)`);
    // Not `npm ci`: it removes node_modules first, which Windows refuses while the Node.js in it runs this file.
    await installPackages(root, ["install", "--no-save", onlyRunning ? "--omit=dev" : "--include=dev"]);
    console.log(`Installed ${measureInstalled(modules)}`);
  }
  ownNode();
  writeFileSync(stampFile, complete);
}

/**
 * Runs npm in a folder that has a package-lock.json. No package runs a script of its own.
 *
 * @param {string} folder
 * @param {string[]} args
 */
export async function installPackages(folder, args) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const always = ["--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("Installing", npm, [...args, ...always], { cwd: folder, env: outsideEnvironment(), quiet: true });
}

/**
 * @param {string} folder a node_modules that npm filled
 * @returns {string} as in "112 packages, 280 MB"
 */
export function measureInstalled(folder) {
  const packages = Object.keys(readInstalled(folder)?.packages ?? {}).filter((path) => path !== "");
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return `${packages.length} packages, ${Math.round(bytes / 1_000_000)} MB`;
}

/**
 * @param {string} folder
 * @returns {Lock | undefined} what npm wrote down of a node_modules
 */
function readInstalled(folder) {
  const file = join(folder, ".package-lock.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }} Entry
 * @typedef {{ packages: Record<string, Entry | undefined> }} Lock
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed what npm wrote down of node_modules
 * @param {boolean} onlyRunning true: packages for development may be missing
 * @returns {boolean} true when every package that this platform needs is there in the wanted version
 */
export function isInstalled(wanted, installed, onlyRunning) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    const found = installed.packages[path];
    if (path === "" || found?.version === entry?.version) return true;
    return (
      found === undefined && (entry?.optional === true || (onlyRunning && (entry?.dev ?? entry?.devOptional) === true))
    );
  });
}

/**
 * @param {Lock} wanted
 * @param {Lock} installed
 */
function hasDevelopmentPackages(wanted, installed) {
  return Object.keys(installed.packages).some((path) => wanted.packages[path]?.dev === true);
}
