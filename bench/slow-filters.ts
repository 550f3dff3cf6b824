// What slow content filters of some workspaces do to the filtered calls of another one: each slow workspace's key sends long
// texts on six connections that its pattern takes all of its processor time for, another management key previews the same
// pattern, and a key with one built-in filter calls as before. Usage: node bench/slow-filters.ts [seconds] [workspaces]
import { setTimeout as sleep } from "node:timers/promises";
import { createGuardrail, bulkAssignKeysToGuardrail, tryContentFilters } from "#contract/guardrails.ts";
import { createKey } from "#contract/keys.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { percentile, printTable } from "./figures.ts";
import { addVendor, models, numberArgument, startGateway, startServer, underLoad } from "./harness.ts";

const seconds = numberArgument(1, 20);
const slowWorkspaces = numberArgument(2, 1);
const connections = 6;
const slow = { pattern: String.raw`\pL{1,1000}\d`, action: "block" } as const;
const letters = "a".repeat(940);
let calls = 0;
/** Texts that no cache knows. */
const long = () => Array.from({ length: 255 }, (_, n) => `${letters} ${n} ${(calls += 1)}`);

using vendor = await startServer("relay-vendor.ts");
await using gateway = await startGateway({ env: underLoad });
const api = apiOf(gateway);
await addVendor(gateway, vendor.origin);

async function keyWith(name: string, filters: object): Promise<string> {
  const workspace = await api(createWorkspace, { body: { name, slug: name } });
  const { key, data } = await api(createKey, { body: { name, workspace_id: workspace.data.id } });
  const guardrail = await api(createGuardrail, { body: { name, workspace_id: workspace.data.id, ...filters } });
  await api(bulkAssignKeysToGuardrail, { params: { id: guardrail.data.id }, body: { key_hashes: [data.hash] } });
  return key;
}

async function call(key: string, input: string | readonly string[]): Promise<number> {
  const response = await fetch(`${gateway.url}/api/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: models.embed, input }),
  });
  await response.arrayBuffer();
  return response.status;
}

const plain = await keyWith("plain", { content_filter_builtins: [{ slug: "email", action: "redact" }] });
const burdens = await Promise.all(
  Array.from({ length: slowWorkspaces }, (_, n) =>
    keyWith(`slow-${n}`, { content_filters: [{ ...slow, label: `N${n}` }] }),
  ),
);

/** Short and long texts, one after another. */
async function measure(forMs: number) {
  const times = { short: [] as number[], long: [] as number[] };
  for (let n = 0, until = performance.now() + forMs; performance.now() < until; n += 1) {
    const kind = n % 20 === 19 ? "long" : "short";
    const began = performance.now();
    const status = await call(plain, [`a@b.example ${(calls += 1)}`, ...(kind === "long" ? long() : [])]);
    if (status !== 200) throw new Error(`a call of the plain key answers ${status}`);
    times[kind].push(performance.now() - began);
    await sleep(20);
  }
  return times;
}

await measure(2_000);
const idle = await measure((seconds * 1_000) / 2);
let stopped = false;
const refused = new Map<number, number>();
for (const key of burdens.flatMap((each) => Array.from({ length: connections }, () => each))) {
  void (async () => {
    while (!stopped) {
      // At the end the gateway is gone.
      const status = await call(key, [`${(calls += 1)}`, ...long()]).catch(() => 0);
      refused.set(status, (refused.get(status) ?? 0) + 1);
    }
  })();
}
void (async () => {
  while (!stopped) {
    await api(tryContentFilters, { body: { text: "a".repeat(10_000), content_filters: [slow] } }).catch(() => {});
  }
})();
const loaded = await measure(seconds * 1_000);
stopped = true;

const row = (what: string, times: number[]) => [
  what,
  times.length,
  ...[50, 99, 100].map((percent) => `${percentile(times, percent).toFixed(1)} ms`),
];
printTable(
  `Calls with a plain filter; ${slowWorkspaces} workspaces with slow ones`,
  ["calls", "n", "p50", "p99", "longest"],
  [
    row("short, idle", idle.short),
    row("short, under slow filters", loaded.short),
    row("240 kB, idle", idle.long),
    row("240 kB, under slow filters", loaded.long),
  ],
);
console.log(`The slow filters' calls: ${JSON.stringify(Object.fromEntries(refused))}`);
