import { queryOptions } from "@tanstack/react-query";
import { listPresets, listPresetVersions, type PresetRecord, type PresetVersion } from "#contract/presets.ts";
import { call } from "../../api/call.ts";
import { readByOffset } from "../../api/read-pages.ts";

/** A workspace has at most 200; of all workspaces together the last changed are enough. */
const mostPresets = 1_000;

interface Presets {
  rows: readonly PresetRecord[];
  total: number;
}

/** The presets of a workspace, or of `all`, the last changed first. */
export const everyPreset = (workspaceId: string) =>
  queryOptions<Presets>({
    queryKey: [listPresets.name, workspaceId, "every"],
    queryFn: async ({ signal }) =>
      await readByOffset(
        (at) => call(listPresets, { query: { workspace_id: workspaceId, ...at } }, { signal }),
        mostPresets,
      ),
    meta: { path: `/presets?workspace_id=${workspaceId}` },
  });

/** All versions of a preset, the newest first. */
export const everyVersion = (workspaceId: string, slug: string) =>
  queryOptions<readonly PresetVersion[]>({
    queryKey: [listPresetVersions.name, workspaceId, slug, "every"],
    queryFn: async ({ signal }) => {
      const query = { workspace_id: workspaceId };
      const read = await readByOffset((at) =>
        call(listPresetVersions, { params: { slug }, query: { ...query, ...at } }, { signal }),
      );
      return read.rows.toReversed();
    },
    meta: { path: `/presets/${slug}/versions?workspace_id=${workspaceId}` },
  });
