import { randomUUID } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import type { BudgetBody, BudgetInterval, BudgetRecord } from "#contract/budgets.ts";
import { toNanoUsd, toUsd } from "#contract/money.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import type { WorkspaceBudgetsTable } from "../../storage/ledger-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { afterRecall, recallLeases } from "../ledger/lease-recall.ts";
import {
  limitResetsAt,
  type LimitSettings,
  noSpend,
  type Spend,
  spendOfRow,
  spentTowardLimit,
} from "../ledger/limits.ts";
import { lastsRecord } from "../ledger/lasts.ts";
import { patched } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound } from "../refusal.ts";
import { refuseStale, type Versioned, versionOf } from "../version.ts";
import { findWorkspace, lockWorkspace, type WorkspaceRow } from "./row.ts";

type BudgetRow = Selectable<WorkspaceBudgetsTable>;
export interface OneBudget extends Versioned<BudgetRecord> {
  include_byok_in_budgets: boolean;
}

/** A budget by its workspace's id or slug. */
interface Reference {
  readonly id: string;
  readonly interval: BudgetInterval;
}

/** From the interval whose budget must be the largest to the one whose budget must be the smallest. */
const falling: readonly BudgetInterval[] = ["lifetime", "monthly", "weekly", "daily"];

export async function list(ctx: Context, reference: string) {
  refuseUnlessManagement(ctx);
  const workspace = await findWorkspace(ctx.store.db, reference);
  const rows = await budgetsOf(ctx.store.db, workspace.id);
  return {
    data: await records(ctx, workspace, rows),
    include_byok_in_budgets: workspace.include_byok_in_budgets,
    version: versionOfAll(workspace, rows),
  };
}

export async function get(ctx: Context, { id, interval }: Reference): Promise<OneBudget> {
  refuseUnlessManagement(ctx);
  const workspace = await findWorkspace(ctx.store.db, id);
  return await one(ctx, workspace, interval);
}

/** Of all budgets of a workspace, since each bounds the others. */
function versionOfAll(workspace: WorkspaceRow, rows: readonly BudgetRow[]): string {
  const limits = rows.map(({ interval, limit_nano }) => [interval, String(limit_nano)]);
  return versionOf({ ...Object.fromEntries(limits), byok: workspace.include_byok_in_budgets });
}

/**
 * Sets the budget of an interval. It takes effect with the next call.
 *
 * @param ifVersions the versions of all budgets of the workspace that the caller accepts; null for any
 * @throws Refusal conflict where they have none of these versions; nothing is changed then
 */
export async function put(
  ctx: Context,
  { id, interval }: Reference,
  body: BudgetBody,
  ifVersions: readonly string[] | null = null,
): Promise<OneBudget> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const limit = toNanoUsd(body.limit_usd);
  const { workspace, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    // Two concurrent changes of one workspace's budgets must not both pass the check of their order.
    const workspace = await lockWorkspace(trx, id);
    const rows = await budgetsOf(trx, workspace.id);
    refuseStaleBudgets(workspace, rows, ifVersions);
    refuseUnlessFalling(rows, interval, limit);
    const before = rows.find((row) => row.interval === interval) ?? null;
    const next = patched(workspace, { include_byok_in_budgets: body.include_byok_in_budgets });
    if (before?.limit_nano === limit && next === workspace) return { workspace, changed: false };
    await trx
      .insertInto("workspace_budgets")
      .values({
        id: randomUUID(),
        workspace_id: workspace.id,
        interval,
        limit_nano: limit,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "interval"]).doUpdateSet({ limit_nano: limit, updated_at: now }),
      )
      .execute();
    const includeByok = next.include_byok_in_budgets;
    await trx
      .updateTable("workspaces")
      .set({ include_byok_in_budgets: includeByok })
      .where("id", "=", workspace.id)
      .execute();
    await recordChange(trx, ctx, {
      action: "upsertWorkspaceBudget",
      target: target(workspace, interval),
      before: before === null ? null : audited(before, workspace.include_byok_in_budgets),
      after: audited({ limit_nano: limit }, includeByok),
    });
    const limits = (await budgetsOf(trx, workspace.id)).map((row) => limitSettings(row, includeByok));
    await recallLeases(trx, ctx.store, { spendId: workspace.id, limits }, now);
    return { workspace: next, changed: true };
  });
  if (changed) {
    await ctx.accounts.changed(ctx);
    await afterRecall(ctx.store, workspace.id);
  }
  return await one(ctx, workspace, interval);
}

/** @param ifVersions as for a change */
export async function remove(
  ctx: Context,
  { id, interval }: Reference,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  const removed = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await lockWorkspace(trx, id);
    refuseStaleBudgets(workspace, await budgetsOf(trx, workspace.id), ifVersions);
    const row = await trx
      .deleteFrom("workspace_budgets")
      .where("workspace_id", "=", workspace.id)
      .where("interval", "=", interval)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return false;
    await recordChange(trx, ctx, {
      action: "deleteWorkspaceBudget",
      target: target(workspace, interval),
      before: audited(row, workspace.include_byok_in_budgets),
      after: null,
    });
    return true;
  });
  if (removed) await ctx.accounts.changed(ctx);
  return { deleted: true };
}

function refuseStaleBudgets(workspace: WorkspaceRow, rows: readonly BudgetRow[], ifVersions: readonly string[] | null) {
  const updatedAt = rows.map(({ updated_at }) => updated_at).toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
  refuseStale("set of budgets", ifVersions, { version: versionOfAll(workspace, rows), updatedAt });
}

function refuseUnlessFalling(rows: readonly BudgetRow[], interval: BudgetInterval, limit: bigint) {
  const index = falling.indexOf(interval);
  for (const row of rows) {
    if (row.interval === interval) continue;
    const other = falling.indexOf(row.interval);
    const fits = other < index ? row.limit_nano > limit : row.limit_nano < limit;
    if (fits) continue;
    const relation = other < index ? "less" : "more";
    throw invalid("limit_usd", `must be ${relation} than the ${row.interval} budget of $${toUsd(row.limit_nano)}`);
  }
}

async function budgetsOf(db: Kysely<Tables>, workspaceId: string): Promise<BudgetRow[]> {
  const rows = await db.selectFrom("workspace_budgets").selectAll().where("workspace_id", "=", workspaceId).execute();
  return rows.toSorted((a, b) => falling.indexOf(a.interval) - falling.indexOf(b.interval));
}

async function one(ctx: Context, workspace: WorkspaceRow, interval: BudgetInterval): Promise<OneBudget> {
  const rows = await budgetsOf(ctx.store.db, workspace.id);
  const own = rows.filter((row) => row.interval === interval);
  const [data] = await records(ctx, workspace, own);
  if (data === undefined) throw notFound(`This workspace has no ${interval} budget`);
  return {
    data,
    include_byok_in_budgets: workspace.include_byok_in_budgets,
    version: versionOfAll(workspace, rows),
  };
}

async function records(ctx: Context, workspace: WorkspaceRow, rows: readonly BudgetRow[]): Promise<BudgetRecord[]> {
  const now = ctx.now();
  const row = await ctx.store.db.selectFrom("spends").selectAll().where("id", "=", workspace.id).executeTakeFirst();
  const spend = row === undefined ? noSpend(now) : spendOfRow(row);
  return rows.map((budget) => {
    const settings = limitSettings(budget, workspace.include_byok_in_budgets);
    return {
      id: budget.id,
      workspace_id: budget.workspace_id,
      limit_usd: toUsd(budget.limit_nano),
      reset_interval: settings.reset,
      created_at: budget.created_at.toISOString(),
      updated_at: budget.updated_at.toISOString(),
      spent_usd: toUsd(spentTowardLimit(settings, spend, now)),
      resets_at: limitResetsAt(settings, spend, now)?.toISOString() ?? null,
      ...lastsRecord({ settings, spend, since: workspace.created_at, expiresAt: null }, now),
    };
  });
}

/** @returns of a workspace's budgets the one of which the smallest share is left; null: it has none */
export function tightestBudget(
  rows: readonly BudgetRow[],
  spend: Spend,
  includeByok: boolean,
  now: Date,
): WorkspaceRecord["budget"] {
  const shares = rows.map((row) => {
    const settings = limitSettings(row, includeByok);
    const spent = spentTowardLimit(settings, spend, now);
    return { settings, limit: row.limit_nano, spent, share: Number(spent) / Number(row.limit_nano) };
  });
  const [tightest] = shares.toSorted((a, b) => b.share - a.share);
  if (tightest === undefined) return null;
  const { settings, limit, spent } = tightest;
  return {
    reset_interval: settings.reset,
    limit_usd: toUsd(limit),
    spent_usd: toUsd(spent),
    resets_at: limitResetsAt(settings, spend, now)?.toISOString() ?? null,
  };
}

function limitSettings({ limit_nano, interval }: BudgetRow, includeByok: boolean): LimitSettings {
  return { limit: limit_nano, reset: interval === "lifetime" ? null : interval, includeByok };
}

function audited(row: Pick<BudgetRow, "limit_nano">, includeByok: boolean): Record<string, unknown> {
  return { limit_usd: toUsd(row.limit_nano), include_byok_in_budgets: includeByok };
}

function target(workspace: WorkspaceRow, interval: BudgetInterval) {
  return {
    type: "workspace_budget",
    id: `${workspace.id}/${interval}`,
    name: `${workspace.name}, ${interval}`,
    workspaceId: workspace.id,
  };
}
