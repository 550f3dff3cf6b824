import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { createGuardrail } from "#contract/guardrails.ts";
import { useAction } from "../../api/action.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { toast } from "../../ui/toast.ts";
import {
  emptyGuardrail,
  guardrailBody,
  guardrailFieldOf,
  guardrailLabels as labels,
  guardrailProblems,
  type GuardrailValues,
} from "./guardrail-form.ts";
import { GuardrailFields } from "./GuardrailFields.tsx";
import { createId } from "./GuardrailsPage.tsx";
import { NameFields } from "./NameFields.tsx";

export function CreateGuardrailPanel() {
  const navigate = useNavigate();
  const { path, id } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  const create = useAction(createGuardrail);
  const closePanel = useClosePanel();
  const inAll = path === allWorkspaces;
  const state = useEndpointForm<typeof createGuardrail, GuardrailValues>({
    endpoint: createGuardrail,
    values: emptyGuardrail,
    labels,
    fieldOf: guardrailFieldOf,
    problems: guardrailProblems,
    input: (values) => {
      const chosen = inAll ? values.workspaceId : (id ?? "");
      return { body: { ...guardrailBody(values), ...(chosen !== "" && { workspace_id: chosen }) } };
    },
    draft: "new-guardrail",
    submit: async (input) => {
      const { data } = await create.mutateAsync(input);
      state.guard.open();
      toast({ message: `${data.name} was created. It does nothing until it is assigned.` });
      const own = workspaces.find((one) => one.id === data.workspace_id);
      const place = inAll && own !== undefined ? workspaceInPath(own) : path;
      await navigate({ to: paths.guardrail(place, data.id), replace: true });
    },
  });
  const { form } = state;
  return (
    <FormPanel
      form={state}
      title="Create a guardrail"
      submitLabel="Create guardrail"
      onClose={() => closePanel(paths.guardrails(path))}
      disabledReason={!inAll && id === undefined ? "The workspaces are still being read." : undefined}
      finalFocus={() => document.getElementById(createId)}
    >
      <NameFields form={form} />
      {inAll && (
        <Field
          label={labels.workspaceId}
          error={form.formState.errors.workspaceId?.message}
          hint="Its keys can be assigned to the guardrail."
        >
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
      <GuardrailFields form={form} isDefault={false} />
    </FormPanel>
  );
}
