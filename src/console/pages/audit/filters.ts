import { listAudit } from "#contract/audit.ts";
import type { Input } from "#contract/endpoint.ts";
import { pages } from "../../api/query.ts";

/** The filters that live in the address. */
export interface AuditSearch {
  actor?: string | undefined;
  action?: string | undefined;
  target_type?: string | undefined;
  target_id?: string | undefined;
  request_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export type AuditQuery = NonNullable<Input<typeof listAudit>["query"]>;

/** The filters as the endpoint takes them; all workspaces is no filter. */
export function auditQuery(search: AuditSearch, workspaceId: string | undefined): AuditQuery {
  const members = { ...search, workspace_id: workspaceId === "all" ? undefined : workspaceId };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ""));
}

const pageSize = "50";

/** The log page by page, as the page and the preloading of it read it. */
export const auditPages = (search: AuditSearch, workspaceId: string | undefined) =>
  pages(listAudit, { query: { ...auditQuery(search, workspaceId), limit: pageSize } }, { announcesNew: true });
