import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type WorkspaceRecord, getWorkspace, updateWorkspace } from "#contract/workspaces.ts";
import { useAction } from "../../api/action.ts";
import { isNotFound } from "../../api/errors.ts";
import { query } from "../../api/query.ts";
import { changedMembers } from "../../form/changes.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { perMinuteText, rateProblems } from "../../form/per-minute.ts";
import { paths, workspaceInPath } from "../../paths.ts";
import { Failure } from "../../shell/Failure.tsx";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toast.ts";
import { actionsId } from "./WorkspaceMenu.tsx";
import {
  workspaceBody,
  workspaceFieldOf,
  WorkspaceFields,
  workspaceLabels,
  type WorkspaceValues,
} from "./WorkspaceFields.tsx";

export function EditWorkspacePanel() {
  const { id = "" } = useParams({ strict: false });
  const found = useQuery({
    ...query(getWorkspace, { params: { id } }),
    // somebody else may change or delete it
    staleTime: 0,
    refetchInterval: 15_000,
  });
  const close = useClose();
  if (found.data) {
    return <EditForm key={found.data.data.id} workspace={found.data.data} deleted={isNotFound(found.error)} />;
  }
  return (
    <Panel title="Edit a workspace" onDismiss={() => close()} busy={found.isPending}>
      {found.isError ? (
        <Failure
          error={found.error}
          what="The workspace did not load"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        [64, 64, 108].map((height, index) => <Skeleton key={index} height={height} />)
      )}
    </Panel>
  );
}

function EditForm({ workspace, deleted }: { workspace: WorkspaceRecord; deleted: boolean }) {
  const close = useClose();
  const update = useAction(updateWorkspace);
  const stored = {
    name: workspace.name,
    slug: workspace.slug,
    description: workspace.description,
    requests_per_minute: workspace.requests_per_minute,
    tokens_per_minute: workspace.tokens_per_minute,
  };
  const state = useEndpointForm<typeof updateWorkspace, WorkspaceValues>({
    endpoint: updateWorkspace,
    values: {
      name: stored.name,
      slug: stored.slug,
      description: stored.description ?? "",
      requests: perMinuteText(stored.requests_per_minute),
      tokens: perMinuteText(stored.tokens_per_minute),
    },
    labels: workspaceLabels,
    fieldOf: workspaceFieldOf,
    problems: ({ requests, tokens }) => rateProblems({ requests, tokens }),
    input: (values) => ({ params: { id: workspace.id }, body: changedMembers(stored, workspaceBody(values)) }),
    submit: async (input) => {
      const { data } = await update.mutateAsync(input);
      state.guard.open();
      toast({ message: `${data.name} was saved.` });
      close({ from: workspace, to: data });
    },
  });
  const rated = stored.requests_per_minute !== null || stored.tokens_per_minute !== null;
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
      <WorkspaceFields form={state.form} slugFollows={false} rated={rated} />
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
