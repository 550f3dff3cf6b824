import { listAudit } from "#contract/audit.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import {
  countKeys,
  createKey,
  deleteKey,
  getKey,
  getKeyUsage,
  listKeys,
  rotateKey,
  updateKey,
} from "#contract/keys.ts";
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from "#contract/workspaces.ts";

const keyReads = [listKeys, countKeys, getKey, listWorkspaces, getWorkspace, listAudit];
const workspaceReads = [listWorkspaces, getWorkspace, listAudit];

/** Which reads each change makes stale: the whole table, so that no page has to remember. */
const table = new Map<string, readonly Endpoint[]>([
  [createKey.name, keyReads],
  [updateKey.name, keyReads],
  [deleteKey.name, keyReads],
  [rotateKey.name, [...keyReads, getKeyUsage]],
  [createWorkspace.name, workspaceReads],
  [updateWorkspace.name, workspaceReads],
  [deleteWorkspace.name, [...workspaceReads, ...keyReads]],
]);

/** The reads that a successful call of `endpoint` makes stale. */
export function staleAfter(endpoint: Endpoint): readonly Endpoint[] {
  const reads = table.get(endpoint.name);
  if (!reads)
    throw new Error(
      `${endpoint.name} has no row in the table of api/stale.ts: add one that lists the reads it changes`,
    );
  return reads;
}
