import { useCallback, useState } from "react";
import { bulkAssignKeysToGuardrail } from "#contract/guardrails.ts";
import { counted } from "../../format.ts";
import { useKeyOptions } from "../../shell/key-options.ts";
import type { LoadOptions } from "../../ui/listbox.ts";
import { AssignPanel } from "./AssignPanel.tsx";
import { ReplacedNotice } from "./ReplacedNotice.tsx";
import { useKeysGuardrails } from "./use-assigned.ts";
import { useGuardrail } from "./use-guardrail.ts";

/** Assigns a guardrail to keys of its workspace. */
export function AssignKeysPanel() {
  const found = useGuardrail();
  const { load, names } = useNamedKeys(found.data?.data.workspace_id ?? undefined);
  return (
    <AssignPanel
      found={found}
      noun="key"
      endpoint={bulkAssignKeysToGuardrail}
      member="key_hashes"
      input={(id, hashes) => ({ params: { id }, body: { key_hashes: hashes } })}
      hint="By name, label or hash. Only keys of the guardrail's workspace can be assigned."
      load={load}
      describe={(hash) => ({ label: names.get(hash) ?? `${hash.slice(0, 8)}…` })}
      placeholder="Add a key"
      emptyText="No key of this workspace matches"
      covered={(count) => `${counted(count, "more key")} from the next call on`}
      notice={ReplacedOfKeys}
    />
  );
}

function ReplacedOfKeys({ chosen, by }: { chosen: readonly string[]; by: string }) {
  const replaced = useKeysGuardrails(chosen).map(({ key_hash: value, key_name: name, guardrail_id: id }) => ({
    value,
    name,
    id,
  }));
  return <ReplacedNotice of={replaced} by={by} noun="key" />;
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
