import { useState } from "react";
import { type DestinationRecord, type UpdateDestinationBody, updateDestination } from "#contract/destinations.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { toast } from "../../ui/toast.ts";

type Resume = NonNullable<UpdateDestinationBody["resume"]>;

export interface Enabled {
  /** what is shown: what is wanted, from the click until the list has it */
  shown: boolean;
  pending: boolean;
  /** why the last try failed */
  problem: string | undefined;
  set: (enabled: boolean) => void;
  /** the open question: that bodies of every key would leave, or what becomes of the calls that waited */
  asking: "bodies" | "waiting" | null;
  answer: (resume: Resume | null) => void;
}

/**
 * Switches a destination on or off: shown at once, put back with the reason where that fails, undone from a toast.
 * Switching one on is asked about where it sends bodies of every key, and where calls wait for it.
 * @param waiting how many calls it has not got while it was off
 */
export function useEnabled(destination: DestinationRecord, waiting: number): Enabled {
  const [asking, setAsking] = useState<Enabled["asking"]>(null);
  const [problem, setProblem] = useState<string>();
  const [wanted, setWanted] = useState<boolean>();
  const { id } = destination;
  if (wanted === destination.enabled) setWanted(undefined);
  const update = useAction(updateDestination, {
    onSuccess: ({ data }) =>
      void toast({
        message: data.enabled
          ? `${data.name} is on again.`
          : `${data.name} is paused. New calls wait until it is on again.`,
        action: { label: "Undo", onSelect: () => send({ enabled: !data.enabled }) },
      }),
    onError: (error) => {
      setWanted(undefined);
      setProblem(errorText(error));
    },
  });
  function send(body: UpdateDestinationBody): void {
    setProblem(undefined);
    setWanted(body.enabled);
    update.mutate({ params: { id }, body });
  }
  return {
    shown: wanted ?? destination.enabled,
    pending: update.isPending,
    problem,
    set: (enabled) => {
      if (update.isPending) return;
      if (enabled && !destination.privacy_mode && destination.api_key_hashes === null) setAsking("bodies");
      else if (enabled && waiting > 0) setAsking("waiting");
      else send({ enabled });
    },
    asking,
    answer: (resume) => {
      setAsking(null);
      if (resume !== null) send({ enabled: true, resume });
    },
  };
}
