// Whether a commit costs the same however long the ledger is. Usage: node bench/ledger-growth.ts [most rows] [engine]
import { randomUUID } from "node:crypto";
import { newGenerationId } from "#gateway/domain/generation-id.ts";
import { commitGroup } from "#gateway/domain/ledger/commit.ts";
import { type ChargedEntry, initialValues } from "#gateway/domain/ledger/entry.ts";
import { openStore } from "#gateway/storage/store.ts";
import { percentile, printTable } from "./figures.ts";
import { makeFolder, numberArgument, startEngine } from "./harness.ts";

const mostRows = numberArgument(1, 10_000_000);
const engine = process.argv[3] ?? "embedded";
const commits = 400;
const keys = 200;
const workspaces = Array.from({ length: 20 }, () => randomUUID());
const spends = Array.from({ length: keys }, () => randomUUID());

function entry(index: number): ChargedEntry {
  const createdAt = new Date();
  return {
    own: 160n,
    byok: 0n,
    overrun: 0n,
    entry: {
      ...initialValues,
      id: newGenerationId(createdAt),
      workspaceId: workspaces[index % workspaces.length] ?? "",
      createdAt,
      keyHash: String(index % keys).padStart(64, "0"),
      spendId: spends[index % keys] ?? "",
      apiType: "embeddings",
      model: "acme/embed",
      provider: "acme",
      promptTokens: 8,
      cost: 160n,
      inputs: 1,
      latencyMs: 1,
      durationMs: 2,
      attempts: [{ provider: "acme", model: "acme/embed", status: 200, latency_ms: 1, is_byok: false, error: null }],
      userAgent: "bench",
      requestId: `req-${randomUUID()}`,
    },
  };
}

await using folder = await makeFolder();
await using server = await startEngine(engine);
const url = await server.database();
const store = await openStore(
  url === undefined ? { engine: "embedded", folder: folder.path } : { engine: "postgres", url },
  () => new Date(),
);
const processId = randomUUID();
const commit = async (size: number, from: number) => {
  const entries = Array.from({ length: size }, (_, index) => entry(from + index));
  const started = performance.now();
  await commitGroup(store.pool, { entries, at: new Date(), leased: [], processId });
  return performance.now() - started;
};

const rows: (string | number)[][] = [];
let filled = 0;
let first: number | null = null;
for (let target = 10_000; target <= mostRows; target *= 10) {
  for (; filled < target; filled += 1_000) await commit(1_000, filled);
  const times: number[] = [];
  for (let index = 0; index < commits; index += 1) times.push(await commit(1, index));
  const groups: number[] = [];
  for (let index = 0; index < commits / 4; index += 1) groups.push(await commit(16, index));
  const p50 = percentile(times, 50);
  first ??= p50;
  rows.push([
    target.toLocaleString("en"),
    p50.toFixed(2),
    percentile(times, 99).toFixed(2),
    percentile(groups, 50).toFixed(2),
    (p50 / first).toFixed(2),
  ]);
}
printTable(
  `A commit as the ledger grows, ${engine} store`,
  ["rows", "one call, p50 ms", "p99 ms", "16 calls, p50 ms", "p50 × the first"],
  rows,
);
await store.close();
