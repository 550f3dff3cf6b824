import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useReachable } from "../../api/connectivity.ts";
import { everyPreset } from "../../api/presets.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Table, TableSkeleton } from "../../table/Table.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { allColumns, ownColumns, type PresetContext } from "./preset-columns.tsx";

export const createId = "create-preset";

/** The presets of the workspace, or of all of them. */
export function PresetsPage() {
  const { path, id, name } = useWorkspace();
  const { reachable, reason } = useReachable();
  const navigate = useNavigate();
  const list = useQuery({ ...everyPreset(id ?? ""), enabled: id !== undefined });
  const workspaces = useQuery(everyWorkspace).data;
  const context = useMemo<PresetContext>(
    () => ({
      workspaceOf: ({ workspace_id: own }) => {
        const found = workspaces?.find((one) => one.id === own);
        return found && { name: found.name, path: workspaceInPath(found) };
      },
    }),
    [workspaces],
  );
  const columns = path === allWorkspaces ? allColumns : ownColumns;
  useShortcut("c", "Create a preset", () => void navigate({ to: paths.newPreset(path) }), reachable);
  const create = reachable ? (
    <Link id={createId} to={paths.newPreset(path)} className={buttonClass({ variant: "primary" })}>
      Create preset
    </Link>
  ) : (
    <Button variant="primary" disabledReason={reason}>
      Create preset
    </Button>
  );
  const total = list.data?.total;
  const shown = list.data?.rows.length ?? 0;
  return (
    <>
      <PageHeader
        title="Presets"
        sub={total !== undefined && total > 0 && (shown < total ? `the last ${shown} of ${total}` : `${total} total`)}
        actions={total === 0 ? undefined : create}
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
            <Table
              label="Presets"
              columns={columns}
              context={context}
              rows={rows}
              rowId={({ id: one }) => one}
              rowClass={({ status }) => status !== "active" && "text-fg-3"}
            />
          )
        }
      </QueryBoundary>
      <Outlet />
    </>
  );
}
