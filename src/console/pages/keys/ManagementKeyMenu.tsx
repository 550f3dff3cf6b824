import { useNavigate } from "@tanstack/react-router";
import { type ManagementKeyRecord, updateManagementKey } from "#contract/management-keys.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";
import { toast } from "../../ui/toast.ts";
import { replaceManagementReason } from "./management-key-labels.ts";
import type { AskedOfManagementKey } from "./ManagementKeyQuestion.tsx";

/** Where the focus goes back to from a row's panel or dialog. */
export function managementKeyActionsId(hash: string): string {
  return `actions-${hash}`;
}

interface ManagementKeyMenuProps {
  of: ManagementKeyRecord;
  onAsk: (asked: AskedOfManagementKey) => void;
}

/** Everything that can be done with one management key. */
export function ManagementKeyMenu({ of: key, onAsk }: ManagementKeyMenuProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { reason } = useReachable();
  const enable = useAction(updateManagementKey, {
    onSuccess: () => toast({ message: `${key.name} is enabled.` }),
    onError: (error) =>
      toast({ message: `${key.name} could not be enabled.`, detail: explain(error).title, tone: "trouble" }),
  });
  const others = key.sessions - (key.current ? 1 : 0);
  return (
    <RowMenu
      name={key.name}
      id={managementKeyActionsId(key.hash)}
      items={[
        {
          label: "Replace",
          disabledReason: reason ?? replaceManagementReason(key),
          onSelect: () => void navigate({ to: paths.replaceManagementKey(path, key.hash) }),
        },
        {
          label: "Rename or change expiry",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editManagementKey(path, key.hash) }),
        },
        key.disabled
          ? {
              label: "Enable",
              disabledReason: reason,
              onSelect: () => enable.mutate({ params: { hash: key.hash }, body: { disabled: false } }),
            }
          : { label: "Disable", disabledReason: reason, onSelect: () => onAsk({ about: "disable", key }) },
        {
          label: key.current ? "Sign out its other sessions" : "Sign out its sessions",
          disabledReason:
            reason ?? (others > 0 ? undefined : `No ${key.current ? "other " : ""}session is signed in with it`),
          onSelect: () => onAsk({ about: "sign-out", key }),
        },
        { kind: "line" },
        { label: "Delete", danger: true, disabledReason: reason, onSelect: () => onAsk({ about: "delete", key }) },
      ]}
    />
  );
}
