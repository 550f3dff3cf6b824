import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ProviderRecord } from "#contract/providers.ts";
import { updateProvider } from "#contract/providers.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { explain } from "../../api/explain.ts";
import { everyProvider } from "../../api/providers.ts";
import { reorder } from "../../table/reorder.ts";
import { toast } from "../../ui/toast.ts";

/** Moves a provider up or down. The list shows it at once; `said` is for a live region. */
export function useOrder(providers: readonly ProviderRecord[]) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const [said, setSaid] = useState("");
  async function move(provider: ProviderRecord, by: -1 | 1): Promise<void> {
    const changes = reorder(
      providers.map(({ slug, position }) => ({ id: slug, rank: position })),
      provider.slug,
      by,
    );
    if (pending || changes.length === 0) return;
    setPending(true);
    await client.cancelQueries({ queryKey: everyProvider.queryKey });
    const ranks = new Map(changes.map(({ id, rank }) => [id, rank]));
    client.setQueryData(everyProvider.queryKey, {
      data: providers
        .map((one) => ({ ...one, position: ranks.get(one.slug) ?? one.position }))
        .toSorted((a, b) => a.position - b.position),
    });
    setSaid(`${provider.name} is now ${providers.indexOf(provider) + by + 1} of ${providers.length}`);
    try {
      for (const { id, rank } of changes) {
        await call(updateProvider, { params: { slug: id }, body: { position: rank } });
      }
    } catch (error) {
      const { title, said: words } = explain(error);
      toast({ tone: "trouble", message: `The order was not saved. ${words ?? title}` });
      setSaid("");
    } finally {
      setPending(false);
      void refreshAfter(client, updateProvider);
    }
  }
  return { move, said };
}
