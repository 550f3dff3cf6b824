import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./run.js";

const gateway = start(["--watch", "--watch-preserve-output", "src/gateway/main.ts", ...process.argv.slice(2)]);
const vite = start([join("node_modules", "vite", "bin", "vite.js"), "--host", "127.0.0.1"]);
console.log("Gateway with restart on its own port; console with live reload on http://127.0.0.1:5173");

function start(args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  child.on("exit", (code) => stop(code ?? 1));
  return child;
}

let stopping = false;
function stop(code: number): void {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  for (const child of [gateway, vite]) if (child.exitCode === null) child.kill("SIGTERM");
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
