import { presetMark, type PresetRecord } from "#contract/presets.ts";
import type { PresetsSearch } from "./search.ts";

/** Those whose name, slug or model has what was typed, in the status that was chosen. */
export function shownPresets<Preset extends Pick<PresetRecord, "name" | "slug" | "model" | "status">>(
  all: readonly Preset[],
  { q = "", status }: PresetsSearch,
): readonly Preset[] {
  const wanted = q.trim().toLowerCase();
  return all.filter(
    ({ name, slug, model, ...preset }) =>
      (status === undefined || preset.status === status) &&
      [name, presetMark + slug, model ?? ""].some((text) => text.toLowerCase().includes(wanted)),
  );
}
