import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outsideEnvironment, ownNode, root, run } from "./run.js";

const lockFile = join(root, "package-lock.json");
const installedLockFile = join(root, "node_modules", ".package-lock.json");
const stampFile = join(root, "node_modules", ".gatehouse-installed");

/**
 * Installs when node_modules is missing or is not what package-lock.json says. `npm install --no-save` and not `npm ci`:
 * the lock file holds the optional binaries of the platforms that could be resolved when it was written, and `npm ci`
 * refuses such a file where `npm install` fetches the one that this platform needs. Neither changes the lock file.
 */
export async function ensureInstalled() {
  const lock = readFileSync(lockFile);
  const stamp = createHash("sha256").update(lock).digest("hex");
  if (existsSync(ownNode) && readStamp() === stamp) return;
  if (!existsSync(ownNode) || !matches(lock)) {
    console.log("Installing dependencies (once, about 20 s)");
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const args = [
      "install",
      "--no-save",
      "--loglevel=error",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
    ];
    await run("Installing", npm, args, { env: outsideEnvironment() });
    if (!existsSync(ownNode)) {
      throw new Error(
        "npm install finished, but node_modules has no Node.js 24 in it: the install script of the package `node` did not run. " +
          "Allow install scripts (npm config get ignore-scripts must say false), then run the same command again.",
      );
    }
  }
  writeFileSync(stampFile, stamp);
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined;
}

/**
 * True when someone ran `npm install` by hand and got just what the lock file says: nothing to do then.
 * @param {Buffer} lock
 */
function matches(lock) {
  if (!existsSync(installedLockFile)) return false;
  return isInstalled(JSON.parse(lock.toString()), JSON.parse(readFileSync(installedLockFile, "utf8")));
}

/**
 * @typedef {{ packages: Record<string, { version?: string, optional?: boolean } | undefined> }} Lock
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed what npm wrote down of node_modules
 * @returns {boolean} true when every package that this platform needs is there in the wanted version
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    const found = installed.packages[path];
    return path === "" || found?.version === entry?.version || (found === undefined && entry?.optional === true);
  });
}
