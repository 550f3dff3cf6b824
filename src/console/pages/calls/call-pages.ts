import { listGenerations } from "#contract/calls.ts";
import { pages } from "../../api/query.ts";
import { allWorkspaces } from "../../paths.ts";
import type { CallsSearch } from "./search.ts";

const pageSize = "50";

/** The calls page by page, newest first. */
export function callPages({ key, model, provider, status, session }: CallsSearch, workspaceId: string | undefined) {
  const members = { api_key_hash: key, model, provider, status, session_id: session };
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return pages(listGenerations, { query: { workspace_id: workspaceId ?? allWorkspaces, ...given, limit: pageSize } });
}
