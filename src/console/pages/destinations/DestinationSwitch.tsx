import type { DestinationRecord } from "#contract/destinations.ts";
import { useReachable } from "../../api/reachable.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { useEnabled } from "./use-enabled.ts";
import type { Enabled } from "./use-enabled.ts";

export const switchId = (destination: string): string => `send-to-${destination}`;

interface DestinationSwitchProps {
  destination: DestinationRecord;
  /** how many calls wait for it */
  waiting: number;
}

/** Whether records go to a destination; an error stands next to the switch. */
export function DestinationSwitch({ destination, waiting }: DestinationSwitchProps) {
  const { reason } = useReachable();
  const { shown, pending, problem, set, asking, answer } = useEnabled(destination, waiting);
  return (
    <div className="grid">
      <Switch
        id={switchId(destination.id)}
        label={`Send to ${destination.name}`}
        hideLabel
        checked={shown}
        onChange={set}
        disabledReason={reason ?? (pending && "It is being stored")}
      />
      {problem !== undefined && (
        <div role="alert" className="max-w-60">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {asking !== null && <Question about={asking} name={destination.name} waiting={waiting} answer={answer} />}
    </div>
  );
}

interface QuestionProps {
  about: "bodies" | "waiting";
  name: string;
  waiting: number;
  answer: Enabled["answer"];
}

function Question({ about, name, waiting, answer }: QuestionProps) {
  const many =
    waiting >= mostCounted ? `more than ${mostCounted.toLocaleString("en-US")}` : waiting.toLocaleString("en-US");
  const calls = waiting === 1 ? "1 call waits" : `${many} calls wait`;
  return (
    <Dialog
      role={about === "bodies" ? "alertdialog" : "dialog"}
      title={`Switch ${name} on`}
      description={[
        about === "bodies" && "Prompts and responses of every key, future ones too, leave the gateway once it is on.",
        waiting > 0 && `${calls} from the time that it was off.`,
      ]
        .filter(Boolean)
        .join(" ")}
      onDismiss={() => answer(null)}
      footer={
        <>
          <Button variant="primary" onClick={() => answer(null)}>
            Leave it off
          </Button>
          <Button variant={about === "bodies" ? "danger" : "default"} onClick={() => answer("where_it_stopped")}>
            {waiting > 0 ? "Send what waits, too" : "Switch it on"}
          </Button>
          {waiting > 0 && (
            <Button variant={about === "bodies" ? "danger" : "default"} onClick={() => answer("from_now")}>
              Begin from now
            </Button>
          )}
        </>
      }
    />
  );
}

/** The gateway counts no further. */
const mostCounted = 100_000;
