import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { formatCount } from "../../format.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { Status } from "../../ui/Status.tsx";
import { managementKeyMaker, managementKeyStatus } from "./management-key-labels.ts";
import type { AskedOfManagementKey } from "./ManagementKeyQuestion.tsx";

export interface ManagementKeyContext {
  onAsk: (asked: AskedOfManagementKey) => void;
}

export const managementKeyColumns: readonly Column<ManagementKeyRecord, ManagementKeyContext>[] = [
  {
    id: "name",
    head: "Name",
    width: 288,
    className: "max-xl:md:w-56",
    fixed: true,
    skeleton: { width: 132, two: true },
    cell: (key) => (
      <>
        <div className="flex items-baseline gap-2 leading-4">
          <bdi className="truncate font-semibold text-fg-1" title={key.name}>
            {key.name}
          </bdi>
          {key.current && <span className="text-12 whitespace-nowrap text-fg-3">this session</span>}
        </div>
        <div className="mono truncate text-11 text-fg-3">{key.label.replace("...", "…")}</div>
      </>
    ),
  },
  {
    id: "status",
    head: "Status",
    width: 176,
    className: "max-md:w-36",
    cell: (key) => {
      const { kind, word, why } = managementKeyStatus(key);
      return (
        <>
          <Status kind={kind} word={word} />
          {why && <div className="text-11 text-fg-3">{why}</div>}
        </>
      );
    },
  },
  {
    id: "last_used_at",
    head: "Last used",
    width: 104,
    cell: (key) => {
      // a use is noted every five minutes, and this list was read with it
      if (key.current) return "Now";
      if (key.last_used_at === null) return <span className="text-fg-3">Never</span>;
      return <TimeCell iso={key.last_used_at} focusable />;
    },
  },
  {
    id: "sessions",
    head: "Sessions",
    width: 84,
    figures: true,
    skeleton: { width: 16 },
    cell: ({ sessions }) => (sessions === 0 ? "–" : formatCount(sessions)),
  },
  {
    id: "created_at",
    head: "Created",
    zoned: true,
    width: 240,
    className: "max-xl:w-40",
    skeleton: { width: 84 },
    cell: (key) => (
      <>
        <TimeCell iso={key.created_at} show="day" focusable />
        <div className="truncate text-11 text-fg-3">{managementKeyMaker(key)}</div>
      </>
    ),
  },
];
