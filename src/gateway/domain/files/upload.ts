import { randomBytes } from "node:crypto";
import { type FileType, mostFiles } from "#contract/files.ts";
import type { Context } from "../context.ts";
import { orderedId } from "../ordered-id.ts";
import { invalid, Refusal } from "../refusal.ts";
import { isDiskFull } from "../store-away.ts";
import { fileAad } from "../secrets/aad.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import { callersWorkspace } from "../workspaces/scope.ts";
import { inPieces, sealPiece } from "./encryption.ts";
import { type FileStore, mb } from "./file-store.ts";
import { createTypeReader } from "./file-type.ts";
import {
  recordFileChange,
  type FileDeps,
  type FileScope,
  noName,
  fileRecord,
  type FileRow,
  type FileSecret,
  type StoredFile,
  type Totals,
  totalsOf,
} from "./row.ts";

export interface Upload {
  readonly filename: string;
  readonly content: AsyncIterable<Buffer>;
  /** OpenAI's; known once the content has been read */
  purpose(): string | null;
  /** called when all of it has come, which may take minutes: refuses a key that was deleted meanwhile */
  stillAllowed(): Promise<void>;
}

/** @throws Refusal payload_too_large where it, or the workspace's files with it, are too large; invalid_request for what is no such file */
export async function upload(ctx: Context, scope: FileScope, given: Upload): Promise<StoredFile> {
  const workspaceId = await callersWorkspace(ctx, scope.workspace_id, "files");
  const id = `or_file_${orderedId(ctx.now()).replaceAll("-", "")}`;
  const left = await room(ctx, workspaceId);
  const content = new MeasuredContent(given.content, ctx.files, left);
  const key = randomBytes(32);
  const filename = plainName(given.filename);
  let row: FileRow | null = null;
  await writing(
    ctx.files.blobs.write({
      id,
      pieces: sealed(key, content),
      now: ctx.now(),
      async commit() {
        const type = content.type();
        await given.stillAllowed();
        const purpose = given.purpose();
        const secret: FileSecret = {
          filename,
          key: key.toString("base64"),
          ...(purpose !== null && { purpose: plainName(purpose) }),
        };
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
  return fileRecord(ctx, row);
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
    if (!isDiskFull(code)) throw error;
    throw new Refusal("unavailable", "The gateway's disk is full, so the file was not kept: try again later", {
      retryAfterSeconds: 60,
      cause: error,
    });
  }
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
async function insert(ctx: Context, row: FileRow): Promise<FileRow> {
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
    await recordFileChange(trx, ctx, "uploadFile", row);
  });
  return row;
}

/** The last part of a path, without control characters; no more than file systems take. */
export function plainName(given: string): string {
  const name = given
    .replace(/^.*[\\/]/s, "")
    .replaceAll(/\p{C}/gu, "_")
    .trim();
  return [...name].slice(0, 255).join("") || noName;
}
