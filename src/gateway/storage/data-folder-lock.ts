import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Another process has the data folder. */
export class DataFolderTaken extends Error {
  override readonly name = "DataFolderTaken";
}

/**
 * Takes the data folder for this process alone. SQLite's exclusive lock is used because it is the one lock of the
 * operating system that Node reaches without a native module: it ends with the process, however that ends,
 * so no stale lock can be left behind.
 *
 * @returns what gives the folder back
 */
export function takeDataFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, "lock.db"));
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new DataFolderTaken(
      `The data folder ${folder} is in use by another Gatehouse process. Stop that one, or set GATEHOUSE_DATA_DIR to another folder.`,
    );
  }
  return () => lock.close();
}
