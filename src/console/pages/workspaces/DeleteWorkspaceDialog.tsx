import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { deleteWorkspace } from "#contract/workspaces.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { actionsId } from "./WorkspaceTable.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
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
export function refusal(workspace: Pick<WorkspaceRecord, "is_default" | "active_keys">): string | undefined {
  if (workspace.is_default) return "It is the default workspace: keys that are created without naming one go there.";
  if (workspace.active_keys === 1) return "It still holds an active key. Delete or disable that key first.";
  if (workspace.active_keys > 1)
    return `It still holds ${workspace.active_keys} active keys. Delete or disable them first.`;
  return undefined;
}

function useLeave(): (to?: string) => void {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  return (to) => void navigate({ to: to ?? paths.workspaces(path) });
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
          {workspace && workspace.active_keys > 0 && (
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
  const [problem, setProblem] = useState<string>();
  const remove = useAction(deleteWorkspace, {
    onSuccess: () => {
      toast({ message: `${workspace.name} is deleted.` });
      // the address must not go on naming what is gone
      leave(paths.workspaces(path === workspaceInPath(workspace) ? allWorkspaces : path));
    },
    onError: (error) => {
      const { title, said } = explain(error);
      setProblem(said ?? title);
    },
  });
  return (
    <ConfirmDialog
      danger
      title={`Delete ${workspace.name}`}
      description="It holds no active key. What its keys spent stays in the account's totals, and this deletion in the audit log. This cannot be undone."
      typedName={workspace.name}
      confirmLabel="Delete workspace"
      pending={remove.isPending}
      error={problem}
      onConfirm={() => remove.mutate({ params: { id: workspace.id } })}
      onCancel={() => leave()}
      finalFocus={() => document.getElementById(actionsId(workspace))}
    />
  );
}
