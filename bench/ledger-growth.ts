// Whether a commit costs the same however long the ledger is. Usage: node bench/ledger-growth.ts [most rows] [engine]
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newGenerationId } from "#gateway/domain/generation-id.ts";
import { commitGroup } from "#gateway/domain/ledger-commit.ts";
import type { ChargedEntry } from "#gateway/domain/ledger-entry.ts";
import { openStore } from "#gateway/storage/store.ts";
import { createDatabase, startPostgres } from "#gateway/testing/postgres.ts";
import { percentile, printTable } from "./table.ts";

const mostRows = Number(process.argv[2] ?? 10_000_000);
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
      id: newGenerationId(createdAt),
      workspaceId: workspaces[index % workspaces.length] ?? "",
      createdAt,
      keyHash: String(index % keys).padStart(64, "0"),
      spendId: spends[index % keys] ?? "",
      apiType: "embeddings",
      model: "acme/embed",
      provider: "acme",
      status: 200,
      errorType: null,
      promptTokens: 8,
      completionTokens: 0,
      reasoningTokens: 0,
      cachedTokens: 0,
      meteredBy: "upstream",
      priced: true,
      byok: false,
      cost: 160n,
      byokCost: 0n,
      saved: 0n,
      inputs: 1,
      cachedInputs: 0,
      latencyMs: 1,
      durationMs: 2,
      streamed: false,
      cancelled: false,
      finishReason: null,
      nativeFinishReason: null,
      upstreamId: null,
      attempts: [{ provider: "acme", model: "acme/embed", status: 200, latency_ms: 1, is_byok: false, error: null }],
      httpReferer: null,
      appTitle: null,
      userAgent: "bench",
      externalUser: null,
      sessionId: null,
      trace: null,
      requestId: `req-${randomUUID()}`,
    },
  };
}

const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
const server = engine === "postgres" ? await startPostgres() : null;
const database = server === null ? null : await createDatabase(server.url);
const store = await openStore(
  database === null ? { engine: "embedded", folder } : { engine: "postgres", url: database.url },
);
const processId = randomUUID();
const commit = async (size: number, from: number) => {
  const entries = Array.from({ length: size }, (_, index) => entry(from + index));
  const started = performance.now();
  await commitGroup(store, { entries, at: new Date(), leased: [], processId });
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
await database?.drop();
await server?.stop();
await rm(folder, { recursive: true, force: true });
