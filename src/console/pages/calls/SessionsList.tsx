import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { listGenerationSessions } from "#contract/call-sessions.ts";
import { query } from "../../api/query.ts";
import { counted, formatCount, formatDayTime } from "../../format.ts";
import { ListTable } from "../../shell/ListTable.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { TableSkeleton } from "../../table/Table.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { callsQuery } from "./call-pages.ts";
import type { CallsSearch } from "./search.ts";
import { sessionColumns, sessionsWidth } from "./session-columns.tsx";

const most = "100";

/** The calls that the filters find, folded into their sessions; `empty`: in place of a list of no calls. */
export function SessionsList({ search, empty }: { search: CallsSearch; empty: ReactNode }) {
  const { id, path: workspace } = useWorkspace();
  const sessions = useQuery({
    ...query(listGenerationSessions, { query: { ...callsQuery(search, id), limit: most } }),
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <QueryBoundary
      query={sessions}
      what="the sessions"
      skeleton={<TableSkeleton columns={sessionColumns} rows={8} className={sessionsWidth} />}
    >
      {({ data, total, counted_since: since }) => {
        if (total.calls + total.others === 0 && since === null) return empty;
        const cut =
          since !== null &&
          ` Only calls since ${formatDayTime(new Date(since), "UTC", { seconds: true })} UTC were looked through: there are too many.`;
        if (data.length === 0) {
          return (
            <div className="px-8 py-6 max-md:px-4">
              <EmptyState
                title={
                  total.others === 0
                    ? "No session found"
                    : `${counted(total.others, "call has", "calls have")} no session`
                }
              >
                Calls that send a session id are listed here, one line for each session: the header x-session-id, or
                session_id in the body.{cut}
              </EmptyState>
            </div>
          );
        }
        return (
          <>
            <ListTable
              label="Sessions"
              columns={sessionColumns}
              context={{ workspace, search }}
              rows={data}
              rowId={({ session_id: session, workspace_id: own }) => `${own} ${session}`}
              className={sessionsWidth}
            />
            <p role="status" className="px-8 py-3 text-12 text-fg-3 max-md:px-4">
              {total.sessions > data.length && `The latest ${formatCount(data.length)} of `}
              {counted(total.sessions, "session")} with {counted(total.calls, "call")};{" "}
              {counted(total.others, "call has", "calls have")} no session.{cut}
            </p>
          </>
        );
      }}
    </QueryBoundary>
  );
}
