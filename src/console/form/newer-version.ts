import { useEffect, useState } from "react";
import type { FieldPath, FieldValues } from "react-hook-form";
import type { EndpointForm } from "./endpoint-form.ts";

/** A setting that somebody else changed, in words. */
export interface SettingChange {
  label: string;
  before: string;
  after: string;
}

interface Version<Data> {
  record: Data;
  etag: string | null;
}

export interface NewerOptions<V, Data> {
  /** as it was read last */
  latest: Version<Data>;
  /** what the form's changes are measured against */
  began: Version<Data>;
  follow: (newer: Version<Data>) => void;
  formOf: (record: Data) => V;
  /** the settings in words, by what a person calls them */
  words: (record: Data) => Record<string, string>;
  /** the form over a newer record; default: what was typed stays, the rest follows the record */
  merge?: (typed: V, before: Data, newer: Data) => V;
}

/** Moves a form onto newer versions of its record. Returns what others changed while something was typed. */
export function useNewerVersion<V extends FieldValues, Data>(
  { form, pending }: EndpointForm<V>,
  { latest, began, follow, formOf, words, merge }: NewerOptions<V, Data>,
): SettingChange[] {
  const [theirs, setTheirs] = useState<SettingChange[]>([]);
  const [seen, setSeen] = useState(latest);
  useEffect(() => {
    if (pending || latest === seen) return;
    setSeen(latest);
    if (latest.etag === began.etag) return;
    const typed = form.getValues();
    const merged = (merge ?? mergeForm(formOf))(typed, began.record, latest.record);
    follow(latest);
    setTheirs(same(typed, formOf(began.record)) ? [] : settingChanges(words(began.record), words(latest.record)));
    form.reset(formOf(latest.record));
    for (const [field, value] of Object.entries(merged)) {
      form.setValue(field as FieldPath<V>, value as never, { shouldDirty: true });
    }
  }, [form, pending, latest, seen, began, follow, formOf, words, merge]);
  return theirs;
}

/** What differs between two states, in words. */
export function settingChanges(old: Record<string, string>, recent: Record<string, string>): SettingChange[] {
  return Object.entries(old)
    .map(([label, before]) => ({ label, before, after: recent[label] ?? "" }))
    .filter((change) => change.before !== change.after);
}

export function mergeForm<V extends FieldValues, Data>(formOf: (record: Data) => V) {
  return (typed: V, before: Data, newer: Data): V => {
    const began = formOf(before);
    const edited = Object.entries(typed).filter(([field, value]) => !same(value, began[field]));
    return { ...formOf(newer), ...Object.fromEntries(edited) };
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
