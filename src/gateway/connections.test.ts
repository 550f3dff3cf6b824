import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import pg from "pg";
import "./testing/vitest-setup.ts";
import { readConfig } from "./config.ts";
import { storeOptions } from "./app/open.ts";
import { openStore } from "./storage/store.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import {
  addKey,
  addVendor,
  chat,
  embed,
  manage,
  type ProcessAnswer,
  sharedSecrets,
  verify,
} from "./testing/process-calls.ts";
import { startGatewayProcess } from "./testing/process.ts";

const terminations = 200;
type Answered = Pick<ProcessAnswer, "status" | "headers">;

describe("connections to PostgreSQL", () => {
  it("are as many as GATEHOUSE_DATABASE_CONNECTIONS says", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const config = readConfig({ DATABASE_URL: database.url, GATEHOUSE_DATABASE_CONNECTIONS: "3" });
    const store = await openStore(storeOptions(config), () => new Date());
    try {
      const asked = Array.from({ length: 12 }, () =>
        store.pool.query("select pg_backend_pid() as pid, pg_sleep(0.02)"),
      );
      const answers = await Promise.all(asked);
      expect(new Set(answers.map(({ rows }) => rows[0].pid)).size).toBe(3);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});

describe("connections to PostgreSQL that end", () => {
  let vendor: FakeVendor;
  beforeAll(async () => {
    vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
  });
  afterAll(() => vendor.close());

  it("200 times under load of every kind: the process lives, nobody gets a 500, every answered call is on the ledger once", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...sharedSecrets, DATABASE_URL: database.url };
    const gateway = await startGatewayProcess({ env });
    const admin = new pg.Client(database.url);
    await admin.connect();
    await addVendor(gateway, vendor);
    const limited = await Promise.all(Array.from({ length: 10 }, () => addKey(gateway, 1)));
    const unlimited = await addKey(gateway, null);

    const refused: Answered[] = [];
    const calls: ProcessAnswer[] = [];
    const streams: ProcessAnswer[] = [];
    const made: string[] = [];
    let answers = 0;
    let loaded = true;
    /** Does the same again and again, and keeps what was refused. */
    async function again<T extends Answered>(work: () => Promise<T>, keep: (answer: T) => void = () => {}) {
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
      while (loaded) {
        const answer = await work();
        if (answer.status >= 400) {
          refused.push(answer);
          await sleep(5);
        } else {
          answers += 1;
          keep(answer);
        }
      }
    }
    const load = Promise.all([
      ...limited.map(({ key }) =>
        again(
          () => embed(gateway, key),
          (answer) => calls.push(answer),
        ),
      ),
      ...limited.slice(0, 3).map(({ key }) =>
        again(
          () => chat(gateway, key),
          (answer) => streams.push(answer),
        ),
      ),
      ...[1, 2, 3].map(() =>
        again(
          () => embed(gateway, unlimited.key),
          (answer) => calls.push(answer),
        ),
      ),
      again(
        () => chat(gateway, unlimited.key),
        (answer) => streams.push(answer),
      ),
      ...["/keys", "/generations", "/audit", "/workspaces"].map((path) => again(() => manage(gateway, "GET", path))),
      again(
        () => manage(gateway, "POST", "/keys", { name: "made meanwhile" }),
        (answer) => made.push(String(answer.data["hash"])),
      ),
    ]);

    for (let ended = 0; ended < terminations;) {
      const before = answers;
      const { rows } = await admin.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()
         order by state = 'idle', random() limit 5`,
      );
      ended += rows.length;
      while (answers === before && gateway.process.exitCode === null) await sleep(2);
    }
    expect(gateway.process.exitCode).toBe(null);
    const ended = () => streams.filter(({ text }) => text.endsWith("data: [DONE]\n\n"));
    // Some of each kind have come through by then.
    await expect.poll(() => ended().length > 0 && made.length > 0).toBe(true);
    loaded = false;
    await load;
    // What is still to be committed holds nobody up, so it is waited for.
    await expect.poll(async () => (await embed(gateway, unlimited.key)).status).toBe(200);

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(refused.length > 0 ? [503] : []));
    expect(refused.filter(({ headers }) => Number(headers.get("retry-after")) < 1)).toEqual([]);
    const whole = ended();
    const { rows } = await admin.query<{ id: string }>("select id from ledger");
    const ids = new Set(rows.map(({ id }) => id));
    expect(ids.size).toBe(rows.length);
    expect([...calls, ...whole].filter(({ id }) => id === null || !ids.has(id))).toEqual([]);
    const kept = await admin.query<{ hash: string }>("select hash from api_keys");
    const hashes = new Set(kept.rows.map(({ hash }) => hash));
    expect(made.filter((hash) => !hashes.has(hash))).toEqual([]);

    await gateway.stop();
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: gateway.dataDir })).toContain("all agree");
    await admin.end();
    await gateway.dispose();
    await database.drop();
  });
});
