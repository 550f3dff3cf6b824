import type { DestinationRecord } from "#contract/destinations.ts";
import { useReachable } from "../../api/reachable.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { useEnabled } from "./use-enabled.ts";

export const switchId = (destination: string): string => `send-to-${destination}`;

/** Whether records go to a destination; an error stands next to the switch. */
export function DestinationSwitch({ destination }: { destination: DestinationRecord }) {
  const { reason } = useReachable();
  const { wanted, pending, problem, set, asking, answer } = useEnabled(destination);
  return (
    <div className="grid">
      <Switch
        id={switchId(destination.id)}
        label={`Send to ${destination.name}`}
        hideLabel
        checked={wanted ?? destination.enabled}
        onChange={set}
        disabledReason={reason ?? (pending && "It is being stored")}
      />
      {problem !== undefined && (
        <div role="alert" className="max-w-60">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          danger
          title={`Send bodies to ${destination.name}`}
          description="Prompts and responses of every key, future ones too, leave the gateway once it is on."
          confirmLabel="Switch it on"
          onConfirm={() => answer(true)}
          onCancel={() => answer(false)}
        />
      )}
    </div>
  );
}
