import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { embeddedPort, startEmbedded } from "#gateway/storage/embedded.ts";
import { ensureEmptyStore } from "./empty-store.js";

/** Every cluster that PostgreSQL makes has another one. */
async function identifierOfNewStore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = await startEmbedded(folder);
  const client = new pg.Client({
    host: store.socketFolder,
    port: embeddedPort,
    user: "postgres",
    database: "postgres",
  });
  try {
    await client.connect();
    const { rows } = await client.query("select system_identifier from pg_control_system()");
    return rows[0].system_identifier;
  } finally {
    await client.end();
    await store.close();
  }
}

it("prepares the store that first starts copy", async () => {
  await ensureEmptyStore();
  expect(await identifierOfNewStore()).toBe(await identifierOfNewStore());
});
