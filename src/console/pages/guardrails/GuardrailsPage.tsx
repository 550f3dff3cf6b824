import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { useReachable } from "../../api/connectivity.ts";
import { everyGuardrail } from "../../api/guardrails.ts";
import { counted } from "../../format.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { FilterSearch } from "../../shell/FilterSearch.tsx";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { shownCount, useWorkspaceContext, type WorkspaceContext } from "../../shell/workspace-columns.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { EmptyState, FilteredState } from "../../ui/Region.tsx";
import { allColumns, ownColumns } from "./guardrail-columns.tsx";
import { GuardrailMenu } from "./GuardrailMenu.tsx";
import type { GuardrailsSearch } from "./search.ts";
import { shownGuardrails } from "./shown-guardrails.ts";

export const createId = "create-guardrail";

function menu(guardrail: GuardrailRecord, { workspaceOf }: WorkspaceContext) {
  const workspace = workspaceOf(guardrail);
  return workspace && <GuardrailMenu of={guardrail} workspace={workspace.path} />;
}

/** The guardrails of the workspace, or of all of them. */
export function GuardrailsPage() {
  const { path, id, name, record } = useWorkspace();
  const { reachable } = useReachable();
  const search: GuardrailsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (some: GuardrailsSearch) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...some }), replace: true });
  const clear = () => change({ q: undefined });
  const list = useQuery({ ...everyGuardrail(id ?? "", record), enabled: id !== undefined });
  const context = useWorkspaceContext();
  const isAll = path === allWorkspaces;
  const columns = isAll ? allColumns : ownColumns;
  useShortcut("c", "Create a guardrail", () => void navigate({ to: paths.newGuardrail(path) }), reachable);
  useShortcut("Escape", "Clear the filter", clear, search.q !== undefined);
  const create = (
    <ButtonLink id={createId} to={paths.newGuardrail(path)} variant="primary">
      Create guardrail
    </ButtonLink>
  );
  const { rows: read = [], total = 0 } = list.data ?? {};
  const found = shownGuardrails(read, search);
  // the default one is there without anybody having made it
  const hasOwn = read.some(({ is_default: isDefault }) => !isDefault);
  return (
    <>
      <PageHeader
        title="Guardrails"
        sub={hasOwn && shownCount(found.length, { read: read.length, total, which: "first" })}
        actions={list.isSuccess && !hasOwn ? undefined : create}
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Which models and providers keys may use, what they may spend, and what their calls may say. A call must satisfy
        every guardrail that covers its key.
        {isAll && read.length > 0 && " Default guardrails are listed here once they have been changed."}
      </p>
      <QueryBoundary query={list} what="the guardrails" skeleton={<TableSkeleton columns={columns} rows={4} actions />}>
        {({ rows }) => (
          <>
            {hasOwn && (
              <div className="px-8 pb-2.5 max-md:px-4">
                <FilterSearch
                  shortcut="Filter the guardrails"
                  label="Filter by name, model or provider"
                  placeholder="Name, model or provider"
                  value={search.q}
                  onChange={(q) => change({ q })}
                />
              </div>
            )}
            {found.length > 0 && (
              <ListTable
                label="Guardrails"
                columns={columns}
                context={context}
                rows={found}
                rowId={({ id: one }) => one}
                actions={menu}
              />
            )}
            {found.length === 0 && rows.length > 0 && (
              <div className="px-8 py-4 max-md:px-4">
                <FilteredState title="No guardrail matches this filter" onClear={clear}>
                  {counted(rows.length, "guardrail is", "guardrails are")} hidden by it.
                </FilteredState>
              </div>
            )}
            {!hasOwn && (
              <div className="px-8 py-6 max-md:px-4">
                <EmptyState
                  title={isAll ? "No guardrails yet" : `No guardrails for single keys in ${name} yet`}
                  action={create}
                >
                  {isAll
                    ? "A guardrail restricts the keys that it is assigned to. Each workspace also has a default one, which covers all its keys."
                    : "The default guardrail covers every key. One that you create covers the keys and creators that you assign it to."}
                </EmptyState>
              </div>
            )}
          </>
        )}
      </QueryBoundary>
      <Outlet />
    </>
  );
}
