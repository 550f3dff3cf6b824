import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { makeClock } from "../testing/clock.ts";
import { createDatabase } from "../testing/postgres.ts";
import { unoptimized } from "../testing/process.ts";
import { rounds } from "../testing/rounds.ts";
import { holdStoreProgram } from "../testing/store-program.ts";
import { putStore } from "../testing/store-template.ts";
import "../testing/vitest-setup.ts";
import { DataFolderTaken } from "./data-folder-lock.ts";
import { StoreMismatch } from "./migrate.ts";
import { inTransaction } from "../domain/transaction.ts";
import { flakyProxy } from "../testing/flaky-proxy.ts";
import { sharedPool } from "./pool.ts";
import { openStore, type Store } from "./store.ts";
import { checkpoint, vacuum } from "./maintenance.ts";

const { now } = makeClock();
const inserter = new URL("../testing/insert-workspaces.ts", import.meta.url);

describe("the embedded store", () => {
  let folder = "";
  beforeAll(async () => {
    await holdStoreProgram();
    folder = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is created beside its place, dated by its clock, and keeps what it is given in a folder that only its user may enter", async () => {
    const data = join(folder, "created");
    // What a killed creation left.
    await mkdir(join(data, "store.unfinished-abc/base"), { recursive: true });
    const first = await openStore({ engine: "embedded", folder: data }, now);
    expect((await readdir(data)).filter((name) => name.startsWith("store"))).toEqual(["store"]);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    const { rows } = await first.pool.query(
      "select distinct created_at from (select created_at from providers union all select created_at from provider_models) all_rows",
    );
    expect(rows).toEqual([{ created_at: now() }]);
    await insertWorkspace(first, "kept");
    await first.close();
    const second = await openStore({ engine: "embedded", folder: data }, now);
    expect(await slugs(second)).toEqual(["kept"]);
    await second.close();
  });

  it("is not written over what is in its place", async () => {
    const other = join(folder, "other");
    await mkdir(join(other, "store"), { recursive: true });
    await writeFile(join(other, "store/mine"), "kept");
    const occupied = openStore({ engine: "embedded", folder: other }, now);
    await expect(occupied).rejects.toThrow(/^The store in .*other.store cannot be read/);
    expect(await readdir(join(other, "store"))).toEqual(["mine"]);
  });

  it("refuses a second owner of its folder, by name, and lets one in after the first has closed", async () => {
    const data = join(folder, "owned");
    await putStore(data);
    const first = await openStore({ engine: "embedded", folder: data }, now);
    const second = openStore({ engine: "embedded", folder: data }, now);
    await expect(second).rejects.toThrow(DataFolderTaken);
    await expect(second).rejects.toThrow(data);
    await first.ping();
    await first.close();
    const third = await openStore({ engine: "embedded", folder: data }, now);
    await third.close();
  });

  it("lets exactly one of three processes in that start at once", async () => {
    const data = join(folder, "race");
    await putStore(data);
    const children = [1, 2, 3].map(() => runInserter(data, 1));
    const outcomes = await Promise.all(children.map(firstLine));
    for (const child of children) child.kill("SIGKILL");
    expect(outcomes.filter((outcome) => outcome === "inserted 0").length).toBe(1);
    expect(
      outcomes.filter((outcome) => outcome.includes(`${data} is in use by another Gatehouse process`)).length,
    ).toBe(2);
  });

  it("loses nothing that it acknowledged when its process is killed in the middle of writing, again and again", async () => {
    const data = join(folder, "killed");
    await putStore(data);
    let acknowledged: string[] = [];
    const kills = rounds(20);
    for (let round = 0; round < kills; round += 1) {
      const child = runInserter(data, 1_000_000, `round-${round}-`);
      let output = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.split("\n").length > 40 * (round + 1)) child.kill("SIGKILL");
      });
      await once(child, "close");
      acknowledged = [...acknowledged, ...[...output.matchAll(/^inserted (\S+)\n/gm)].map(([, slug]) => slug ?? "")];
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 40);
    const store = await openStore({ engine: "embedded", folder: data }, now);
    const kept = new Set(await slugs(store));
    await store.close();
    expect(acknowledged.filter((slug) => !kept.has(slug))).toEqual([]);
  });

  it("that is broken, or has no folder, is refused with what would help", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const unusable = openStore({ engine: "embedded", folder: file }, now);
    await expect(unusable).rejects.toThrow(/^The data folder .*file cannot be used: .*Set GATEHOUSE_DATA_DIR/);
    await mkdir(join(folder, "broken/store"), { recursive: true });
    await writeFile(join(folder, "broken/store/PG_VERSION"), "nonsense");
    const broken = openStore({ engine: "embedded", folder: join(folder, "broken") }, now);
    await expect(broken).rejects.toThrow(/^The store in .*broken.store cannot be read/);
  });

  describe("that is open", () => {
    let store: Store;
    beforeAll(async () => {
      const data = join(folder, "open");
      await putStore(data);
      store = await openStore({ engine: "embedded", folder: data }, now);
    });
    afterAll(() => store.close());

    it("lets go of its log once there is enough of it, as no background process does it", async () => {
      expect(await checkpoint(store.pool)).toBe(false);
      await store.pool.query(
        "create table log_ballast as select repeat(md5(i::text), 60) as text from generate_series(1, 40000) as i",
      );
      expect(await checkpoint(store.pool)).toBe(true);
      expect(await checkpoint(store.pool)).toBe(false);
    });

    it("writes its log with fsync on, through a method that waits for the disk", async () => {
      const { rows } = await store.pool.query(
        "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'wal_sync_method') order by name",
      );
      expect(rows.map((row) => [row.name, row.setting])).toEqual([
        ["fsync", "on"],
        ["synchronous_commit", "on"],
        ["wal_sync_method", "open_datasync"],
      ]);
    });

    it("clears away the old versions of rows that move all day, as no background process does it", async () => {
      await insertWorkspace(store, "moving");
      for (let index = 0; index < 200; index += 1) {
        await store.pool.query("update workspaces set name = $1, slug = $1", [`w${index}`]);
      }
      expect(await vacuum(store.pool)).toContain("workspaces");
      const { rows } = await store.pool.query(
        "select n_dead_tup as dead, last_analyze is not null as analyzed from pg_stat_user_tables where relname = 'workspaces'",
      );
      expect(rows).toEqual([{ dead: 0n, analyzed: true }]);
      expect(await vacuum(store.pool)).not.toContain("workspaces");
    });

    it("only looks at a part of a table that rows were added to, for all calls wait meanwhile", async () => {
      await store.pool.query("create table ballast (n integer)");
      await store.pool.query("insert into ballast select generate_series(1, 20000)");
      expect(await vacuum(store.pool)).toContain("ballast");
      const { rows } = await store.pool.query(
        "select vacuum_count as vacuumed, analyze_count as analyzed from pg_stat_user_tables where relname = 'ballast'",
      );
      expect(rows).toEqual([{ vacuumed: 0n, analyzed: 1n }]);
      expect(await vacuum(store.pool)).not.toContain("ballast");
    });

    it("serves on when its upkeep fails, as on a full disk", async () => {
      const failing = (body: string) =>
        `create or replace function failing(n integer) returns integer immutable language plpgsql
       as $$ begin ${body}; return n; end $$`;
      await store.pool.query(failing("null"));
      await store.pool.query("create table failing_ballast (n integer); create index on failing_ballast (failing(n))");
      await store.pool.query("insert into failing_ballast select generate_series(1, 2000)");
      await store.pool.query(failing("raise exception 'No space left on device'"));
      await expect(vacuum(store.pool)).rejects.toThrow("No space left on device");
      await insertWorkspace(store, "afterwards");
      expect(await slugs(store)).toContain("afterwards");
    });

    it("goes on after a statement that failed, on the same connection, with many that wait", async () => {
      const named = async (n: number) => {
        const { rows } = await store.pool.query({ name: "twice", text: "select $1::int as n", values: [n] });
        return rows[0].n as number;
      };
      expect(await named(1)).toBe(1);
      for (const wrong of ["select 1/0", "nonsense"]) {
        const all = await Promise.allSettled([named(2), store.pool.query(wrong), named(3), named(4)]);
        expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
      }
      await insertWorkspace(store, "after");
      expect(await slugs(store)).toContain("after");
    });
  });

  it("leaves no socket behind, and opens where its folder's path is too long for one", async () => {
    for (const name of ["short", "long".repeat(30)]) {
      const data = join(folder, name);
      await putStore(data);
      const before = await socketFolders();
      const store = await openStore({ engine: "embedded", folder: data }, now);
      await store.ping();
      const made = (await socketFolders()).filter((socket) => !before.includes(socket));
      expect((await readdir(data)).includes("run")).toBe(name === "short");
      await store.close();
      expect(await readdir(data)).not.toContain("run");
      const left = await socketFolders();
      if (name !== "short") expect(made.filter((socket) => left.includes(socket)).length).toBeLessThan(made.length);
    }
  });
});

async function socketFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("gatehouse-socket-"));
}

describe("the shared store", () => {
  const databases: { drop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
  });
  async function database(): Promise<string> {
    const made = await createDatabase(inject("postgresUrl"));
    databases.push(made);
    return made.url;
  }

  it("is migrated once by processes that start at once", async () => {
    const url = await database();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ engine: "postgres", url, poolSize: 2 }, now)));
    await Promise.all(stores.map((store, index) => insertWorkspace(store, `w${index}`)));
    expect((await slugs(stores[0] as Store)).length).toBe(4);
    await Promise.all(stores.map((store) => store.close()));
  });

  it("gives up connections that went silent, works over new ones, and closes without their answer", async () => {
    const url = new URL(await database());
    const proxy = await flakyProxy({ host: url.hostname, port: Number(url.port) });
    url.port = `${proxy.port}`;
    const pool = sharedPool(url.href, { size: 2, statementTimeoutMs: 2_000, silenceMs: 500, endMs: 200 });
    const both = async () =>
      await Promise.allSettled(
        [1, 2].map(async () => (await pool.query("select pg_sleep(0.1), 1 as one")).rows[0].one),
      );
    const answered = [1, 2].map(() => ({ status: "fulfilled", value: 1 }));
    // A busy machine may take longer than that to connect.
    await expect.poll(both).toEqual(answered);
    proxy.silence();
    const reason = expect.objectContaining({ message: expect.stringContaining("did not answer in time") });
    expect(await both()).toEqual([1, 2].map(() => ({ status: "rejected", reason })));
    await expect.poll(both).toEqual(answered);
    proxy.silence();
    const unanswered = both();
    await pool.end();
    expect((await unanswered).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await proxy.close();
  });

  it("waits for a transaction that lifts the limit of its statements, and for no other", async () => {
    const pool = sharedPool(await database(), { size: 1, statementTimeoutMs: 3_000, silenceMs: 0 });
    await inTransaction(pool, async (client) => {
      await client.query("set local statement_timeout = 0");
      await client.query("select pg_sleep(3.5)");
    });
    await expect(pool.query("select pg_sleep(3.5)")).rejects.toThrow(/did not answer in time|statement timeout/);
    await pool.end();
  });

  it("ends a transaction of a process that was frozen, for which others wait", async () => {
    const pool = sharedPool(await database(), { size: 2, statementTimeoutMs: 30_000 });
    const lock = "select pg_advisory_xact_lock(1)";
    const frozen = inTransaction(
      pool,
      async (client) => {
        await client.query(lock);
        await inTransaction(pool, async (other) => void (await other.query(lock)));
        await client.query("select 1");
      },
      { idleMs: 300 },
    );
    await expect(frozen).rejects.toThrow(/not queryable|terminat/);
    await pool.end();
  });

  it("that a newer program has changed is refused by name, and not touched", async () => {
    const url = await database();
    const store = await openStore({ engine: "postgres", url }, now);
    await store.pool.query("insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2030')");
    const again = openStore({ engine: "postgres", url }, now);
    await expect(again).rejects.toThrow(StoreMismatch);
    await expect(again).rejects.toThrow(/newer Gatehouse.*999-from-the-future/);
    await store.close();
  });

  it("that does not answer, or does not let us in, is named without the password", async () => {
    const nowhere = openStore({ engine: "postgres", url: "postgres://user:hunter2@127.0.0.1:1/data" }, now);
    await expect(nowhere).rejects.toThrow(
      /^DATABASE_URL leads to 127\.0\.0\.1:1\/data, which cannot be used: .*ECONNREFUSED/,
    );
    const url = new URL(await database());
    url.password = "hunter2";
    const refused = openStore({ engine: "postgres", url: url.href }, now);
    await expect(refused).rejects.toThrow(/password authentication failed/);
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });

  it("answers again after all of its connections were cut", async () => {
    const url = await database();
    const store = await openStore({ engine: "postgres", url }, now);
    await store.ping();
    const cutter = await openStore({ engine: "postgres", url }, now);
    await cutter.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await expect
      .poll(() =>
        store.ping().then(
          () => "answers",
          () => "does not",
        ),
      )
      .toBe("answers");
    await store.close();
    await cutter.close();
  });

  it("carries notices from one process to the others, after its connection was cut too", async () => {
    const url = await database();
    const [here, there] = [
      await openStore({ engine: "postgres", url }, now),
      await openStore({ engine: "postgres", url }, now),
    ];
    const heard: (string | null)[] = [];
    here.notices.listen("channel", (payload) => heard.push(payload));
    await expect.poll(() => heard).toEqual([null]);
    await there.notices.send("channel", "first");
    await expect.poll(() => heard).toEqual([null, "first"]);
    await there.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse notices' and datname = current_database()",
    );
    await expect.poll(() => heard).toEqual([null, "first", null]);
    await there.notices.send("channel", "second");
    await expect.poll(() => heard).toEqual([null, "first", null, "second"]);
    await here.close();
    await there.close();
  });
});

async function insertWorkspace(store: Store, slug: string): Promise<void> {
  await store.pool.query(
    "insert into workspaces (id, slug, name, created_at, default_guardrail_id) values (gen_random_uuid(), $1, $1, now(), gen_random_uuid())",
    [slug],
  );
}

async function slugs(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom("workspaces").select("slug").execute();
  return rows.map((row) => row.slug);
}

/** A process of its own that opens the folder, inserts so many rows, prints each, and stays until it is killed. */
function runInserter(folder: string, count: number, prefix = ""): ChildProcess {
  return fork(inserter, [folder, String(count), prefix], {
    execArgv: [unoptimized],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (output.includes("\n")) return output.slice(0, output.indexOf("\n"));
  }
  return output;
}
