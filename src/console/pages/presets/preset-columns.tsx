import { Link } from "@tanstack/react-router";
import { presetMark, type PresetRecord } from "#contract/presets.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { presetStatus } from "./status.ts";

export interface PresetContext {
  /** the workspace of a preset, by name and as addresses have it; undefined: it was deleted */
  workspaceOf: (preset: PresetRecord) => { name: string; path: string } | undefined;
}

const workspaceColumn: Column<PresetRecord, PresetContext> = {
  id: "workspace",
  head: "Workspace",
  width: 160,
  skeleton: { width: 88 },
  cell: (preset, { workspaceOf }) => (
    <span dir="auto" className="block truncate">
      {workspaceOf(preset)?.name ?? "deleted"}
    </span>
  ),
};

const nameColumn: Column<PresetRecord, PresetContext> = {
  id: "name",
  head: "Preset",
  width: 240,
  fixed: true,
  skeleton: { width: 160, two: true },
  cell: (preset, { workspaceOf }) => {
    const workspace = workspaceOf(preset);
    const named = (
      <span dir="auto" className="block truncate" {...tip(preset.name)}>
        {preset.name}
      </span>
    );
    return (
      <div className="grid grid-cols-1 justify-items-start leading-4">
        {workspace === undefined ? (
          named
        ) : (
          <Link
            to={paths.preset(workspace.path, preset.slug)}
            className="max-w-full rounded-1 font-semibold text-fg-1 hover:underline"
          >
            {named}
          </Link>
        )}
        <span className="mono max-w-full truncate text-11 text-fg-3">{presetMark + preset.slug}</span>
      </div>
    );
  },
};

const otherColumns: readonly Column<PresetRecord, PresetContext>[] = [
  {
    id: "model",
    head: "Model",
    width: 220,
    skeleton: { width: 120 },
    cell: ({ model }) =>
      model === null ? (
        <span className="text-fg-3">named by the call</span>
      ) : (
        <span className="block truncate" {...tip(model)}>
          {model}
        </span>
      ),
  },
  {
    id: "version",
    head: "Version in use",
    width: 128,
    figures: true,
    skeleton: { width: 40 },
    cell: ({ designated_version_number: number }) => number,
  },
  {
    id: "status",
    head: "Status",
    width: 128,
    skeleton: { width: 72 },
    cell: ({ status }) => <Status {...presetStatus[status]} />,
  },
  {
    id: "updated_at",
    head: "Changed",
    zoned: true,
    width: 180,
    skeleton: { width: 120 },
    cell: ({ updated_at: at }) => <TimeCell iso={at} show="exact" />,
  },
];

export const ownColumns = [nameColumn, ...otherColumns];
/** Those of several workspaces. */
export const allColumns = [nameColumn, workspaceColumn, ...otherColumns];
