import type { PresetVersion } from "#contract/presets.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import type { MenuItem } from "../../ui/Menu.tsx";
import { Status } from "../../ui/Status.tsx";
import { changeWords } from "./version-diff.ts";

export interface VersionContext {
  /** the number of the version that calls use */
  inUse: number;
  before: (version: PresetVersion) => PresetVersion | undefined;
  /** what can be done with one */
  itemsFor: (version: PresetVersion) => MenuItem[];
}

export const versionColumns: readonly Column<PresetVersion, VersionContext>[] = [
  {
    id: "version",
    head: "Version",
    width: 160,
    fixed: true,
    skeleton: { width: 40 },
    cell: ({ version }, { inUse }) => (
      <span className="flex items-center gap-3">
        <span className="tabular-nums">{version}</span>
        {version === inUse && <Status kind="running" word="In use" />}
      </span>
    ),
  },
  {
    id: "changed",
    head: "Changed",
    width: 320,
    // all of it beside the menus of a phone
    className: "max-md:w-40",
    skeleton: { width: 180 },
    cell: (version, { before }) => changeWords(version, before(version)),
  },
  {
    id: "creator",
    head: "Saved by",
    width: 160,
    skeleton: { width: 88 },
    cell: ({ creator_id: name }) => (
      <span dir="auto" className="block truncate">
        {name}
      </span>
    ),
  },
  {
    id: "created_at",
    head: "When",
    zoned: true,
    width: 180,
    skeleton: { width: 120 },
    cell: ({ created_at: at }) => <TimeCell iso={at} show="exact" />,
  },
];
