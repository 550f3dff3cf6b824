import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { updateByokKey } from "#contract/byok.ts";
import type { ByokRecord } from "#contract/byok.ts";
import { useAction } from "../../api/action.ts";
import { explain } from "../../api/explain.ts";
import { useReachable } from "../../api/reachable.ts";
import { paths } from "../../paths.ts";
import { ledger } from "../../shell/ledger.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { MoveButtons } from "../../table/MoveButtons.tsx";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toast.ts";
import { tip } from "../../ui/Tooltip.tsx";

interface ByokRowProps {
  byok: ByokRecord;
  workspaceName: string;
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onDelete: (byok: ByokRecord) => void;
}

export function ByokRow({ byok, workspaceName, place, count, onMove, onDelete }: ByokRowProps) {
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const { slug = "" } = useParams({ strict: false });
  const { reason } = useReachable();
  const edit = paths.editByokKey(path, slug, byok.id);
  const masked = byok.label.replace("...", "…");
  const name = byok.name ?? masked;
  return (
    <tr className={cx("hover:bg-bg-2", byok.disabled && "text-fg-3")}>
      <th scope="row" className={cx(ledger.cell, ledger.fixed, "font-normal")}>
        <div className="grid leading-4">
          <Link
            to={edit}
            className={cx("truncate hover:underline", byok.disabled ? "text-fg-2" : "font-semibold text-fg-1")}
          >
            {name}
          </Link>
          {byok.name !== null && (
            <span translate="no" className="font-mono text-[10.5px]/3.5 text-fg-3">
              {masked}
            </span>
          )}
        </div>
      </th>
      <td className={ledger.cell}>{workspaceName}</td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>
        {byok.is_fallback ? "After the gateway's key" : "Before the gateway's key"}
      </td>
      <td className={cx(ledger.cell, "whitespace-nowrap")}>
        {byok.allowed_models === null ? (
          "All"
        ) : (
          <span {...tip(byok.allowed_models.join("\n"))} tabIndex={0} className="rounded-1">
            {byok.allowed_models.length} of them
          </span>
        )}
      </td>
      <td className={ledger.cell}>
        <InUse byok={byok} name={name} reason={reason} />
      </td>
      <td className={ledger.cell}>
        <MoveButtons name={name} place={place} count={count} onMove={onMove} disabledReason={reason} />
      </td>
      <td className={cx(ledger.cell, "text-right")}>
        <Menu
          trigger={
            <IconButton label={`Actions for ${name}`}>
              <Ellipsis size={16} aria-hidden="true" />
            </IconButton>
          }
          items={[
            { label: "Edit", disabledReason: reason, onSelect: () => void navigate({ to: edit }) },
            { kind: "line" },
            { label: "Delete", danger: true, disabledReason: reason, onSelect: () => onDelete(byok) },
          ]}
        />
      </td>
    </tr>
  );
}

function InUse({ byok, name, reason }: { byok: ByokRecord; name: string; reason: string | undefined }) {
  const update = useAction(updateByokKey, {
    onError: (error) => {
      const { title, said } = explain(error);
      toast({ tone: "trouble", message: `${name} was not changed. ${said ?? title}` });
    },
  });
  const wanted = update.isPending ? update.variables.body?.disabled : undefined;
  return (
    <Switch
      label={`${name} in use`}
      hideLabel
      checked={!(wanted ?? byok.disabled)}
      onChange={(used) => update.mutate({ params: { id: byok.id }, body: { disabled: !used } })}
      disabledReason={reason ?? (update.isPending && "It is being stored")}
    />
  );
}
