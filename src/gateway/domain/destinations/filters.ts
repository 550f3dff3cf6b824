import { isNumberField, wrongRule } from "#contract/destination-check.ts";
import type { FilterField, FilterRule, FilterRules } from "#contract/destinations.ts";
import type { FieldIssue } from "#contract/errors.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { RE2JS } from "re2js";
import { patternSize } from "./pattern-size.ts";
import { Refusal } from "../refusal.ts";

/** The rule that stopped an event; group and rule count from 0. */
export interface FilteredBy {
  group: number;
  rule: number;
}

/** For all regular expressions of a destination together. */
const mostPatterns = 2_000;

/** Steps of all regular expressions of a destination over one text: the size of the patterns times the characters they read. */
const mostSteps = 1_000_000;

/**
 * How many characters of a text the regular expressions read; the text ends there for them. The larger a destination's
 * expressions are together, the fewer they read, so that no accepted rules can block a thread for long.
 */
export function charactersRead({ groups }: FilterRules): number {
  const size = groups
    .flatMap(({ rules }) => rules)
    .reduce((sum, { operator, value }) => sum + (operator === "regex" ? patternSize(String(value ?? "")) : 0), 0);
  return Math.floor(mostSteps / Math.max(1, size));
}

/** What is wrong with rules of the right shape: operators that do not fit their field, patterns that do not compile. */
export function checkFilterRules(rules: FilterRules): FieldIssue[] {
  const patterns = rules.groups.flatMap((group) =>
    group.rules.flatMap(({ operator, value }) => (operator === "regex" ? [String(value ?? "")] : [])),
  );
  // Compiling and measuring both block the thread, so patterns that would take long are refused first.
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  if (length > mostPatterns || patterns.reduce((sum, pattern) => sum + patternSize(pattern), 0) > mostPatterns) {
    const message = `may hold regular expressions of ${mostPatterns} characters in all, counted as often as {n} repeats them`;
    return [{ path: "filter_rules", message }];
  }
  return rules.groups.flatMap((group, groupIndex) =>
    group.rules.flatMap((rule, ruleIndex) => {
      const wrong = wrongRule(rule) ?? wrongPattern(rule);
      return wrong
        ? [{ path: `filter_rules.groups.${groupIndex}.rules.${ruleIndex}.${wrong.member}`, message: wrong.message }]
        : [];
    }),
  );
}

function wrongPattern({ operator, value }: FilterRule): { member: "value"; message: string } | null {
  if (operator !== "regex") return null;
  try {
    RE2JS.compile(String(value));
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : "it does not compile";
    return { member: "value", message: `is not a regular expression of RE2: ${why}` };
  }
}

/** @throws Refusal invalid_request that lists every wrong rule */
export function refuseWrongRules(rules: FilterRules | null | undefined): void {
  const issues = rules ? checkFilterRules(rules) : [];
  if (issues[0]) throw new Refusal("invalid_request", `${issues[0].path} ${issues[0].message}`, { issues });
}

type Test = (event: ForwardedEvent) => boolean;

/**
 * Compiles rules into one function that returns the rule that stops an event; null lets it through.
 * Within a group the rules are joined by its logic, and every group has to match. A group without rules matches.
 * Patterns run in RE2, whose time grows with pattern times text, so each one reads only the beginning of a text.
 * For an `or` group that fails, the first rule is reported.
 */
export function compileFilterRules(rules: FilterRules | null): (event: ForwardedEvent) => FilteredBy | null {
  if (!rules || rules.enabled === false) return () => null;
  const reads = charactersRead(rules);
  const groups = rules.groups.map((group) => ({
    any: group.logic === "or",
    tests: group.rules.map((rule) => compileRule(rule, reads)),
  }));
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

/**
 * Compiles one rule into a test of an event.
 * @param reads for all rules of the destination, by `charactersRead`
 */
export function compileRule(rule: FilterRule, reads: number): Test {
  const { operator } = rule;
  const wanted = String(rule.value ?? "");
  if (rule.field === "provider") {
    // Answers and generations show a provider's display name, the list of models its slug: both match.
    const slug = compileText((event) => event.provider, operator, wanted, reads);
    const name = compileText((event) => event.providerName ?? event.provider, operator, wanted, reads);
    if (operator === "not_equals" || operator === "not_contains") return (event) => slug(event) && name(event);
    if (operator !== "exists" && operator !== "not_exists") return (event) => slug(event) || name(event);
  }
  const read = fieldValue[rule.field];
  if (operator === "exists") return (event) => isPresent(read(event));
  if (operator === "not_exists") return (event) => !isPresent(read(event));
  if (isNumberField(rule.field)) return compileNumber(read, operator, Number(rule.value));
  return compileText(read, operator, wanted, reads);
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

function compileText(
  read: (event: ForwardedEvent) => string | number | null,
  operator: string,
  wanted: string,
  reads: number,
): Test {
  const pattern = operator === "regex" ? RE2JS.compile(wanted) : null;
  const compare: Record<string, (actual: string) => boolean> = {
    equals: (actual) => actual === wanted,
    not_equals: (actual) => actual !== wanted,
    contains: (actual) => actual.includes(wanted),
    not_contains: (actual) => !actual.includes(wanted),
    starts_with: (actual) => actual.startsWith(wanted),
    ends_with: (actual) => actual.endsWith(wanted),
    // `test` asks for no groups, so RE2 can use its fastest engine.
    regex: (actual) => pattern?.test(actual.slice(0, reads)) ?? false,
  };
  const test = compare[operator];
  return (event) => test?.(String(read(event) ?? "")) ?? false;
}

function isPresent(value: string | number | null): boolean {
  return value !== null && value !== "";
}

/** What each field reads of an event. */
export const fieldValue: Record<FilterField, (event: ForwardedEvent) => string | number | null> = {
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

/** Bodies as texts: a destination may have thousands of rules that read the same one. */
const texts = new WeakMap<object, string>();

/** A body as plain text: the content of messages, inputs or choices, one below the other, as a person would read it. */
function asText(body: unknown): string | null {
  if (body === null || body === undefined) return null;
  if (typeof body !== "object") return spoken(body);
  const known = texts.get(body);
  if (known !== undefined) return known;
  const text = spoken(body);
  texts.set(body, text);
  return text;
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
