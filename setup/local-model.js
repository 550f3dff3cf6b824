import { existsSync } from "node:fs";
import { join } from "node:path";
import { outsideEnvironment, root, run } from "./run.js";

/** The optional package in the version that is tested; half a gigabyte, so only the tests fetch it, and once. */
const packageName = "@huggingface/transformers";
const version = "4.3.1";
const home = join(root, ".cache", "local-model");

/** Puts the package that local models need where a gateway's data folder would have it. */
export async function ensureLocalModelPackage() {
  if (existsSync(join(home, "node_modules", packageName, "package.json"))) return;
  console.log("Installing what local models need, for their tests (once, about 10 s)");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // Its scripts would fetch what only machines with a graphics card need.
  const args = ["install", "--prefix", home, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("Installing", npm, [...args, `${packageName}@${version}`], { env: outsideEnvironment() });
}
