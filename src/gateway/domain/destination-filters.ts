import type { FilterField, FilterRule, FilterRules } from "#contract/destinations.ts";
import type { FieldIssue } from "#contract/errors.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { RE2JS } from "re2js";
import { Refusal } from "./refusal.ts";

/** Which rule stopped an event: group and rule count from 0. */
export interface FilteredBy {
  group: number;
  rule: number;
}

const numberFields: ReadonlySet<FilterField> = new Set([
  "total_cost",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
]);
const orderOperators: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);
const textOperators: ReadonlySet<string> = new Set(["contains", "not_contains", "regex", "starts_with", "ends_with"]);

/** What is wrong with rules that have the right shape: operators that do not fit their field, patterns that do not compile. */
export function checkFilterRules(rules: FilterRules): FieldIssue[] {
  return rules.groups.flatMap((group, groupIndex) =>
    group.rules.flatMap((rule, ruleIndex) => {
      const wrong = wrongRule(rule);
      return wrong
        ? [{ path: `filter_rules.groups.${groupIndex}.rules.${ruleIndex}.${wrong.member}`, message: wrong.message }]
        : [];
    }),
  );
}

function wrongRule(rule: FilterRule): { member: "operator" | "value"; message: string } | null {
  if (rule.operator === "exists" || rule.operator === "not_exists") return null;
  if (rule.value === undefined) return { member: "value", message: `is required for ${rule.operator}` };
  if (numberFields.has(rule.field)) {
    if (textOperators.has(rule.operator))
      return {
        member: "operator",
        message: `does not fit ${rule.field}, a number: use equals, not_equals, gt, gte, lt or lte`,
      };
    if (!Number.isFinite(Number(rule.value)) || rule.value === "")
      return { member: "value", message: "must be a number" };
    return null;
  }
  if (orderOperators.has(rule.operator))
    return {
      member: "operator",
      message: `does not fit ${rule.field}, a text: use equals, contains, starts_with, ends_with or regex`,
    };
  if (rule.operator === "regex") {
    try {
      RE2JS.compile(String(rule.value));
    } catch (error) {
      return {
        member: "value",
        message: `is not a regular expression of RE2: ${error instanceof Error ? error.message : "it does not compile"}`,
      };
    }
  }
  return null;
}

/** @throws Refusal invalid_request that lists every wrong rule */
export function refuseWrongRules(rules: FilterRules | null | undefined): void {
  const issues = rules ? checkFilterRules(rules) : [];
  if (issues[0]) throw new Refusal("invalid_request", `${issues[0].path} ${issues[0].message}`, { issues });
}

type Test = (event: ForwardedEvent) => boolean;

/**
 * Turns rules into one function that says which rule stops an event; null lets it through.
 * Within a group the rules are joined by its logic, and every group has to match. A group without rules matches.
 * Patterns run in RE2, whose time is linear in the text, so no rule can hold the forwarder up.
 * In an `or` group the first rule stands for all of them.
 */
export function compileFilterRules(rules: FilterRules | null): (event: ForwardedEvent) => FilteredBy | null {
  if (!rules || rules.enabled === false) return () => null;
  const groups = rules.groups.map((group) => ({ any: group.logic === "or", tests: group.rules.map(compileRule) }));
  return (event) => {
    for (const [index, { any, tests }] of groups.entries()) {
      if (tests.length === 0) continue;
      if (any) {
        if (!tests.some((test) => test(event))) return { group: index, rule: 0 };
      } else {
        const failed = tests.findIndex((test) => !test(event));
        if (failed >= 0) return { group: index, rule: failed };
      }
    }
    return null;
  };
}

function compileRule(rule: FilterRule): Test {
  const read = fieldValue[rule.field];
  const { operator } = rule;
  if (operator === "exists") return (event) => isPresent(read(event));
  if (operator === "not_exists") return (event) => !isPresent(read(event));
  if (numberFields.has(rule.field)) return compileNumber(read, operator, Number(rule.value));
  return compileText(read, operator, String(rule.value ?? ""));
}

function compileNumber(
  read: (event: ForwardedEvent) => string | number | null,
  operator: string,
  wanted: number,
): Test {
  const compare: Record<string, (actual: number) => boolean> = {
    equals: (actual) => actual === wanted,
    not_equals: (actual) => actual !== wanted,
    gt: (actual) => actual > wanted,
    gte: (actual) => actual >= wanted,
    lt: (actual) => actual < wanted,
    lte: (actual) => actual <= wanted,
  };
  const test = compare[operator];
  return (event) => test?.(Number(read(event) ?? Number.NaN)) ?? false;
}

function compileText(read: (event: ForwardedEvent) => string | number | null, operator: string, wanted: string): Test {
  const pattern = operator === "regex" ? RE2JS.compile(wanted) : null;
  const compare: Record<string, (actual: string) => boolean> = {
    equals: (actual) => actual === wanted,
    not_equals: (actual) => actual !== wanted,
    contains: (actual) => actual.includes(wanted),
    not_contains: (actual) => !actual.includes(wanted),
    starts_with: (actual) => actual.startsWith(wanted),
    ends_with: (actual) => actual.endsWith(wanted),
    regex: (actual) => pattern?.matcher(actual).find() ?? false,
  };
  const test = compare[operator];
  return (event) => test?.(String(read(event) ?? "")) ?? false;
}

function isPresent(value: string | number | null): boolean {
  return value !== null && value !== "";
}

const fieldValue: Record<FilterField, (event: ForwardedEvent) => string | number | null> = {
  model: (event) => event.model,
  provider: (event) => event.provider,
  session_id: (event) => event.sessionId,
  user_id: (event) => event.userId,
  api_key_name: (event) => event.keyName,
  finish_reason: (event) => event.finishReason,
  input: (event) => asText(event.input),
  output: (event) => asText(event.output),
  total_cost: (event) => event.cost + (event.byokCost ?? 0),
  total_tokens: (event) => event.promptTokens + event.completionTokens,
  prompt_tokens: (event) => event.promptTokens,
  completion_tokens: (event) => event.completionTokens,
};

/** A body as one text: what was said in messages, inputs or choices, one below the other, as a person would read it. */
function asText(body: unknown): string | null {
  return body === null || body === undefined ? null : spoken(body);
}

function spoken(body: unknown): string {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) {
    const numbers = body.every((item) => typeof item === "number");
    return numbers
      ? body.join(" ")
      : body
          .map(spoken)
          .filter((text) => text !== "")
          .join("\n");
  }
  if (typeof body !== "object" || body === null) return "";
  const { message, content, text, reasoning, tool_calls: calls } = body as Record<string, unknown>;
  if (message !== undefined) return spoken(message);
  const said = [reasoning, text, content].filter((part) => part !== undefined && part !== null).map(spoken);
  return [...said, ...(calls === undefined || calls === null ? [] : [JSON.stringify(calls)])].join("\n");
}
