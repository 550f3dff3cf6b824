import { Link } from "@tanstack/react-router";
import { updateByokKey, type ByokRecord } from "#contract/byok.ts";
import { useAction } from "../../api/action.ts";
import { errorText } from "../../api/error-messages.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { cx } from "../../ui/cx.ts";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toast.ts";
import { tip } from "../../ui/Tooltip.tsx";

/** A key, and its position among the keys of its workspace. */
export interface RankedByok {
  byok: ByokRecord;
  group: readonly ByokRecord[];
  /** counted from 0 */
  place: number;
}

export interface ByokContext {
  /** as written in the address */
  workspace: string;
  provider: string;
  workspaceNames: ReadonlyMap<string, string>;
  /** why nothing can be changed now */
  reason: string | undefined;
  onMove: (row: RankedByok, by: -1 | 1) => void;
  onDelete: (byok: ByokRecord) => void;
}

const masked = ({ label }: ByokRecord) => label.replace("...", "…");

export const byokName = (byok: ByokRecord): string => byok.name ?? masked(byok);

export const byokColumns: readonly Column<RankedByok, ByokContext>[] = [
  {
    id: "name",
    head: "Key",
    width: 224,
    fixed: true,
    cell: ({ byok }, { workspace, provider }) => (
      <div className="grid leading-4">
        <Link
          to={paths.editByokKey(workspace, provider, byok.id)}
          className={cx("truncate hover:underline", byok.disabled ? "text-fg-2" : "font-semibold text-fg-1")}
        >
          {byokName(byok)}
        </Link>
        {byok.name !== null && (
          <span translate="no" className="truncate font-mono text-[10.5px]/3.5 text-fg-3">
            {masked(byok)}
          </span>
        )}
      </div>
    ),
  },
  {
    id: "workspace",
    head: "Workspace",
    width: 104,
    cell: ({ byok }, { workspaceNames }) => workspaceNames.get(byok.workspace_id ?? "") ?? "–",
  },
  {
    id: "used",
    head: "Used",
    width: 176,
    cell: ({ byok }) => (byok.is_fallback ? "After the gateway's key" : "Before the gateway's key"),
  },
  {
    id: "models",
    head: "Models",
    width: 88,
    cell: ({ byok }) =>
      byok.allowed_models === null ? (
        "All"
      ) : (
        <span {...tip(byok.allowed_models.join("\n"))} tabIndex={0} className="rounded-1">
          {byok.allowed_models.length} of them
        </span>
      ),
  },
  {
    id: "in_use",
    head: "In use",
    width: 76,
    cell: ({ byok }, { reason }) => <InUse byok={byok} name={byokName(byok)} reason={reason} />,
  },
  {
    id: "order",
    head: "Order",
    width: 88,
    cell: (row, { onMove, reason }) => (
      <MoveButtons
        name={byokName(row.byok)}
        place={row.place}
        count={row.group.length}
        onMove={(by) => onMove(row, by)}
        disabledReason={reason}
      />
    ),
  },
];

function InUse({ byok, name, reason }: { byok: ByokRecord; name: string; reason: string | undefined }) {
  const update = useAction(updateByokKey, {
    onError: (error) => {
      toast({ tone: "trouble", message: `${name} was not changed. ${errorText(error)}` });
    },
  });
  const wanted = update.isPending ? update.variables.body?.disabled : undefined;
  return (
    <Switch
      label={`${name} in use`}
      hideLabel
      checked={!(wanted ?? byok.disabled)}
      onChange={(used) => update.mutate({ params: { id: byok.id }, body: { disabled: !used } })}
      disabledReason={reason ?? (update.isPending && "Saving")}
    />
  );
}
