import type { GuardrailRecord } from "#contract/guardrails.ts";
import { counted } from "../../format.ts";
import { paths } from "../../paths.ts";
import { NameCell, workspaceColumn, type WorkspaceContext } from "../../shell/workspace-columns.tsx";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { guardrailSummary } from "../../api/guardrail-words.ts";

const nameColumn: Column<GuardrailRecord, WorkspaceContext> = {
  id: "name",
  head: "Guardrail",
  width: 240,
  fixed: true,
  skeleton: { width: 160, two: true },
  cell: (guardrail, { workspaceOf }) => {
    const workspace = workspaceOf(guardrail);
    const second = guardrail.is_default ? "covers every key of the workspace" : guardrail.description;
    return (
      <NameCell name={guardrail.name} to={workspace && paths.guardrail(workspace.path, guardrail.id)}>
        {second !== null && (
          <span dir="auto" className="max-w-full truncate text-11 text-fg-3">
            {second}
          </span>
        )}
      </NameCell>
    );
  },
};

const otherColumns: readonly Column<GuardrailRecord, WorkspaceContext>[] = [
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
