import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateByokKey } from "#contract/byok.ts";
import type { ByokRecord } from "#contract/byok.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { explain } from "../../api/explain.ts";
import { reorder } from "../../table/reorder.ts";
import { toast } from "../../ui/toast.ts";

/** Moves a key up or down among those of its workspace; `said` is for a live region. */
export function useByokOrder() {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const [said, setSaid] = useState("");
  async function move(group: readonly ByokRecord[], key: ByokRecord, by: -1 | 1): Promise<void> {
    const changes = reorder(
      group.map(({ id, sort_order }) => ({ id, rank: sort_order })),
      key.id,
      by,
    );
    if (pending || changes.length === 0) return;
    setPending(true);
    try {
      for (const { id, rank } of changes) await call(updateByokKey, { params: { id }, body: { sort_order: rank } });
      await refreshAfter(client, updateByokKey);
      setSaid(`${key.name ?? key.label} is now ${group.indexOf(key) + by + 1} of ${group.length}`);
    } catch (error) {
      const { title, said: words } = explain(error);
      toast({ tone: "trouble", message: `The order was not saved. ${words ?? title}` });
      void refreshAfter(client, updateByokKey);
    } finally {
      setPending(false);
    }
  }
  return { move, said };
}
