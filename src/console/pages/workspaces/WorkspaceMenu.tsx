import { useNavigate } from "@tanstack/react-router";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";

/** Where the focus goes back to from a row's panel or dialog. */
export function actionsId(workspace: Pick<WorkspaceRecord, "id">): string {
  return `actions-${workspace.id}`;
}

/** Everything that can be done with one workspace. */
export function WorkspaceMenu({ workspace }: { workspace: WorkspaceRecord }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const own = workspaceInPath(workspace);
  return (
    <RowMenu
      name={workspace.name}
      id={actionsId(workspace)}
      items={[
        { label: "Open", onSelect: () => void navigate({ to: paths.oneWorkspace(path, own) }) },
        { label: "Show its keys", onSelect: () => void navigate({ to: paths.keys(own) }) },
        { label: "Show its calls", onSelect: () => void navigate({ to: paths.calls(own) }) },
        { label: "Budgets", onSelect: () => void navigate({ to: paths.workspaceBudgets(path, own) }) },
        { label: "Embedding cache", onSelect: () => void navigate({ to: paths.workspaceCache(path, own) }) },
        { label: "Video notifications", onSelect: () => void navigate({ to: paths.videoWebhook(path, own) }) },
        {
          label: "Edit",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editWorkspace(path, own) }),
        },
        { kind: "line" },
        {
          label: "Delete",
          danger: true,
          disabledReason: workspace.is_default
            ? "The default workspace cannot be deleted: keys without another one go there."
            : reason,
          onSelect: () => void navigate({ to: paths.deleteWorkspace(path, own) }),
        },
      ]}
    />
  );
}
