import { useQueryClient } from "@tanstack/react-query";
import { updateByokKey, type ByokRecord } from "#contract/byok.ts";
import { call } from "../../api/call.ts";
import { reorder } from "../../table/reorder.ts";
import { inOrder, type ByokList } from "./byok-list.ts";
import { useOrderSaving } from "./use-order-saving.ts";

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
