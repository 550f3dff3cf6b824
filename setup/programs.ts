import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.js";

/** Agents that people install, by their package: the long run starts them as they are. */
export const programs = { "@anthropic-ai/claude-code": "2.1.332", "@openai/codex": "0.171.0" } as const;

const folder = join(root, ".cache", "programs");

/** Installs them apart from the project's own packages: together they have 800 MB. @returns where their commands are */
export function installPrograms(): string {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package.json"))) writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const wanted = Object.entries(programs).map(([name, version]) => `${name}@${version}`);
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  execFileSync(npm, ["install", "--no-audit", "--no-fund", "--save-exact", ...wanted], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return join(folder, "node_modules", ".bin");
}
