import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type DestinationRecord, deleteDestination } from "#contract/destinations.ts";
import { getDestinationHealth } from "#contract/forwarding.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { query } from "../../api/query.ts";
import { counted } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { totals } from "./health.ts";
import { useCloseToDestination, useDestination } from "./use-destination.ts";

/** Asks before a destination is deleted, with what would be lost; the name is typed where records went there lately. */
export function DeleteDestinationDialog() {
  const { data } = useDestination();
  const close = useCloseToDestination();
  if (data === undefined) return null;
  return <Confirm destination={data.record} onCancel={close} />;
}

function Confirm({ destination, onCancel }: { destination: DestinationRecord; onCancel: () => void }) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const health = useQuery(query(getDestinationHealth, { params: { id: destination.id } }));
  const lastDay = health.data && totals(health.data.data.hours).delivered;
  const waiting = health.data?.data.backlog ?? 0;
  const remove = useAction(deleteDestination, {
    onSuccess: async () => {
      toast({ message: `${destination.name} was deleted.` });
      await navigate({ to: paths.destinations(path), replace: true });
    },
  });
  // what is asked for must not change while it is typed
  if (health.isPending && health.fetchStatus === "fetching") return null;
  // without an answer it is taken for one that is in use
  const used = lastDay === undefined || lastDay > 0 || waiting > 0;
  return (
    <ConfirmDialog
      danger
      title={`Delete ${destination.name}`}
      description="Its settings and secrets are wiped, and nothing more is sent to it. This cannot be undone."
      typedName={used ? destination.name : undefined}
      confirmLabel="Delete destination"
      pending={remove.isPending}
      error={remove.isError ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: destination.id } })}
      onCancel={onCancel}
    >
      <p className="text-12 text-warn-fg">
        {lastDay === undefined
          ? "How many calls it receives is unknown."
          : lastDay > 0 && `${counted(lastDay, "call was", "calls were")} delivered in the last 24 hours.`}
        {waiting > 0 && ` ${counted(waiting, "undelivered call", "undelivered calls")} will not be sent.`}
      </p>
    </ConfirmDialog>
  );
}
