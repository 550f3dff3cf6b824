import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql } from "kysely";
import { configMembers, destinationKinds, DestinationType } from "#contract/destination-kinds.ts";
import {
  type CreateDestinationBody,
  type DestinationRecord,
  type FilterRules,
  type listDestinations,
  type listDestinationTypes,
  type UpdateDestinationBody,
} from "#contract/destinations.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { DestinationsTable } from "../storage/destination-tables.ts";
import type { Tables } from "../storage/tables.ts";
import { recordChange } from "./audit.ts";
import type { Context, Deps } from "./context.ts";
import { maskConfig, mergeConfig, type StoredConfig } from "./destination-config.ts";
import { refuseWrongRules } from "./destination-filters.ts";
import { endForwarding, forwardFromNow, startForwarding, tellOfChange } from "./forwarding-books.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { notFound, Refusal } from "./refusal.ts";
import { requireWorkspace } from "./workspace-row.ts";

type List = typeof listDestinations;
type Row = Selectable<DestinationsTable>;

/** A record and the version that `If-Match` is compared with. */
export interface Versioned {
  data: DestinationRecord;
  version: number;
}

const pageSize = 50;
/** As in the public API. */
const mostOfOneKind = 5;

/** Newest first; of the default workspace unless another, or all, is asked for. */
export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  let found = db.selectFrom("destinations").where("deleted_at", "is", null);
  if (query.workspace_id === undefined)
    found = found.where("workspace_id", "=", ({ selectFrom }) =>
      selectFrom("workspaces").select("id").where("is_default", "=", true),
    );
  else if (query.workspace_id !== "all") found = found.where("workspace_id", "=", query.workspace_id);
  const rows = await found
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(query.limit ?? pageSize)
    .offset(query.offset ?? 0)
    .execute();
  const { total } = await found.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow();
  return { data: rows.map((row) => record(ctx, row)), total_count: Number(total) };
}

export async function get(ctx: Context, id: string): Promise<Versioned> {
  refuseUnlessManagement(ctx);
  return versioned(ctx, await find(ctx.store.db, id));
}

export async function create(ctx: Context, body: CreateDestinationBody): Promise<Versioned> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const config = mergeConfig(body.type, body.config, null);
  const id = randomUUID();
  const now = ctx.now();
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const { id: workspaceId } = await requireWorkspace(trx, body.workspace_id ?? null);
    // Creations of one kind take turns, so that two at once cannot both be the fifth.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`destination ${workspaceId} ${body.type}`}, 0))`.execute(
      trx,
    );
    const { count } = await trx
      .selectFrom("destinations")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .where("workspace_id", "=", workspaceId)
      .where("type", "=", body.type)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    if (count >= mostOfOneKind)
      throw new Refusal(
        "conflict",
        `This workspace has ${mostOfOneKind} destinations of type ${body.type} already, which is the most: delete one first`,
      );
    const row = await trx
      .insertInto("destinations")
      .values({
        id,
        workspace_id: workspaceId,
        type: body.type,
        name: body.name,
        enabled: body.enabled ?? true,
        config: sealConfig(ctx, id, config),
        api_key_hashes: body.api_key_hashes ?? null,
        filter_rules: body.filter_rules ? JSON.stringify(body.filter_rules) : null,
        privacy_mode: body.privacy_mode ?? false,
        sampling_rate: body.sampling_rate ?? 1,
        broadcast_cost: body.broadcast_generation_cost ?? false,
        broadcast_identity: body.broadcast_generation_identity ?? false,
        broadcast_request_context: body.broadcast_generation_request_context ?? false,
        regions: body.regions ?? ["global"],
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await startForwarding(trx, row);
    await recordChange(trx, ctx, {
      action: "createObservabilityDestination",
      target: target(row),
      before: null,
      after: auditMembers(ctx, row),
    });
    return row;
  });
  await tellOfChange(ctx, id);
  return versioned(ctx, row);
}

/**
 * Lays `body` over the record. Members that are left out stay, `null` clears.
 * @param ifVersion the version that the caller saw; null when it does not care
 * @throws Refusal conflict when the record has moved on since `ifVersion`; nothing is changed then
 */
export async function update(
  ctx: Context,
  id: string,
  body: UpdateDestinationBody,
  ifVersion: number | null,
): Promise<Versioned> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await find(trx, id, true);
    if (ifVersion !== null && ifVersion !== before.version)
      throw new Refusal("conflict", "The destination was changed by somebody else since it was read: read it again", {
        current_version: before.version,
        updated_at: before.updated_at.toISOString(),
      });
    const kept = openConfig(ctx, before);
    const config = body.config ? mergeConfig(before.type as DestinationType, body.config, kept) : kept;
    // What changes nothing makes no new version, for which others would have to read it again.
    const secrets = secretChanges(before.type as DestinationType, kept, config);
    const sameSecrets = Object.keys(secrets.after).length === 0;
    if (sameSecrets && isUnchanged(record(ctx, before), body, before.type as DestinationType, config)) return before;
    const after = await trx
      .updateTable("destinations")
      .set({
        ...(body.name !== undefined && { name: body.name }),
        ...(body.enabled !== undefined && { enabled: body.enabled }),
        ...(body.config !== undefined && { config: sealConfig(ctx, id, config) }),
        ...(body.api_key_hashes !== undefined && { api_key_hashes: body.api_key_hashes }),
        ...(body.filter_rules !== undefined && {
          filter_rules: body.filter_rules && JSON.stringify(body.filter_rules),
        }),
        ...(body.privacy_mode !== undefined && { privacy_mode: body.privacy_mode }),
        ...(body.sampling_rate !== undefined && { sampling_rate: body.sampling_rate }),
        ...(body.broadcast_generation_cost !== undefined && { broadcast_cost: body.broadcast_generation_cost }),
        ...(body.broadcast_generation_identity !== undefined && {
          broadcast_identity: body.broadcast_generation_identity,
        }),
        ...(body.broadcast_generation_request_context !== undefined && {
          broadcast_request_context: body.broadcast_generation_request_context,
        }),
        ...(body.regions !== undefined && { regions: body.regions }),
        version: before.version + 1,
        updated_at: ctx.now(),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (body.resume === "from_now" && after.enabled && !before.enabled) await forwardFromNow(trx, id);
    await recordChange(trx, ctx, {
      action: "updateObservabilityDestination",
      target: target(after),
      before: auditMembers(ctx, before, secrets.before),
      after: auditMembers(ctx, after, secrets.after),
    });
    return after;
  });
  await tellOfChange(ctx, id);
  return versioned(ctx, row);
}

/** Ends the destination and wipes its secrets. */
export async function remove(ctx: Context, id: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await find(trx, id, true);
    await recordChange(trx, ctx, {
      action: "deleteObservabilityDestination",
      target: target(row),
      before: auditMembers(ctx, row),
      after: null,
    });
    await trx
      .updateTable("destinations")
      .set({ deleted_at: ctx.now(), enabled: false, config: null })
      .where("id", "=", id)
      .execute();
    await endForwarding(trx, id);
  });
  await tellOfChange(ctx, id);
  return { deleted: true };
}

/** The kinds of destination, as a form is made from them. */
export function types(ctx: Context): Output<typeof listDestinationTypes> {
  refuseUnlessManagement(ctx);
  return {
    data: DestinationType.options.map((type) => ({
      type,
      title: destinationKinds[type].title,
      sends: destinationKinds[type].sends,
      config: Object.entries(configMembers(type)).map(([name, member]) => ({
        name,
        title: member.title,
        required: member.required,
        secret: member.secret,
        form: member.form,
        default: member.default ?? null,
        choices: member.choices ? [...member.choices] : null,
        pattern: member.pattern?.test.source ?? null,
      })),
    })),
  };
}

/** @throws Refusal not_found */
export async function find(db: Kysely<Tables>, id: string, forUpdate = false): Promise<Row> {
  const query = db.selectFrom("destinations").selectAll().where("id", "=", id).where("deleted_at", "is", null);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw notFound("There is no observability destination with this id");
  return row;
}

export const destinationPlace = (id: string) => `destination:${id}`;

function sealConfig(deps: Pick<Deps, "secrets">, id: string, config: StoredConfig): string {
  return deps.secrets.seal(JSON.stringify(config), destinationPlace(id));
}

/** The config in plain text, for delivery; never for an answer. */
export function openConfig(deps: Pick<Deps, "secrets">, row: Pick<Row, "id" | "config">): StoredConfig {
  return row.config === null
    ? {}
    : (JSON.parse(deps.secrets.open(row.config, destinationPlace(row.id))) as StoredConfig);
}

function versioned(ctx: Context, row: Row): Versioned {
  return { data: record(ctx, row), version: row.version };
}

function record(ctx: Context, row: Row): DestinationRecord {
  const type = row.type as DestinationType;
  return {
    id: row.id,
    name: row.name,
    type,
    enabled: row.enabled,
    config: maskConfig(type, openConfig(ctx, row)),
    api_key_hashes: row.api_key_hashes,
    filter_rules: row.filter_rules as FilterRules | null,
    privacy_mode: row.privacy_mode,
    sampling_rate: row.sampling_rate,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    workspace_id: row.workspace_id,
    broadcast_generation_cost: row.broadcast_cost,
    broadcast_generation_identity: row.broadcast_identity,
    broadcast_generation_request_context: row.broadcast_request_context,
    regions: row.regions as DestinationRecord["regions"],
  };
}

function isUnchanged(
  before: DestinationRecord,
  { config: _, resume: __, ...body }: UpdateDestinationBody,
  type: DestinationType,
  config: StoredConfig,
): boolean {
  const known: Readonly<Record<string, unknown>> = before;
  return Object.entries({ ...body, config: maskConfig(type, config) }).every(
    ([name, value]) => value === undefined || JSON.stringify(value) === JSON.stringify(known[name]),
  );
}

/** What the audit log calls a destination. */
export function target(row: Pick<Row, "id" | "name" | "workspace_id">) {
  return { type: "destination", id: row.id, name: row.name, workspaceId: row.workspace_id };
}

/** What the audit log keeps: the public record without its secrets; of those only `changedSecrets` are told, as words. */
function auditMembers(ctx: Context, row: Row, changedSecrets: Record<string, string> = {}): Record<string, unknown> {
  const { id: _, created_at: __, updated_at: ___, workspace_id: ____, config, ...members } = record(ctx, row);
  const kind = configMembers(row.type as DestinationType);
  const plain = Object.fromEntries(Object.entries(config).filter(([name]) => kind[name]?.secret === false));
  return { ...members, config: { ...plain, ...changedSecrets } };
}

/** The secrets that a change touches: what each was before, and what became of it. */
function secretChanges(type: DestinationType, before: StoredConfig, after: StoredConfig) {
  const touched = Object.entries(configMembers(type))
    .filter(([name, member]) => member.secret && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(([name]) => name);
  return {
    before: Object.fromEntries(touched.map((name) => [name, name in before ? "set" : "not set"])),
    after: Object.fromEntries(touched.map((name) => [name, name in after ? "changed" : "removed"])),
  };
}
