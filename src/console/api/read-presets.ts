import { listPresets, listPresetVersions, type PresetVersion } from "#contract/presets.ts";
import { call } from "./call.ts";
import { readByOffset } from "./read-pages.ts";

/** A workspace has at most 200; of all workspaces together the last changed are enough. */
const mostPresets = 1_000;

export const readPresets = (workspaceId: string, signal: AbortSignal) =>
  readByOffset((at) => call(listPresets, { query: { workspace_id: workspaceId, ...at } }, { signal }), mostPresets);

export async function readVersions(
  workspaceId: string,
  slug: string,
  signal: AbortSignal,
): Promise<readonly PresetVersion[]> {
  const query = { workspace_id: workspaceId };
  const read = await readByOffset((at) =>
    call(listPresetVersions, { params: { slug }, query: { ...query, ...at } }, { signal }),
  );
  return read.rows.toReversed();
}
