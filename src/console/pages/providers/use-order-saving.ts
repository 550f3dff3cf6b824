import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiEndpoint } from "#contract/api.ts";
import { refreshAfter } from "../../api/action.ts";
import { explain } from "../../api/error-messages.ts";
import type { Ranked } from "../../table/reorder.ts";
import { toast } from "../../ui/toast.ts";

/**
 * Saves moves in an order, one after the other, and reads the list again after the last of them; `said` is for a live
 * region.
 */
export function useOrderSaving(endpoint: ApiEndpoint, saveOne: (change: Ranked) => Promise<unknown>) {
  const client = useQueryClient();
  const [said, setSaid] = useState("");
  const mutationKey = [endpoint.name] as const;
  const { mutate: save } = useMutation({
    mutationKey,
    scope: { id: `order: ${endpoint.name}` },
    mutationFn: async (changes: readonly Ranked[]) => {
      for (const change of changes) await saveOne(change);
    },
    onError: (error) => {
      const { title, said: words } = explain(error);
      toast({ tone: "trouble", message: `The order was not saved. ${words ?? title}` });
      setSaid("");
    },
    onSettled: () => {
      // what is read between two moves would take the second one back
      if (client.isMutating({ mutationKey }) === 1) void refreshAfter(client, endpoint);
    },
  });
  return { save, said, say: setSaid };
}
