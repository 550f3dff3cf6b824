import { useNavigate } from "@tanstack/react-router";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { RowMenu } from "../../table/RowMenu.tsx";

/** Everything that can be done with one guardrail of the list. */
export function GuardrailMenu({ of: { id, name, is_default: isDefault }, workspace }: GuardrailMenuProps) {
  const navigate = useNavigate();
  const { reason } = useReachable();
  const go = (to: string) => () => void navigate({ to });
  return (
    <RowMenu
      name={name}
      items={[
        { label: "Open", onSelect: go(paths.guardrail(workspace, id)) },
        { label: "Edit", disabledReason: reason, onSelect: go(paths.editGuardrail(workspace, id)) },
        {
          label: "Assign keys",
          disabledReason: isDefault ? "It covers every key already." : reason,
          onSelect: go(paths.assignKeys(workspace, id)),
        },
        { kind: "line" },
        {
          label: isDefault ? "Reset …" : "Delete …",
          danger: true,
          disabledReason: reason,
          onSelect: go(paths.deleteGuardrail(workspace, id)),
        },
      ]}
    />
  );
}

interface GuardrailMenuProps {
  of: GuardrailRecord;
  /** as addresses have it */
  workspace: string;
}
