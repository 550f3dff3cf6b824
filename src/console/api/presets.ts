import { queryOptions } from "@tanstack/react-query";
import type { PresetRecord, PresetVersion } from "#contract/presets.ts";

interface Presets {
  rows: readonly PresetRecord[];
  total: number;
}

/**
 * The presets of a workspace, or of `all`, the last changed first. Their contract, which holds the forms of every call,
 * is fetched with the first read: the command menu searches presets on pages that have nothing else to do with them.
 */
export const everyPreset = (workspaceId: string) =>
  queryOptions<Presets>({
    queryKey: ["listPresets", workspaceId, "every"],
    queryFn: async ({ signal }) => (await import("./read-presets.ts")).readPresets(workspaceId, signal),
    meta: { path: `/presets?workspace_id=${workspaceId}` },
  });

/** All versions of a preset, the newest first. */
export const everyVersion = (workspaceId: string, slug: string) =>
  queryOptions<readonly PresetVersion[]>({
    queryKey: ["listPresetVersions", workspaceId, slug, "every"],
    queryFn: async ({ signal }) => (await import("./read-presets.ts")).readVersions(workspaceId, slug, signal),
    meta: { path: `/presets/${slug}/versions?workspace_id=${workspaceId}` },
  });
