import { constants } from "node:fs";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "../../storage/store.ts";
import { Refusal } from "../refusal.ts";
import { pieceBytes, sealedBytes } from "./encryption.ts";

/** Where the encrypted bytes of files are. */
export interface Blobs {
  /**
   * Makes all pieces durable, then calls `commit`, which makes the row. If either fails, nothing is kept; where it is
   * unknown whether the row is there, a sweep decides.
   */
  write(upload: BlobUpload): Promise<void>;
  /** null: it is not there */
  read(id: string, n: number, size: number): Promise<Buffer | null>;
  remove(id: string): Promise<void>;
  /** Deletes what has no row: of an upload or a deletion that a killed process left half done. */
  sweep(now: Date): Promise<void>;
}

export interface BlobUpload {
  readonly id: string;
  readonly pieces: AsyncIterable<Buffer>;
  readonly now: Date;
  commit(): Promise<void>;
}

/** Processes that share PostgreSQL share no disk; the only process on the embedded store has its data folder. */
export function openBlobs(store: Store, folder: string): Blobs {
  return store.engine === "postgres" ? inTable(store) : inFolder(store, folder);
}

function inFolder({ pool }: Pick<Store, "pool">, folder: string): Blobs {
  const underWay = new Set<string>();
  const pathOf = (id: string) => join(folder, id);
  const remove = async (id: string) => await rm(pathOf(id), { force: true });
  return {
    async write(upload) {
      underWay.add(upload.id);
      try {
        await writeAndCommit(upload, remove, async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          const file = await open(pathOf(upload.id), "wx", 0o600);
          try {
            for await (const piece of upload.pieces) await file.writeFile(piece);
            await file.sync();
          } finally {
            await file.close();
          }
          await syncFolder(folder);
        });
      } finally {
        underWay.delete(upload.id);
      }
    },
    async read(id, n, size) {
      const file = await open(pathOf(id), "r").catch(absent);
      if (file === null) return null;
      try {
        const sealed = Buffer.allocUnsafeSlow(sealedBytes(size));
        const { bytesRead } = await file.read(sealed, 0, sealed.length, n * sealedBytes(pieceBytes));
        return bytesRead === sealed.length ? sealed : null;
      } finally {
        await file.close();
      }
    },
    remove,
    async sweep() {
      const names = (await readdir(folder).catch(absent)) ?? [];
      // Before the rows: one that comes later is of an upload that is under way now, or is not among the names.
      const ignored = new Set(underWay);
      const { rows } = await pool.query<{ id: string }>("select id from files");
      const known = new Set(rows.map(({ id }) => id));
      for (const name of names) if (!known.has(name) && !ignored.has(name)) await remove(name);
    },
  };
}

async function writeAndCommit(
  { id, commit }: BlobUpload,
  remove: Blobs["remove"],
  write: () => Promise<void>,
): Promise<void> {
  let isWritten = false;
  try {
    await write();
    isWritten = true;
    await commit();
  } catch (error) {
    if (!isWritten || error instanceof Refusal) await remove(id).catch(() => {});
    throw error;
  }
}

function absent(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

/** A new name in a folder is durable once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Longer than any upload takes: the server ends a request that has not arrived within two minutes. */
const abandonedMs = 600_000;

function inTable({ pool }: Pick<Store, "pool">): Blobs {
  const remove = async (id: string) => void (await pool.query("delete from file_pieces where file_id = $1", [id]));
  return {
    async write(upload) {
      await writeAndCommit(upload, remove, async () => {
        let n = 0;
        for await (const piece of upload.pieces) {
          const text = "insert into file_pieces (file_id, n, created_at, sealed) values ($1, $2, $3, $4)";
          await pool.query({ name: "file-piece", text, values: [upload.id, n, upload.now, piece] });
          n += 1;
        }
      });
    },
    async read(id, n) {
      const text = "select sealed from file_pieces where file_id = $1 and n = $2";
      const { rows } = await pool.query<{ sealed: Buffer }>({ name: "file-piece-read", text, values: [id, n] });
      return rows[0]?.sealed ?? null;
    },
    remove,
    async sweep(now) {
      const text = `delete from file_pieces p where created_at < $1 and not exists (select from files where id = p.file_id)`;
      await pool.query(text, [new Date(now.getTime() - abandonedMs)]);
    },
  };
}
