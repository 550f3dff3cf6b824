import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createPreset } from "#contract/presets.ts";
import { useAction } from "../../api/action.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { toast } from "../../ui/toast.ts";
import {
  emptyVersion,
  versionBody,
  versionFieldOf,
  versionLabels,
  versionProblems,
  type VersionValues,
} from "./preset-form.ts";
import { createId } from "./PresetsPage.tsx";
import { VersionFields } from "./VersionFields.tsx";

interface NewPreset extends VersionValues {
  slug: string;
  name: string;
  description: string;
  workspaceId: string;
}

const labels = { slug: "Slug", name: "Name", description: "Description", workspaceId: "Workspace", ...versionLabels };
const fieldOf = { ...versionFieldOf, workspace_id: "workspaceId" };

export function CreatePresetPanel() {
  const navigate = useNavigate();
  const { path, id } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const create = useAction(createPreset);
  const closePanel = useClosePanel();
  const close = () => closePanel(paths.presets(path));
  const inAll = path === allWorkspaces;
  const state = useEndpointForm<typeof createPreset, NewPreset>({
    endpoint: createPreset,
    values: { slug: "", name: "", description: "", workspaceId: "", ...emptyVersion },
    labels,
    fieldOf,
    problems: versionProblems,
    input: ({ slug, name, description, workspaceId, ...version }) => {
      const chosen = inAll ? workspaceId : (id ?? "");
      return {
        body: {
          slug,
          ...(name.trim() !== "" && { name }),
          description: description.trim() === "" ? null : description.trim(),
          ...(chosen !== "" && { workspace_id: chosen }),
          ...versionBody(version),
        },
      };
    },
    draft: "new-preset",
    submit: async (input) => {
      const { data } = await create.mutateAsync(input);
      state.guard.open();
      toast({ message: `${data.name} was created.` });
      const own = workspaces.find((one) => one.id === data.workspace_id);
      if (own === undefined) return close();
      await navigate({ to: paths.preset(inAll ? workspaceInPath(own) : path, data.slug), replace: true });
    },
  });
  const { form } = state;
  const { errors } = form.formState;
  return (
    <FormPanel
      form={state}
      title="Create a preset"
      submitLabel="Create preset"
      onClose={close}
      disabledReason={!inAll && id === undefined ? "The workspaces are still being read." : undefined}
      finalFocus={() => document.getElementById(createId)}
    >
      <Field
        label={labels.slug}
        error={errors.slug?.message}
        hint="Calls name the preset by it, so it cannot be changed: help-desk is called as @preset/help-desk."
      >
        {(control) => (
          <TextInput {...control} {...form.register("slug")} mono spellCheck={false} autoCapitalize="none" />
        )}
      </Field>
      <Field
        label={labels.name}
        optional
        error={errors.name?.message}
        hint="The name that people see. Empty: the slug."
      >
        {(control) => (
          <TextInput {...control} {...form.register("name")} dir="auto" data-1p-ignore data-lpignore="true" />
        )}
      </Field>
      <Field label={labels.description} optional error={errors.description?.message}>
        {(control) => <TextArea {...control} {...form.register("description")} rows={2} dir="auto" />}
      </Field>
      {inAll && (
        <Field label={labels.workspaceId} error={errors.workspaceId?.message} hint="Its keys can use the preset.">
          {(control) => (
            <NativeSelect {...control} {...form.register("workspaceId")}>
              <option value="">The default workspace</option>
              {workspaces
                .filter((one) => !one.is_default)
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
            </NativeSelect>
          )}
        </Field>
      )}
      <VersionFields form={form} />
    </FormPanel>
  );
}
