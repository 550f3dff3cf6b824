// Kills the running program with -9 at random moments under load, and compares what was answered with the ledger.
// Usage: node bench/kills.ts [kills]
import { openJournal } from "#gateway/storage/journal.ts";
import { openStore } from "#gateway/storage/store.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { addKey, addVendor, embed, sharedSecrets, verify } from "#gateway/testing/process-calls.ts";
import { startGatewayProcess } from "#gateway/testing/process.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { printTable } from "./figures.ts";
import { makeFolder, numberArgument } from "./harness.ts";

const kills = numberArgument(1, 100);
const callers = 16;
const longestMs = 300;

const vendor = await startFakeVendor();
vendor.settings.dimensions = 4;
await using folder = await makeFolder();
const dataDir = folder.path;
const answered: string[] = [];
let key = "";
let inJournal = 0;
for (let kill = 0; kill < kills; kill += 1) {
  const gateway = await startGatewayProcess({ dataDir, env: sharedSecrets });
  if (kill === 0) {
    await addVendor(gateway, vendor);
    ({ key } = await addKey(gateway, 100));
  }
  const before = answered.length;
  const caller = async () => {
    for (;;) {
      const { status, id } = await embed(gateway, key);
      if (status === 200 && id !== null) answered.push(id);
    }
  };
  const loaded = Promise.all(Array.from({ length: callers }, () => caller().catch(() => {})));
  while (answered.length === before) await sleep(1);
  await sleep(Math.random() * longestMs);
  await gateway.stop("SIGKILL");
  await loaded;
  inJournal += (await openJournal(join(dataDir, "journal"))).tail.length;
}
const verified = await verify({ GATEHOUSE_DATA_DIR: dataDir, ...sharedSecrets });
await vendor.close();
const store = await openStore({ engine: "embedded", folder: dataDir }, () => new Date());
const { rows } = await store.pool.query<{ id: string }>("select id from ledger where status = 200");
await store.close();
const unique = new Set(rows.map(({ id }) => id));
printTable(
  `kill -9 under the load of ${callers} callers, up to ${longestMs} ms after the first answer`,
  ["kills", "answered", "missing on the ledger", "there twice", "in the journal at a kill", "verify"],
  [
    [
      kills,
      answered.length,
      answered.filter((id) => !unique.has(id)).length,
      rows.length - unique.size,
      inJournal,
      verified.includes("all agree") ? "all agree" : verified.trim(),
    ],
  ],
);
