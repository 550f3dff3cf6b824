import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import {
  type CreatePresetBody,
  type listPresets,
  type listPresetVersions,
  mostPresets,
  mostPresetVersions,
  type PresetVersion,
  type PresetVersionBody,
  type PresetWithVersion,
  type UpdatePresetBody,
} from "#contract/presets.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned } from "../version.ts";
import {
  findVersion,
  noSuchPreset,
  presetDefaults,
  presetRecords,
  type PresetRow,
  presetVersionOf,
  type PresetVersionRow,
  presetWithVersion,
  versionRecord,
} from "./preset-row.ts";
import { requireWorkspace } from "./row.ts";
import { callersWorkspace, workspaceScope } from "./scope.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
type One = Promise<Versioned<PresetWithVersion>>;

/** A preset as a request names it. */
export interface PresetReference {
  readonly slug: string;
  /** of a management key; absent: the default workspace. An API key has its own */
  readonly workspaceId?: string | undefined;
}

const pageSize = 50;

/** The last changed first. */
export async function list(
  ctx: Context,
  query: Parsed<typeof listPresets>["query"],
): Promise<Output<typeof listPresets>> {
  const { db } = ctx.store;
  const workspaces =
    query.workspace_id === "all" && ctx.actor.kind !== "ordinary"
      ? await workspaceScope(ctx, "all")
      : [await callersWorkspace(ctx, query.workspace_id, "presets")];
  const own = db.selectFrom("presets").where("workspace_id", "in", workspaces);
  const total = await countOf(own);
  const rows = await own
    .selectAll()
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .limit(query.limit ?? pageSize)
    .offset(query.offset ?? 0)
    .execute();
  return { data: await presetRecords(db, rows), total_count: total };
}

export async function get(ctx: Context, reference: PresetReference): One {
  return await presetWithVersion(ctx.store.db, await find(ctx, reference));
}

/** The oldest first. */
export async function versions(
  ctx: Context,
  reference: PresetReference,
  { limit = pageSize, offset = 0 }: Pick<Parsed<typeof listPresetVersions>["query"], "limit" | "offset">,
): Promise<Output<typeof listPresetVersions>> {
  const { id } = await find(ctx, reference);
  const own = ctx.store.db.selectFrom("preset_versions").where("preset_id", "=", id);
  const total = await countOf(own);
  const rows = await own.selectAll().orderBy("version").limit(limit).offset(offset).execute();
  return { data: rows.map(versionRecord), total_count: total };
}

export async function version(ctx: Context, reference: PresetReference, number: number): Promise<PresetVersion> {
  const found = await findVersion(ctx.store.db, await find(ctx, reference), number);
  if (found === null) throw notFound(`The preset ${reference.slug} has no version ${number}`);
  return versionRecord(found);
}

/** @throws Refusal conflict where the workspace has a preset with this slug */
export async function create(ctx: Context, body: CreatePresetBody): One {
  refuseUnlessManagement(ctx);
  const { slug, workspace_id: workspaceId, name = slug, description = null, ...content } = body;
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await requireWorkspace(trx, workspaceId ?? null);
    const made = await insert(trx, ctx, { workspaceId: workspace.id, slug, name, description });
    if (made === null) {
      const message = "belongs to another preset of this workspace";
      throw new Refusal("conflict", `The slug ${slug} ${message}`, { issues: [{ path: "slug", message }] });
    }
    const first = await insertVersion(trx, ctx, made, content);
    await record(trx, ctx, "createPreset", { row: made, before: null, after: audited(made, first) });
    return { ...made, last_version: first.version };
  });
  await ctx.presets.changed(ctx);
  return await presetWithVersion(ctx.store.db, row);
}

/** The operations that save a request's settings. */
export type SavingOperation = "savePresetFromChat" | "savePresetFromMessage" | "savePresetFromResponse";

/** Makes the preset if there is none with this slug, or adds a version, which calls use from then on. */
export async function save(
  ctx: Context,
  { slug, workspaceId }: PresetReference,
  content: PresetVersionBody,
  action: SavingOperation,
): One {
  if (ctx.actor.kind === "ordinary") ctx.presetRates.count(ctx.actor.keyHash, ctx.now());
  const workspace = await callersWorkspace(ctx, workspaceId, "presets");
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const made = await insert(trx, ctx, { workspaceId: workspace, slug, name: slug, description: null });
    if (made === null) return await addVersion(trx, ctx, await lock(trx, workspace, slug), { content, action });
    const first = await insertVersion(trx, ctx, made, content);
    await record(trx, ctx, action, { row: made, before: null, after: audited(made, first) });
    return { ...made, last_version: first.version };
  });
  await ctx.presets.changed(ctx);
  return await presetWithVersion(ctx.store.db, row);
}

/** @param ifVersions the versions that the caller accepts; null for any */
export async function createVersion(
  ctx: Context,
  { slug, workspaceId }: PresetReference,
  content: PresetVersionBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  const workspace = await callersWorkspace(ctx, workspaceId, "presets");
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, workspace, slug);
    refuseChanged(before, ifVersions);
    return await addVersion(trx, ctx, before, { content, action: "createPresetVersion" });
  });
  await ctx.presets.changed(ctx);
  return await presetWithVersion(ctx.store.db, row);
}

/** @param ifVersions the versions that the caller accepts; null for any */
export async function update(
  ctx: Context,
  { slug, workspaceId }: PresetReference,
  body: UpdatePresetBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  const workspace = await callersWorkspace(ctx, workspaceId, "presets");
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, workspace, slug);
    refuseChanged(before, ifVersions);
    const next = patched(before, body);
    if (next === before) return { row: before, changed: false };
    if (next.designated_version !== before.designated_version) {
      const chosen = await findVersion(trx, before, next.designated_version);
      if (chosen === null) throw invalid("designated_version", "must be the number of a version that this preset has");
    }
    const now = ctx.now();
    const row = await trx
      .updateTable("presets")
      .set({
        ...pick(next, presetDefaults),
        updated_at: now,
        ...(next.status !== before.status && { status_updated_at: now }),
      })
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const change = { before: pick(before, presetDefaults), after: pick(row, presetDefaults) };
    await record(trx, ctx, "updatePreset", { row, ...change });
    return { row, changed: true };
  });
  if (changed) await ctx.presets.changed(ctx);
  return await presetWithVersion(ctx.store.db, row);
}

/** Deletes it with its versions. @param ifVersions the versions that the caller accepts; null for any */
export async function remove(
  ctx: Context,
  { slug, workspaceId }: PresetReference,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  const workspace = await callersWorkspace(ctx, workspaceId, "presets");
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await lock(trx, workspace, slug);
    refuseChanged(row, ifVersions);
    const designated = await findVersion(trx, row, row.designated_version);
    await trx.deleteFrom("presets").where("id", "=", row.id).execute();
    await record(trx, ctx, "deletePreset", { row, before: audited(row, designated), after: null });
  });
  await ctx.presets.changed(ctx);
  return { deleted: true };
}

async function find(ctx: Context, { slug, workspaceId }: PresetReference): Promise<PresetRow> {
  const workspace = await callersWorkspace(ctx, workspaceId, "presets");
  const row = await ctx.store.db
    .selectFrom("presets")
    .selectAll()
    .where("workspace_id", "=", workspace)
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (row === undefined) throw noSuchPreset(slug);
  return row;
}

async function lock(trx: Trx, workspaceId: string, slug: string): Promise<PresetRow> {
  const row = await trx
    .selectFrom("presets")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("slug", "=", slug)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw noSuchPreset(slug);
  return row;
}

function refuseChanged(row: PresetRow, ifVersions: readonly string[] | null): void {
  refuseStale("preset", ifVersions, { version: presetVersionOf(row), updatedAt: row.updated_at });
}

/** A preset without versions; null: the workspace has one with this slug. @throws Refusal conflict where it is full */
async function insert(
  trx: Trx,
  ctx: Context,
  { workspaceId, ...named }: { workspaceId: string; slug: string; name: string; description: string | null },
): Promise<PresetRow | null> {
  const now = ctx.now();
  const made = await trx
    .insertInto("presets")
    .values({
      ...presetDefaults,
      ...named,
      id: randomUUID(),
      workspace_id: workspaceId,
      status_updated_at: null,
      last_version: 0,
      created_by: ctx.actor.name,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "slug"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made === undefined) return null;
  const count = await countOf(trx.selectFrom("presets").where("workspace_id", "=", workspaceId));
  if (count <= mostPresets) return made;
  throw new Refusal("conflict", `This workspace has ${mostPresets} presets, which is the most: delete one first`);
}

/** Adds the next version, which is the designated one from then on. */
async function addVersion(
  trx: Trx,
  ctx: Context,
  before: PresetRow,
  { content, action }: { content: PresetVersionBody; action: EndpointName },
): Promise<PresetRow> {
  if (before.status === "archived") {
    throw new Refusal("conflict", `The preset ${before.slug} is archived: make it active again before you change it`);
  }
  const was = await findVersion(trx, before, before.designated_version);
  const next = { ...before, designated_version: before.last_version + 1, updated_at: ctx.now() };
  const version = await insertVersion(trx, ctx, next, content);
  await record(trx, ctx, action, { row: next, before: audited(before, was), after: audited(next, version) });
  return { ...next, last_version: version.version };
}

/** @param row a preset that uses the version to come */
async function insertVersion(
  trx: Trx,
  ctx: Context,
  row: PresetRow,
  { config, system_prompt: prompt }: PresetVersionBody,
): Promise<PresetVersionRow> {
  const { id, designated_version: number, updated_at } = row;
  const version = await trx
    .insertInto("preset_versions")
    .values({
      id: randomUUID(),
      preset_id: id,
      version: number,
      config: JSON.stringify(withoutNulls(config)),
      system_prompt: prompt || null,
      created_by: ctx.actor.name,
      created_at: ctx.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("presets")
    .set({ designated_version: number, last_version: number, updated_at })
    .where("id", "=", id)
    .execute();
  await trx
    .deleteFrom("preset_versions")
    .where("preset_id", "=", id)
    .where("version", "not in", (rows) =>
      rows
        .selectFrom("preset_versions")
        .select("version")
        .where("preset_id", "=", id)
        .orderBy("version", "desc")
        .limit(mostPresetVersions),
    )
    .execute();
  return version;
}

function withoutNulls(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null && value !== undefined));
}

/** What an audit row shows of a preset. */
function audited(row: PresetRow, version: PresetVersionRow | null): Record<string, unknown> {
  return { slug: row.slug, ...pick(row, presetDefaults), ...version?.config, system_prompt: version?.system_prompt };
}

async function record(
  trx: Trx,
  ctx: Context,
  action: EndpointName,
  {
    row,
    before,
    after,
  }: { row: PresetRow; before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): Promise<void> {
  const target = { type: "preset", id: row.id, name: row.name, workspaceId: row.workspace_id };
  await recordChange(trx, ctx, { action, target, before, after });
}
