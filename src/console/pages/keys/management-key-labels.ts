import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import type { StatusKind } from "../../ui/Status.tsx";
import { utcMinute } from "./utc-minute.ts";

/** A management key's status as a shape, a word, and when it ends. */
export function managementKeyStatus(key: ManagementKeyRecord): { kind: StatusKind; word: string; why: string | null } {
  const end = key.expires_at === null ? null : utcMinute(new Date(key.expires_at));
  switch (key.status) {
    case "disabled":
      return { kind: "off", word: "Disabled", why: null };
    case "expired":
      return { kind: "over", word: key.replaced_by === null ? "Expired" : "Replaced", why: end && `Ended ${end}` };
    case "active":
      if (key.replaced_by !== null) return { kind: "warning", word: "Replaced", why: end && `Works until ${end}` };
      return { kind: "running", word: "Active", why: end && `Ends ${end}` };
  }
}

/** Who made it. */
export function managementKeyMaker(key: ManagementKeyRecord): string {
  if (key.from_environment) return "from GATEHOUSE_MANAGEMENT_KEY";
  return key.created_by === null ? "by the first start or the command line" : `by ${key.created_by}`;
}

/** Why a management key cannot be replaced, as the gateway decides it; undefined where it can. */
export function replaceManagementReason(key: ManagementKeyRecord): string | undefined {
  if (key.replaced_by !== null) return "It has already been replaced: replace its successor";
  if (key.status === "expired") return "It has expired: create a new key";
  return undefined;
}
