import type { PresetRecord } from "#contract/presets.ts";
import type { StatusKind } from "../../ui/Status.tsx";

/** What a preset's status is called, and its shape. */
export const presetStatus: Readonly<Record<PresetRecord["status"], { kind: StatusKind; word: string }>> = {
  active: { kind: "running", word: "Active" },
  disabled: { kind: "off", word: "Disabled" },
  archived: { kind: "over", word: "Archived" },
};
