import { type ComponentType, useState } from "react";
import { Controller } from "react-hook-form";
import type { ApiEndpoint } from "#contract/api.ts";
import type { Input } from "#contract/endpoint.ts";
import { type GuardrailRecord, mostAssigned } from "#contract/guardrails.ts";
import { useAction } from "../../api/action.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { capital, counted } from "../../format.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { Field } from "../../ui/Field.tsx";
import { MultiCombobox, type MultiComboboxProps } from "../../ui/MultiCombobox.tsx";
import { toast } from "../../ui/toast.ts";
import { assignLinkId } from "./Assigned.tsx";
import { useCloseToGuardrail, type useGuardrail } from "./use-guardrail.ts";

interface AssignOptions<E extends ApiEndpoint> extends Pick<
  MultiComboboxProps,
  "load" | "describe" | "placeholder" | "emptyText"
> {
  noun: "key" | "creator";
  endpoint: E;
  /** the member of its body that holds what is chosen */
  member: string;
  input: (id: string, chosen: string[]) => Input<E>;
  hint: string;
  /** what the guardrail covers then, after its name */
  covered: (count: number) => string;
  /** says which of the chosen have another guardrail */
  notice: ComponentType<{ chosen: readonly string[]; by: string }>;
}

interface AssignPanelProps<E extends ApiEndpoint> extends AssignOptions<E> {
  found: ReturnType<typeof useGuardrail>;
}

/** Assigns the guardrail that the address names to keys or to creators. */
export function AssignPanel<E extends ApiEndpoint>({ found, ...options }: AssignPanelProps<E>) {
  const close = useCloseToGuardrail();
  const guardrail = found.data?.data;
  if (guardrail === undefined)
    return <ReadingPanel title={`Assign ${options.noun}s`} noun="guardrail" found={found} onClose={close} />;
  return <AssignForm key={guardrail.id} of={guardrail} options={options} onClose={close} />;
}

const shownChips = 12;
const moreChips = 100;

interface AssignFormProps<E extends ApiEndpoint> {
  of: GuardrailRecord;
  options: AssignOptions<E>;
  onClose: () => void;
}

function AssignForm<E extends ApiEndpoint>({ of: guardrail, options, onClose }: AssignFormProps<E>) {
  const { noun, endpoint, member, input, hint, covered, notice: Notice, ...combobox } = options;
  const label = capital(`${noun}s`);
  const assign = useAction(endpoint);
  const [chips, setChips] = useState(shownChips);
  const state = useEndpointForm<E, { chosen: string[] }>({
    endpoint,
    values: { chosen: [] },
    labels: { chosen: label },
    fieldOf: { [member]: "chosen" },
    problems: ({ chosen }) => {
      if (chosen.length === 0) return { chosen: `Choose at least one ${noun}` };
      return chosen.length > mostAssigned ? { chosen: `At most ${mostAssigned} ${noun}s at a time` } : {};
    },
    input: ({ chosen }) => input(guardrail.id, chosen),
    submit: async (sent, { chosen }) => {
      await assign.mutateAsync(sent);
      state.guard.open();
      toast({ message: `${guardrail.name} covers ${covered(chosen.length)}.` });
      onClose();
    },
  });
  const chosen = state.form.watch("chosen");
  return (
    <FormPanel
      form={state}
      title={`Assign ${noun}s to ${guardrail.name}`}
      submitLabel={chosen.length < 2 ? `Assign ${noun}` : `Assign ${counted(chosen.length, noun)}`}
      onClose={onClose}
      finalFocus={() => document.getElementById(assignLinkId(noun))}
      target={{ noun: "guardrail", deleted: false }}
    >
      <Controller
        control={state.form.control}
        name="chosen"
        render={({ field, fieldState }) => (
          <Field label={label} error={fieldState.error?.message} hint={hint}>
            {(control) => (
              <MultiCombobox
                {...control}
                {...combobox}
                label={label}
                values={field.value}
                onChange={field.onChange}
                collapseAfter={chips}
                onExpand={() => setChips((before) => before + moreChips)}
              />
            )}
          </Field>
        )}
      />
      <Notice chosen={chosen} by={guardrail.id} />
    </FormPanel>
  );
}
