import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { getPreset } from "#contract/presets.ts";
import { query } from "../../api/query.ts";
import { versioned } from "../../api/versioned.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";

/** What names the preset of the address to the gateway; null until its workspace is known, and for all of them. */
export function usePresetInput() {
  const { slug = "" } = useParams({ strict: false });
  const { id } = useWorkspace();
  return id === undefined || id === allWorkspaces ? null : { params: { slug }, query: { workspace_id: id } };
}
export type PresetInput = NonNullable<ReturnType<typeof usePresetInput>>;

const none: PresetInput = { params: { slug: "" }, query: { workspace_id: "" } };

/** The preset that the address names. */
export function usePreset() {
  const input = usePresetInput();
  return useQuery({ ...query(getPreset, input ?? none), enabled: input !== null });
}

/** The same for a form. */
export function useVersionedPreset() {
  const input = usePresetInput();
  const read = versioned(getPreset, input ?? none);
  return { input, read, found: useQuery({ ...read, enabled: input !== null }) };
}

/** Back to the preset's page. */
export function useCloseToPreset(): () => void {
  const closePanel = useClosePanel();
  const { path } = useWorkspace();
  const { slug = "" } = useParams({ strict: false });
  return () => closePanel(paths.preset(path, slug));
}
