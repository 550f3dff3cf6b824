import { useState } from "react";
import { useParams } from "@tanstack/react-router";
import { replayDestination } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { now, useNow } from "../../api/clock.ts";
import { explain } from "../../api/explain.ts";
import { useReachable } from "../../api/reachable.ts";
import { partsToDate } from "../../form/utc-instant.ts";
import { localLine } from "../../form/zone.ts";
import { localZone } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, FieldError } from "../../ui/Field.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
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
      title="Send again from an instant on"
      description="Every call since then is sent once more, as the settings are now. The sink can tell repeats by their ids."
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
              <FieldError>
                Nothing is sent again. {explain(replay.error).said ?? explain(replay.error).title}
              </FieldError>
            </div>
          )}
          <div className="flex gap-2">
            <Button
              type="submit"
              variant="primary"
              pending={replay.isPending}
              disabledReason={reason ?? (from === null ? "Enter a date and a time" : future && "That is still to come")}
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
            <TextInput
              {...control}
              type="date"
              value={parts.date}
              onChange={(event) => setParts({ ...parts, date: event.target.value })}
            />
          )}
        </Field>
        <Field label="Time, UTC">
          {(control) => (
            <TextInput
              {...control}
              type="time"
              step={1}
              value={parts.time}
              onChange={(event) => setParts({ ...parts, time: event.target.value })}
            />
          )}
        </Field>
      </div>
      {from && <p className="text-12 text-fg-3">{localLine(from, current, localZone())}</p>}
      <p className="text-12 text-fg-3">
        Bodies that were deleted since are not sent: they are kept only while a destination still needs them.
      </p>
    </Panel>
  );
}
