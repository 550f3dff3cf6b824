import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { batchDays, batchHours, batchStatuses } from "#contract/batches.ts";
import { FilterSelect } from "../../form/FilterSelect.tsx";
import { counted } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { curl, gatewayBaseUrl } from "../../shell/snippets.ts";
import { UpdatedAgo } from "../../shell/UpdatedAgo.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { useWorkspaceContext } from "../../shell/workspace-columns.tsx";
import { Older } from "../../table/Older.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { highlight } from "../../ui/code-tokens.ts";
import { CodeBlock } from "../../ui/CodeBlock.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { allColumns, ownColumns } from "./batch-columns.tsx";
import { BatchPanel } from "./BatchPanel.tsx";
import { batchesOf } from "./batch-pages.ts";
import { type BatchesSearch, useBatchesSearch } from "./search.ts";
import { batchStatus } from "./status.ts";

/** `finalizing` is never seen: the last result ends a batch. */
const statuses = batchStatuses
  .filter((status) => status !== "finalizing")
  .map((status) => [status, batchStatus[status].word] as const);

const body = `'{"endpoint": "/v1/chat/completions", "model": "acme/talk", "requests": [
        {"custom_id": "a", "body": {"messages": [{"role": "user", "content": "Hello"}]}}]}'`;

/** The batches of a workspace or of all of them: how far each has come, and how it ended. */
export function BatchesPage() {
  const { path, id, name } = useWorkspace();
  const search = useBatchesSearch();
  const { id: batch } = useParams({ strict: false });
  const navigate = useNavigate();
  const change = (some: BatchesSearch) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...some }), replace: true });
  const clear = () => change({ status: undefined });
  const { status } = search;
  const isAll = path === allWorkspaces;
  const columns = isAll ? allColumns : ownColumns;
  const context = { ...useWorkspaceContext(), search };
  const list = useInfiniteQuery({ ...batchesOf(id ?? "", search), enabled: id !== undefined });
  const hasAny = list.data?.pages.some(({ data }) => data.length > 0) === true;
  useShortcut("Escape", "Clear the filter", clear, status !== undefined);
  return (
    <>
      <PageHeader title="Batches" actions={list.isSuccess && <UpdatedAgo at={list.dataUpdatedAt} />} />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Many requests that a key sent at once, made as calls of their own when the gateway has room. What has not begun
        after {batchHours} hours expires. Results are kept for {batchDays} days.
      </p>
      {(status !== undefined || hasAny) && (
        <div className="px-8 pb-2.5 max-md:px-4">
          <FilterSelect
            label="Status"
            any="Any status"
            choices={statuses}
            value={status}
            onChange={(next) => change({ status: next })}
            className="w-48 max-md:w-full"
          />
        </div>
      )}
      <QueryBoundary query={list} what="the batches" skeleton={<TableSkeleton columns={columns} rows={6} />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) {
            return (
              <div className="px-8 py-4 max-md:px-4">
                {status === undefined ? (
                  <EmptyState
                    title={isAll ? "No batches yet" : `No batches in ${name} yet`}
                    example={
                      <CodeBlock
                        tokens={highlight(curl(`${gatewayBaseUrl()}/batches`, body), "shell")}
                        label="A batch, with curl"
                        copy
                        size="sm"
                      />
                    }
                  >
                    Programs send batches with an API key. Each request counts toward the key’s limits as any other call
                    does.
                  </EmptyState>
                ) : (
                  <FilteredState title={`No batch is ${batchStatus[status].word.toLowerCase()}`} onClear={clear}>
                    Only batches with the status “{batchStatus[status].word}” are shown.
                  </FilteredState>
                )}
              </div>
            );
          }
          return (
            <>
              <ListTable label="Batches" columns={columns} context={context} rows={rows} rowId={(batch) => batch.id} />
              <Older list={list} what="batches" shown={`${counted(rows.length, "batch", "batches")} shown`} />
            </>
          );
        }}
      </QueryBoundary>
      {batch !== undefined && <BatchPanel key={batch} />}
    </>
  );
}
