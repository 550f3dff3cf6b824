import type { AuditRecord } from "#contract/audit.ts";
import { formatCount, formatUsd } from "../../format.ts";
import { utcMinute } from "./utc-minute.ts";

type Words = (value: unknown) => string;
type Names = ReadonlyMap<string, string>;

const yes: Words = (value) => (value === true ? "on" : "off");
const rate: Words = (value) => (typeof value === "number" ? formatCount(value) : "none");

/** Each setting in words: its name, and its value. */
const settings: Record<string, { name: string; words: (names: Names) => Words }> = {
  name: { name: "name", words: () => (value) => `“${String(value)}”` },
  limit: {
    name: "limit",
    words: () => (value) => (typeof value === "number" ? formatUsd(value, { exact: true }) : "none"),
  },
  limit_reset: { name: "reset", words: () => (value) => (typeof value === "string" ? value : "none") },
  include_byok_in_limit: { name: "counting BYOK", words: () => yes },
  limit_watch_only: { name: "only watching the limit", words: () => yes },
  expires_at: {
    name: "expiry",
    words: () => (value) => (typeof value === "string" ? utcMinute(new Date(value)) : "never"),
  },
  workspace_id: { name: "workspace", words: (names) => (value) => names.get(String(value)) ?? "a deleted one" },
  requests_per_minute: { name: "requests per minute", words: () => rate },
  tokens_per_minute: { name: "tokens per minute", words: () => rate },
};

/** What a change of a key changed, a phrase for each setting: "limit from $5.00 to $1.20". */
export function changePhrases({ before, after }: Pick<AuditRecord, "before" | "after">, names: Names): string[] {
  return Object.entries(after ?? {}).flatMap(([member, value]) => {
    if (member === "disabled") return [value === true ? "disabled" : "enabled"];
    const setting = settings[member];
    if (setting === undefined) return [];
    const words = setting.words(names);
    return [`${setting.name} from ${words(before?.[member] ?? null)} to ${words(value)}`];
  });
}
