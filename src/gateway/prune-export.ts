import { type FileHandle, open } from "node:fs/promises";
import type { Export } from "./domain/ledger/prune.ts";

/** A file that receives deleted calls. */
export interface ExportFile {
  readonly append: Export;
  close(): Promise<void>;
}

/**
 * A new file that deleted calls are written to, one JSON object a line. A batch is on the disk before it is deleted.
 * @throws Error when the file exists, or cannot be made
 */
export async function openExport(path: string): Promise<ExportFile> {
  const file = await create(path);
  return {
    async append(lines) {
      if (lines.length === 0) return;
      await file.appendFile(`${lines.join("\n")}\n`);
      await file.sync();
    },
    close: () => file.close(),
  };
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Error(`${path} exists already: name a new file with --export.`, { cause: error });
    throw new Error(`${path} cannot be written (${code}): name another file with --export.`, { cause: error });
  }
}
