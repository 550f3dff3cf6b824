import { listGenerations } from "#contract/calls.ts";
import { pages } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import type { CallsSearch } from "./search.ts";

const pageSize = "50";

/** The filters as the endpoint takes them. */
export function callsQuery(search: CallsSearch, workspaceId: string | undefined) {
  const { key, model, provider, status, session, preset, batch, since, until } = search;
  const ids = { session_id: session, batch_id: batch };
  const members = { api_key_hash: key, model, provider, status, ...ids, preset, since, until };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return { workspace_id: workspaceId ?? allWorkspaces, ...given };
}

/** The calls page by page, newest first. */
export function callPages(search: CallsSearch, workspaceId: string | undefined) {
  return pages(listGenerations, { query: { ...callsQuery(search, workspaceId), limit: pageSize } });
}
