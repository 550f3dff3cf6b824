import { presetMark, type PresetRecord } from "#contract/presets.ts";
import { paths } from "../../paths.ts";
import { NameCell, workspaceColumn, type WorkspaceContext } from "../../shell/workspace-columns.tsx";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { presetStatus } from "./status.ts";

const nameColumn: Column<PresetRecord, WorkspaceContext> = {
  id: "name",
  head: "Preset",
  width: 240,
  fixed: true,
  skeleton: { width: 160, two: true },
  cell: (preset, { workspaceOf }) => {
    const workspace = workspaceOf(preset);
    return (
      <NameCell name={preset.name} to={workspace && paths.preset(workspace.path, preset.slug)}>
        <span className="mono max-w-full truncate text-11 text-fg-3">{presetMark + preset.slug}</span>
      </NameCell>
    );
  },
};

const otherColumns: readonly Column<PresetRecord, WorkspaceContext>[] = [
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
