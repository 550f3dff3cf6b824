import { listCalls } from "#contract/call-list.ts";
import { pages } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import type { CallsSearch } from "./search.ts";

const pageSize = "50";

/** The filters as the endpoints take them. */
export function callsQuery(search: CallsSearch, workspaceId: string | undefined) {
  const { key, model, provider, status, reason, session, preset, batch, user, app, since, until } = search;
  const ids = { session_id: session, batch_id: batch };
  const members = { api_key_hash: key, model, provider, status, reason, ...ids, preset, user, app, since, until };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return { workspace_id: workspaceId ?? allWorkspaces, ...given };
}

/** The filters and the order. */
export function listQuery(search: CallsSearch, workspaceId: string | undefined) {
  const { sort, order } = search;
  return { ...callsQuery(search, workspaceId), ...(sort && { sort, ...(order && { order }) }) };
}

/** Calls made and refused page by page, newest first or in the order asked for. */
export function callPages(search: CallsSearch, workspaceId: string | undefined) {
  return pages(listCalls, { query: { ...listQuery(search, workspaceId), limit: pageSize } });
}
