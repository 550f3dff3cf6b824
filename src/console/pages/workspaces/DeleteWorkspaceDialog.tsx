import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type WorkspaceRecord, deleteWorkspace } from "#contract/workspaces.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { counted } from "../../format.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { actionsId } from "./WorkspaceMenu.tsx";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { toast } from "../../ui/toast.ts";

/** Asks before a workspace is deleted, or says why it can't be. */
export function DeleteWorkspaceDialog() {
  const { id } = useParams({ strict: false });
  const { data } = useQuery(everyWorkspace);
  const workspace = data?.find((one) => one.slug === id || one.id === id);
  if (data === undefined) return null;
  if (workspace === undefined)
    return <Refused title="It no longer exists" reason={`There is no workspace called ${id ?? ""}.`} />;
  const reason = refusal(workspace);
  if (reason !== undefined)
    return <Refused title={`${workspace.name} can't be deleted`} reason={reason} workspace={workspace} />;
  return <Confirm workspace={workspace} />;
}

/** The two reasons that the gateway refuses a deletion for, known before it is asked. */
export function refusal(
  workspace: Pick<WorkspaceRecord, "is_default" | "active_keys" | "over_limit_keys">,
): string | undefined {
  if (workspace.is_default) return "It is the default workspace: keys created without a workspace go there.";
  const { active_keys: active, over_limit_keys: spent } = workspace;
  const held = [
    ...(active > 0 ? [counted(active, "active key")] : []),
    ...(spent > 0 ? [`${counted(spent, "key")} over ${spent === 1 ? "its limit" : "their limits"}`] : []),
  ];
  if (held.length === 0) return undefined;
  return `It still holds ${held.join(" and ")}. Delete or disable ${active + spent === 1 ? "it" : "them"} first.`;
}

function useLeave(): (to?: string) => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  return (to) => closePanel(to ?? paths.workspaces(path));
}

function Refused({ title, reason, workspace }: { title: string; reason: string; workspace?: WorkspaceRecord }) {
  const leave = useLeave();
  return (
    <Dialog
      title={title}
      description={reason}
      onDismiss={() => leave()}
      finalFocus={() => workspace && document.getElementById(actionsId(workspace))}
      footer={
        <>
          {workspace && workspace.active_keys + workspace.over_limit_keys > 0 && (
            <Button onClick={() => leave(paths.keys(workspaceInPath(workspace)))}>Show its keys</Button>
          )}
          <Button onClick={() => leave()}>Close</Button>
        </>
      }
    />
  );
}

function Confirm({ workspace }: { workspace: WorkspaceRecord }) {
  const leave = useLeave();
  const { path } = useWorkspace();
  return (
    <ActionDialog
      endpoint={deleteWorkspace}
      input={{ params: { id: workspace.id } }}
      danger
      title={`Delete ${workspace.name}`}
      description="It holds no active key. What its keys spent stays in the account's totals, and this deletion in the audit log. This cannot be undone."
      typedName={workspace.name}
      confirmLabel="Delete workspace"
      onDone={() => {
        toast({ message: `${workspace.name} was deleted.` });
        // the address must not go on naming what is gone
        leave(paths.workspaces(path === workspaceInPath(workspace) ? allWorkspaces : path));
      }}
      onCancel={() => leave()}
      finalFocus={() => document.getElementById(actionsId(workspace))}
    />
  );
}
