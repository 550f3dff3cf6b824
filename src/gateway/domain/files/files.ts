import { randomBytes } from "node:crypto";
import type { Output, Parsed } from "#contract/endpoint.ts";
import {
  type deleteFile,
  fileId,
  type FileType,
  type KeptFile,
  type KeptFiles,
  type listFiles,
  mostFiles,
} from "#contract/files.ts";
import type { Selectable } from "kysely";
import type { FilesTable } from "../../storage/file-tables.ts";
import type { Store } from "../../storage/store.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { orderedId } from "../ordered-id.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { fileAad } from "../secrets/aad.ts";
import { WrongSecretKey } from "../secrets/box.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import { callersWorkspace } from "../workspaces/scope.ts";
import { openBlobs, type Blobs } from "./blobs.ts";
import { inPieces, openPiece, pieceBytes, piecesOf, sealPiece } from "./encryption.ts";
import { createTypeReader } from "./file-type.ts";

/** The files that the gateway keeps, as the settings bound them. */
export interface FileStore {
  readonly blobs: Blobs;
  readonly mostFileBytes: number;
  /** of a workspace */
  readonly mostBytes: number;
}

export interface FileSettings {
  /** megabytes */
  readonly largest: number;
  readonly perWorkspace: number;
}

export function openFiles(store: Store, folder: string, { largest, perWorkspace }: FileSettings): FileStore {
  const [mostFileBytes, mostBytes] = [largest * mb, perWorkspace * mb];
  return { blobs: openBlobs(store, folder), mostFileBytes, mostBytes };
}

const mb = 1_000_000;

type FileDeps = Pick<Deps, "store" | "secrets" | "files">;
type Row = Selectable<FilesTable>;
type Place = Pick<Parsed<typeof listFiles>["query"], "workspace_id">;

/** A file's name and the key of its bytes, sealed in its row. */
interface Sealed {
  readonly filename: string;
  /** base64 */
  readonly key: string;
}

export interface Upload {
  readonly filename: string;
  readonly content: AsyncIterable<Buffer>;
  /** called when all of it has come, which may take minutes: refuses a key that was deleted meanwhile */
  stillAllowed(): Promise<void>;
}

/** @throws Refusal payload_too_large where it, or the workspace's files with it, are too large; invalid_request for what is no such file */
export async function upload(ctx: Context, place: Place, given: Upload): Promise<KeptFile> {
  const workspaceId = await callersWorkspace(ctx, place.workspace_id, "files");
  const id = `or_file_${orderedId(ctx.now()).replaceAll("-", "")}`;
  const left = await room(ctx, workspaceId);
  const content = new MeasuredContent(given.content, ctx.files, left);
  const key = randomBytes(32);
  const filename = plainName(given.filename);
  let row: Row | null = null;
  await writing(
    ctx.files.blobs.write({
      id,
      pieces: sealed(key, content),
      now: ctx.now(),
      async commit() {
        const type = content.type();
        await given.stillAllowed();
        const secret: Sealed = { filename, key: key.toString("base64") };
        row = await insert(ctx, {
          id,
          workspace_id: workspaceId,
          created_at: ctx.now(),
          mime_type: type,
          size_bytes: BigInt(content.size),
          sealed: ctx.secrets.seal(JSON.stringify(secret), fileAad(id)),
        });
      },
    }),
  );
  if (row === null) throw new Error("a file was committed without its row");
  return record(ctx, row);
}

/** @throws Refusal payload_too_large as soon as it is */
export async function* limited(content: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge(`A file can have at most ${mostBytes / mb} MB`);
    yield piece;
  }
}

const takenTypes = "PDF, PNG, JPEG, GIF, WebP, DOCX, XLSX, PPTX, MP3, WAV, FLAC, OGG or text in UTF-8";

/** Counts content and reads its type as it passes. */
class MeasuredContent implements AsyncIterable<Buffer> {
  size = 0;
  private readonly reader = createTypeReader();
  private readonly content: AsyncIterable<Buffer>;
  private readonly files: FileStore;
  private readonly left: Totals;

  /** @param left of the workspace's quota, when the upload began */
  constructor(content: AsyncIterable<Buffer>, files: FileStore, left: Totals) {
    this.content = content;
    this.files = files;
    this.left = left;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, void> {
    const { mostFileBytes, mostBytes } = this.files;
    for await (const piece of limited(this.content, mostFileBytes)) {
      this.size += piece.length;
      if (this.left.bytes + this.size > mostBytes) throw overQuota(this.files, this.left, this.size);
      this.reader.read(piece);
      yield piece;
    }
  }

  /** @throws Refusal invalid_request */
  type(): FileType {
    if (this.size === 0) throw invalid("file", "must not be empty");
    const type = this.reader.type();
    if (type === null) throw invalid("file", `must be ${takenTypes}: its content shows none of them`);
    return type;
  }
}

async function* sealed(key: Buffer, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let n = 0;
  for await (const piece of inPieces(content)) {
    yield sealPiece(key, n, piece);
    n += 1;
  }
}

/** @throws Refusal unavailable where the disk is full */
async function writing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // Of the disk, or of PostgreSQL's.
    if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "53100") throw error;
    throw new Refusal("unavailable", "The gateway's disk is full, so the file was not kept: try again later", {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
}

interface Totals {
  readonly bytes: number;
  readonly files: number;
}

async function totalsOf({ store }: Pick<Deps, "store">, workspaceId: string): Promise<Totals> {
  const row = await store.db
    .selectFrom("file_totals")
    .select(["bytes", "files"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return { bytes: Number(row?.bytes ?? 0n), files: row?.files ?? 0 };
}

/** What the workspace has before the upload; one that is full is refused before its file is read. */
async function room(ctx: FileDeps, workspaceId: string): Promise<Totals> {
  const totals = await totalsOf(ctx, workspaceId);
  if (totals.bytes >= ctx.files.mostBytes || totals.files >= mostFiles) throw overQuota(ctx.files, totals, 1);
  return totals;
}

function overQuota({ mostBytes }: FileStore, { bytes, files }: Totals, more: number): Refusal {
  const what =
    files >= mostFiles
      ? `${mostFiles} files, which is the most`
      : `files of ${bytes} bytes, and can have ${mostBytes}: this file's ${more} or more do not fit`;
  return tooLarge(`The workspace has ${what}. Delete some first`, {
    used_bytes: bytes,
    most_bytes: mostBytes,
    files,
    most_files: mostFiles,
  });
}

function tooLarge(message: string, details: Record<string, unknown> = {}): Refusal {
  // The rest of the form is not read.
  return new Refusal("payload_too_large", message, { ...details, headers: { connection: "close" } });
}

/** Only if the workspace's totals allow it, which are locked until the commit: however many uploads end at once. */
async function insert(ctx: Context, row: Row): Promise<Row> {
  const { workspace_id: workspaceId, size_bytes: size } = row;
  await ctx.store.db.transaction().execute(async (trx) => {
    await requireWorkspace(trx, workspaceId);
    const totals = { workspace_id: workspaceId, bytes: 0n, files: 0 };
    await trx
      .insertInto("file_totals")
      .values(totals)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const counted = await trx
      .updateTable("file_totals")
      .set((column) => ({ bytes: column("bytes", "+", size), files: column("files", "+", 1) }))
      .where("workspace_id", "=", workspaceId)
      .where("bytes", "<=", BigInt(ctx.files.mostBytes) - size)
      .where("files", "<", mostFiles)
      .executeTakeFirst();
    if (counted.numUpdatedRows === 0n) {
      throw overQuota(ctx.files, await totalsOf({ store: { ...ctx.store, db: trx } }, workspaceId), Number(size));
    }
    await trx.insertInto("files").values(row).execute();
    await audit(trx, ctx, "uploadFile", row);
  });
  return row;
}

/** What programs do with their files is not in the log of changes, as their calls are not. */
async function audit(
  trx: Parameters<typeof recordChange>[0],
  ctx: Context,
  action: "uploadFile" | "deleteFile",
  { id, workspace_id: workspaceId, mime_type, size_bytes }: Row,
): Promise<void> {
  if (ctx.actor.kind === "ordinary") return;
  const members = { mime_type, size_bytes: Number(size_bytes) };
  // Its name may be confidential, and stays in the file's row.
  const target = { type: "file", id, name: null, workspaceId };
  const [before, after] = action === "uploadFile" ? [null, members] : [members, null];
  await recordChange(trx, ctx, { action, target, before, after });
}

/** The last part of a path, without control characters; no more than file systems take. */
export function plainName(given: string): string {
  const name = given
    .replace(/^.*[\\/]/s, "")
    .replaceAll(/\p{C}/gu, "_")
    .trim();
  return [...name].slice(0, 255).join("") || noName;
}

const noName = "file";

const pageSize = 100;
const cursorName = "files";

export async function list(ctx: Context, query: Parsed<typeof listFiles>["query"]): Promise<KeptFiles> {
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
  const data = rows.slice(0, limit).map((row) => record(ctx, row));
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

export async function get(ctx: Context, place: Place, id: string): Promise<KeptFile> {
  return record(ctx, await find(ctx, await callersWorkspace(ctx, place.workspace_id, "files"), id));
}

/** @throws Refusal always: nothing here makes files that can be downloaded */
export async function download(ctx: Context, place: Place, id: string): Promise<never> {
  await get(ctx, place, id);
  throw new Refusal("invalid_request", "A file that was uploaded cannot be downloaded, as in the public API");
}

export async function remove(ctx: Context, place: Place, id: string): Promise<Output<typeof deleteFile>> {
  const workspaceId = await callersWorkspace(ctx, place.workspace_id, "files");
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
    await audit(trx, ctx, "deleteFile", row);
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
  const row = await find(deps, workspaceId, id);
  const secret = secretOf(deps, row);
  if (secret === null) throw unreadable(id);
  const key = Buffer.from(secret.key, "base64");
  return {
    ...record(deps, row),
    async *content() {
      for (let n = 0; n < piecesOf(Number(row.size_bytes)); n += 1) yield await readPiece(deps, { row, key }, n);
    },
  };
}

async function readPiece(deps: FileDeps, { row, key }: { row: Row; key: Buffer }, n: number): Promise<Buffer> {
  const size = Math.min(pieceBytes, Number(row.size_bytes) - n * pieceBytes);
  const sealedPiece = await deps.files.blobs.read(row.id, n, size);
  const piece = sealedPiece && openPiece(key, n, sealedPiece);
  if (piece !== null) return piece;
  // It may have been deleted while it was read.
  await find(deps, row.workspace_id, row.id);
  throw unreadable(row.id);
}

async function find({ store }: Pick<Deps, "store">, workspaceId: string, id: string): Promise<Row> {
  if (!fileId.test(id)) throw noSuchFile(id);
  const row = await store.db
    .selectFrom("files")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw noSuchFile(id);
  return row;
}

function noSuchFile(id: string): Refusal {
  return notFound(fileId.test(id) ? `There is no file ${id} in this workspace` : "There is no file with this id");
}

function unreadable(id: string): Refusal {
  return notFound(`What is stored of the file ${id} is damaged: delete it and upload it again`);
}

/** null: it was altered, or encrypted with a key that this gateway was not given */
function secretOf({ secrets }: Pick<Deps, "secrets">, { id, sealed: text }: Row): Sealed | null {
  try {
    return JSON.parse(secrets.open(text, fileAad(id)));
  } catch (error) {
    if (error instanceof WrongSecretKey) return null;
    throw error;
  }
}

function record(deps: Pick<Deps, "secrets">, row: Row): KeptFile {
  return {
    _shape: "openrouter",
    id: row.id,
    type: "file",
    // One that cannot be read is listed all the same, so that it can be deleted.
    filename: secretOf(deps, row)?.filename ?? noName,
    mime_type: row.mime_type as FileType,
    size_bytes: Number(row.size_bytes),
    created_at: row.created_at.toISOString(),
    downloadable: false,
  };
}

/** Deletes the files of deleted workspaces, and bytes without a row. */
export async function sweep({ store, files }: Pick<Deps, "store" | "files">, now: Date): Promise<void> {
  const { rows } = await store.pool.query<{ id: string }>(
    `delete from files using workspaces w where w.id = workspace_id and w.deleted_at is not null returning files.id`,
  );
  await store.pool.query(
    "delete from file_totals using workspaces w where w.id = workspace_id and w.deleted_at is not null",
  );
  for (const { id } of rows) await files.blobs.remove(id);
  await files.blobs.sweep(now);
}

const sweepEveryMs = 600_000;

/** Sweeps now and from time to time, until the function that it returns is called. */
export function scheduleSweeping(deps: Pick<Deps, "store" | "files" | "now">): () => void {
  // The next sweep makes up for one that failed.
  const round = () => void sweep(deps, deps.now()).catch(() => {});
  const timer = setInterval(round, sweepEveryMs);
  timer.unref();
  round();
  return () => clearInterval(timer);
}
