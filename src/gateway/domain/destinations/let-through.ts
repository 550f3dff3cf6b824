import * as z from "zod/mini";
import { type FilterRule, FilterRules } from "#contract/destinations.ts";
import { operatorWords } from "#contract/filter-words.ts";
import type { LetThrough } from "#contract/forwarding.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { keeps, percentOf, rateThatKeeps, samplingId } from "#contract/sampling.ts";
import { charactersRead, compileRule, fieldValue } from "./filters.ts";
import type { PipelineSettings } from "./pipeline.ts";

/**
 * The smallest changes that let an event through while everything that passes now still passes; null: no change is
 * needed, or none can be found.
 */
export function letThrough(settings: PipelineSettings, event: ForwardedEvent): LetThrough | null {
  const found: LetThrough = { changes: [] };
  if (settings.apiKeyHashes && !settings.apiKeyHashes.includes(event.keyHash ?? "")) {
    if (event.keyHash === null) return null;
    found.add_api_key_hash = event.keyHash;
    found.changes.push(`Add the key ${event.keyName ?? `${event.keyHash.slice(0, 8)}…`}`);
  }
  const loosened = loosenRules(settings.filterRules, event);
  if (loosened.changes.length > 0) {
    // more groups than a destination may have
    if (!z.nullable(FilterRules).safeParse(loosened.rules).success) return null;
    found.filter_rules = loosened.rules;
    found.changes.push(...loosened.changes);
  }
  const session = samplingId(event);
  if (!keeps(session, settings.samplingRate)) {
    found.sampling_rate = rateThatKeeps(session);
    found.changes.push(
      `Send ${percentOf(found.sampling_rate)} of sessions instead of ${percentOf(settings.samplingRate)}`,
    );
  }
  return found.changes.length === 0 ? null : found;
}

/**
 * Rules changed as little as possible to let an event through: everything that passed before still passes. A bound
 * moves to the event's own value; for a text, the event's value is accepted too; a rule that cannot be relaxed is
 * removed.
 */
export function loosenRules(
  rules: FilterRules | null,
  event: ForwardedEvent,
): { rules: FilterRules | null; changes: string[] } {
  if (!rules || rules.enabled === false) return { rules, changes: [] };
  const changes: string[] = [];
  const reads = charactersRead(rules);
  const groups = rules.groups.flatMap((group, at) => {
    const failed = group.rules.filter((rule) => !compileRule(rule, reads)(event));
    const held = group.logic === "or" ? failed.length === group.rules.length : failed.length > 0;
    if (group.rules.length === 0 || !held) return [group];
    return group.logic === "or" ? loosenOr(group.rules, at) : loosenAnd(group.rules, at);
  });
  return { rules: groups.length === 0 ? null : { ...rules, groups }, changes };

  type Groups = FilterRules["groups"];

  /** One rule of an `or` group is enough. */
  function loosenOr(list: FilterRule[], at: number): Groups {
    for (const [index, rule] of list.entries()) {
      const more = widen(rule, event);
      if (more === null) continue;
      changes.push(
        `${ruleTitle(at, index)}: ${sentence(more.rule)}${more.instead ? ` instead of ${sentence(rule)}` : " too"}`,
      );
      return [{ logic: "or", rules: more.instead ? list.with(index, more.rule) : [...list, more.rule] }];
    }
    changes.push(`Remove group ${at + 1}`);
    return [];
  }

  /** Every failed rule of an `and` group has to be relaxed; one that gets an alternative becomes a group of its own. */
  function loosenAnd(list: FilterRule[], at: number): Groups {
    const kept: FilterRule[] = [];
    const apart: Groups = [];
    for (const [index, rule] of list.entries()) {
      if (compileRule(rule, reads)(event)) {
        kept.push(rule);
        continue;
      }
      const more = widen(rule, event);
      if (more === null) changes.push(`Remove ${ruleTitle(at, index).toLowerCase()}: ${sentence(rule)}`);
      else if (more.instead) {
        kept.push(more.rule);
        changes.push(`${ruleTitle(at, index)}: ${sentence(more.rule)} instead of ${sentence(rule)}`);
      } else {
        apart.push({ logic: "or", rules: [rule, more.rule] });
        changes.push(`${ruleTitle(at, index)}: or ${sentence(more.rule)}`);
      }
    }
    return [...(kept.length > 0 ? [{ logic: "and" as const, rules: kept }] : []), ...apart];
  }
}

/** Longer texts are not values that a person would read in a rule. */
const longestValue = 200;

/**
 * What accepts the event where a rule does not: a replacement or an alternative; null: only removing the rule helps.
 */
function widen(rule: FilterRule, event: ForwardedEvent): { rule: FilterRule; instead: boolean } | null {
  const { field, operator } = rule;
  const value = fieldValue[field](event);
  if (operator === "not_equals" || operator === "exists" || value === null || value === "") return null;
  if (operator === "gt" || operator === "gte") return { rule: { field, operator: "gte", value }, instead: true };
  if (operator === "lt" || operator === "lte") return { rule: { field, operator: "lte", value }, instead: true };
  if (typeof value === "string" && value.length > longestValue) return null;
  return { rule: { field, operator: "equals", value }, instead: false };
}

const ruleTitle = (group: number, rule: number): string => `Rule ${rule + 1} of group ${group + 1}`;

function sentence({ field, operator, value }: FilterRule): string {
  const text = String(value ?? "");
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `${field.replaceAll("_", " ")} ${operatorWords[operator]}${value === undefined ? "" : ` ${shown}`}`;
}
