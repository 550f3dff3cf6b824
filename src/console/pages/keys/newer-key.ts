import type { KeyRecord } from "#contract/keys.ts";
import { mergeForm } from "../../form/newer-version.ts";
import { countSettings, keyFormOf, type KeyFormValues } from "./key-form.ts";
import { keyLabels } from "./KeyFields.tsx";
import { limitWords } from "./summary.ts";
import { utcMinute } from "./utc-minute.ts";

/** The settings of a key in words. */
export function settingWords(key: KeyRecord): Record<string, string> {
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
  return {
    ...mergeForm(keyFormOf)(typed, before, newer),
    // an amount or an instant that was typed is part of the choice that it belongs to
    ...(!same(typed.limit, began.limit) && { limited: typed.limited }),
    ...(!same(typed.expiresAt, began.expiresAt) && { expires: typed.expires }),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
