import type { PresetStatus } from "#contract/presets.ts";
import type { Deps } from "../context.ts";
import { createReadThrough } from "../read-through.ts";

/** A preset as calls use it, with the version that is designated. */
export interface PresetInUse {
  readonly id: string;
  readonly slug: string;
  readonly status: PresetStatus;
  readonly version: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly systemPrompt: string | null;
}

/** The presets that calls of this process use. One per process. */
export interface PresetCache {
  /** null: the workspace has no such preset */
  of(deps: Deps, workspaceId: string, slug: string): Promise<PresetInUse | null>;
  /** drops this process's cache, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

/** Slugs that name nothing are remembered as well, and a preset may have 64 kB. */
const mostKnown = 256;

export function createPresetCache(): PresetCache {
  const { of, ...cache } = createReadThrough<PresetInUse | null>("gatehouse_presets", mostKnown);
  return {
    ...cache,
    of: (deps, workspaceId, slug) => of(deps, `${workspaceId} ${slug}`, () => readPreset(deps, workspaceId, slug)),
  };
}

async function readPreset({ store }: Deps, workspaceId: string, slug: string): Promise<PresetInUse | null> {
  const row = await store.db
    .selectFrom("presets as p")
    .innerJoin("preset_versions as v", (join) =>
      join.onRef("v.preset_id", "=", "p.id").onRef("v.version", "=", "p.designated_version"),
    )
    .select(["p.id", "p.slug", "p.status", "v.version", "v.config", "v.system_prompt"])
    .where("p.workspace_id", "=", workspaceId)
    .where("p.slug", "=", slug)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { system_prompt: systemPrompt, ...preset } = row;
  return { ...preset, systemPrompt };
}
