import { Link } from "@tanstack/react-router";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import { counted } from "../../format.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { guardrailSummary } from "../../api/guardrail-words.ts";

export interface GuardrailContext {
  /** the workspace of a guardrail, by name and as addresses have it; undefined: it was deleted */
  workspaceOf: (guardrail: GuardrailRecord) => { name: string; path: string } | undefined;
}

const workspaceColumn: Column<GuardrailRecord, GuardrailContext> = {
  id: "workspace",
  head: "Workspace",
  width: 160,
  skeleton: { width: 88 },
  cell: (guardrail, { workspaceOf }) => (
    <span dir="auto" className="block truncate">
      {workspaceOf(guardrail)?.name ?? "deleted"}
    </span>
  ),
};

const nameColumn: Column<GuardrailRecord, GuardrailContext> = {
  id: "name",
  head: "Guardrail",
  width: 240,
  fixed: true,
  skeleton: { width: 160, two: true },
  cell: (guardrail, { workspaceOf }) => {
    const workspace = workspaceOf(guardrail);
    const second = guardrail.is_default ? "covers every key of the workspace" : guardrail.description;
    const named = (
      <span dir="auto" className="block truncate" {...tip(guardrail.name)}>
        {guardrail.name}
      </span>
    );
    return (
      <div className="grid grid-cols-1 justify-items-start leading-4">
        {workspace === undefined ? (
          named
        ) : (
          <Link
            to={paths.guardrail(workspace.path, guardrail.id)}
            className="max-w-full rounded-1 font-semibold text-fg-1 hover:underline"
          >
            {named}
          </Link>
        )}
        {second !== null && (
          <span dir="auto" className="max-w-full truncate text-11 text-fg-3">
            {second}
          </span>
        )}
      </div>
    );
  },
};

const otherColumns: readonly Column<GuardrailRecord, GuardrailContext>[] = [
  {
    id: "rules",
    head: "What it does",
    width: 320,
    // as much as a phone has room for next to the names: a sentence cut in two reads like another one
    className: "max-md:w-36",
    skeleton: { width: 220 },
    cell: (guardrail) => {
      const parts = guardrailSummary(guardrail);
      if (parts.length === 0) return <span className="text-fg-3">restricts nothing yet</span>;
      return <span className="line-clamp-2 leading-4 max-md:line-clamp-4">{parts.join(" · ")}</span>;
    },
  },
  {
    id: "assigned",
    head: "Assigned to",
    width: 168,
    skeleton: { width: 96 },
    cell: (guardrail) => {
      const words = assignedWords(guardrail);
      return words === null ? <span className="text-fg-3">nothing yet</span> : words;
    },
  },
  {
    id: "updated_at",
    head: "Changed",
    zoned: true,
    width: 180,
    skeleton: { width: 120 },
    cell: ({ created_at: created, updated_at: at, ...guardrail }) =>
      // nobody made the default one: it is there as long as its workspace
      at === null && guardrail.is_default ? (
        <span className="text-fg-3">never</span>
      ) : (
        <TimeCell iso={at ?? created} show="exact" />
      ),
  },
];

/** "3 keys, 1 creator"; null where it covers nothing. */
export function assignedWords({ is_default: all, key_count: keys, member_count: members }: GuardrailRecord) {
  const words = [
    ...(all ? ["every key"] : []),
    ...(keys > 0 ? [counted(keys, "key")] : []),
    ...(members > 0 ? [counted(members, "creator")] : []),
  ];
  return words.length === 0 ? null : words.join(", ");
}

export const ownColumns = [nameColumn, ...otherColumns];
/** Those of several workspaces. */
export const allColumns = [nameColumn, workspaceColumn, ...otherColumns];
