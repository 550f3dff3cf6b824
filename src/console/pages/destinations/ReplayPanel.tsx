import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { replayDestination } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { now, useNow } from "../../api/clock.ts";
import { errorText } from "../../api/error-messages.ts";
import { useReachable } from "../../api/connectivity.ts";
import { partsToDate } from "../../form/utc-instant.ts";
import { localLine } from "../../form/zone.ts";
import { localZone } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { DateInput, TimeInput } from "../../ui/DateInput.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toast.ts";
import { useCloseToDestination } from "./use-destination.ts";

/** Sends everything again from an instant on, as after the sink has lost something. */
export function ReplayPanel() {
  const { id = "" } = useParams({ strict: false });
  const close = useCloseToDestination();
  const { reason } = useReachable();
  const current = useNow(30_000);
  const [parts, setParts] = useState(() => ({ date: now().toISOString().slice(0, 10), time: "00:00:00" }));
  const from = partsToDate(parts);
  const future = from !== null && from > current;
  const replay = useAction(replayDestination, {
    onSuccess: ({ data: { backlog } }) => {
      toast({
        message: `${backlog.toLocaleString("en-US")} ${backlog === 1 ? "call is" : "calls are"} being sent again.`,
      });
      close();
    },
  });
  return (
    <Panel
      title="Replay from a point in time"
      description="Every call since then is sent again with the current settings. The destination can recognize repeats by their ids."
      onDismiss={close}
      outside="dismiss"
      busy={replay.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (from && !future && reason === undefined && !replay.isPending)
          replay.mutate({ params: { id }, body: { from: `${from.toISOString().slice(0, 19)}Z` } });
      }}
      footer={
        <>
          {replay.isError && (
            <div role="alert">
              <FieldError>Nothing is sent again. {errorText(replay.error)}</FieldError>
            </div>
          )}
          <div className="flex gap-2">
            <Button
              type="submit"
              variant="primary"
              pending={replay.isPending}
              disabledReason={reason ?? (from === null ? "Enter a date and a time" : future && "That is in the future")}
            >
              Send again
            </Button>
            <Button variant="quiet" onClick={close}>
              Cancel
            </Button>
          </div>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="Date, UTC">
          {(control) => (
            <DateInput
              {...control}
              value={parts.date}
              onChange={(event) => setParts({ ...parts, date: event.target.value })}
            />
          )}
        </Field>
        <Field label="Time, UTC">
          {(control) => (
            <TimeInput
              {...control}
              value={parts.time}
              onChange={(event) => setParts({ ...parts, time: event.target.value })}
            />
          )}
        </Field>
      </div>
      {from && <p className="text-12 text-fg-3">{localLine(from, current, localZone())}</p>}
      <p className="text-12 text-fg-3">
        Bodies that have since been deleted are not sent: they are kept only while a destination still needs them.
      </p>
    </Panel>
  );
}
