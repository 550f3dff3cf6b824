import { diffLines } from "diff";
import type { PresetVersion } from "#contract/presets.ts";

/** A line of a comparison; `skipped`: how many equal lines are left out there. */
export type DiffRow = { kind: "same" | "added" | "removed"; text: string } | { kind: "skipped"; lines: number };

/** Equal lines that are shown around a change. */
const around = 3;
/** Beyond so many changes, finding the fewest takes too long: everything is then shown as replaced. */
const mostChanges = 2_000;

/** What differs between two texts, line by line; empty where nothing does. */
export function diffRows(before: string, after: string): DiffRow[] {
  if (before === after) return [];
  const parts = diffLines(before, after, { maxEditLength: mostChanges }) ?? [
    { added: false, removed: true, value: before },
    { added: true, removed: false, value: after },
  ];
  return parts.flatMap((part, index): DiffRow[] => {
    const lines = linesOf(part.value);
    if (part.added || part.removed) return lines.map((text) => ({ kind: part.added ? "added" : "removed", text }));
    const first = index === 0 ? 0 : around;
    const last = index === parts.length - 1 ? 0 : around;
    const skipped = lines.length - first - last;
    const shown = lines.map((text): DiffRow => ({ kind: "same", text }));
    if (skipped <= 1) return shown;
    return [...shown.slice(0, first), { kind: "skipped", lines: skipped }, ...shown.slice(lines.length - last)];
  });
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A version's settings as lines, in the same order whatever order they were sent in. */
export function settingsText({ config }: Pick<PresetVersion, "config">): string {
  return Object.keys(config).length === 0 ? "" : `${JSON.stringify(ordered(config), null, 2)}\n`;
}

/** The system prompt as lines. */
export function promptText({ system_prompt: prompt }: Pick<PresetVersion, "system_prompt">): string {
  return prompt === null ? "" : `${prompt}\n`;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, ordered(each)]));
}

/** What a version changed, in a few words. @param before the version before it; undefined: it is the oldest kept */
export function changeWords(version: PresetVersion, before: PresetVersion | undefined): string {
  if (before === undefined) return version.version === 1 ? "The first version" : "The oldest that is kept";
  const names = [...new Set([...Object.keys(before.config), ...Object.keys(version.config)])].toSorted();
  const changed = names.filter(
    (name) => JSON.stringify(ordered(before.config[name])) !== JSON.stringify(ordered(version.config[name])),
  );
  const words = [...(before.system_prompt === version.system_prompt ? [] : ["system prompt"]), ...changed];
  const more = words.length - mostWords;
  if (words.length === 0) return "Nothing";
  return [...words.slice(0, mostWords), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

const mostWords = 4;
