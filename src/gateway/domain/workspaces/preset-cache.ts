import type { PresetStatus } from "#contract/presets.ts";
import type { Deps } from "../context.ts";

/** A preset as calls use it, with the version that is designated. */
export interface PresetInUse {
  readonly id: string;
  readonly slug: string;
  readonly status: PresetStatus;
  readonly version: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly systemPrompt: string | null;
}

interface Known {
  readonly preset: PresetInUse | null;
  readonly readAt: number;
}

/** The presets that calls of this process use. One per process. */
export interface PresetCache {
  /** null: the workspace has no such preset */
  of(deps: Deps, workspaceId: string, slug: string): Promise<PresetInUse | null>;
  /** drops this process's cache, and tells the others; call it after a committed change */
  changed(deps: Deps): Promise<void>;
  watch(deps: Deps): void;
}

const channel = "gatehouse_presets";
/** How long a missed change can go unnoticed. */
const freshMs = 5_000;
/** Slugs that name nothing are remembered as well, and a preset may have 64 kB. */
const mostKnown = 256;

export function createPresetCache(): PresetCache {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<PresetInUse | null>>();
  let changes = 0;

  async function read(deps: Deps, workspaceId: string, slug: string): Promise<PresetInUse | null> {
    const id = `${workspaceId} ${slug}`;
    const before = changes;
    const readAt = deps.now().getTime();
    try {
      const preset = await readPreset(deps, workspaceId, slug);
      if (before === changes) remember(id, { preset, readAt });
      return preset;
    } finally {
      if (before === changes) reading.delete(id);
    }
  }

  function remember(id: string, one: Known): void {
    known.delete(id);
    known.set(id, one);
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) return;
      known.delete(oldest);
    }
  }

  function forget() {
    changes += 1;
    known.clear();
    reading.clear();
  }

  return {
    async of(deps, workspaceId, slug) {
      const id = `${workspaceId} ${slug}`;
      const found = known.get(id);
      if (found !== undefined && isFresh(deps, found)) return found.preset;
      const running = reading.get(id) ?? read(deps, workspaceId, slug);
      reading.set(id, running);
      try {
        return await running;
      } catch (error) {
        // While the store is unavailable, the settings that were last read still hold.
        if (found !== undefined) return found.preset;
        throw error;
      }
    },
    async changed(deps) {
      forget();
      await deps.store.notices.send(channel, "");
    },
    watch(deps) {
      deps.store.notices.listen(channel, forget);
    },
  };
}

/** With the embedded store there is no other process whose change could be missed. */
function isFresh({ store, now }: Deps, { readAt }: Known): boolean {
  return store.engine === "embedded" || Math.abs(now().getTime() - readAt) < freshMs;
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
