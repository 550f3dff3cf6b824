import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type WorkspaceRecord, getWorkspace, updateWorkspace } from "#contract/workspaces.ts";
import { isNotFound } from "../../api/errors.ts";
import { versioned, type Versioned } from "../../api/versioned.ts";
import { changedMembers } from "../../form/changes.ts";
import { ConflictNotice } from "../../form/ConflictNotice.tsx";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useVersionedForm } from "../../form/versioned-form.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import { useFirstWorkspaceId } from "./use-first-workspace-id.ts";
import { actionsId } from "./WorkspaceMenu.tsx";
import {
  workspaceBody,
  workspaceFieldOf,
  WorkspaceFields,
  workspaceForm,
  workspaceLabels,
  workspaceProblems,
  type WorkspaceValues,
  workspaceWords,
} from "./WorkspaceFields.tsx";

export function EditWorkspacePanel() {
  const { id = "" } = useParams({ strict: false });
  return <EditWorkspace key={id} reference={id} />;
}

function EditWorkspace({ reference }: { reference: string }) {
  const id = useFirstWorkspaceId(reference);
  const found = useQuery({ ...versioned(getWorkspace, { params: { id: id ?? "" } }), enabled: id !== undefined });
  const close = useClose();
  if (found.data) {
    return <EditForm key={found.data.record.id} latest={found.data} deleted={isNotFound(found.error)} />;
  }
  return <ReadingPanel title="Edit a workspace" noun="workspace" found={found} onClose={() => close()} />;
}

function EditForm({ latest, deleted }: { latest: Versioned<WorkspaceRecord>; deleted: boolean }) {
  const close = useClose();
  const {
    state,
    began: workspace,
    theirs,
  } = useVersionedForm<typeof updateWorkspace, WorkspaceValues, WorkspaceRecord>({
    endpoint: updateWorkspace,
    latest,
    read: versioned(getWorkspace, { params: { id: latest.record.id } }),
    labels: workspaceLabels,
    fieldOf: workspaceFieldOf,
    problems: workspaceProblems,
    formOf: workspaceForm,
    words: workspaceWords,
    input: (values, began) => ({
      params: { id: began.id },
      body: changedMembers(workspaceBody(workspaceForm(began)), workspaceBody(values)),
    }),
    saved: (record, began) => {
      toast({ message: `${record.name} was saved.` });
      close({ from: began, to: record });
    },
  });
  const stored = workspaceForm(workspace);
  const rated = stored.requests !== "" || stored.tokens !== "";
  const dirty = state.form.formState.isDirty;
  return (
    <FormPanel
      form={state}
      title={`Edit ${workspace.name}`}
      submitLabel="Save changes"
      onClose={() => close()}
      finalFocus={() => document.getElementById(actionsId(workspace))}
      target={{ noun: "workspace", deleted }}
      disabledReason={dirty ? undefined : "No changes yet."}
    >
      <ConflictNotice noun="workspace" changes={theirs} />
      <WorkspaceFields form={state.form} slugFollows={false} rated={rated} cached={stored.cacheMb !== ""} />
    </FormPanel>
  );
}

/** Back to the list; under the new slug where the workspace of the address is the one that was renamed. */
function useClose(): (renamed?: { from: WorkspaceRecord; to: WorkspaceRecord }) => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  return (renamed) => {
    const moved = renamed && path === workspaceInPath(renamed.from);
    closePanel(paths.workspaces(moved ? workspaceInPath(renamed.to) : path));
  };
}
