import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { useReachable } from "../../api/connectivity.ts";
import { everyPreset } from "../../api/presets.ts";
import { counted } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { FilterSearch } from "../../shell/FilterSearch.tsx";
import { FilterSelect } from "../../form/FilterSelect.tsx";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { shownCount, useWorkspaceContext } from "../../shell/workspace-columns.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { allColumns, ownColumns } from "./preset-columns.tsx";
import type { PresetsSearch } from "./search.ts";
import { shownPresets } from "./shown-presets.ts";
import { presetStatus } from "./status.ts";

export const createId = "create-preset";
const statuses = (Object.keys(presetStatus) as (keyof typeof presetStatus)[]).map(
  (status) => [status, presetStatus[status].word] as const,
);

/** The presets of the workspace, or of all of them. */
export function PresetsPage() {
  const { path, id, name } = useWorkspace();
  const { reachable } = useReachable();
  const search: PresetsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: PresetsSearch) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...some }), replace: true });
  const clear = () => change({ q: undefined, status: undefined });
  const hasFilters = search.q !== undefined || search.status !== undefined;
  const list = useQuery({ ...everyPreset(id ?? ""), enabled: id !== undefined });
  const context = useWorkspaceContext();
  const columns = path === allWorkspaces ? allColumns : ownColumns;
  useShortcut("c", "Create a preset", () => void navigate({ to: paths.newPreset(path) }), reachable);
  useShortcut("Escape", "Clear the filters", clear, hasFilters);
  const create = (
    <ButtonLink id={createId} to={paths.newPreset(path)} variant="primary">
      Create preset
    </ButtonLink>
  );
  const { rows: read = [], total = 0 } = list.data ?? {};
  const found = shownPresets(read, search);
  return (
    <>
      <PageHeader
        title="Presets"
        sub={total > 0 && shownCount(found.length, { read: read.length, total, which: "last" })}
        actions={list.isSuccess && total === 0 ? undefined : create}
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Settings that calls use by name: change them here instead of in every program. Each change is a new version.
      </p>
      <QueryBoundary query={list} what="the presets" skeleton={<TableSkeleton columns={columns} rows={4} />}>
        {({ rows }) =>
          rows.length === 0 ? (
            <div className="px-8 py-4 max-md:px-4">
              <EmptyState
                title={path === allWorkspaces ? "No presets yet" : `No presets in ${name} yet`}
                action={create}
              >
                A preset holds a model, a system prompt and parameters. A call names it as its model, such as{" "}
                <span className="mono">@preset/help-desk</span>.
              </EmptyState>
            </div>
          ) : (
            <>
              <div className="flex flex-wrap items-center gap-3 px-8 pb-2.5 max-md:px-4">
                <FilterSearch
                  shortcut="Filter the presets"
                  label="Filter by name, slug or model"
                  placeholder="Name, slug or model"
                  value={search.q}
                  onChange={(q) => change({ q })}
                />
                <FilterSelect
                  label="Status"
                  any="Any status"
                  choices={statuses}
                  value={search.status}
                  onChange={(status) => change({ status })}
                />
              </div>
              {found.length === 0 ? (
                <div className="px-8 py-4 max-md:px-4">
                  <FilteredState title="No preset matches these filters" onClear={clear}>
                    {counted(rows.length, "preset is", "presets are")} hidden by them.
                  </FilteredState>
                </div>
              ) : (
                <ListTable
                  label="Presets"
                  columns={columns}
                  context={context}
                  rows={found}
                  rowId={({ id: one }) => one}
                  rowClass={({ status }) => status !== "active" && "text-fg-3"}
                />
              )}
            </>
          )
        }
      </QueryBoundary>
      <Outlet />
    </>
  );
}
