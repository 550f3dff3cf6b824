import { configMembers } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { draftOf, isHeaders, type Draft, type HeaderDraft, type MemberDraft } from "./draft.ts";
import { oneIn, percentText, roughEvents, roughly } from "./sampling.ts";
import { ruleText } from "./rule-labels.ts";
import type { RulesDraft } from "./rules.ts";
import { sentSettings } from "./settings.ts";

/** One thing that saving would change, in a sentence without its full stop. */
export interface Change {
  /** the API's path of the member */
  path: string;
  text: string;
  /** what it does cannot be taken back, or lets something out that stayed before */
  grave?: boolean;
}

export interface Known {
  /** events a day that pass keys and rules, before sampling; null where it is not known */
  passing: number | null;
  keyName: (hash: string) => string;
}

/** What saving the draft would change, in the order of the form. Never holds a secret. */
export function changesOf(base: DestinationRecord, draft: Draft, known: Known): Change[] {
  const before = draftOf(base);
  const changes: Change[] = [];
  if (before.name !== draft.name.trim())
    changes.push({ path: "name", text: `Renamed from “${before.name}” to “${draft.name.trim()}”` });
  for (const [name, member] of Object.entries(configMembers(base.type))) {
    const value = draft.config[name];
    if (value !== undefined) changes.push(...memberChanges({ name, ...member }, before.config[name], value));
  }
  if (before.privacy_mode !== draft.privacy_mode)
    changes.push(
      draft.privacy_mode
        ? { path: "privacy_mode", text: "Prompts and responses will stop being sent" }
        : { path: "privacy_mode", text: "Prompts and responses will start being sent", grave: true },
    );
  for (const { name, what } of sentSettings)
    if (before[name] !== draft[name])
      changes.push({ path: name, text: `${what} will ${draft[name] ? "start" : "stop"} being sent` });
  changes.push(...keyChanges(before.api_key_hashes, draft.api_key_hashes, known.keyName));
  changes.push(...ruleChanges(before.filter_rules, draft.filter_rules));
  if (draft.sampling_rate !== null && before.sampling_rate !== draft.sampling_rate)
    changes.push({
      path: "sampling_rate",
      text: samplingText(before.sampling_rate ?? 1, draft.sampling_rate, known.passing),
    });
  return changes;
}

function memberChanges(
  { name, title, default: standard }: { name: string; title: string; default?: string },
  before: MemberDraft | undefined,
  after: MemberDraft,
): Change[] {
  const path = `config.${name}`;
  if (typeof after === "string") {
    if (before === after.trim()) return [];
    if (after.trim() !== "") return [{ path, text: `${title}: ${String(before) || "none"} → ${after.trim()}` }];
    return [{ path, text: standard === undefined ? `${title} is removed` : `${title} goes back to ${standard}` }];
  }
  if (isHeaders(after)) return headerChanges(path, (before ?? []) as readonly HeaderDraft[], after);
  if (after.state === "removed") return [{ path, text: `${title} is removed`, grave: true }];
  if (after.state !== "typed" || after.text.trim() === "") return [];
  const first = typeof before === "object" && !isHeaders(before) && before.state === "typed";
  return [
    {
      path,
      text: first ? `${title} is set` : `${title} is replaced; the old one cannot be recovered`,
      grave: !first,
    },
  ];
}

function headerChanges(path: string, before: readonly HeaderDraft[], after: readonly HeaderDraft[]): Change[] {
  const had = new Set(before.map(({ name }) => name));
  return after.flatMap(({ name, value }): Change[] => {
    if (value.state === "kept") return [];
    if (value.state === "removed") return [{ path, text: `Header ${name} is removed`, grave: true }];
    return [{ path, text: `Header ${name.trim() || "without a name"} is ${had.has(name) ? "replaced" : "added"}` }];
  });
}

type Hashes = readonly string[] | null;

function keyChanges(before: Hashes, after: Hashes, keyName: Known["keyName"]): Change[] {
  const path = "api_key_hashes";
  if (before === null && after === null) return [];
  if (before === null || after === null) {
    const count = (before ?? after ?? []).length;
    const some = `${count} ${count === 1 ? "key" : "keys"}`;
    return [
      {
        path,
        text: after === null ? `All keys, including future ones, instead of ${some}` : `Only ${some} instead of all`,
      },
    ];
  }
  const added = after.filter((hash) => !before.includes(hash));
  const removed = before.filter((hash) => !after.includes(hash));
  return [
    ...(added.length > 0 ? [{ path, text: `${plural(added, "Key")} added: ${listed(added.map(keyName))}` }] : []),
    ...(removed.length > 0
      ? [{ path, text: `${plural(removed, "Key")} removed: ${listed(removed.map(keyName))}` }]
      : []),
  ];
}

const plural = (list: readonly unknown[], word: string) => (list.length === 1 ? word : `${word}s`);

/** "a, b, c and 4 more". */
export function listed(names: readonly string[]): string {
  return names.length <= 4 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}

function ruleChanges(before: RulesDraft | null, after: RulesDraft | null): Change[] {
  const path = "filter_rules";
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (after === null) return [{ path, text: "All rules are removed: every call passes" }];
  const changes: Change[] = [];
  if ((before?.enabled ?? true) !== (after.enabled ?? true))
    changes.push({ path, text: after.enabled === false ? "The rules are switched off" : "The rules are switched on" });
  const had = (before?.groups ?? []).flatMap(({ rules }) => rules.map(ruleText));
  const has = after.groups.flatMap(({ rules }) => rules.map(ruleText));
  for (const text of without(has, had)) changes.push({ path, text: addedRule(text) });
  for (const text of without(had, has)) changes.push({ path, text: `Rule removed: ${text}` });
  for (const [index, group] of after.groups.entries()) {
    const was = before?.groups[index]?.logic ?? "and";
    if (before?.groups[index] && was !== (group.logic ?? "and"))
      changes.push({ path, text: `Group ${index + 1} matches ${group.logic === "or" ? "any" : "all"} of its rules` });
  }
  return changes.length > 0 ? changes : [{ path, text: "The rules are grouped differently" }];
}

/** A value that is yet to be entered is dots in the rule's own words. */
const addedRule = (text: string) =>
  text.endsWith(" …") ? `Rule added, without its value yet: ${text.slice(0, -2)}` : `Rule added: ${text}`;

/** What of the first list is not in the second, counting repeats. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function samplingText(before: number, after: number, passing: number | null): string {
  const rates = `Sampling ${percentText(before)}% → ${percentText(after)}%`;
  if (passing === null) return `${rates}: ${oneIn(after)}`;
  return `${rates}: about ${roughly(passing * before)} → ${roughEvents(passing * after)} a day`;
}

/** True where a change lets through more than ten times as much as before, or less than a tenth: it is asked about. */
export function isTenfold(before: number, after: number): boolean {
  const ratio = after / before;
  return ratio > 10 || ratio < 0.1;
}
