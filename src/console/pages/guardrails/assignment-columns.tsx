import { Link } from "@tanstack/react-router";
import type { KeyAssignment, MemberAssignment } from "#contract/guardrails.ts";
import { paths } from "../../paths.ts";
import { NameCell } from "../../shell/workspace-columns.tsx";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { tip } from "../../ui/Tooltip.tsx";

export interface AssignmentContext {
  /** the workspace as addresses have it */
  workspace: string;
}

type Assignment = Pick<KeyAssignment, "assigned_by" | "created_at">;

const history: readonly Column<Assignment, AssignmentContext>[] = [
  {
    id: "assigned_by",
    head: "Assigned by",
    width: 180,
    skeleton: { width: 96 },
    cell: ({ assigned_by: by }) =>
      by === null ? (
        <span className="text-fg-3">unknown</span>
      ) : (
        <span dir="auto" className="block truncate" {...tip(by)}>
          {by}
        </span>
      ),
  },
  {
    id: "created_at",
    head: "Assigned",
    zoned: true,
    width: 180,
    skeleton: { width: 120 },
    cell: ({ created_at: at }) => <TimeCell iso={at} show="exact" />,
  },
];

export const keyColumns: readonly Column<KeyAssignment, AssignmentContext>[] = [
  {
    id: "key",
    head: "Key",
    width: 280,
    fixed: true,
    skeleton: { width: 160, two: true },
    cell: ({ key_hash: hash, key_name: name, key_label: label }, { workspace }) => (
      <NameCell name={name} to={paths.key(workspace, hash)}>
        <span translate="no" className="mono max-w-full truncate text-11 text-fg-3">
          {label.replace("...", "…")}
        </span>
      </NameCell>
    ),
  },
  ...history,
];

export const creatorColumns: readonly Column<MemberAssignment, AssignmentContext>[] = [
  {
    id: "creator",
    head: "Creator",
    width: 280,
    fixed: true,
    skeleton: { width: 160 },
    cell: ({ user_id: user }, { workspace }) => (
      <Link
        to={paths.keys(workspace)}
        search={{ creator: user }}
        className="block max-w-full rounded-1 font-semibold text-fg-1 hover:underline"
      >
        <span dir="auto" className="block truncate" {...tip(user)}>
          {user}
        </span>
      </Link>
    ),
  },
  ...history,
];
