import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyRecord } from "#contract/keys.ts";
import { useReachable } from "../../api/connectivity.ts";
import { Button } from "../../ui/Button.tsx";
import { DisableMany, enableMany } from "./DisableMany.tsx";
import { downloadKeys } from "./export-keys.ts";

export interface BulkActionsProps {
  selected: readonly KeyRecord[];
  workspace: string;
  onClear: () => void;
}

/** What can be done with several keys at once. */
export function BulkActions({ selected, workspace, onClear }: BulkActionsProps) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [enabling, setEnabling] = useState(false);
  const { reason } = useReachable();
  const off = selected.filter((key) => key.disabled);
  const able = selected.filter((key) => !key.disabled);
  return (
    <>
      <Button
        size="sm"
        disabledReason={reason ?? (able.length === 0 && "All of them are disabled already")}
        onClick={() => setAsking(true)}
      >
        Disable
      </Button>
      <Button
        size="sm"
        pending={enabling}
        disabledReason={reason ?? (off.length === 0 && "None of them is disabled")}
        onClick={() => {
          setEnabling(true);
          void enableMany(client, off).finally(() => setEnabling(false));
        }}
      >
        Enable
      </Button>
      <Button size="sm" onClick={() => downloadKeys(selected, workspace)}>
        Export {selected.length}
      </Button>
      <Button size="sm" variant="quiet" onClick={onClear}>
        Clear the selection
      </Button>
      {asking && <DisableMany keys={able} already={off.length} onClose={() => setAsking(false)} onDone={onClear} />}
    </>
  );
}
