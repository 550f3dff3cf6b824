import { infiniteQueryOptions } from "@tanstack/react-query";
import { listGuardrailKeyAssignments, listGuardrailMemberAssignments } from "#contract/guardrails.ts";
import { call } from "../../api/call.ts";

/** What is below a long list is to stay in reach. */
const pageSize = 20;

interface Page {
  data: readonly unknown[];
  total_count: number;
}

/** Where the next page begins, in the order in which keys and creators were assigned. */
function next(_: Page, pages: readonly Page[]): number | undefined {
  const read = pages.reduce((sum, { data }) => sum + data.length, 0);
  return pages.at(-1)?.data.length === 0 || read >= (pages.at(-1)?.total_count ?? 0) ? undefined : read;
}

const at = (offset: number) => ({ limit: String(pageSize), offset: String(offset) });

/** The keys that a guardrail is assigned to, page by page. */
export const assignedKeys = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["listGuardrailKeyAssignments", id] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listGuardrailKeyAssignments, { params: { id }, query: at(pageParam) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: next,
    meta: { path: `/guardrails/${id}/assignments/keys` },
  });

/** The creators whose keys it covers, page by page. */
export const assignedCreators = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["listGuardrailMemberAssignments", id] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listGuardrailMemberAssignments, { params: { id }, query: at(pageParam) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: next,
    meta: { path: `/guardrails/${id}/assignments/members` },
  });
