// The built-in model of meaning: its first call on a fresh install, each text in batches, the memory that it takes, and
// the quality of its vectors. Start it with a number of texts for the batches, if not 600.
import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { judgedPairs, sentencesByTopic } from "#gateway/testing/english-sentences.ts";
import { median, printGates, printTable } from "./figures.ts";
import { makeFolder, megabytes, numberArgument, startGateway, underLoad } from "./harness.ts";

const model = "gatehouse/semantic-en";
const texts = Object.values(sentencesByTopic).flat();
const count = numberArgument(1, 600);

await using folder = await makeFolder();
await using gateway = await startGateway({
  dataDir: folder.path,
  env: { ...underLoad, GATEHOUSE_EMBEDDING_CACHE: "0" },
});
const { key } = await apiOf(gateway)(createKey, { body: { name: "bench" } });
const call = apiOf(gateway, key);

async function embed(input: string[], by = model): Promise<readonly (readonly number[])[]> {
  const { data } = await call(createEmbeddings, { body: { model: by, input } });
  return data.map(({ embedding }) => (typeof embedding === "string" ? [] : embedding));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

await embed(["warm up the rest of the gateway"], "gatehouse/lexical");
await wait(1_000);
const before = megabytes(gateway.process);
// Starting the process must not hold up the gateway either.
const [first, pauseAtStart] = await Promise.all([timed(() => embed(["The gate is open."])), longestOther()]);
const [child] = childrenOf(gateway.process.pid ?? 0);
const cpuBefore = cpuMs(child);
const batches: number[] = [];
for (let from = 0; from < count; from += 100) {
  // Distinct texts: equal ones are computed once.
  const batch = Array.from({ length: 100 }, (_, index) => `${texts[(from + index) % texts.length]} ${from}`);
  batches.push((await timed(() => embed(batch))) / batch.length);
}
const cpu = (cpuMs(child) - cpuBefore) / (batches.length * 100);
const long = await timed(() => embed(["gate ".repeat(128)]));
// While the model works, another call of the gateway must not wait for it.
const [, pause] = await Promise.all([embed(texts), longestOther()]);
const vectors = await embed(texts);

const missed = printGates(`${model}, ${count} texts of ${meanWords()} words`, [
  { what: "first call on a fresh install", measured: first, atMost: 1_500, unit: "ms" },
  { what: "a text in batches of 100, median", measured: median(batches), atMost: 15, unit: "ms" },
  { what: "memory of its process", measured: residentOf(child), atMost: 230, unit: "MB" },
]);
printTable(
  "Beside it",
  ["what", "figure"],
  [
    ["processor time of its process for a text, ms", cpu.toFixed(1)],
    ["one text of 128 tokens, ms", long.toFixed(0)],
    [
      "longest other call while it starts, and while it works, ms",
      `${pauseAtStart.toFixed(0)} and ${pause.toFixed(0)}`,
    ],
    ["memory of the gateway before the first call and after all, MB", `${before} and ${megabytes(gateway.process)}`],
    [`same-topic neighbor, ${texts.length} sentences`, purity(vectors).toFixed(3)],
    ["the same with gatehouse/lexical", purity(await embed(texts, "gatehouse/lexical")).toFixed(3)],
    [`Spearman, ${judgedPairs.length} judged pairs`, (await correlation()).toFixed(3)],
  ],
);
process.exitCode = missed > 0 ? 1 : 0;

async function longestOther(): Promise<number> {
  const took: number[] = [];
  for (let each = 0; each < 50; each += 1) {
    took.push(await timed(() => fetch(`${gateway.url}/api/v1/health`)));
    await wait(10);
  }
  return Math.max(...took);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function purity(all: readonly (readonly number[])[]): number {
  const topics = Object.entries(sentencesByTopic).flatMap(([topic, list]) => list.map(() => topic));
  const same = all.filter((vector, index) => {
    const likeness = all.map((other, at) => (at === index ? Number.NEGATIVE_INFINITY : dot(vector, other)));
    return topics[likeness.indexOf(Math.max(...likeness))] === topics[index];
  });
  return same.length / all.length;
}

async function correlation(): Promise<number> {
  const ones = await embed(judgedPairs.map(([, one]) => one));
  const others = await embed(judgedPairs.map(([, , other]) => other));
  const likeness = ones.map((vector, index) => dot(vector, others[index] ?? []));
  const [a, b] = [judgedPairs.map(([judged]) => judged), likeness].map(centeredRanks);
  return dot(a ?? [], b ?? []) / Math.sqrt(dot(a ?? [], a ?? []) * dot(b ?? [], b ?? []));
}

function centeredRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value) - values.length + 1) / 2);
}

function meanWords(): number {
  return Math.round(texts.join(" ").split(" ").length / texts.length);
}

function childrenOf(pid: number): number[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const processes = listed.filter((line) => line.includes("model-process")).map((line) => line.trim().split(/\s+/));
  return processes.flatMap(([child, parent]) => (Number(parent) === pid ? [Number(child)] : []));
}

function residentOf(pid = 0): number {
  return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024);
}

/** As ps counts it: minutes, seconds and hundredths are not on every platform, whole seconds are. */
function cpuMs(pid = 0): number {
  const listed = execFileSync("ps", ["-o", "cputimes=", "-p", String(pid)], { encoding: "utf8" });
  return Number(listed) * 1_000;
}
