// Whether memory stays flat at full load: embeddings at 32 connections, embedded store, cache and ledger on, for minutes.
// Vendor, gateway and load are processes of their own. Usage: node bench/soak.ts [minutes]
import { setTimeout as wait } from "node:timers/promises";
import { printTable } from "./figures.ts";
import {
  addVendor,
  megabytes,
  models,
  numberArgument,
  runLoad,
  startGateway,
  startServer,
  underLoad,
} from "./harness.ts";

const minutes = numberArgument(1, 10);

using vendor = await startServer("relay-vendor.ts");
await using gateway = await startGateway({ env: underLoad });
const key = await addVendor(gateway, vendor.origin);

const rows = [["before", "", String(megabytes(gateway.process)), "", ""]];
for (let minute = 1; minute <= minutes; minute += 1) {
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(megabytes(gateway.process)), 1_000);
  const { perSecond, p99, statuses } = await runLoad({
    port: gateway.port,
    path: "/api/v1/embeddings",
    key,
    model: models.embed,
    connections: 32,
    // a minute with the 1.5 s in which it warms up
    seconds: 58.5,
    inputs: 1,
    // Every minute sends the same texts: those of the minute before would come out of the cache.
    headers: { "cache-control": "no-cache" },
  });
  clearInterval(sampling);
  rows.push([
    `minute ${minute}`,
    String(Math.round(perSecond)),
    `${Math.min(...samples)} to ${Math.max(...samples)}`,
    p99.toFixed(1),
    JSON.stringify(statuses),
  ]);
  console.log(rows.at(-1)?.join("  "));
}
await wait(10_000);
rows.push(["10 s after", "", String(megabytes(gateway.process)), "", ""]);
printTable(
  `${minutes} minutes at full load, 32 connections`,
  ["when", "calls/s", "resident MB", "p99 ms", "statuses"],
  rows,
);
