import type { Draft } from "./draft.ts";
import type { PayloadField } from "./payload.ts";

/** In the order in which a person asks about them; `wire` is what only the format needs. */
export const payloadGroups = ["who", "what", "cost", "time", "body", "wire"] as const;
export type PayloadGroup = (typeof payloadGroups)[number];

/** What a wire name is about, the first that fits; formats name one thing differently. */
const about: readonly (readonly [RegExp, PayloadGroup])[] = [
  [/^(service|scope|telemetry|resource)\b|trace_?id|span_?id|span_?type|insert_?id/i, "wire"],
  [/token|cost|byok|usage/i, "cost"],
  // how many there were, not what was in them
  [/(?:^|[._])inputs$/i, "what"],
  [/input|output|prompt|messages|choices/i, "body"],
  [/user|session|conversation|api_?key|distinct_id|referer|app_title|request_?id|ip\b/i, "who"],
  [/time|duration|latency|start_ns|date/i, "time"],
  [/model|provider|finish|operation|status|error|stream|cancel|\.system|trace\.|metadata|^name$|spans\.name/i, "what"],
];

export function groupOf(name: string): PayloadGroup {
  return about.find(([pattern]) => pattern.test(name))?.[1] ?? "wire";
}

/** A value as a person reads it: nanoseconds since 1970 become an instant. */
export function readableValue({ name, value }: PayloadField): string {
  if (!name.endsWith("UnixNano") || !/^\d{16,19}$/.test(value)) return value;
  return new Date(Number(BigInt(value) / 1_000_000n)).toISOString();
}

const ruleFields: readonly (readonly [RegExp, string])[] = [
  [/prompt_tokens|input_tokens/i, "prompt_tokens"],
  [/completion_tokens|output_tokens/i, "completion_tokens"],
  [/total_tokens/i, "total_tokens"],
  [/usage\.cost|total_cost/i, "total_cost"],
  [/finish/i, "finish_reason"],
  [/session/i, "session_id"],
  [/user\.id|user_id/i, "user_id"],
  [/api_?key[._]name/i, "api_key_name"],
  [/provider/i, "provider"],
  [/model/i, "model"],
  [/input(?!s$)/i, "input"],
  [/output/i, "output"],
];

/** Which setting lets a field leave. */
export function whyLeaves(name: string, draft: Draft): string {
  const field = ruleFields.find(([pattern]) => pattern.test(name))?.[1];
  const rules = draft.filter_rules;
  if (field !== undefined && rules !== null && rules.enabled !== false) {
    const numbered = rules.groups.flatMap(({ rules: list, logic }, group) =>
      list.map((rule, at) => ({ rule, all: logic !== "or", words: ruleName(group, at, rules.groups.length) })),
    );
    const found = numbered.find(({ rule, all }) => all && rule.field === field);
    if (found) return `${found.words} kept it`;
  }
  // rows have a column for them that stays empty
  if (groupOf(name) === "body") return draft.privacy_mode ? "left empty" : "prompts are on";
  if (/api_?key/i.test(name)) return draft.api_key_hashes === null ? "“Who called” is on" : "in your list";
  if (/byok_?cost/i.test(name)) return "“provider charges” is on";
  if (/referer|app_title|user_?agent|request_?id/i.test(name)) return "“where from” is on";
  return "always sent";
}

const ruleName = (group: number, rule: number, groups: number) =>
  groups === 1 ? `rule ${rule + 1}` : `rule ${rule + 1} of group ${group + 1}`;

/** What the edits make leave that stayed before, and what they make stay that left. */
export function changedFields(
  before: readonly PayloadField[],
  now: readonly PayloadField[],
): { starts: PayloadField[]; stops: PayloadField[] } {
  const had = new Set(before.map(({ name }) => name));
  const has = new Set(now.map(({ name }) => name));
  return {
    starts: now.filter(({ name }) => !had.has(name)),
    stops: before.filter(({ name }) => !has.has(name)),
  };
}
