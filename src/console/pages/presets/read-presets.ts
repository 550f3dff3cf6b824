import { queryOptions } from "@tanstack/react-query";
import { listPresets, listPresetVersions, type PresetRecord, type PresetVersion } from "#contract/presets.ts";
import { call } from "../../api/call.ts";

const pageSize = 100;
/** A workspace has at most 200; of all workspaces together the last changed are enough. */
const mostPresets = 1_000;

interface Presets {
  presets: readonly PresetRecord[];
  total: number;
}

/** The presets of a workspace, or of `all`, the last changed first. */
export const everyPreset = (workspaceId: string) =>
  queryOptions<Presets>({
    queryKey: [listPresets.name, workspaceId, "every"],
    queryFn: async ({ signal }) => {
      const presets: PresetRecord[] = [];
      let total = 1;
      while (presets.length < Math.min(total, mostPresets)) {
        const query = { workspace_id: workspaceId, limit: String(pageSize), offset: String(presets.length) };
        const page = await call(listPresets, { query }, { signal });
        if (page.data.length === 0) break;
        presets.push(...page.data);
        total = page.total_count;
      }
      return { presets, total: presets.length === 0 ? 0 : total };
    },
    meta: { path: `/presets?workspace_id=${workspaceId}` },
  });

/** All versions of a preset, the newest first. */
export const everyVersion = (workspaceId: string, slug: string) =>
  queryOptions<readonly PresetVersion[]>({
    queryKey: [listPresetVersions.name, workspaceId, slug, "every"],
    queryFn: async ({ signal }) => {
      const versions: PresetVersion[] = [];
      for (let total = 1; versions.length < total;) {
        const query = { workspace_id: workspaceId, limit: String(pageSize), offset: String(versions.length) };
        const page = await call(listPresetVersions, { params: { slug }, query }, { signal });
        if (page.data.length === 0) break;
        versions.push(...page.data);
        total = page.total_count;
      }
      return versions.toReversed();
    },
    meta: { path: `/presets/${slug}/versions?workspace_id=${workspaceId}` },
  });
