import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import type { KeptFile, KeptFiles } from "#contract/files.ts";
import { engine } from "./testing/describe-gateway.ts";
import { eventually } from "./testing/eventually.ts";
import { createDatabase } from "./testing/postgres.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";

const mb = 1_000_000;
const pieceBytes = 262_144;
const env = { GATEHOUSE_LOG_LEVEL: "warn", GATEHOUSE_MANAGEMENT_KEY: "a-management-key-of-two-processes" };

async function keyAt({ url, managementKey }: RunningGateway): Promise<string> {
  const answer = await fetch(`${url}/api/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "uploads" }),
  });
  return ((await answer.json()) as { key: string }).key;
}

async function upload({ url }: RunningGateway, key: string, size: number): Promise<{ status: number; id: string }> {
  const body = new FormData();
  body.append("file", new Blob(["%PDF-", Buffer.alloc(size - 5, "x")]), "a.pdf");
  const answer = await fetch(`${url}/api/v1/files`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body,
  });
  return { status: answer.status, id: ((await answer.json()) as { id: string }).id };
}

async function filesAt({ url }: RunningGateway, key: string): Promise<KeptFiles> {
  const answer = await fetch(`${url}/api/v1/files?limit=1000`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as KeptFiles;
}

/** The sizes of what is kept for each id: of the files in the folder, or of the pieces in the table. */
async function keptAt(gateway: RunningGateway, database: string | null): Promise<Map<string, number>> {
  const folder = join(gateway.dataDir, "files");
  if (database === null) {
    const kept = new Map<string, number>();
    for (const name of await readdir(folder).catch(() => [])) {
      // The sweep after the start may be at work.
      const found = await stat(join(folder, name)).catch(() => null);
      if (found !== null) kept.set(name, found.size);
    }
    return kept;
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query("select file_id, sum(length(sealed))::int as bytes from file_pieces group by 1");
  await client.end();
  return new Map(rows.map(({ file_id: id, bytes }) => [id, bytes]));
}

const sealedSize = ({ size_bytes: size }: KeptFile) => size + 16 * Math.ceil(size / pieceBytes);

describe("a process that is killed with kill -9 during uploads", () => {
  it("has kept every file that it answered, whole, and nothing else that could be read", async () => {
    const database = engine === "postgres" ? await createDatabase(inject("postgresUrl"), {}) : null;
    const options = { env: { ...env, ...(database !== null && { DATABASE_URL: database.url }) } };
    let gateway = await startGatewayProcess(options);
    try {
      const key = await keyAt(gateway);
      const answered: string[] = [];
      for (const afterMs of [100, 300]) {
        const running = gateway;
        const uploading = Promise.allSettled(
          Array.from({ length: 6 }, async (_, index) => {
            for (;;) {
              const { status, id } = await upload(running, key, 100_000 * (index + 1));
              if (status !== 200) return;
              answered.push(id);
            }
          }),
        );
        await wait(afterMs);
        await running.stop("SIGKILL");
        await uploading;
        gateway = await startGatewayProcess({ ...options, dataDir: running.dataDir });
      }
      const { data, usage } = await filesAt(gateway, key);
      expect(answered.filter((id) => !data.some((file) => file.id === id))).toEqual([]);
      expect(usage).toMatchObject({
        files: data.length,
        bytes: data.reduce((sum, { size_bytes: size }) => sum + size, 0),
      });
      const kept = await keptAt(gateway, database?.url ?? null);
      expect(data.filter((file) => kept.get(file.id) !== sealedSize(file))).toEqual([]);
      // What is in the table may be another process's upload for ten minutes.
      if (engine === "embedded") {
        await eventually(
          async () => await keptAt(gateway, null),
          ({ size }) => size === data.length,
        );
      }
    } finally {
      await gateway.dispose();
      await database?.drop();
    }
  });
});

it("two processes share a workspace's quota exactly", async () => {
  const database = await createDatabase(inject("postgresUrl"), {});
  const options = { env: { ...env, GATEHOUSE_FILES_MB: "8", DATABASE_URL: database.url } };
  const first = await startGatewayProcess(options);
  const second = await startGatewayProcess({ ...options, dataDir: first.dataDir });
  try {
    const key = await keyAt(first);
    const size = Math.floor((8 * mb) / 9);
    // Who sends on after a refusal may lose the connection before it has read it.
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) => await upload(index % 2 === 0 ? first : second, key, size)),
    );
    const statuses = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.status] : []));
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.filter((status) => status !== 200 && status !== 413)).toEqual([]);
    for (const gateway of [first, second]) {
      expect((await filesAt(gateway, key)).usage).toMatchObject({ bytes: 9 * size, files: 9 });
    }
    const [file] = (await filesAt(second, key)).data;
    const gone = await fetch(`${second.url}/api/v1/files/${file?.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(gone.status).toBe(200);
    expect((await filesAt(first, key)).usage).toMatchObject({ bytes: 8 * size, files: 8 });
  } finally {
    await second.stop();
    await first.dispose();
    await database.drop();
  }
});
