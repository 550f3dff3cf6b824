import type { Fixed } from "./columns.ts";

/** A file whose bytes are all there. */
export interface FilesTable {
  id: Fixed<string>;
  workspace_id: Fixed<string>;
  created_at: Fixed<Date>;
  mime_type: Fixed<string>;
  size_bytes: Fixed<bigint>;
  /** its name, and the key that its bytes are encrypted with */
  sealed: string;
}

/** What the files of a workspace come to. */
export interface FileTotalsTable {
  workspace_id: Fixed<string>;
  bytes: bigint;
  files: number;
}

/** The bytes of files on PostgreSQL; the embedded store has them in the data folder. */
export interface FilePiecesTable {
  file_id: Fixed<string>;
  n: Fixed<number>;
  created_at: Fixed<Date>;
  sealed: Fixed<Buffer>;
}

/** The tables of migration 035. */
export interface FileTables {
  files: FilesTable;
  file_totals: FileTotalsTable;
  file_pieces: FilePiecesTable;
}
