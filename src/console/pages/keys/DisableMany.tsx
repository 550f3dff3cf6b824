import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type KeyRecord, updateKey } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { useNow } from "../../api/clock.ts";
import { errorText } from "../../api/error-messages.ts";
import { formatAgo } from "../../format.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { endsWith, type KeyToDisable, withMadeKeys } from "./with-made-keys.ts";

/** As many names as are read before a click. */
const mostNamed = 8;

/** Enables one after the other and says how far it came. */
export async function enableMany(
  client: QueryClient,
  keys: readonly Pick<KeyToDisable, "hash" | "name">[],
): Promise<void> {
  let count = 0;
  try {
    for (const { hash } of keys) {
      await call(updateKey, { params: { hash }, body: { disabled: false } });
      count++;
    }
    toast({ message: count === 1 ? "1 key is enabled." : `${count} keys are enabled.` });
  } catch (failure) {
    toast({
      message:
        keys.length === 1
          ? `${keys[0]?.name ?? "The key"} is still disabled.`
          : `${count} of ${keys.length} are enabled, then it stopped.`,
      detail: errorText(failure),
      tone: "trouble",
    });
  } finally {
    await refreshAfter(client, updateKey);
  }
}

function disabledAlready(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? "1 of the selected keys is disabled already. "
    : `${count} of the selected keys are disabled already. `;
}

interface DisableManyProps {
  keys: readonly (KeyToDisable & Partial<Pick<KeyRecord, "last_used_at">>)[];
  /** how many more were selected, which are disabled already */
  already?: number;
  onClose: () => void;
  onDone?: () => void;
}

/** Asks before several keys are disabled, and says how far it came. */
export function DisableMany({ keys, already = 0, onClose, onDone }: DisableManyProps) {
  const client = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const now = useNow(30_000);
  // Those of a try that stopped too, as they were: Undo brings back all of them.
  const [before, setBefore] = useState<readonly KeyToDisable[]>([]);

  async function run(): Promise<void> {
    setError(undefined);
    const ended = [...before];
    const left = keys.filter(({ hash }) => ended.every((key) => key.hash !== hash));
    let count = 0;
    try {
      for (const key of left) {
        setDone(count);
        await call(updateKey, { params: { hash: key.hash }, body: { disabled: true } });
        ended.push(key);
        count++;
      }
      toast({
        message: ended.length === 1 ? "1 key is disabled." : `${ended.length} keys are disabled.`,
        action: { label: "Undo", onSelect: () => void enableMany(client, withMadeKeys(ended)) },
      });
      onDone?.();
      onClose();
    } catch (failure) {
      setBefore(ended);
      setError(`${count} of ${left.length} are disabled, then it stopped. ${errorText(failure)}`);
    } finally {
      setDone(null);
      await refreshAfter(client, updateKey);
    }
  }

  // A list that scrolls would hide some of them and show nothing of it.
  const named = keys.length > mostNamed ? keys.slice(0, mostNamed - 1) : keys;
  return (
    <ConfirmDialog
      title={keys.length === 1 ? `Disable ${keys[0]?.name ?? "the key"}` : `Disable ${keys.length} keys`}
      description={`${disabledAlready(already)}${keys.length === 1 ? "Calls with it get 401 from the moment it is disabled, until it is" : "Calls with them get 401 from the moment they are disabled, until they are"} enabled again.${endsWith(keys)}`}
      confirmLabel={done === null ? "Disable" : `Disabling ${done + 1} of ${keys.length}`}
      pending={done !== null}
      error={error}
      onConfirm={() => void run()}
      onCancel={onClose}
    >
      <ul className="text-fg-2">
        {named.map((key) => (
          <li key={key.hash} className="flex gap-x-3">
            <span dir="auto" className="truncate">
              {key.name}
            </span>{" "}
            {key.last_used_at !== undefined && (
              <span className="ml-auto whitespace-nowrap text-fg-3">
                {key.last_used_at === null
                  ? "never used"
                  : `last used ${formatAgo(new Date(key.last_used_at), "UTC", now)}`}
              </span>
            )}
          </li>
        ))}
        {keys.length > named.length && <li>and {keys.length - named.length} more</li>}
      </ul>
    </ConfirmDialog>
  );
}
