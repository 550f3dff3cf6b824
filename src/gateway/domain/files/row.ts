import type { Selectable } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import { fileId, type FileType, type KeptFile, type KeptFiles, type listFiles } from "#contract/files.ts";
import type { FilesTable } from "../../storage/file-tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { notFound, type Refusal } from "../refusal.ts";
import { fileAad } from "../secrets/aad.ts";
import { WrongSecretKey } from "../secrets/box.ts";

export type FileDeps = Pick<Deps, "store" | "secrets" | "files">;
export type FileRow = Selectable<FilesTable>;
/** Whose files: the workspace of the caller, or one that it names. */
export type FileScope = Pick<Parsed<typeof listFiles>["query"], "workspace_id">;

/** A file's name and the key of its bytes, sealed in its row. */
export interface FileSecret {
  readonly filename: string;
  /** base64 */
  readonly key: string;
  /** as OpenAI's clients send it; absent: none was sent */
  readonly purpose?: string;
}

/** A record with what only OpenAI's shape has. */
export interface StoredFile extends KeptFile {
  readonly purpose: string;
}
export interface StoredFiles extends KeptFiles {
  readonly data: StoredFile[];
}

/** OpenAI's for what a call may name. */
const plainPurpose = "user_data";

export const noName = "file";

export async function findFile({ store }: Pick<Deps, "store">, workspaceId: string, id: string): Promise<FileRow> {
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

export function noSuchFile(id: string): Refusal {
  return notFound(fileId.test(id) ? `There is no file ${id} in this workspace` : "There is no file with this id");
}

/** null: it was altered, or encrypted with a key that this gateway was not given */
export function secretOf({ secrets }: Pick<Deps, "secrets">, { id, sealed: text }: FileRow): FileSecret | null {
  try {
    return JSON.parse(secrets.open(text, fileAad(id)));
  } catch (error) {
    if (error instanceof WrongSecretKey) return null;
    throw error;
  }
}

export function fileRecord(deps: Pick<Deps, "secrets">, row: FileRow): StoredFile {
  const secret = secretOf(deps, row);
  return {
    _shape: "openrouter",
    id: row.id,
    type: "file",
    // One that cannot be read is listed all the same, so that it can be deleted.
    filename: secret?.filename ?? noName,
    mime_type: row.mime_type as FileType,
    size_bytes: Number(row.size_bytes),
    created_at: row.created_at.toISOString(),
    downloadable: false,
    purpose: secret?.purpose ?? plainPurpose,
  };
}

export interface Totals {
  readonly bytes: number;
  readonly files: number;
}

export async function totalsOf({ store }: Pick<Deps, "store">, workspaceId: string): Promise<Totals> {
  const row = await store.db
    .selectFrom("file_totals")
    .select(["bytes", "files"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return { bytes: Number(row?.bytes ?? 0n), files: row?.files ?? 0 };
}

/** What programs do with their files is not in the log of changes, as their calls are not. */
export async function recordFileChange(
  trx: Parameters<typeof recordChange>[0],
  ctx: Context,
  action: "uploadFile" | "deleteFile",
  { id, workspace_id: workspaceId, mime_type, size_bytes }: FileRow,
): Promise<void> {
  if (ctx.actor.kind === "ordinary") return;
  const members = { mime_type, size_bytes: Number(size_bytes) };
  // Its name may be confidential, and stays in the file's row.
  const target = { type: "file", id, name: null, workspaceId };
  const [before, after] = action === "uploadFile" ? [null, members] : [members, null];
  await recordChange(trx, ctx, { action, target, before, after });
}
