import { randomUUID } from "node:crypto";
import type { Insertable, Transaction } from "kysely";
import type { ApiKeysTable, Tables } from "../storage/tables.ts";
import { hashKey, labelKey } from "./key-format.ts";
import { foldForSearch } from "./key-search.ts";
import { type LimitSettings, limitRemaining, limitResetsAt, noSpend, type Spend, spendOfRow } from "./limits.ts";

/** What distinguishes a new key; everything else starts the same for all. */
export interface NewKey {
  plaintext: string;
  name: string;
  /** null: a management key */
  workspaceId: string | null;
  purpose?: "playground";
  creatorUserId?: string | null;
  createdBy?: string | null;
  expiresAt?: Date | null;
  limit?: LimitSettings;
  /** calls and tokens a minute; null: no limit of its own */
  requestsPerMinute?: number | null;
  tokensPerMinute?: number | null;
  /** the key that this one succeeds, whose spending it goes on counting */
  succeeds?: { hash: string; spendId: string; spend: Spend };
}

const unlimited: LimitSettings = { limit: null, reset: null, includeByok: false };

/** Inserts a key, and its spending count unless it goes on with another's. */
export async function insertKey(trx: Transaction<Tables>, key: NewKey, now: Date) {
  const label = labelKey(key.plaintext);
  const { limit, reset, includeByok } = key.limit ?? unlimited;
  const spendId = key.succeeds?.spendId ?? (await insertSpend(trx, now));
  const row: Insertable<ApiKeysTable> = {
    hash: hashKey(key.plaintext),
    kind: key.workspaceId === null ? "management" : "ordinary",
    purpose: key.purpose ?? null,
    name: key.name,
    label,
    workspace_id: key.workspaceId,
    creator_user_id: key.creatorUserId ?? null,
    created_by: key.createdBy ?? null,
    created_at: now,
    updated_at: null,
    disabled: false,
    deleted_at: null,
    expires_at: key.expiresAt ?? null,
    last_used_at: null,
    limit_nano: limit,
    limit_reset: reset,
    include_byok_in_limit: includeByok,
    requests_per_minute: key.requestsPerMinute ?? null,
    tokens_per_minute: key.tokensPerMinute ?? null,
    spend_id: spendId,
    replaces: key.succeeds?.hash ?? null,
    replaced_by: null,
    search_text: foldForSearch(key.name, label),
    spent_out_until: spentOutUntil(key.limit ?? unlimited, key.succeeds?.spend ?? noSpend(now), now),
  };
  return await trx.insertInto("api_keys").values(row).returningAll().executeTakeFirstOrThrow();
}

async function insertSpend(trx: Transaction<Tables>, now: Date): Promise<string> {
  const id = randomUUID();
  const spend = noSpend(now);
  await trx
    .insertInto("spends")
    .values({
      id,
      total: spend.total,
      day: spend.day,
      week: spend.week,
      month: spend.month,
      byok_total: spend.byokTotal,
      byok_day: spend.byokDay,
      byok_week: spend.byokWeek,
      byok_month: spend.byokMonth,
      day_start: spend.dayStart,
      week_start: spend.weekStart,
      month_start: spend.monthStart,
      reserved: 0n,
    })
    .execute();
  return id;
}

/** Later than every clock: PostgreSQL's own infinity does not fit into a Date. */
const never = new Date("9999-12-31T00:00:00Z");

/**
 * Until when a key counts as over its limit in the status filter; null: it is not. What a call may spend, and the
 * status that is shown, do not hang on it: see limits.ts. The ledger's side of it is a trigger of the store.
 */
export function spentOutUntil(settings: LimitSettings, spend: Spend, now: Date): Date | null {
  if (limitRemaining(settings, spend, now) !== 0n) return null;
  return settings.limit === 0n ? never : (limitResetsAt(settings, now) ?? never);
}

/** A key and its spending, locked until the transaction ends; null: no such key, or it is deleted. */
export async function lockKey(trx: Transaction<Tables>, hash: string) {
  const key = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("hash", "=", hash)
    .where("kind", "=", "ordinary")
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) return null;
  const spend = await trx.selectFrom("spends").selectAll().where("id", "=", key.spend_id).executeTakeFirstOrThrow();
  return { key, spend: spendOfRow(spend) };
}
