import { Link } from "@tanstack/react-router";
import type { BatchRecord } from "#contract/batches.ts";
import { allWorkspaces, paths } from "../../paths.ts";
import { workspaceColumn, type WorkspaceContext } from "../../shell/workspace-columns.tsx";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { BatchBars } from "./BatchBars.tsx";
import { endpointName, iso, otherWords, progressWords, shortId } from "./labels.ts";
import { statusOf } from "./status.ts";

export interface BatchContext extends WorkspaceContext {
  /** the filter, which an open panel keeps */
  search: object;
}

const idColumn: Column<BatchRecord, BatchContext> = {
  id: "id",
  head: "Batch",
  width: 176,
  fixed: true,
  skeleton: { width: 128, two: true },
  cell: (batch, { workspaceOf, search }) => (
    <div className="grid grid-cols-1 justify-items-start leading-4">
      <Link
        to={paths.batch(workspaceOf(batch)?.path ?? allWorkspaces, batch.id)}
        search={search}
        className="mono max-w-full truncate rounded-1 text-12 font-semibold text-fg-1 hover:underline"
        {...tip(batch.id)}
      >
        {shortId(batch.id)}
      </Link>
      <span className="max-w-full truncate text-11 text-fg-3">{endpointName(batch.endpoint)}</span>
    </div>
  ),
};

const statusColumn: Column<BatchRecord, BatchContext> = {
  id: "status",
  head: "Status",
  width: 160,
  skeleton: { width: 88 },
  cell: (batch) => <Status {...statusOf(batch)} />,
};

const otherColumns: readonly Column<BatchRecord, BatchContext>[] = [
  {
    id: "progress",
    head: "Requests",
    width: 216,
    skeleton: { width: 160, two: true },
    cell: (batch) => {
      const others = otherWords(batch);
      return (
        <div className="grid grid-cols-1 gap-1 py-1 leading-4">
          <BatchBars of={batch} bars={40} />
          <span className="text-12 tabular-nums">
            {progressWords(batch)}
            {others !== "" && <span className="text-fg-3">, {others}</span>}
          </span>
        </div>
      );
    },
  },
  {
    id: "model",
    head: "Model",
    width: 176,
    skeleton: { width: 128 },
    cell: ({ model }) =>
      model === null ? (
        <span className="text-fg-3">one for each request</span>
      ) : (
        <span className="mono block truncate text-12" {...tip(model)}>
          {model}
        </span>
      ),
  },
  {
    id: "created_at",
    head: "Created",
    zoned: true,
    width: 168,
    skeleton: { width: 128 },
    cell: ({ created_at: at }) => <TimeCell iso={iso(at)} show="exact" />,
  },
  {
    id: "finalized_at",
    head: "Ended",
    zoned: true,
    width: 168,
    skeleton: { width: 128 },
    cell: ({ finalized_at: ended, expires_at: expires }) =>
      ended === null ? (
        <span className="text-fg-3">
          expires <TimeCell iso={iso(expires)} show="relative" />
        </span>
      ) : (
        <TimeCell iso={iso(ended)} show="exact" />
      ),
  },
];

export const ownColumns = [idColumn, statusColumn, ...otherColumns];
/** For the batches of all workspaces: on a phone their status is still to be seen. */
export const allColumns = [idColumn, statusColumn, workspaceColumn, ...otherColumns];
