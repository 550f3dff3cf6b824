import { useNavigate } from "@tanstack/react-router";
import { createWorkspace } from "#contract/workspaces.ts";
import { useAction } from "../../api/action.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";
import {
  emptyWorkspace,
  workspaceBody,
  workspaceFieldOf,
  WorkspaceFields,
  workspaceLabels,
  workspaceProblems,
  type WorkspaceValues,
} from "./WorkspaceFields.tsx";

export function CreateWorkspacePanel() {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const create = useAction(createWorkspace);
  const closePanel = useClosePanel();
  const close = () => closePanel(paths.workspaces(path));
  const state = useEndpointForm<typeof createWorkspace, WorkspaceValues>({
    endpoint: createWorkspace,
    values: emptyWorkspace,
    labels: workspaceLabels,
    fieldOf: workspaceFieldOf,
    problems: workspaceProblems,
    input: (values) => ({ body: workspaceBody(values) }),
    draft: "new-workspace",
    submit: async (input) => {
      const { data } = await create.mutateAsync(input);
      state.guard.open();
      toast({
        message: `${data.name} was created.`,
        action: { label: "Show it", onSelect: () => void navigate({ to: paths.keys(workspaceInPath(data)) }) },
      });
      close();
    },
  });
  return (
    <FormPanel
      form={state}
      title="Create a workspace"
      submitLabel="Create workspace"
      onClose={close}
      finalFocus={() => document.getElementById("create-workspace")}
    >
      <WorkspaceFields form={state.form} slugFollows />
    </FormPanel>
  );
}
