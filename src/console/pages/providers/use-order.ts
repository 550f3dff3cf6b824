import { useQueryClient } from "@tanstack/react-query";
import { type ProviderRecord, updateProvider } from "#contract/providers.ts";
import { call } from "../../api/call.ts";
import { everyProvider } from "../../api/providers.ts";
import { reorder } from "../../table/reorder.ts";
import { useOrderSaving } from "./use-order-saving.ts";

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
