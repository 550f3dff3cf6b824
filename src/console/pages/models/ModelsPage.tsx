import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { everyProvider } from "../../api/providers.ts";
import { paths } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useListCursor } from "../../shell/list-cursor.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { shownColumns } from "../../table/column.ts";
import { DataTable } from "../../table/DataTable.tsx";
import { useHiddenColumns } from "../../table/hidden-columns.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { EmptyState, FilteredState, PartialNotice, ProgressLine } from "../../ui/Region.tsx";
import { useSkeleton } from "../../ui/use-skeleton.ts";
import { modelColumns } from "./model-columns.tsx";
import { ModelFilters } from "./ModelFilters.tsx";
import { modelRows, servingProviders, shownRows, type ModelRow } from "./offers.ts";
import { defaultOrder, hasFilters, sortBy } from "./list-order.ts";
import type { ModelOrder, ModelsSearch } from "./search.ts";

const rowId = ({ id }: ModelRow) => id;
const tone = ({ served }: ModelRow) => (served ? undefined : "off");

/** Every model that a provider here offers. */
export function ModelsPage() {
  const { path } = useWorkspace();
  const search: ModelsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const list = paths.models(path);
  // to what the address says by then, which may be ahead of `search`
  const change = useCallback(
    (some: ModelsSearch) =>
      void navigate({ to: list, search: (before: object) => ({ ...before, ...some }), replace: true }),
    [navigate, list],
  );
  const clear = () => void navigate({ to: list, search: {}, replace: true });
  const read = useQuery(everyProvider);
  const all = useMemo(() => modelRows(read.data?.data ?? []), [read.data]);
  const rows = useMemo(() => shownRows(all, search), [all, search]);
  const cursor = useListCursor(useMemo(() => rows.map(rowId), [rows]));
  const open = useCallback((row: ModelRow) => void navigate({ to: paths.model(path, row.id) }), [navigate, path]);
  useShortcut("Escape", "Clear the filters", clear, hasFilters(search));
  const [hidden, toggleColumn] = useHiddenColumns("models");
  const columns = useMemo(() => shownColumns(modelColumns, hidden), [hidden]);
  const fresh = !read.isError;
  const context = useMemo(() => ({ workspace: path, fresh }), [path, fresh]);
  const skeleton = useSkeleton(read.isPending);
  const sort = search.sort ?? "id";
  return (
    <div className="flex h-[calc(100dvh-72px-var(--h-bar,0px))] min-h-120 flex-col">
      <PageHeader
        title="Models"
        sub={read.data && (rows.length === all.length ? `${all.length} total` : `${rows.length} of ${all.length}`)}
      />
      <ModelFilters
        search={search}
        onChange={change}
        providers={servingProviders(all)}
        hidden={hidden}
        onColumn={toggleColumn}
      />
      <ProgressLine active={read.isFetching && !read.isPending} />
      {read.isError && read.data && (
        <PartialNotice onRetry={() => void read.refetch()} retrying={read.isFetching}>
          The models could not be refreshed, so the status of their providers is unknown.
        </PartialNotice>
      )}
      {read.isError && !read.data ? (
        <div className="px-8 py-4 max-md:px-4">
          <Failure
            error={read.error}
            what="The models did not load"
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          />
        </div>
      ) : read.isSuccess && rows.length === 0 ? (
        <div className="px-8 py-6 max-md:px-4">
          {hasFilters(search) ? (
            <FilteredState title="No model matches these filters" onClear={clear}>
              {all.length} {all.length === 1 ? "model is" : "models are"} hidden by them.
            </FilteredState>
          ) : (
            <EmptyState
              title="No models yet"
              action={
                <Link to={paths.providers(path)} className={buttonClass()}>
                  Show the providers
                </Link>
              }
            >
              Models come with the providers that serve them.
            </EmptyState>
          )}
        </div>
      ) : (
        <DataTable
          label="Models"
          className="grow basis-0"
          columns={columns}
          context={context}
          rows={rows}
          total={rows.length}
          rowId={rowId}
          rowName={rowId}
          rowTone={tone}
          onOpen={open}
          sort={{ column: sort, order: search.order ?? defaultOrder(sort) }}
          onSort={(column) => {
            const { sort: by, order } = sortBy(search, column as ModelOrder);
            change({ sort: by, order });
          }}
          cursor={cursor}
          skeletons={skeleton ? 8 : 0}
        />
      )}
    </div>
  );
}
