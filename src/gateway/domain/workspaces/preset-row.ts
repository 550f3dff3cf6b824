import type { Kysely, Selectable } from "kysely";
import type { PresetRecord, PresetVersion, PresetWithVersion, UpdatePresetBody } from "#contract/presets.ts";
import type { PresetsTable, PresetVersionsTable } from "../../storage/preset-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { pick } from "../patch.ts";
import { notFound, type Refusal } from "../refusal.ts";
import { type Versioned, versionOf } from "../version.ts";

export type PresetRow = Selectable<PresetsTable>;
export type PresetVersionRow = Selectable<PresetVersionsTable>;

/** What PATCH sets of a preset, each with its default. Creation, PATCH and audit row are derived from this table. */
export const presetDefaults: Pick<PresetRow, keyof UpdatePresetBody> = {
  name: "",
  description: null,
  status: "active",
  designated_version: 1,
};

/** Differs between any two states of a preset: a version itself never changes. */
export const presetVersionOf = (row: PresetRow) => versionOf({ ...pick(row, presetDefaults), last: row.last_version });

/** Presets as the API has them, with what belongs to their versions. */
export async function presetRecords(db: Kysely<Tables>, rows: readonly PresetRow[]): Promise<PresetRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const counts = await db
    .selectFrom("preset_versions")
    .select(["preset_id", ({ fn }) => fn.countAll<bigint>().as("count")])
    .where("preset_id", "in", ids)
    .groupBy("preset_id")
    .execute();
  const designated = await db
    .selectFrom("preset_versions as v")
    .innerJoin("presets as p", (join) =>
      join.onRef("p.id", "=", "v.preset_id").onRef("p.designated_version", "=", "v.version"),
    )
    .select(["v.id", "v.preset_id", (eb) => eb.ref("v.config", "->>").key("model").as("model")])
    .where("p.id", "in", ids)
    .execute();
  return rows.map((row) => {
    const version = designated.find((one) => one.preset_id === row.id);
    return presetRecord(row, {
      versionId: version?.id ?? null,
      model: (version?.model ?? null) as string | null,
      count: Number(counts.find((one) => one.preset_id === row.id)?.count ?? 0n),
    });
  });
}

interface OfVersions {
  readonly versionId: string | null;
  readonly model: string | null;
  readonly count: number;
}

function presetRecord(row: PresetRow, { versionId, model, count }: OfVersions): PresetRecord {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    status_updated_at: row.status_updated_at?.toISOString() ?? null,
    designated_version_id: versionId,
    creator_user_id: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    designated_version_number: row.designated_version,
    model,
    version_count: count,
  };
}

export async function presetWithVersion(db: Kysely<Tables>, row: PresetRow): Promise<Versioned<PresetWithVersion>> {
  const [record] = await presetRecords(db, [row]);
  if (record === undefined) throw noSuchPreset(row.slug);
  const version = await findVersion(db, row, row.designated_version);
  return {
    data: { ...record, designated_version: version === null ? null : versionRecord(version) },
    version: presetVersionOf(row),
  };
}

export async function findVersion(
  db: Kysely<Tables>,
  { id }: Pick<PresetRow, "id">,
  version: number,
): Promise<PresetVersionRow | null> {
  const found = await db
    .selectFrom("preset_versions")
    .selectAll()
    .where("preset_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return found ?? null;
}

export function versionRecord(row: PresetVersionRow): PresetVersion {
  return {
    id: row.id,
    preset_id: row.preset_id,
    version: row.version,
    config: row.config,
    system_prompt: row.system_prompt,
    creator_id: row.created_by,
    created_at: row.created_at.toISOString(),
    // A version never changes.
    updated_at: row.created_at.toISOString(),
  };
}

export function noSuchPreset(slug: string): Refusal {
  return notFound(`This workspace has no preset ${slug}`);
}
