import { useQueryClient, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiEndpoint } from "#contract/api.ts";
import { updateByokKey, type ByokRecord } from "#contract/byok.ts";
import { type ProviderRecord, updateProvider } from "#contract/providers.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { explain } from "../../api/error-messages.ts";
import { everyProvider } from "../../api/providers.ts";
import { reorder, type Ranked } from "../../table/reorder.ts";
import { toast } from "../../ui/toast.ts";
import { inOrder, type ByokList } from "./byok-list.ts";

/** Moves a provider up or down. The list shows it at once, and saves one move after the other; `said` is for a live region. */
export function useOrder() {
  const client = useQueryClient();
  const { save, said, say } = useOrderSaving(updateProvider, ({ id, rank }) =>
    call(updateProvider, { params: { slug: id }, body: { position: rank } }),
  );
  async function move(provider: ProviderRecord, by: -1 | 1): Promise<void> {
    await client.cancelQueries({ queryKey: everyProvider.queryKey });
    // not as drawn: the move before may not be on screen yet
    const providers = client.getQueryData(everyProvider.queryKey)?.data ?? [];
    const changes = reorder(
      providers.map(({ slug, position }) => ({ id: slug, rank: position })),
      provider.slug,
      by,
    );
    if (changes.length === 0) return;
    const ranks = new Map(changes.map(({ id, rank }) => [id, rank]));
    const data = providers
      .map((one) => ({ ...one, position: ranks.get(one.slug) ?? one.position }))
      .toSorted((a, b) => a.position - b.position);
    client.setQueryData(everyProvider.queryKey, { data });
    say(`${provider.name} is now ${data.findIndex(({ slug }) => slug === provider.slug) + 1} of ${data.length}`);
    save(changes);
  }
  return { move, said };
}

/**
 * Saves moves in an order, one after the other, and reads the list again after the last of them; `said` is for a live
 * region.
 */
function useOrderSaving(endpoint: ApiEndpoint, saveOne: (change: Ranked) => Promise<unknown>) {
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

/** Moves a key up or down among those of its workspace, at once, and saves one move after the other; `said` is for a live region. */
export function useByokOrder({ queryKey }: ByokList) {
  const client = useQueryClient();
  const { save, said, say } = useOrderSaving(updateByokKey, ({ id, rank }) =>
    call(updateByokKey, { params: { id }, body: { sort_order: rank } }),
  );
  async function move(key: ByokRecord, by: -1 | 1): Promise<void> {
    await client.cancelQueries({ queryKey });
    // not as drawn: the move before may not be on screen yet
    const list = client.getQueryData(queryKey);
    const group = inOrder(list?.data.filter((one) => one.workspace_id === key.workspace_id) ?? []);
    const changes = reorder(
      group.map(({ id, sort_order }) => ({ id, rank: sort_order })),
      key.id,
      by,
    );
    if (!list || changes.length === 0) return;
    const ranks = new Map(changes.map(({ id, rank }) => [id, rank]));
    client.setQueryData(queryKey, {
      ...list,
      data: list.data.map((one) => ({ ...one, sort_order: ranks.get(one.id) ?? one.sort_order })),
    });
    say(`${key.name ?? key.label} is now ${group.findIndex(({ id }) => id === key.id) + by + 1} of ${group.length}`);
    save(changes);
  }
  return { move, said };
}
