import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { configMembers, destinationKinds, DestinationType } from "#contract/destination-kinds.ts";
import {
  type CreateDestinationBody,
  type DestinationRecord,
  type listDestinations,
  type listDestinationTypes,
  type UpdateDestinationBody,
  mostAllowedKeys,
} from "#contract/destinations.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { DestinationsTable } from "../../storage/destination-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { isOwnAddress, isSameConfig, maskConfig, mergeConfig, type StoredConfig } from "./config.ts";
import { refuseWrongRules } from "./filters.ts";
import { newSettings, storedSettings, toColumns } from "./settings.ts";
import { endForwarding, forwardFromNow, startForwarding, tellOfChange } from "./start-forwarding.ts";
import { type Follow, withSuccessor } from "../keys/rotation.ts";
import * as idempotency from "../idempotency.ts";
import { patched } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned } from "../version.ts";
import { requireLivingWorkspace, requireWorkspace } from "../workspaces/row.ts";
import { destinationAad } from "../secrets/aad.ts";
import { shownAddress, shownChange } from "../secrets/address.ts";
import { WrongSecretKey } from "../secrets/box.ts";
import { countOf } from "../count-of.ts";
import { lockNamed } from "../named-lock.ts";

type List = typeof listDestinations;
type Row = Selectable<DestinationsTable>;

const pageSize = 50;
/** As in the public API. */
const mostOfOneKind = 5;

/** Newest first; in the default workspace unless another one, or all, is requested. */
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
  const total = await countOf(found);
  return { data: rows.map((row) => record(open(ctx, row))), total_count: total };
}

export async function get(ctx: Context, id: string): Promise<Versioned<DestinationRecord>> {
  refuseUnlessManagement(ctx);
  return versioned(open(ctx, await find(ctx.store.db, id)));
}

/** @param idempotencyKey the Idempotency-Key header; a repeat with it makes no second one, and answers the first */
export async function create(
  ctx: Context,
  body: CreateDestinationBody,
  idempotencyKey: string | null = null,
): Promise<Versioned<DestinationRecord>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const config = mergeConfig(body.type, body.config, null);
  const id = randomUUID();
  const now = ctx.now();
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "createDestination", request: body, targetId: id };
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const { id: workspaceId } = await requireWorkspace(trx, body.workspace_id ?? null);
    await refuseUnknownKeys(trx, { workspace_id: workspaceId, api_key_hashes: null }, body.api_key_hashes ?? null);
    // Creations of one kind are serialized, so that two at once cannot both become the fifth.
    await lockNamed(trx, `destination ${workspaceId} ${body.type}`);
    const count = await countOf(
      trx
        .selectFrom("destinations")
        .where("workspace_id", "=", workspaceId)
        .where("type", "=", body.type)
        .where("deleted_at", "is", null),
    );
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
        config: sealConfig(ctx, id, config),
        ...toColumns(newSettings(body)),
        version: 1,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await startForwarding(trx, row);
    await recordChange(trx, ctx, {
      action: "createDestination",
      target: target(row),
      before: null,
      after: auditMembers({ row, type: body.type, config, problem: null }),
    });
    return row;
  });
  if (typeof row === "string") return await idempotency.repeated(() => get(ctx, row));
  await tellOfChange(ctx, id);
  return versioned({ row, type: body.type, config, problem: null });
}

/**
 * Merges `body` into the record. Absent members stay, `null` clears.
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict when the record has changed since `ifVersion`; nothing is changed then
 */
export async function update(
  ctx: Context,
  id: string,
  body: UpdateDestinationBody,
  ifVersions: readonly string[] | null,
): Promise<Versioned<DestinationRecord>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const { config: sentConfig, resume, ...sent } = body;
  const { after, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const row = await find(trx, id, true);
    refuseStale("destination", ifVersions, { version: row.version, updatedAt: row.updated_at });
    if (sent.enabled === true) await requireLivingWorkspace(trx, row.workspace_id, "destination");
    await refuseUnknownKeys(trx, row, sent.api_key_hashes ?? null);
    const before = open(ctx, row);
    const config = sentConfig ? mergeConfig(before.type, sentConfig, before.config) : before.config;
    const keepsConfig = !sentConfig || (before.problem === null && isSameConfig(before.type, before.config, config));
    const kept = storedSettings(row);
    const settings = patched(kept, sent);
    // A PATCH that changes nothing only sets updated_at: no new version, no audit row, no wake-up.
    const changed = settings !== kept || !keepsConfig;
    const changes = changed && {
      ...toColumns(settings),
      ...(!keepsConfig && { config: sealConfig(ctx, id, config) }),
      version: row.version + 1,
    };
    const changedRow = await trx
      .updateTable("destinations")
      .set({ ...changes, updated_at: ctx.now() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = { ...before, row: changedRow, config, ...(!keepsConfig && { problem: null }) };
    if (!changed) return { after, changed };
    if (resume === "from_now" && changedRow.enabled && !row.enabled) await forwardFromNow(trx, id);
    const sides = configChange(before.type, before.config, config);
    await recordChange(trx, ctx, {
      action: "updateDestination",
      target: target(changedRow),
      before: auditMembers(before, sides.before),
      after: auditMembers(after, sides.after),
    });
    return { after, changed };
  });
  if (changed) await tellOfChange(ctx, id);
  return versioned(after);
}

/** Where a destination takes the calls of certain keys only, it takes those of a successor of one of them too. */
export const allowSuccessor: Follow = async (trx, ctx, succession) => {
  const rows = await trx
    .selectFrom("destinations")
    .selectAll()
    .where(sql<boolean>`${succession.hash} = any(api_key_hashes)`)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const row of rows) {
    const api_key_hashes = await withSuccessor(trx, row.api_key_hashes ?? [], succession, {
      most: mostAllowedKeys,
      now: ctx.now(),
    });
    const columns = { api_key_hashes, version: row.version + 1, updated_at: ctx.now() };
    await trx.updateTable("destinations").set(columns).where("id", "=", row.id).execute();
    const before = open(ctx, row);
    await recordChange(trx, ctx, {
      action: "updateDestination",
      target: target(row),
      before: auditMembers(before),
      after: auditMembers({ ...before, row: { ...row, ...columns } }),
    });
  }
  return rows.length === 0 ? null : async () => void (await Promise.all(rows.map(({ id }) => tellOfChange(ctx, id))));
};

/**
 * Deletes the destination and erases its secrets.
 * @param ifVersions as for a change
 */
export async function remove(
  ctx: Context,
  id: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await find(trx, id, true);
    refuseStale("destination", ifVersions, { version: row.version, updatedAt: row.updated_at });
    await recordChange(trx, ctx, {
      action: "deleteDestination",
      target: target(row),
      before: auditMembers(open(ctx, row)),
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

/** The kinds of destination, as needed to build a form. */
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

/**
 * An allowlist with a hash that no key has would silently block everything. Hashes that were in the list before are
 * accepted: their keys may have been deleted since.
 * @throws Refusal (400) that names every unknown hash
 */
async function refuseUnknownKeys(
  trx: Transaction<Tables>,
  { workspace_id, api_key_hashes: before }: Pick<Row, "workspace_id" | "api_key_hashes">,
  hashes: readonly string[] | null,
): Promise<void> {
  const known = new Set(before);
  const added = (hashes ?? []).filter((hash) => !known.has(hash));
  if (added.length === 0) return;
  const found = await trx
    .selectFrom("api_keys")
    .select("hash")
    .where(sql<boolean>`hash = any(${added}::text[])`)
    .where("workspace_id", "=", workspace_id)
    .where("deleted_at", "is", null)
    .execute();
  for (const { hash } of found) known.add(hash);
  const issues = (hashes ?? []).flatMap((hash, index) =>
    known.has(hash)
      ? []
      : [
          {
            path: `api_key_hashes.${index}`,
            message: isKeyHash(hash)
              ? `${hash} is not the hash of a key of this workspace`
              : `${hash} is not a key's hash: a hash has 64 hexadecimal digits`,
          },
        ],
  );
  const [first] = issues;
  if (first) throw new Refusal("invalid_request", `${first.path}: ${first.message}`, { issues: issues.slice(0, 100) });
}

const isKeyHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

/** @throws Refusal not_found */
export async function find(db: Kysely<Tables>, id: string, forUpdate = false): Promise<Row> {
  const query = db.selectFrom("destinations").selectAll().where("id", "=", id).where("deleted_at", "is", null);
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw notFound("There is no observability destination with this id");
  return row;
}

function sealConfig(deps: Pick<Deps, "secrets">, id: string, config: StoredConfig): string {
  return deps.secrets.seal(JSON.stringify(config), destinationAad(id));
}

/** The config in plain text, for delivery; never for an answer. */
export function openConfig(deps: Pick<Deps, "secrets">, row: Pick<Row, "id" | "config">): StoredConfig {
  return row.config === null ? {} : (JSON.parse(deps.secrets.open(row.config, destinationAad(row.id))) as StoredConfig);
}

/** The config as far as it can be read, and the reason, in a sentence, where it cannot. */
function tryConfig(deps: Pick<Deps, "secrets">, row: Pick<Row, "id" | "config">) {
  try {
    return { config: openConfig(deps, row), problem: null };
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    return { config: {}, problem: `The stored settings cannot be opened: ${error.why}` };
  }
}

/** The config as far as it can be read: empty where its encryption key is lost, until it is entered again. */
export function readableConfig(deps: Pick<Deps, "secrets">, row: Pick<Row, "id" | "config">): StoredConfig {
  return tryConfig(deps, row).config;
}

/** Why the stored config cannot be decrypted, in a sentence; null: it can. */
export function configProblem(deps: Pick<Deps, "secrets">, row: Pick<Row, "id" | "config">): string | null {
  return tryConfig(deps, row).problem;
}

/** A destination with its config in plain text, so that a verb opens the secret box once. */
interface Opened {
  row: Row;
  type: DestinationType;
  config: StoredConfig;
  /** why the stored config cannot be decrypted; null: it can */
  problem: string | null;
}

function open(ctx: Context, row: Row): Opened {
  return { row, type: row.type as DestinationType, ...tryConfig(ctx, row) };
}

function versioned(opened: Opened): Versioned<DestinationRecord> {
  return { data: record(opened), version: opened.row.version };
}

function record({ row, type, config, problem }: Opened): DestinationRecord {
  return {
    id: row.id,
    type,
    // defaults would look as if they were stored
    config: problem === null ? maskConfig(type, config) : {},
    ...storedSettings(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    workspace_id: row.workspace_id,
  };
}

/** What the audit log calls a destination. */
export function target(row: Pick<Row, "id" | "name" | "workspace_id">) {
  return { type: "destination", id: row.id, name: row.name, workspaceId: row.workspace_id };
}

/**
 * What the audit log keeps: the public record without secrets, and without what may be one in an address.
 * @param changed members of the config whose words say what was done to them
 */
function auditMembers(opened: Opened, changed: Record<string, unknown> = {}): Record<string, unknown> {
  const { id: _, created_at: __, updated_at: ___, workspace_id: ____, config, ...members } = record(opened);
  const kind = configMembers(opened.type);
  const plain = Object.entries(config).filter(([name]) => kind[name]?.secret === false);
  const shown = plain.map(([name, value]) => [name, isOwnAddress(kind[name], value) ? shownAddress(value) : value]);
  return { ...members, config: { ...Object.fromEntries(shown), ...changed } };
}

/** The secrets and addresses that a change touches: what they were before, and what happened to them. */
function configChange(type: DestinationType, before: StoredConfig, after: StoredConfig) {
  const sides = Object.entries(configMembers(type)).flatMap(([name, member]) => {
    const [from, to] = [before[name], after[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    if (member.secret) return [[name, name in before ? "set" : "not set", name in after ? "changed" : "removed"]];
    return isOwnAddress(member, from) && isOwnAddress(member, to) ? [[name, ...shownChange(from, to)]] : [];
  });
  return {
    before: Object.fromEntries(sides.map(([name, from]) => [name, from])),
    after: Object.fromEntries(sides.map(([name, , to]) => [name, to])),
  };
}
