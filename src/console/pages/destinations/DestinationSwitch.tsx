import type { DestinationRecord } from "#contract/destinations.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { FieldError } from "../../ui/Field.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { takesAll } from "./health.ts";
import { useEnabled, type Enabled } from "./use-enabled.ts";

export const switchId = (destination: string): string => `send-to-${destination}`;

interface DestinationSwitchProps {
  destination: DestinationRecord;
  health: DestinationHealth | undefined;
}

/** Whether calls go to a destination; an error appears next to the switch. */
export function DestinationSwitch({ destination, health }: DestinationSwitchProps) {
  const waiting = health?.backlog ?? 0;
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
        disabledReason={reason ?? (pending && "Saving")}
      />
      {problem !== undefined && (
        <div role="alert" className="max-w-60">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {asking !== null && (
        <Question
          about={asking}
          name={destination.name}
          waiting={waiting}
          chooses={!takesAll(destination)}
          problem={health?.config_problem}
          answer={answer}
        />
      )}
    </div>
  );
}

interface QuestionProps {
  about: "bodies" | "waiting";
  name: string;
  waiting: number;
  /** not all of them pass */
  chooses: boolean;
  problem: string | null | undefined;
  answer: Enabled["answer"];
}

function Question({ about, name, waiting, chooses, problem, answer }: QuestionProps) {
  const many =
    waiting >= mostCounted ? `more than ${mostCounted.toLocaleString("en-US")}` : waiting.toLocaleString("en-US");
  const calls = waiting === 1 ? "1 call is waiting" : `${many} calls are waiting`;
  return (
    <Dialog
      role={about === "bodies" ? "alertdialog" : "dialog"}
      title={`Switch ${name} on`}
      description={[
        problem && `${problem}. Nothing is sent until they are entered again.`,
        about === "bodies" &&
          "Once it is on, prompts and responses of every key, including future ones, leave the gateway.",
        waiting > 0 && `${calls} from while it was off.`,
        waiting > 0 && chooses && "Those that pass its keys, rules and sampling can be sent.",
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
            {waiting > 0 ? "Send waiting calls too" : "Switch it on"}
          </Button>
          {waiting > 0 && (
            <Button variant={about === "bodies" ? "danger" : "default"} onClick={() => answer("from_now")}>
              Start from now
            </Button>
          )}
        </>
      }
    />
  );
}

/** The gateway counts no further. */
const mostCounted = 100_000;
