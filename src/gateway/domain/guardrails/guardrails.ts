import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import {
  type CreateGuardrailBody,
  type GuardrailRecord,
  type listGuardrails,
  mostGuardrails,
  type UpdateGuardrailBody,
} from "#contract/guardrails.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import * as idempotency from "../idempotency.ts";
import { patched } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned } from "../version.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import { refuseWrongFilters } from "./filters/refuse-wrong.ts";
import {
  findGuardrail,
  guardrailRecords,
  type GuardrailRow,
  insertGuardrail,
  lockGuardrail,
  noSuchGuardrail,
} from "./row.ts";
import { recallBudget } from "./budgets.ts";
import {
  columnsOf,
  guardrailDefaults,
  refuseUnlessWhole,
  settingsVersion,
  shownSettings,
  storedSettings,
} from "./settings.ts";
import { countOf } from "../count-of.ts";

type One = Promise<Versioned<GuardrailRecord>>;
type List = typeof listGuardrails;

const pageSize = 50;

/** The oldest first. */
export async function list(ctx: Context, query: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  let own = db.selectFrom("guardrails");
  if (query.workspace_id !== undefined) own = own.where("workspace_id", "=", query.workspace_id);
  const total = await countOf(own);
  const rows = await own
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(query.limit ?? pageSize)
    .offset(query.offset ?? 0)
    .execute();
  return { data: await guardrailRecords(db, rows), total_count: total };
}

export async function get(ctx: Context, id: string): One {
  refuseUnlessManagement(ctx);
  return await one(ctx, await findGuardrail(ctx.store.db, id));
}

/** @param idempotencyKey the Idempotency-Key header; a repeat with it creates no second one, and answers the first */
export async function create(ctx: Context, body: CreateGuardrailBody, idempotencyKey: string | null = null): One {
  refuseUnlessManagement(ctx);
  const { workspace_id: workspaceId, ...settings } = body;
  await refuseWrongFilters(ctx, settings);
  const id = randomUUID();
  const once: idempotency.Once = { key: idempotencyKey, endpoint: "createGuardrail", request: body, targetId: id };
  const row = await ctx.store.db.transaction().execute(async (trx) => {
    const first = await idempotency.claim(trx, ctx, once);
    if (first !== null) return first;
    const workspace = await requireWorkspace(trx, workspaceId ?? null);
    const made: GuardrailRow = {
      ...guardrailDefaults,
      ...storedSettings(settings),
      id,
      workspace_id: workspace.id,
      is_default: false,
      created_at: ctx.now(),
      updated_at: null,
    };
    refuseUnlessWhole(made);
    await insertGuardrail(trx, made);
    await refuseBeyondMost(trx, workspace.id);
    await record(trx, ctx, "createGuardrail", { row: made, before: null, after: shownSettings(made) });
    return made;
  });
  return typeof row === "string" ? await idempotency.repeated(() => get(ctx, row)) : await one(ctx, row);
}

async function refuseBeyondMost(trx: Transaction<Tables>, workspaceId: string): Promise<void> {
  const count = await countOf(
    trx.selectFrom("guardrails").where("workspace_id", "=", workspaceId).where("is_default", "=", false),
  );
  if (count <= mostGuardrails) return;
  throw new Refusal("conflict", `This workspace has ${mostGuardrails} guardrails, which is the most: delete one first`);
}

/**
 * Changes what is given; members that are absent keep their value, `null` clears. It takes effect with the next call.
 *
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict where the settings have none of these versions; nothing is changed then
 */
export async function update(
  ctx: Context,
  id: string,
  body: UpdateGuardrailBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  await refuseWrongFilters(ctx, body);
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lockGuardrail(trx, id);
    refuseChanged(before, ifVersions);
    const next = patched(before, storedSettings(body));
    if (next === before) return { row: before, changed: false };
    if (before.is_default && next.name !== before.name) {
      throw invalid("name", `cannot be changed: a workspace's default guardrail is called ${before.name}`);
    }
    refuseUnlessWhole(next);
    const row = await trx
      .updateTable("guardrails")
      .set({ ...columnsOf(next), updated_at: ctx.now() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, ctx, "updateGuardrail", { row, before: shownSettings(before), after: shownSettings(row) });
    return { row, changed: true };
  });
  if (changed) {
    await ctx.guardrails.changed(ctx);
    await recallBudget(ctx, row);
  }
  return await one(ctx, row);
}

/**
 * Deletes it with its assignments. A workspace's default one restricts nothing from then on, and stays.
 * @param ifVersions as for a change
 */
export async function remove(
  ctx: Context,
  id: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await lockGuardrail(trx, id);
    refuseChanged(row, ifVersions);
    await trx.deleteFrom("guardrails").where("id", "=", id).execute();
    await record(trx, ctx, "deleteGuardrail", { row, before: shownSettings(row), after: null });
  });
  await ctx.guardrails.changed(ctx);
  return { deleted: true };
}

function refuseChanged(row: GuardrailRow, ifVersions: readonly string[] | null): void {
  refuseStale("guardrail", ifVersions, { version: settingsVersion(row), updatedAt: row.updated_at });
}

async function one(ctx: Context, row: GuardrailRow): One {
  const [data] = await guardrailRecords(ctx.store.db, [row]);
  if (data === undefined) throw noSuchGuardrail();
  return { data, version: settingsVersion(row) };
}

async function record(
  trx: Transaction<Tables>,
  ctx: Context,
  action: EndpointName,
  {
    row,
    ...members
  }: { row: GuardrailRow; before: Record<string, unknown> | null; after: Record<string, unknown> | null },
): Promise<void> {
  await recordChange(trx, ctx, { action, target: target(row), ...members });
}

/** A guardrail as the target of an audit row. */
export function target({ id, name, workspace_id: workspaceId }: GuardrailRow) {
  return { type: "guardrail", id, name, workspaceId };
}
