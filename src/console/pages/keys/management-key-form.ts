import type { CreateManagementKeyBody, ManagementKeyRecord } from "#contract/management-keys.ts";
import { dateToParts } from "../../form/utc-instant.ts";
import { createBody, emptyKeyForm, type KeyFormValues } from "./key-form.ts";

/** The visible names of the two fields that a management key has. */
export const managementKeyLabels = { name: "Name", expiresAt: "Expiry" };
export const managementKeyFieldOf = { name: "name", expires_at: "expiresAt" } as const;

/** An API key's form, of which a management key has the name and the expiry. */
export function managementKeyForm(key?: Pick<ManagementKeyRecord, "name" | "expires_at">): KeyFormValues {
  const empty = emptyKeyForm("");
  if (key === undefined) return empty;
  if (key.expires_at === null) return { ...empty, name: key.name };
  return { ...empty, name: key.name, expires: "at", expiresAt: dateToParts(new Date(key.expires_at)) };
}

/** Both settings. Call it with values that have no problems. */
export function managementKeyBody(values: KeyFormValues): CreateManagementKeyBody {
  const { name, expires_at = null } = createBody(values);
  return { name, expires_at };
}
