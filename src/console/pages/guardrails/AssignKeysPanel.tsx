import { useCallback, useState } from "react";
import { Controller } from "react-hook-form";
import { bulkAssignKeysToGuardrail, type GuardrailRecord, mostAssigned } from "#contract/guardrails.ts";
import { useAction } from "../../api/action.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { counted } from "../../format.ts";
import { useKeyOptions } from "../../shell/key-options.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { Field } from "../../ui/Field.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { toast } from "../../ui/toast.ts";
import { assignKeysId } from "./Assigned.tsx";
import { ReplacedNotice } from "./ReplacedNotice.tsx";
import { useKeysGuardrails } from "./use-assigned.ts";
import { useCloseToGuardrail, useGuardrail } from "./use-guardrail.ts";

/** Assigns a guardrail to keys of its workspace. */
export function AssignKeysPanel() {
  const found = useGuardrail();
  const close = useCloseToGuardrail();
  const guardrail = found.data?.data;
  if (guardrail === undefined)
    return <ReadingPanel title="Assign keys" noun="guardrail" found={found} onClose={close} />;
  return <AssignForm key={guardrail.id} of={guardrail} onClose={close} />;
}

interface AssignValues {
  hashes: string[];
}

const shownChips = 12;
const moreChips = 100;

function AssignForm({ of: guardrail, onClose }: { of: GuardrailRecord; onClose: () => void }) {
  const assign = useAction(bulkAssignKeysToGuardrail);
  const [chips, setChips] = useState(shownChips);
  const state = useEndpointForm<typeof bulkAssignKeysToGuardrail, AssignValues>({
    endpoint: bulkAssignKeysToGuardrail,
    values: { hashes: [] },
    labels: { hashes: "Keys" },
    fieldOf: { key_hashes: "hashes" },
    problems: ({ hashes }) => {
      if (hashes.length === 0) return { hashes: "Choose at least one key" };
      return hashes.length > mostAssigned ? { hashes: `At most ${mostAssigned} keys at a time` } : {};
    },
    input: ({ hashes }) => ({ params: { id: guardrail.id }, body: { key_hashes: hashes } }),
    submit: async (input, { hashes }) => {
      await assign.mutateAsync(input);
      state.guard.open();
      toast({ message: `${guardrail.name} covers ${counted(hashes.length, "more key")} from the next call on.` });
      onClose();
    },
  });
  const hashes = state.form.watch("hashes");
  const { load, names } = useNamedKeys(guardrail.workspace_id ?? undefined);
  const replaced = useKeysGuardrails(hashes).filter(({ guardrail_id: id }) => id !== guardrail.id);
  return (
    <FormPanel
      form={state}
      title={`Assign keys to ${guardrail.name}`}
      submitLabel={hashes.length < 2 ? "Assign key" : `Assign ${counted(hashes.length, "key")}`}
      onClose={onClose}
      finalFocus={() => document.getElementById(assignKeysId)}
      target={{ noun: "guardrail", deleted: false }}
    >
      <Controller
        control={state.form.control}
        name="hashes"
        render={({ field, fieldState }) => (
          <Field
            label="Keys"
            error={(fieldState.error as { message?: string } | undefined)?.message}
            hint="By name, label or hash. Only keys of the guardrail's workspace can have it."
          >
            {(control) => (
              <MultiCombobox
                {...control}
                label="Keys"
                load={load}
                values={field.value}
                onChange={field.onChange}
                describe={(hash) => ({ label: names.get(hash) ?? `${hash.slice(0, 8)}…` })}
                collapseAfter={chips}
                onExpand={() => setChips((before) => before + moreChips)}
                placeholder="Add a key"
                emptyText="No key of this workspace matches"
              />
            )}
          </Field>
        )}
      />
      <ReplacedNotice
        of={replaced.map(({ key_hash: hash, key_name: name, guardrail_id: id }) => ({ value: hash, name, id }))}
        noun="key"
      />
    </FormPanel>
  );
}

/** The search for keys, and the names of those that it found: what is chosen was found before. */
function useNamedKeys(workspaceId: string | undefined): { load: LoadOptions; names: ReadonlyMap<string, string> } {
  const find = useKeyOptions(workspaceId);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const load = useCallback<LoadOptions>(
    async (text, signal) => {
      const options = await find(text, signal);
      setNames((before) => new Map([...before, ...options.map(({ value, label }) => [value, label] as const)]));
      return options;
    },
    [find],
  );
  return { load, names };
}
