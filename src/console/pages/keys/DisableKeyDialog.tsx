import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getKeyUsage, updateKey, type KeyRecord } from "#contract/keys.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { formatAgo, formatCount } from "../../format.ts";
import { toast } from "../../ui/toast.ts";
import { enableMany } from "./DisableMany.tsx";
import { endsWith, withMadeKeys } from "./with-made-keys.ts";

/** Asks before a key is switched off, with what would stop working. */
export function DisableKeyDialog({ asked, onClose }: { asked: KeyRecord; onClose: () => void }) {
  const client = useQueryClient();
  const use = useRecentUse(asked);
  return (
    <ActionDialog
      endpoint={updateKey}
      input={{ params: { hash: asked.hash }, body: { disabled: true } }}
      title={`Disable ${asked.name}`}
      description={`${use} Calls with it get 401 from the moment you disable it, until you enable it again.${endsWith([asked])}`}
      confirmLabel="Disable key"
      onDone={() => {
        toast({
          message: `${asked.name} is disabled.`,
          action: { label: "Undo", onSelect: () => void enableMany(client, withMadeKeys([asked])) },
        });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

/** When the key was last used and how often in the last hour, as a sentence; without the figure where it did not load. */
export function useRecentUse(key: KeyRecord): string {
  const now = useNow(30_000);
  const { data } = useQuery(query(getKeyUsage, { params: { hash: key.hash }, query: { by: "hour", last: "2" } }));
  if (key.last_used_at === null) return "It was never used.";
  const last = `Last used ${formatAgo(new Date(key.last_used_at), "UTC", now)}`;
  if (!data) return `${last}.`;
  const calls = data.data.reduce((sum, hour) => sum + hour.requests, 0);
  return `${last}, ${calls === 1 ? "1 call" : `${formatCount(calls)} calls`} in this hour and the one before.`;
}
