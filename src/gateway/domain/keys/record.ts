import type { Selectable } from "kysely";
import type { CurrentKey, KeyRecord, KeyStatus } from "#contract/keys.ts";
import { toUsd } from "#contract/money.ts";
import type { ApiKeysTable } from "../../storage/tables.ts";
import { lastsRecord } from "../ledger/lasts.ts";
import { currentSpend, type LimitSettings, limitRemaining, limitResetsAt, type Spend } from "../ledger/limits.ts";
import { Refusal } from "../refusal.ts";
import { shownSettings } from "./settings.ts";

export type KeyRow = Selectable<ApiKeysTable>;

export function limitSettings(
  row: Pick<KeyRow, "limit_nano" | "limit_reset" | "include_byok_in_limit">,
): LimitSettings {
  return { limit: row.limit_nano, reset: row.limit_reset, includeByok: row.include_byok_in_limit };
}

/** The limits that can refuse the key's calls: none where its limit is only watched. */
export function enforcedLimits(
  row: Parameters<typeof limitSettings>[0] & Pick<KeyRow, "limit_watch_only">,
): readonly LimitSettings[] {
  return row.limit_nano === null || row.limit_watch_only ? [] : [limitSettings(row)];
}

/** A key's status at `now`; if there are several reasons not to work, the one that its owner must fix first. */
export function keyStatus(
  row: Pick<KeyRow, "disabled" | "expires_at" | "limit_watch_only">,
  { left, makerIsSpent = false }: { readonly left: bigint | null; readonly makerIsSpent?: boolean | undefined },
  now: Date,
): KeyStatus {
  if (row.disabled) return "disabled";
  if (row.expires_at !== null && row.expires_at <= now) return "expired";
  return (left === 0n && !row.limit_watch_only) || makerIsSpent ? "over_limit" : "active";
}

/** What the record shows and the row does not have. */
interface Known {
  readonly spend: Spend;
  /** since when calls are counted on it; default: the key's creation, as it is unless the key replaced another one */
  readonly since?: Date | undefined;
  /** the keys that it had made; default: none */
  readonly made?: readonly Pick<KeyRow, "hash" | "name" | "disabled" | "expires_at">[] | undefined;
  /** the limit of the key that it was made with is spent; default: no */
  readonly makerIsSpent?: boolean | undefined;
}

/** The public record. Every amount comes from limits.ts, which also decides whether a call may spend. */
export function keyRecord(row: KeyRow, { spend, since, made = [], makerIsSpent }: Known, now: Date): KeyRecord {
  if (row.workspace_id === null) throw new Refusal("not_found", "This is a management key");
  return {
    hash: row.hash,
    label: row.label,
    ...shownSettings(row),
    ...moneyMembers(row, spend, now),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
    creator_user_id: row.creator_user_id,
    workspace_id: row.workspace_id,
    external_user: row.external_user,
    status: keyStatus(row, { left: limitRemaining(limitSettings(row), spend, now), makerIsSpent }, now),
    limit_resets_at: limitResetsAt(limitSettings(row), spend, now)?.toISOString() ?? null,
    ...lastsOf(row, { spend, since: since ?? row.created_at }, now),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    purpose: row.purpose,
    replaced_by: row.replaced_by,
    replaces: row.replaces,
    oauth_app: row.oauth_app,
    made_by: row.made_by,
    made_keys: made.map(({ expires_at, ...key }) => ({ ...key, expires_at: expires_at?.toISOString() ?? null })),
  };
}

/** Until when it lasts. `spend-order.ts` does the same in SQL. */
function lastsOf(row: KeyRow, { spend, since }: { spend: Spend; since: Date }, now: Date) {
  if (row.disabled) return { lasts_until: null, lasts_reason: "ended" as const };
  const [enforced] = enforcedLimits(row);
  const settings = enforced ?? { ...limitSettings(row), limit: null };
  return lastsRecord({ settings, spend, since, expiresAt: row.expires_at }, now);
}

/** The answer of `GET /key`, for either kind of key. */
export function currentKeyRecord(row: KeyRow, spend: Spend, now: Date): CurrentKey {
  return {
    label: row.label,
    ...moneyMembers(row, spend, now),
    creator_user_id: row.creator_user_id,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_free_tier: false,
    is_management_key: row.kind === "management",
    is_provisioning_key: row.kind === "management",
    rate_limit: { requests: -1, interval: "10s", note: "Superseded: kept for older clients" },
    allowed_data_regions: ["global"],
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    organization_id: null,
    workspace_id: row.workspace_id,
  };
}

/** A key in the audit log: its owner's settings, and what identifies it. */
export function auditedMembers(row: KeyRow): Record<string, unknown> {
  return {
    ...shownSettings(row),
    label: row.label,
    creator_user_id: row.creator_user_id,
    external_user: row.external_user,
    workspace_id: row.workspace_id,
    replaces: row.replaces,
    replaced_by: row.replaced_by,
    oauth_app: row.oauth_app,
    made_by: row.made_by,
  };
}

function moneyMembers(row: KeyRow, spend: Spend, now: Date) {
  const settings = limitSettings(row);
  const left = limitRemaining(settings, spend, now);
  const current = currentSpend(spend, now);
  return {
    limit: row.limit_nano === null ? null : toUsd(row.limit_nano),
    limit_remaining: left === null ? null : toUsd(left),
    limit_reset: row.limit_reset,
    include_byok_in_limit: row.include_byok_in_limit,
    limit_watch_only: row.limit_watch_only,
    usage: toUsd(current.total.own),
    usage_daily: toUsd(current.day.own),
    usage_weekly: toUsd(current.week.own),
    usage_monthly: toUsd(current.month.own),
    byok_usage: toUsd(current.total.byok),
    byok_usage_daily: toUsd(current.day.byok),
    byok_usage_weekly: toUsd(current.week.byok),
    byok_usage_monthly: toUsd(current.month.byok),
  };
}
