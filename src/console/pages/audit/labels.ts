import type { AuditRecord } from "#contract/audit.ts";
import { formatUsd } from "../../format.ts";

const verbs: Record<string, string> = {
  accept: "Accepted",
  create: "Created",
  update: "Changed",
  delete: "Deleted",
  rotate: "Replaced",
  install: "Installed",
  upload: "Uploaded",
  upsert: "Set",
  add: "Added",
  clear: "Emptied",
  end: "Ended",
  replay: "Replayed",
};

/** Operations whose ids say where they were called rather than what they did. */
const phrases: Record<string, string> = {
  sendChatCompletionRequest: "Called a model as key",
  authorizeApp: "Allowed an app",
  exchangeAuthCodeForAPIKey: "Created key for an app",
  createPresetsChatCompletions: "Saved preset from chat",
  createPresetsMessages: "Saved preset from messages",
  createPresetsResponses: "Saved preset from responses",
  bulkAssignKeysToGuardrail: "Assigned keys to guardrail",
  bulkUnassignKeysFromGuardrail: "Removed keys from guardrail",
  bulkAssignMembersToGuardrail: "Assigned members to guardrail",
  bulkUnassignMembersFromGuardrail: "Removed members from guardrail",
  bulkAddWorkspaceMembers: "Added workspace members",
  bulkRemoveWorkspaceMembers: "Removed workspace members",
  cancelBatches: "Canceled batch",
  deleteBatches: "Deleted batch",
  createScimSyncJob: "Synchronized SCIM groups",
};

/** An endpoint's operationId as a deed: `updateKeys` is "Changed key". */
export function actionLabel(action: string): string {
  const phrase = phrases[action];
  if (phrase !== undefined) return phrase;
  const [verb = "", ...noun] = action.split(/(?<=[a-z])(?=[A-Z])|(?=[A-Z][a-z])/);
  // the public API's ids have a plural for one key, and for destinations a word that says no more
  const words = noun
    .join(" ")
    .toLowerCase()
    .replace("byok", "BYOK")
    .replace("scim", "SCIM")
    .replace("observability ", "")
    .replace(/\bkeys$/, "key");
  return `${verbs[verb] ?? verb} ${words}`.trim();
}

/** Which part of the gateway an action is about, to list actions by. */
export function actionGroup(action: string): string {
  return groups.find(([pattern]) => pattern.test(action))?.[1] ?? "Others";
}

const groups: readonly (readonly [RegExp, string])[] = [
  [/ManagementKey/, "Management keys"],
  [/BYOK|Provider|Canar/, "Providers"],
  [/Guardrail/, "Guardrails"],
  [/Preset/, "Presets"],
  [/Scim|Federation|Members/, "Members and directories"],
  [/Destination|DeadLetters/, "Destinations"],
  [/File|Batch|Video/, "Files, batches, videos"],
  [/Budget|EmbeddingCache|Credits|Workspace/, "Workspaces and money"],
  [/App|Keys?$|ChatCompletion/, "Keys and apps"],
];

export interface MemberChange {
  member: string;
  /** the member's name in words */
  words: string;
  before: string;
  after: string;
}

/** The changed members with both values as words, in the record's order. */
export function memberChanges({ before, after }: Pick<AuditRecord, "before" | "after">): MemberChange[] {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members].map((member) => ({
    member,
    words: memberWords(member),
    before: before && member in before ? valueWords(member, before[member]) : "–",
    after: after && member in after ? valueWords(member, after[member]) : "–",
  }));
}

const shownChanges = 2;

/** The members that say most of what was made as a whole: of added credits, and of a budget. */
const sums = ["amount_usd", "limit_usd"];

/**
 * What changed, in one line: "limit 5 → 50, disabled no → yes"; of what was made or ended as a whole, its sum if it is one.
 */
export function changeLine(record: Pick<AuditRecord, "before" | "after">): string {
  if (record.before === null || record.after === null) {
    const whole = record.after ?? record.before ?? {};
    const sum = sums.map((member) => whole[member]).find((value) => typeof value === "number");
    return sum === undefined ? "" : formatUsd(sum);
  }
  const changes = memberChanges(record);
  const more = changes.length - shownChanges;
  const said = changes.slice(0, shownChanges).map(({ words, before, after }) =>
    // of a secret the log says only that it changed
    before === after ? `${words} changed` : `${words} ${before} → ${after}`,
  );
  return [...said, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function memberWords(member: string): string {
  return member.replace(/_usd$/, "").replaceAll("_", " ").replace("byok", "BYOK");
}

/** Amounts of USD: a key's limit, a budget's, what was added. */
const isMoney = (member: string) => member === "limit" || member.endsWith("_usd");

function valueWords(member: string, value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "number" && isMoney(member)) return formatUsd(value, { exact: true });
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
