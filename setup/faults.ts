// Puts faults into the code by hand, one at a time, and runs the tests that `npm test -- --since` chooses for each: they
// must fail. Prints what caught each. Usage: node setup/faults.ts [number or room …]; without any, all of them.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "./fault-table.ts";
import { root } from "./run.js";

/** A checkout of HEAD in which the faults are made: the one that somebody works in stays as it is. */
const tree = join(root, ".cache", "faults");

const asked = process.argv.slice(2);
const chosen = [...faults.entries()].filter(
  ([index, { room }]) => asked.length === 0 || asked.includes(`${index + 1}`) || asked.includes(room),
);

removeTree();
execFileSync("git", ["worktree", "add", "--detach", "--quiet", tree, "HEAD"], { cwd: root });
symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "dir");
const rows: string[] = [];
let caught = 0;
try {
  if (chosen.some(([, { room }]) => room === "console")) run(["build"]);
  for (const [index, { room, file, from, to, what }] of chosen) {
    const path = join(tree, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) throw new Error(`${file} must have this once, and has not: ${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const began = performance.now();
    // A fault of the gateway has journeys of the smoke test alone, which show no more than the gateway's own tests.
    const parts = room === "console" ? ["unit", "journeys"] : ["unit", "engine", "processes"];
    const { failed, output } = run(["--since", "HEAD", "--bail", ...parts]);
    writeFileSync(path, text);
    const seconds = Math.round((performance.now() - began) / 1_000);
    // A file that was not begun any more is told without a test.
    const by = /^failed: ([^:\n]+: .+)$/m.exec(output)?.[1]?.replace(`${tree}/`, "") ?? "the runner";
    if (failed) caught += 1;
    rows.push(`${index + 1}  ${room}: ${what}\n    ${failed ? `caught by ${by}` : "NOT CAUGHT"} (${seconds} s)`);
    console.log(rows.at(-1));
  }
} finally {
  removeTree();
}
console.log(`\n${caught} of ${chosen.length} faults were caught`);
process.exitCode = caught === chosen.length ? 0 : 1;

function run(args: string[]): { failed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["setup/test.ts", ...args], {
    cwd: tree,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  return { failed: status !== 0, output: stdout + stderr };
}

function removeTree(): void {
  if (existsSync(join(tree, "node_modules"))) rmSync(join(tree, "node_modules"));
  if (existsSync(tree)) rmSync(tree, { recursive: true });
  execFileSync("git", ["worktree", "prune"], { cwd: root });
}
