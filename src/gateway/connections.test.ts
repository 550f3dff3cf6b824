import { expect, inject, it } from "vitest";
import { storeOptions } from "./app/open.ts";
import { readConfig } from "./config.ts";
import { openStore } from "./storage/store.ts";
import { createDatabase } from "./testing/postgres.ts";
import "./testing/vitest-setup.ts";

it("opens as many connections to PostgreSQL as GATEHOUSE_DATABASE_CONNECTIONS says", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  const config = readConfig({ DATABASE_URL: database.url, GATEHOUSE_DATABASE_CONNECTIONS: "3" });
  const store = await openStore(storeOptions(config), () => new Date());
  try {
    const asked = Array.from({ length: 12 }, () => store.pool.query("select pg_backend_pid() as pid, pg_sleep(0.02)"));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ rows }) => rows[0].pid)).size).toBe(3);
  } finally {
    await store.close();
    await database.drop();
  }
});
