import { useCallback } from "react";
import { Controller } from "react-hook-form";
import { bulkAssignMembersToGuardrail, type GuardrailRecord, mostAssigned } from "#contract/guardrails.ts";
import { countKeys, listKeys } from "#contract/keys.ts";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { useEndpointForm } from "../../form/endpoint-form.ts";
import { FormPanel } from "../../form/FormPanel.tsx";
import { counted, formatCount } from "../../format.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
import { Field } from "../../ui/Field.tsx";
import type { LoadOptions } from "../../ui/listbox.ts";
import { MultiCombobox } from "../../ui/MultiCombobox.tsx";
import { toast } from "../../ui/toast.ts";
import { assignCreatorsId } from "./Assigned.tsx";
import { ReplacedNotice } from "./ReplacedNotice.tsx";
import { useCreatorsGuardrails } from "./use-assigned.ts";
import { useCloseToGuardrail, useGuardrail } from "./use-guardrail.ts";

/** Assigns a guardrail to creators of keys. */
export function AssignCreatorsPanel() {
  const found = useGuardrail();
  const close = useCloseToGuardrail();
  const guardrail = found.data?.data;
  if (guardrail === undefined)
    return <ReadingPanel title="Assign creators" noun="guardrail" found={found} onClose={close} />;
  return <AssignForm key={guardrail.id} of={guardrail} onClose={close} />;
}

interface AssignValues {
  users: string[];
}

function AssignForm({ of: guardrail, onClose }: { of: GuardrailRecord; onClose: () => void }) {
  const assign = useAction(bulkAssignMembersToGuardrail);
  const state = useEndpointForm<typeof bulkAssignMembersToGuardrail, AssignValues>({
    endpoint: bulkAssignMembersToGuardrail,
    values: { users: [] },
    labels: { users: "Creators" },
    fieldOf: { member_user_ids: "users" },
    problems: ({ users }) => {
      if (users.length === 0) return { users: "Choose at least one creator" };
      return users.length > mostAssigned ? { users: `At most ${mostAssigned} creators at a time` } : {};
    },
    input: ({ users }) => ({ params: { id: guardrail.id }, body: { member_user_ids: users } }),
    submit: async (input, { users }) => {
      await assign.mutateAsync(input);
      state.guard.open();
      toast({ message: `${guardrail.name} covers the keys of ${counted(users.length, "more creator")} now.` });
      onClose();
    },
  });
  const users = state.form.watch("users");
  const load = useCreatorOptions(guardrail.workspace_id ?? undefined);
  const replaced = useCreatorsGuardrails(users).filter(({ guardrail_id: id }) => id !== guardrail.id);
  return (
    <FormPanel
      form={state}
      title={`Assign creators to ${guardrail.name}`}
      submitLabel={users.length < 2 ? "Assign creator" : `Assign ${counted(users.length, "creator")}`}
      onClose={onClose}
      finalFocus={() => document.getElementById(assignCreatorsId)}
      target={{ noun: "guardrail", deleted: false }}
    >
      <Controller
        control={state.form.control}
        name="users"
        render={({ field, fieldState }) => (
          <Field
            label="Creators"
            error={(fieldState.error as { message?: string } | undefined)?.message}
            hint="By the id that their keys were created with. One whose first key is yet to come can be typed in whole."
          >
            {(control) => (
              <MultiCombobox
                {...control}
                label="Creators"
                load={load}
                values={field.value}
                onChange={field.onChange}
                placeholder="Add a creator"
                emptyText="No recent key has a creator: type the id"
              />
            )}
          </Field>
        )}
      />
      <ReplacedNotice
        of={replaced.map(({ user_id: user, guardrail_id: id }) => ({ value: user, name: user, id }))}
        noun="creator"
      />
    </FormPanel>
  );
}

/** The creators of the newest keys, and what is typed: creators are not listed anywhere. */
function useCreatorOptions(workspaceId: string | undefined): LoadOptions {
  return useCallback(
    async (text, signal) => {
      const typed = text.trim();
      const workspace = workspaceId === undefined ? {} : { workspace_id: workspaceId };
      const [newest, own] = await Promise.all([
        call(listKeys, { query: { ...workspace, include_disabled: "true", limit: "100" } }, { signal }),
        typed === "" ? null : call(countKeys, { query: { ...workspace, creator: typed } }, { signal }),
      ]);
      const creators = new Set(newest.data.flatMap(({ creator_user_id: creator }) => creator ?? []));
      creators.delete(typed);
      const others = [...creators].filter((creator) => creator.toLowerCase().includes(typed.toLowerCase()));
      const option = (value: string) => ({ value, label: value, group: "Creators of the newest keys" });
      if (own === null) return others.map(option);
      const { count, more } = own.data.all;
      const detail = count === 0 ? "no keys yet" : more ? `${formatCount(count)}+ keys` : counted(count, "key");
      return [{ value: typed, label: typed, detail, group: "As typed" }, ...others.map(option)];
    },
    [workspaceId],
  );
}
