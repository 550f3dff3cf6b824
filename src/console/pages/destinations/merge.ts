import { configMembers } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { draftOf, isHeaders, type Draft, type HeaderDraft, type MemberDraft } from "./draft.ts";
import { settingNames } from "./settings.ts";

/** Two people changed one member; `path` is the API's. */
export interface Overlap {
  path: string;
  mine: unknown;
  theirs: unknown;
  base: unknown;
}

export interface Merged {
  draft: Draft;
  /** the paths that the other side changed */
  theirs: string[];
  /** changed on both sides, to different values: mine applies until the user picks */
  overlaps: Overlap[];
}

/** Every path of a destination that the form can change. */
function pathsOf(record: DestinationRecord): string[] {
  return [...settingNames, ...Object.keys(configMembers(record.type)).map((name) => `config.${name}`)];
}

function at(draft: Draft, path: string): unknown {
  return path.startsWith("config.") ? draft.config[path.slice(7)] : draft[path as keyof Draft];
}

function put(draft: Draft, path: string, value: unknown): Draft {
  return path.startsWith("config.")
    ? { ...draft, config: { ...draft.config, [path.slice(7)]: value as MemberDraft } }
    : { ...draft, [path]: value };
}

function stored(record: DestinationRecord, path: string): unknown {
  return path.startsWith("config.") ? record.config[path.slice(7)] : record[path as keyof DestinationRecord];
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Lays what was edited since `base` over the newer record. What only one side touched is that side's. */
export function merge(mine: Draft, base: DestinationRecord, newer: DestinationRecord): Merged {
  const began = draftOf(base);
  let draft = draftOf(newer);
  const theirs: string[] = [];
  const overlaps: Overlap[] = [];
  for (const path of pathsOf(base)) {
    const edited = !same(at(mine, path), at(began, path));
    // the record's own value, as two different secrets are both just "kept" in a draft
    const changed = !same(stored(base, path), stored(newer, path));
    if (changed) theirs.push(path);
    if (!edited) continue;
    if (changed && !same(at(mine, path), at(draft, path)))
      overlaps.push({ path, mine: at(mine, path), theirs: stored(newer, path), base: stored(base, path) });
    draft = put(draft, path, at(mine, path));
  }
  return { draft, theirs, overlaps };
}

/**
 * The form once `sent` is stored as `saved`: what was edited meanwhile stays edited, and of the secrets only what was
 * typed meanwhile stays in it.
 */
export function afterSaving(sent: Draft, now: Draft, saved: DestinationRecord): Draft {
  const stored = draftOf(saved);
  let draft = stored;
  for (const path of pathsOf(saved)) {
    const value = at(now, path);
    if (!same(value, at(sent, path))) draft = put(draft, path, value);
  }
  const headers = [sent, now, stored].map(({ config }) => config["headers"] ?? []);
  if (!headers.every(isHeaders)) return draft;
  return put(draft, "config.headers", headersAfterSaving(...(headers as [Headers, Headers, Headers])));
}

type Headers = readonly HeaderDraft[];

/** Stored ones first and in their order, as the form shows them. */
function headersAfterSaving(sent: Headers, now: Headers, stored: Headers): Headers {
  const named = (rows: Headers, name: string) => rows.find((row) => row.name.trim() === name);
  const kept = stored.map((row): HeaderDraft => {
    const [before, edited] = [named(sent, row.name), named(now, row.name)];
    if (edited === undefined) return before === undefined ? row : { ...row, value: { state: "removed", text: "" } };
    return same(before, edited) ? row : { ...row, value: edited.value };
  });
  const added = now.filter((row) => !named(stored, row.name.trim()) && !sent.some((one) => same(one, row)));
  return [...kept, ...added];
}

/** The draft with the other side's value of one member. */
export function takeTheirs(draft: Draft, newer: DestinationRecord, path: string): Draft {
  return put(draft, path, at(draftOf(newer), path));
}

/** The draft with one's own value of one member again. */
export function takeMine(draft: Draft, overlap: Overlap): Draft {
  return put(draft, overlap.path, overlap.mine);
}
