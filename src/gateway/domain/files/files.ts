import type { Output, Parsed } from "#contract/endpoint.ts";
import { type deleteFile, fileId, type KeptFile, type listFiles, mostFiles } from "#contract/files.ts";
import type { Context } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { callersWorkspace } from "../workspaces/scope.ts";
import { openPiece, pieceBytes, piecesOf } from "./encryption.ts";
import {
  recordFileChange,
  type FileDeps,
  type FileScope,
  findFile,
  noSuchFile,
  fileRecord,
  type FileRow,
  secretOf,
  type StoredFile,
  type StoredFiles,
  totalsOf,
} from "./row.ts";

const pageSize = 100;
const cursorName = "files";

export async function list(ctx: Context, query: Parsed<typeof listFiles>["query"]): Promise<StoredFiles> {
  if (query.before_id !== undefined) throw invalid("before_id", "is not supported for files that the gateway keeps");
  if (query.order === "desc") throw invalid("order", "must be asc for files that the gateway keeps");
  const workspaceId = await callersWorkspace(ctx, query.workspace_id, "files");
  const after = positionOf(query);
  const limit = query.limit ?? pageSize;
  const own = ctx.store.db.selectFrom("files").selectAll().where("workspace_id", "=", workspaceId);
  const rows = await (after === null ? own : own.where("id", ">", after))
    .orderBy("id")
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit).map((row) => fileRecord(ctx, row));
  const last = data.at(-1)?.id ?? null;
  const hasMore = rows.length > limit;
  const { bytes, files } = await totalsOf(ctx, workspaceId);
  return {
    _shape: "openrouter",
    data,
    has_more: hasMore,
    first_id: data[0]?.id ?? null,
    last_id: last,
    cursor: hasMore && last !== null ? writeCursor(cursorName, [last]) : null,
    usage: { bytes, files, most_bytes: ctx.files.mostBytes, most_files: mostFiles },
  };
}

/** The id after which the page begins; null: at the first file. */
function positionOf({ cursor, after, after_id: afterId }: Parsed<typeof listFiles>["query"]): string | null {
  const given = { cursor, after, after_id: afterId };
  const [first, ...others] = Object.entries(given).filter(([, value]) => value !== undefined && value !== "");
  if (first === undefined) return null;
  if (others.length > 0) throw invalid(others[0]?.[0] ?? "after", `cannot be given with ${first[0]}`);
  const [member, value = ""] = first;
  const id = member === "cursor" ? readCursor(value, cursorName, ["text"])[0] : value;
  if (!fileId.test(id)) throw invalid(member, "must be the id of a file, as in last_id");
  return id;
}

export async function get(ctx: Context, scope: FileScope, id: string): Promise<StoredFile> {
  return fileRecord(ctx, await findFile(ctx, await callersWorkspace(ctx, scope.workspace_id, "files"), id));
}

/** @throws Refusal always: nothing here makes files that can be downloaded */
export async function download(ctx: Context, scope: FileScope, id: string): Promise<never> {
  await get(ctx, scope, id);
  throw new Refusal("invalid_request", "A file that was uploaded cannot be downloaded, as in the public API");
}

export async function remove(ctx: Context, scope: FileScope, id: string): Promise<Output<typeof deleteFile>> {
  const workspaceId = await callersWorkspace(ctx, scope.workspace_id, "files");
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom("files")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw noSuchFile(id);
    await trx
      .updateTable("file_totals")
      .set((column) => ({ bytes: column("bytes", "-", row.size_bytes), files: column("files", "-", 1) }))
      .where("workspace_id", "=", workspaceId)
      .execute();
    await recordFileChange(trx, ctx, "deleteFile", row);
  });
  // Without its row, and the key in it, nobody can read what a failure leaves for the sweep.
  await ctx.files.blobs.remove(id).catch(() => {});
  return { _shape: "openrouter", id, type: "file_deleted" };
}

/** A file as a call of its workspace uses it. */
export interface OpenFile extends Pick<KeptFile, "filename" | "mime_type" | "size_bytes"> {
  content(): AsyncGenerator<Buffer, void, void>;
}

/** @throws Refusal not_found, also where it is another workspace's; content() does so too */
export async function openFile(deps: FileDeps, workspaceId: string, id: string): Promise<OpenFile> {
  const row = await findFile(deps, workspaceId, id);
  const secret = secretOf(deps, row);
  if (secret === null) throw unreadable(id);
  const key = Buffer.from(secret.key, "base64");
  return {
    ...fileRecord(deps, row),
    async *content() {
      for (let n = 0; n < piecesOf(Number(row.size_bytes)); n += 1) yield await readPiece(deps, { row, key }, n);
    },
  };
}

async function readPiece(deps: FileDeps, { row, key }: { row: FileRow; key: Buffer }, n: number): Promise<Buffer> {
  const size = Math.min(pieceBytes, Number(row.size_bytes) - n * pieceBytes);
  const sealedPiece = await deps.files.blobs.read(row.id, n, size);
  const piece = sealedPiece && openPiece(key, n, sealedPiece);
  if (piece !== null) return piece;
  // It may have been deleted while it was read.
  await findFile(deps, row.workspace_id, row.id);
  throw unreadable(row.id);
}

function unreadable(id: string): Refusal {
  return notFound(`What is stored of the file ${id} is damaged: delete it and upload it again`);
}
