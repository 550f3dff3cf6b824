import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useReachable } from "../../api/reachable.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { Reading } from "../../shell/Reading.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { WorkspaceTable, WorkspaceTableSkeleton } from "./WorkspaceTable.tsx";

/** All workspaces, whichever of them is chosen in the top bar. */
export function WorkspacesPage() {
  const { path } = useWorkspace();
  const { reachable, reason } = useReachable();
  const navigate = useNavigate();
  const list = useQuery(everyWorkspace);
  useShortcut("c", "Create a workspace", () => void navigate({ to: paths.newWorkspace(path) }), reachable);
  return (
    <>
      <PageHeader
        title="Workspaces"
        sub={list.data && (list.data.length === 1 ? "One" : `${list.data.length} in all`)}
        actions={
          reachable ? (
            <Link id="create-workspace" to={paths.newWorkspace(path)} className={buttonClass({ variant: "primary" })}>
              Create workspace
            </Link>
          ) : (
            <Button variant="primary" disabledReason={reason}>
              Create workspace
            </Button>
          )
        }
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        A workspace holds the keys of one team, product or stage, so that they can be seen and counted together.
      </p>
      <Reading query={list} what="the workspaces" skeleton={<WorkspaceTableSkeleton />}>
        {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
      </Reading>
      <Outlet />
    </>
  );
}
