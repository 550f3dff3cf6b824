import type { AuditRecord } from "#contract/audit.ts";
import { createKey, deleteKey, rotateKey, updateKey } from "#contract/keys.ts";
import { addCredits } from "#contract/credits.ts";
import { deleteWorkspaceBudget, upsertWorkspaceBudget } from "#contract/budgets.ts";
import { createWorkspace, deleteWorkspace, updateWorkspace } from "#contract/workspaces.ts";

/** What the action filter offers; the log may hold others, which an address can still ask for. */
export const knownActions = [
  createKey,
  updateKey,
  rotateKey,
  deleteKey,
  createWorkspace,
  updateWorkspace,
  deleteWorkspace,
  upsertWorkspaceBudget,
  deleteWorkspaceBudget,
  addCredits,
].map((endpoint) => endpoint.name);

const verbs: Record<string, string> = {
  create: "Created",
  update: "Changed",
  delete: "Deleted",
  rotate: "Replaced",
  install: "Installed",
  upsert: "Set",
  add: "Added",
};

/** An endpoint's name as a deed: `updateKeys` is "Changed key". */
export function actionWords(action: string): string {
  const [verb = "", ...noun] = action.split(/(?=[A-Z])/);
  // the public API names some deeds on one key "createKeys"; credits are never one
  const words = noun
    .join(" ")
    .toLowerCase()
    .replace(/(?<!credit)s$/, "");
  return `${verbs[verb] ?? verb} ${words}`.trim();
}

export interface MemberChange {
  member: string;
  before: string;
  after: string;
}

/** The changed members with both values as words, in the record's order. */
export function memberChanges({ before, after }: Pick<AuditRecord, "before" | "after">): MemberChange[] {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members].map((member) => ({
    member,
    before: before && member in before ? valueWords(before[member]) : "–",
    after: after && member in after ? valueWords(after[member]) : "–",
  }));
}

function valueWords(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
