import * as z from "zod/mini";
import type { AuditRecord } from "#contract/audit.ts";
import { UpdateKeyBody, updateKey } from "#contract/keys.ts";
import { UpdateWorkspaceBody, updateWorkspace } from "#contract/workspaces.ts";

/** The PATCH that takes a recorded change back. */
export type Inverse =
  | { kind: "key"; id: string; body: UpdateKeyBody }
  | { kind: "workspace"; id: string; body: UpdateWorkspaceBody };

/**
 * The inverse of a recorded change, or null where there is none: a creation, a deletion, or a change with a member that
 * the PATCH does not take, such as a secret.
 */
export function inverseOf(record: Pick<AuditRecord, "action" | "target_id" | "before" | "after">): Inverse | null {
  const { action, target_id: id, before, after } = record;
  if (before === null || after === null) return null;
  const members = Object.keys(after).filter((member) => member !== "updated_at");
  if (members.length === 0 || members.some((member) => !(member in before))) return null;
  const body = Object.fromEntries(members.map((member) => [member, before[member]]));
  if (action === updateKey.operationId) {
    const parsed = z.safeParse(UpdateKeyBody, body);
    return parsed.success ? { kind: "key", id, body: parsed.data } : null;
  }
  if (action === updateWorkspace.operationId) {
    const parsed = z.safeParse(UpdateWorkspaceBody, body);
    return parsed.success ? { kind: "workspace", id, body: parsed.data } : null;
  }
  return null;
}

/** The members that no longer have the value which the change gave them: taking it back would undo a later change too. */
export function changedSince(record: Pick<AuditRecord, "after">, current: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(record.after ?? {})
    .filter(([member]) => member !== "updated_at")
    .filter(([member, value]) => !sameValue(current[member], value))
    .map(([member]) => member);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && /^\d{4}-\d\d-\d\dT/.test(a))
    return Date.parse(a) === Date.parse(b);
  return JSON.stringify(a) === JSON.stringify(b);
}
