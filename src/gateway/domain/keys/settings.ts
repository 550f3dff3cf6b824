import type { KeyRecord, UpdateKeyBody } from "#contract/keys.ts";
import { toNanoUsd, toUsd } from "#contract/money.ts";
import type { KeySettings } from "../../storage/tables.ts";
import { given, pick } from "../patch.ts";
import { invalid } from "../refusal.ts";
import { versionOf } from "../version.ts";

/**
 * A key owner's settings, each with its default. Creation, replacement, PATCH, record and audit row are derived from
 * this table.
 */
export const keyDefaults: KeySettings = {
  name: "",
  disabled: false,
  limit_nano: null,
  limit_reset: null,
  include_byok_in_limit: false,
  limit_watch_only: false,
  expires_at: null,
  requests_per_minute: null,
  tokens_per_minute: null,
};

/**
 * The settings of a body as they are stored; what is absent stays absent.
 *
 * @throws Refusal 400 where `expires_at` is past
 */
export function storedSettings(
  { limit, expires_at, ...plain }: Omit<UpdateKeyBody, "workspace_id">,
  now: Date,
): Partial<KeySettings> {
  return given({
    ...plain,
    limit_nano: limit == null ? limit : toNanoUsd(limit),
    expires_at: expires_at === undefined ? undefined : futureInstant(expires_at, now),
  });
}

/** Differs between any two states of the settings and the workspace, whatever the key spends meanwhile. */
export function settingsVersion(row: KeySettings & { workspace_id: string | null }): string {
  return versionOf({ ...shownSettings(row), workspace_id: row.workspace_id });
}

/** Settings as the public record and the audit log show them. */
export function shownSettings(row: KeySettings): Pick<KeyRecord, Exclude<keyof UpdateKeyBody, "workspace_id">> {
  const { limit_nano, expires_at, ...plain } = pick(row, keyDefaults);
  return {
    ...plain,
    limit: limit_nano === null ? null : toUsd(limit_nano),
    expires_at: expires_at?.toISOString() ?? null,
  };
}

/** An instant that has to lie ahead; null stays null. */
export function futureInstant(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (at <= now) throw invalid("expires_at", "must be in the future");
  return at;
}
