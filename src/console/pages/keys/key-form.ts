import type { CreateKeyBody, KeyRecord, UpdateKeyBody } from "#contract/keys.ts";
import type { LimitReset } from "#contract/time.ts";
import { changedMembers } from "../../form/changes.ts";
import { formatUsd } from "../../format.ts";
import { perMinuteOf, perMinuteText, rateFields, rateProblems } from "../../form/per-minute.ts";
import { parseUsd, usdText } from "../../form/usd.ts";
import { dateToParts, expiryProblem, partsToDate, toUtcIso, type UtcParts } from "../../form/utc-instant.ts";
import type { SimulatedLimit } from "./limit-simulation.ts";
import { usedInPeriod } from "./used-in-period.ts";

/** The settings that are whole numbers, or nothing: adding one here puts it on both forms. */
export const countSettings = rateFields("If empty: the gateway's default rate for keys, if any.");
type CountField = keyof typeof countSettings;
type CountMember = (typeof countSettings)[CountField]["member"];
const countFields = Object.keys(countSettings) as CountField[];

/** What the create and edit forms hold: money, numbers and time as typed. */
export interface KeyFormValues extends Record<CountField, string> {
  name: string;
  workspaceId: string;
  limited: "no" | "yes";
  limit: string;
  reset: "none" | LimitReset;
  countByok: boolean;
  watchOnly: boolean;
  expires: "never" | "at";
  expiresAt: UtcParts;
  creator: string;
}

export type KeyFormField = keyof KeyFormValues;
export type Problems = Partial<Record<KeyFormField, string>>;

/** Which control shows what the API says about a member. */
export const fieldOfMember: Record<string, KeyFormField> = {
  name: "name",
  workspace_id: "workspaceId",
  limit: "limit",
  limit_reset: "reset",
  include_byok_in_limit: "countByok",
  limit_watch_only: "watchOnly",
  expires_at: "expiresAt",
  creator_user_id: "creator",
  ...Object.fromEntries(countFields.map((field) => [countSettings[field].member, field])),
};

function counts(text: (field: CountField) => string): Record<CountField, string> {
  return Object.fromEntries(countFields.map((field) => [field, text(field)])) as Record<CountField, string>;
}

/** Whether a form has one of these numbers. */
export const hasCounts = (values: KeyFormValues): boolean => countFields.some((field) => values[field] !== "");

export function emptyKeyForm(workspaceId: string): KeyFormValues {
  return {
    name: "",
    workspaceId,
    limited: "no",
    limit: "",
    reset: "none",
    countByok: false,
    watchOnly: false,
    expires: "never",
    expiresAt: { date: "", time: "" },
    creator: "",
    ...counts(() => ""),
  };
}

export function keyFormOf(key: KeyRecord): KeyFormValues {
  return {
    name: key.name,
    workspaceId: key.workspace_id,
    limited: key.limit === null ? "no" : "yes",
    limit: key.limit === null ? "" : usdText(key.limit),
    reset: key.limit_reset ?? "none",
    countByok: key.include_byok_in_limit,
    watchOnly: key.limit_watch_only,
    expires: key.expires_at === null ? "never" : "at",
    expiresAt: key.expires_at === null ? { date: "", time: "" } : dateToParts(new Date(key.expires_at)),
    creator: key.creator_user_id ?? "",
    ...counts((field) => perMinuteText(key[countSettings[field].member])),
  };
}

/** What the schema cannot say about values as typed. */
export function keyFormProblems(values: KeyFormValues, now: Date, untouchedExpiry?: UtcParts): Problems {
  const problems: Problems = rateProblems(counts((field) => values[field]));
  if (values.name.trim() === "") problems.name = "Enter a name, such as search-prod";
  if (values.limited === "yes") {
    const limit = parseUsd(values.limit);
    if ("problem" in limit) problems.limit = limit.problem;
  }
  if (values.expires === "at" && !sameParts(values.expiresAt, untouchedExpiry)) {
    const problem = expiryProblem(values.expiresAt, now);
    if (problem) problems.expiresAt = problem;
  }
  return problems;
}

/** The body of the creation. Call it with values that have no problems. A reset is sent as null where there is none. */
export function createBody(values: KeyFormValues): CreateKeyBody {
  const { name, limit, limit_reset, include_byok_in_limit, expires_at, ...others } = settingsOf(values);
  return {
    name,
    // empty where the workspaces did not load: the gateway then takes the default one
    ...(values.workspaceId === "" ? {} : { workspace_id: values.workspaceId }),
    limit,
    limit_reset,
    include_byok_in_limit,
    expires_at,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== false)),
    ...(values.creator.trim() === "" ? {} : { creator_user_id: values.creator.trim() }),
  };
}

/** Only the members that differ from the stored record: `null` clears, absent keeps. */
export function updateBody(key: KeyRecord, values: KeyFormValues): UpdateKeyBody {
  // both sides go through the form's own forms, so that a stored fraction of a second is not taken for a change
  return {
    ...changedMembers(settingsOf(keyFormOf(key)), settingsOf(values)),
    ...(moves(key, values) && { workspace_id: values.workspaceId }),
  };
}

/** Whether the form moves the key to another workspace. */
export function moves(key: KeyRecord, { workspaceId }: KeyFormValues): boolean {
  return workspaceId !== "" && workspaceId !== key.workspace_id;
}

function settingsOf(values: KeyFormValues) {
  const limit = values.limited === "yes" ? parseUsd(values.limit) : null;
  const usd = limit && "usd" in limit ? limit.usd : null;
  const at = values.expires === "at" ? partsToDate(values.expiresAt) : null;
  return {
    name: values.name.trim(),
    limit: usd,
    limit_reset: usd === null || values.reset === "none" ? null : values.reset,
    include_byok_in_limit: usd !== null && values.countByok,
    limit_watch_only: usd !== null && values.watchOnly,
    expires_at: at ? toUtcIso(at) : null,
    ...(Object.fromEntries(
      countFields.map((field) => [countSettings[field].member, perMinuteOf(values[field])]),
    ) as Record<CountMember, number | null>),
  };
}

/** The limit as it is typed; null where there is none. */
export function typedLimit({ limited, limit, reset, countByok, watchOnly }: KeyFormValues): SimulatedLimit | null {
  const amount = parseUsd(limit);
  if (limited === "no" || !("usd" in amount)) return null;
  return { limit: amount.usd, reset: reset === "none" ? null : reset, countByok, watchOnly };
}

function sameParts(a: UtcParts, b: UtcParts | undefined): boolean {
  return b !== undefined && a.date === b.date && a.time.padEnd(8, ":00") === b.time.padEnd(8, ":00");
}

/** Why saving these changes stops the key from working right now, in a sentence; null where it goes on working. */
export function blocksNow(key: KeyRecord, values: KeyFormValues): string | null {
  if (key.status !== "active") return null;
  const { limit, limit_reset, include_byok_in_limit, limit_watch_only } = settingsOf(values);
  if (limit === null || limit_watch_only) return null;
  if (limit === 0) return "With a limit of 0 it refuses every paid call.";
  const used = usedInPeriod(key, limit_reset, include_byok_in_limit);
  if (used < limit) return null;
  const until = limit_reset === null ? "" : " until the next reset";
  return `It has already spent ${formatUsd(used)} of the new ${formatUsd(limit)}: paid calls get 402${until}.`;
}
