import { useState } from "react";
import type { DestinationRecord } from "#contract/destinations.ts";
import { updateDestination } from "#contract/destinations.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { toast } from "../../ui/toast.ts";

export interface Enabled {
  /** what is wanted while it is being stored */
  wanted: boolean | undefined;
  pending: boolean;
  /** why the last try failed */
  problem: string | undefined;
  set: (enabled: boolean) => void;
  /** open question: bodies would leave from every key */
  asking: boolean;
  answer: (goOn: boolean) => void;
}

/**
 * Switches a destination on or off: shown at once, put back with the reason where that fails, undone from a toast.
 * Switching one on that sends bodies of every key is asked about first.
 */
export function useEnabled(destination: DestinationRecord | undefined): Enabled {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const update = useAction(updateDestination, {
    onSuccess: ({ data }) =>
      void toast({
        message: data.enabled ? `${data.name} is on again.` : `${data.name} is paused. What comes meanwhile waits.`,
        action: { label: "Undo", onSelect: () => send(data.id, !data.enabled) },
      }),
    onError: (error) => {
      const { title, said } = explain(error);
      setProblem(said ?? title);
    },
  });
  function send(id: string, enabled: boolean): void {
    setProblem(undefined);
    update.mutate({ params: { id }, body: { enabled } });
  }
  return {
    wanted: update.isPending ? update.variables.body?.enabled : undefined,
    pending: update.isPending,
    problem,
    set: (enabled) => {
      if (!destination || update.isPending) return;
      if (enabled && !destination.privacy_mode && destination.api_key_hashes === null) setAsking(true);
      else send(destination.id, enabled);
    },
    asking,
    answer: (goOn) => {
      setAsking(false);
      if (goOn && destination) send(destination.id, true);
    },
  };
}
