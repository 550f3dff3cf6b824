// A process of its own for the store's tests: opens a data folder and inserts rows, one transaction each, and prints
// each one when it is committed; then it stays. Arguments: folder, how many, a prefix that makes the rows of a run its own.
import { setInterval } from "node:timers";
import { openStore } from "../storage/store.ts";

const [folder = "", count = "0", prefix = ""] = process.argv.slice(2);
try {
  const store = await openStore({ engine: "embedded", folder }, () => new Date());
  for (let index = 0; index < Number(count); index += 1) {
    await store.pool.query(
      "insert into workspaces (id, slug, name, created_at, default_guardrail_id) values (gen_random_uuid(), $1, $1, now(), gen_random_uuid())",
      [prefix + String(index)],
    );
    process.stdout.write(`inserted ${prefix}${index}\n`);
  }
  // Holds the folder until it is killed.
  setInterval(() => {}, 1_000);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
