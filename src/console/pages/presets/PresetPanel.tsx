import type { ReactNode } from "react";
import type { PresetWithVersion } from "#contract/presets.ts";
import type { Versioned } from "../../api/versioned.ts";
import { Failure } from "../../shell/Failure.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type PresetInput, useCloseToPreset, useVersionedPreset } from "./use-preset.ts";

/** The preset that a panel changes. */
export interface OfPreset {
  latest: Versioned<PresetWithVersion>;
  /** why it could not be read again */
  error: unknown;
  input: PresetInput;
  read: { queryKey: readonly unknown[] };
}

/** The panel of a preset's form, which waits until the preset is read. */
export function PresetPanel({ title, children }: { title: string; children: (of: OfPreset) => ReactNode }) {
  const { input, read, found } = useVersionedPreset();
  const close = useCloseToPreset();
  if (input !== null && found.data) return children({ latest: found.data, error: found.error, input, read });
  return (
    <Panel title={title} onDismiss={close} busy={found.isPending}>
      {found.isError ? (
        <Failure
          error={found.error}
          what="The preset did not load"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        [64, 64, 108].map((height, index) => <Skeleton key={index} height={height} />)
      )}
    </Panel>
  );
}
