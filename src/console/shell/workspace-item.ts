import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { allWorkspaces, workspaceInPath } from "../paths.ts";
import type { PickerItem } from "./Picker.tsx";

/** The workspaces as a list to choose from, all of them together first. `current` and what is chosen are as in an address. */
export function workspaceItems(
  workspaces: readonly WorkspaceRecord[],
  current: string,
  choose: (workspace: string) => void,
): PickerItem[] {
  const all: PickerItem = {
    id: "workspace-all",
    label: "All workspaces",
    current: current === allWorkspaces,
    pick: () => choose(allWorkspaces),
  };
  return [
    all,
    ...workspaces.map((workspace) => {
      const path = workspaceInPath(workspace);
      return {
        id: `workspace-${workspace.id}`,
        label: workspace.name,
        detail: workspace.slug,
        current: path === current || workspace.id === current,
        pick: () => choose(path),
      };
    }),
  ];
}
