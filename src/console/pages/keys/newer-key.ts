import type { KeyRecord } from "#contract/keys.ts";
import { countSettings, keyFormOf, type KeyFormValues } from "./key-form.ts";
import { keyLabels } from "./KeyFields.tsx";
import { limitWords } from "./summary.ts";
import { utcMinute } from "./utc-minute.ts";

/** A setting that somebody else changed, in words. */
export interface SettingChange {
  label: string;
  before: string;
  after: string;
}

/** What changed between two states of a key. */
export function settingChanges(before: KeyRecord, after: KeyRecord): SettingChange[] {
  const [old, recent] = [settingWords(before), settingWords(after)];
  return Object.entries(old)
    .map(([label, words]) => ({ label, before: words, after: recent[label] ?? "" }))
    .filter((change) => change.before !== change.after);
}

function settingWords(key: KeyRecord): Record<string, string> {
  const counts = Object.values(countSettings).map(({ label, member }) => [label, String(key[member] ?? "None")]);
  return {
    [keyLabels.name]: key.name,
    [keyLabels.limit]: limitWords(key),
    [keyLabels.expiresAt]: key.expires_at === null ? "Never" : utcMinute(new Date(key.expires_at)),
    Disabled: key.disabled ? "Yes" : "No",
    ...Object.fromEntries(counts),
  };
}

/** The form over a newer state of its key: what was typed stays, the rest follows the key. */
export function mergeKeyForm(typed: KeyFormValues, before: KeyRecord, newer: KeyRecord): KeyFormValues {
  const began = keyFormOf(before);
  const edited = Object.entries(typed).filter(([field, value]) => !same(value, began[field as keyof KeyFormValues]));
  const kept = Object.fromEntries(edited) as Partial<KeyFormValues>;
  return {
    ...keyFormOf(newer),
    ...kept,
    // an amount or an instant that was typed is part of the choice that it belongs to
    ...(kept.limit !== undefined && { limited: typed.limited }),
    ...(kept.expiresAt !== undefined && { expires: typed.expires }),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
