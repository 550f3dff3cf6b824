import { useQuery } from "@tanstack/react-query";
import { everyWorkspace } from "../../api/workspaces.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Field } from "../../ui/Field.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { at, type Editing } from "./editor.ts";

interface BasicsSectionProps {
  editing: Editing;
  /** where a new one is made, when all workspaces are in view; undefined: the default one */
  workspaceId: string | undefined;
  onWorkspace: (id: string) => void;
}

export function BasicsSection({ editing, workspaceId, onWorkspace }: BasicsSectionProps) {
  const { base, draft, change, problem, touch } = editing;
  const { record } = useWorkspace();
  const workspaces = useQuery(everyWorkspace).data ?? [];
  return (
    <>
      <div {...at("name")}>
        <Field label="Name" error={problem("name")}>
          {(control) => (
            <TextInput
              {...control}
              dir="auto"
              spellCheck={false}
              placeholder="<system>-<env>, such as langfuse-prod"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
              onBlur={() => touch("name")}
            />
          )}
        </Field>
      </div>
      {base === null && record === undefined && workspaces.length > 1 && (
        <Field label="Workspace" hint="Only this workspace's calls are sent.">
          {(control) => (
            <NativeSelect
              {...control}
              className="w-72"
              value={workspaceId ?? workspaces.find((one) => one.is_default)?.id}
              onChange={(event) => onWorkspace(event.target.value)}
            >
              {workspaces.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
    </>
  );
}
