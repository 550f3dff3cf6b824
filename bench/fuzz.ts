// Generated requests against the real program, then `verify` on its store.
// Usage: node bench/fuzz.ts [requests, 200000] [seed, 1]
import { fuzz } from "#gateway/testing/fuzz-run.ts";
import { verify } from "#gateway/testing/process-calls.ts";
import { numberArgument, startGateway } from "./harness.ts";

const count = numberArgument(1, 200_000);
const seed = numberArgument(2, 1);
const round = 10_000;

await using gateway = await startGateway({ nodeArguments: ["--max-old-space-size=1500"] });
const all = new Map<number, number>();
const wrong: string[] = [];
const began = performance.now();
for (let done = 0; done < count; done += round) {
  const { statuses, unexpected } = await fuzz(
    gateway.url,
    gateway.managementKey,
    seed + done,
    Math.min(round, count - done),
  );
  for (const [status, times] of statuses) all.set(status, (all.get(status) ?? 0) + times);
  wrong.push(...unexpected);
  console.log(`${Math.min(done + round, count)} sent, ${wrong.length} unexpected`, Object.fromEntries(all));
  if (gateway.process.exitCode !== null) break;
}
const seconds = (performance.now() - began) / 1_000;
console.log(
  `${Math.round(count / seconds)} a second; the process ${gateway.process.exitCode === null ? "lives" : "ended"}`,
);
for (const one of wrong.slice(0, 20)) console.log(one);
await gateway.stop();
console.log(await verify({ GATEHOUSE_DATA_DIR: gateway.dataDir }));
process.exitCode = wrong.length === 0 ? 0 : 1;
