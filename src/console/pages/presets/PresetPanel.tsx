import type { ReactNode } from "react";
import type { PresetWithVersion } from "#contract/presets.ts";
import type { Versioned } from "../../api/versioned.ts";
import { ReadingPanel } from "../../shell/ReadingPanel.tsx";
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
  return <ReadingPanel title={title} noun="preset" found={found} onClose={close} />;
}
