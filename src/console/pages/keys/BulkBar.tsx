import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { updateKey } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { refreshAfter } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { explain } from "../../api/explain.ts";
import { useReachable } from "../../api/reachable.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { toast } from "../../ui/toast.ts";
import { downloadKeys } from "./export-keys.ts";

interface BulkBarProps {
  selected: readonly KeyRecord[];
  workspace: string;
  onClear: () => void;
}

/** What can be done with several keys at once. */
export function BulkBar({ selected, workspace, onClear }: BulkBarProps) {
  const [asking, setAsking] = useState(false);
  const { reason } = useReachable();
  const able = selected.filter((key) => !key.disabled);
  const count = selected.length;
  return (
    <>
      <p role="status" className={count === 0 ? "sr-only" : "font-semibold"}>
        {count === 0 ? "" : count === 1 ? "1 key selected" : `${count} keys selected`}
      </p>
      {count > 0 && (
        <>
          <Button
            size="sm"
            disabledReason={reason ?? (able.length === 0 && "All of them are disabled already")}
            onClick={() => setAsking(true)}
          >
            Disable
          </Button>
          <Button size="sm" onClick={() => downloadKeys(selected, workspace)}>
            Export {count}
          </Button>
          <Button size="sm" variant="quiet" onClick={onClear}>
            Clear the selection
          </Button>
        </>
      )}
      {asking && <DisableMany keys={able} onClose={() => setAsking(false)} onDone={onClear} />}
    </>
  );
}

function DisableMany({
  keys,
  onClose,
  onDone,
}: {
  keys: readonly KeyRecord[];
  onClose: () => void;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const [error, setError] = useState<string>();

  async function run(): Promise<void> {
    setError(undefined);
    let count = 0;
    try {
      for (const { hash } of keys) {
        setDone(count);
        await call(updateKey, { params: { hash }, body: { disabled: true } });
        count++;
      }
      toast({ message: count === 1 ? "1 key is disabled." : `${count} keys are disabled.` });
      onDone();
      onClose();
    } catch (failure) {
      const { title, said } = explain(failure);
      setError(`${count} of ${keys.length} are disabled, then it stopped. ${said ?? title}`);
    } finally {
      setDone(null);
      await refreshAfter(client, updateKey);
    }
  }

  return (
    <ConfirmDialog
      title={keys.length === 1 ? `Disable ${keys[0]?.name ?? "the key"}` : `Disable ${keys.length} keys`}
      description="Calls with them get 401 from the moment they are disabled, until they are enabled again."
      confirmLabel={done === null ? "Disable" : `Disabling ${done + 1} of ${keys.length}`}
      pending={done !== null}
      error={error}
      onConfirm={() => void run()}
      onCancel={onClose}
    >
      <ul className="max-h-40 overflow-y-auto text-fg-2">
        {keys.slice(0, 20).map((key) => (
          <li key={key.hash} dir="auto">
            {key.name}
          </li>
        ))}
        {keys.length > 20 && <li>and {keys.length - 20} more</li>}
      </ul>
    </ConfirmDialog>
  );
}
