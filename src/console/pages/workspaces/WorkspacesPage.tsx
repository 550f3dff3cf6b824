import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { useReachable } from "../../api/connectivity.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { TableSkeleton } from "../../table/Table.tsx";
import { workspaceColumns } from "./workspace-columns.tsx";
import { WorkspaceMenu } from "./WorkspaceMenu.tsx";

function menu(workspace: WorkspaceRecord) {
  return <WorkspaceMenu workspace={workspace} />;
}

/** All workspaces, whichever of them is chosen in the top bar. */
export function WorkspacesPage() {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const navigate = useNavigate();
  const list = useQuery(everyWorkspace);
  useShortcut("c", "Create a workspace", () => void navigate({ to: paths.newWorkspace(path) }), reachable);
  return (
    <>
      <PageHeader
        title="Workspaces"
        sub={list.data && (list.data.length === 1 ? "One" : `${list.data.length} total`)}
        actions={
          <ButtonLink id="create-workspace" to={paths.newWorkspace(path)} variant="primary">
            Create workspace
          </ButtonLink>
        }
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        A workspace holds the keys of one team, product or stage, so that they can be seen and counted together.
      </p>
      <QueryBoundary
        query={list}
        what="the workspaces"
        skeleton={<TableSkeleton columns={workspaceColumns} rows={3} actions />}
      >
        {(workspaces) => (
          <ListTable
            label="Workspaces"
            columns={workspaceColumns}
            context={undefined}
            rows={workspaces}
            rowId={({ id }) => id}
            actions={menu}
          />
        )}
      </QueryBoundary>
      <Outlet />
    </>
  );
}
