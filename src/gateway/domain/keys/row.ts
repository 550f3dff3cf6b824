import { randomUUID } from "node:crypto";
import type { Insertable, Transaction } from "kysely";
import type { KeyPurpose } from "#contract/keys.ts";
import type { ApiKeysTable, KeySettings, Tables } from "../../storage/tables.ts";
import { countedSince } from "./counted-since.ts";
import { hashKey, labelKey } from "./format.ts";
import { foldForSearch } from "./search.ts";
import { keyDefaults } from "./settings.ts";
import { type KeyRow, limitSettings } from "./record.ts";
import {
  type LimitSettings,
  limitRemaining,
  limitResetsAt,
  noSpend,
  type Spend,
  spendOfRow,
} from "../ledger/limits.ts";

/** What distinguishes a new key; everything else is the same for all. */
export interface NewKey {
  plaintext: string;
  /** null: a management key */
  workspaceId: string | null;
  purpose?: KeyPurpose;
  creatorUserId?: string | null;
  /** which of the creator's own users it is for */
  externalUser?: string | null;
  createdBy?: string | null;
  /** how it was made by OAuth */
  oauth?: OAuthOrigin | null;
  /** absent ones have their defaults */
  settings: Partial<KeySettings> & Pick<KeySettings, "name">;
  /** the key that this one succeeds, whose spending count it continues */
  succeeds?: { hash: string; spendId: string; spend: Spend };
}

/** The columns that say how a key was made by OAuth. */
export type OAuthOrigin = Pick<KeyRow, "oauth_app" | "made_by" | "rate_scope">;

/** Inserts a key, and its spending count unless it continues another key's. */
export async function insertKey(trx: Transaction<Tables>, key: NewKey, now: Date) {
  const label = labelKey(key.plaintext);
  const settings = { ...keyDefaults, ...key.settings };
  const spendId = key.succeeds?.spendId ?? (await insertSpend(trx, now));
  const row: Insertable<ApiKeysTable> = {
    ...settings,
    hash: hashKey(key.plaintext),
    kind: key.workspaceId === null ? "management" : "ordinary",
    purpose: key.purpose ?? null,
    label,
    workspace_id: key.workspaceId,
    creator_user_id: key.creatorUserId ?? null,
    external_user: key.externalUser ?? null,
    created_by: key.createdBy ?? null,
    oauth_app: key.oauth?.oauth_app ?? null,
    made_by: key.oauth?.made_by ?? null,
    rate_scope: key.oauth?.rate_scope ?? null,
    created_at: now,
    updated_at: null,
    deleted_at: null,
    last_used_at: null,
    spend_id: spendId,
    replaces: key.succeeds?.hash ?? null,
    replaced_by: null,
    ...derivedColumns({ ...settings, label }, key.succeeds?.spend ?? noSpend(now), now),
  };
  return await trx.insertInto("api_keys").values(row).returningAll().executeTakeFirstOrThrow();
}

/** A key that takes the place of another. */
export interface NewSuccessor extends Pick<NewKey, "plaintext" | "createdBy" | "settings"> {
  of: KeyRow;
  /** what the old one has spent; both share one count */
  spend: Spend;
  /** how long the old one keeps working, but no longer than its own expiry */
  graceSeconds: number;
}

/** Inserts a key's successor, and lets the key that it replaces end. */
export async function insertSuccessor(
  trx: Transaction<Tables>,
  { of: before, spend, graceSeconds, ...made }: NewSuccessor,
  now: Date,
): Promise<{ successor: KeyRow; replaced: KeyRow }> {
  const successor = await insertKey(
    trx,
    {
      ...made,
      workspaceId: before.workspace_id,
      creatorUserId: before.creator_user_id,
      externalUser: before.external_user,
      oauth: before,
      succeeds: { hash: before.hash, spendId: before.spend_id, spend },
    },
    now,
  );
  const end = new Date(now.getTime() + graceSeconds * 1_000);
  const replaced = await trx
    .updateTable("api_keys")
    .set({
      replaced_by: successor.hash,
      expires_at: before.expires_at !== null && before.expires_at < end ? before.expires_at : end,
      updated_at: now,
    })
    .where("hash", "=", before.hash)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { successor, replaced };
}

/** Copies of settings that searches and filters need. Updated with every change of the settings. */
export function derivedColumns(row: KeySettings & Pick<KeyRow, "label">, spend: Spend, now: Date) {
  return { search_text: foldForSearch(row.name, row.label), ...limitHints(limitSettings(row), spend, now) };
}

async function insertSpend(trx: Transaction<Tables>, now: Date): Promise<string> {
  const id = randomUUID();
  const { dayStart, weekStart, monthStart } = noSpend(now);
  await trx
    .insertInto("spends")
    .values({ id, day_start: dayStart, week_start: weekStart, month_start: monthStart })
    .execute();
  return id;
}

/** Later than any clock: PostgreSQL's own infinity does not fit into a Date. */
const never = new Date("9999-12-31T00:00:00Z");

/**
 * Until when a key counts as over its limit, and as near it (from four fifths on, including over), in the list's
 * filters; null: it does not. Whether a call may spend, and the displayed status, do not depend on this: see limits.ts.
 * The ledger updates it by a trigger in the store.
 */
function limitHints(
  settings: LimitSettings,
  spend: Spend,
  now: Date,
): Pick<ApiKeysTable, "spent_out_until" | "near_limit_until"> {
  const left = limitRemaining(settings, spend, now);
  const until = settings.limit === 0n ? never : (limitResetsAt(settings, spend, now) ?? never);
  const isNear = left !== null && left <= (settings.limit ?? 0n) / 5n;
  return { spent_out_until: left === 0n ? until : null, near_limit_until: isNear ? until : null };
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
  const since = (await countedSince(trx, [key])).get(key.spend_id);
  return { key, spend: spendOfRow(spend), since };
}
