import type { KeyRecord } from "#contract/keys.ts";
import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { mergeForm } from "../../form/newer-version.ts";
import { countSettings, keyFormOf, type KeyFormValues } from "./key-form.ts";
import { keyLabels } from "./KeyFields.tsx";
import { managementKeyForm } from "./management-key-form.ts";
import { limitWords } from "./summary.ts";
import { utcMinute } from "./utc-minute.ts";

/** The settings of a key in words. */
export function settingWords(key: KeyRecord): Record<string, string> {
  const counts = Object.values(countSettings).map(({ label, member }) => [label, String(key[member] ?? "None")]);
  return {
    [keyLabels.name]: key.name,
    [keyLabels.limit]: limitWords(key),
    ...managementKeyWords(key),
    ...Object.fromEntries(counts),
  };
}

/** The settings of a management key in words, which every key has. */
export function managementKeyWords(
  key: Pick<ManagementKeyRecord, "name" | "expires_at" | "disabled">,
): Record<string, string> {
  return {
    [keyLabels.name]: key.name,
    [keyLabels.expiresAt]: key.expires_at === null ? "Never" : utcMinute(new Date(key.expires_at)),
    Disabled: key.disabled ? "Yes" : "No",
  };
}

type Merge<Key> = (typed: KeyFormValues, before: Key, newer: Key) => KeyFormValues;

/** The form over a newer state of its key: what was typed stays, the rest follows the key. */
export const mergeKeyForm: Merge<KeyRecord> = mergeForms(keyFormOf);
export const mergeManagementKeyForm: Merge<ManagementKeyRecord> = mergeForms(managementKeyForm);

function mergeForms<Key>(formOf: (key: Key) => KeyFormValues): Merge<Key> {
  return (typed, before, newer) => {
    const began = formOf(before);
    return {
      ...mergeForm(formOf)(typed, before, newer),
      // an amount or an instant that was typed is part of the choice that it belongs to
      ...(!same(typed.limit, began.limit) && { limited: typed.limited }),
      ...(!same(typed.expiresAt, began.expiresAt) && { expires: typed.expires }),
    };
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
