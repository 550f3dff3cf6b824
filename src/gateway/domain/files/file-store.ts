import type { Store } from "../../storage/store.ts";
import type { Deps } from "../context.ts";
import { openBlobs, type Blobs } from "./blobs.ts";

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

/** bytes */
export const mb = 1_000_000;

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
