// How long `npm start` takes on a prepared clone, from the command to the first answered request.
import { spawn } from "node:child_process";
import { root } from "../setup/run.js";
import { median, printGates, printTable } from "./figures.ts";
import { makeFolder } from "./harness.ts";

const rounds = 5;
const empty: number[] = [];
const warm: number[] = [];

for (let round = 0; round < rounds; round++) {
  await using folder = await makeFolder();
  empty.push(await timeToFirstAnswer(folder.path));
  warm.push(await timeToFirstAnswer(folder.path));
}

printTable(
  "Beside it: what is not Gatehouse's own time",
  ["command", "ms"],
  [
    ["node -e 0", Math.round(await timeToEnd("node", ["-e", "0"]))],
    ["npm --version, started by npm's own launcher", Math.round(await timeToEnd("npm", ["--version"]))],
    ["node setup/prepare.js start (nothing to do)", Math.round(await timeToEnd("node", ["setup/prepare.js", "start"]))],
  ],
);
const missed = printGates(`npm start to the first answered request, median of ${rounds}`, [
  { what: "warm", measured: median(warm), atMost: 600, unit: "ms" },
  { what: "on an empty data folder", measured: median(empty), atMost: 1500, unit: "ms" },
]);
console.log(`warm: ${warm.map(Math.round).join(", ")} ms; empty: ${empty.map(Math.round).join(", ")} ms`);
process.exitCode = missed > 0 ? 1 : 0;

async function timeToFirstAnswer(dataDir: string): Promise<number> {
  const started = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: { ...process.env, PORT: "0", DATABASE_URL: "", GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
  });
  const answer = await fetch(`${url}/api/v1/ready`);
  const took = performance.now() - started;
  if (!answer.ok) throw new Error(`The first answer had status ${answer.status}`);
  // npm and the program are one process group: both get the signal, as from Ctrl-C.
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  await ended;
  return took;
}

async function timeToEnd(command: string, args: string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const child = spawn(command, args, { cwd: root, stdio: "ignore" });
    await new Promise((resolve) => child.once("exit", resolve));
    times.push(performance.now() - started);
  }
  return median(times);
}
