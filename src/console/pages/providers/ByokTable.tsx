import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type ByokRecord, deleteByokKey } from "#contract/byok.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { useReachable } from "../../api/connectivity.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { RowMenu } from "../../table/RowMenu.tsx";
import { Table } from "../../table/Table.tsx";
import { toast } from "../../ui/toast.ts";
import { byokColumns, byokName, type ByokContext, type RankedByok } from "./byok-columns.tsx";
import { inOrder, type ByokList } from "./byok-list.ts";
import { useByokOrder } from "./use-order.ts";

interface ByokTableProps {
  provider: ProviderRecord;
  /** where the keys are read from */
  list: ByokList;
  keys: readonly ByokRecord[];
}

/** Workspaces' own keys for a provider, those of a workspace in the order in which they are tried. */
export function ByokTable({ provider, list, keys }: ByokTableProps) {
  const { path: workspace } = useWorkspace();
  const { reason } = useReachable();
  const workspaces = useQuery(everyWorkspace).data;
  const workspaceNames = new Map(workspaces?.map(({ id, name }) => [id, name]));
  const [deleting, setDeleting] = useState<ByokRecord | null>(null);
  const { move, said } = useByokOrder(list);
  // the order is one among the keys of a workspace
  const groups = [...Map.groupBy(keys, (key) => key.workspace_id).values()].map(inOrder);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      <Table
        label={`Workspaces' own keys for ${provider.name}`}
        columns={byokColumns}
        context={{
          workspace,
          provider: provider.slug,
          workspaceNames,
          reason,
          onMove: ({ byok }, by) => void move(byok, by),
          onDelete: setDeleting,
        }}
        rows={groups.flatMap((group) => group.map((byok, place) => ({ byok, group, place })))}
        rowId={({ byok }) => byok.id}
        rowClass={({ byok }) => byok.disabled && "text-fg-3"}
        actions={menu}
      />
      {deleting && <DeleteByokDialog byok={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function menu({ byok }: RankedByok, context: ByokContext) {
  return <ByokMenu byok={byok} {...context} />;
}

function ByokMenu({ byok, workspace, provider, reason, onDelete }: ByokContext & { byok: ByokRecord }) {
  const navigate = useNavigate();
  return (
    <RowMenu
      name={byokName(byok)}
      items={[
        {
          label: "Edit",
          disabledReason: reason,
          onSelect: () => void navigate({ to: paths.editByokKey(workspace, provider, byok.id) }),
        },
        { kind: "line" },
        { label: "Delete", danger: true, disabledReason: reason, onSelect: () => onDelete(byok) },
      ]}
    />
  );
}

function DeleteByokDialog({ byok, onClose }: { byok: ByokRecord; onClose: () => void }) {
  const name = byok.name ?? byok.label.replace("...", "…");
  return (
    <ActionDialog
      endpoint={deleteByokKey}
      input={{ params: { id: byok.id } }}
      danger
      title={`Delete ${name}`}
      description="The stored key is wiped at once; from then on, calls of its workspace use the gateway's own key. This cannot be undone."
      confirmLabel="Delete key"
      onDone={() => {
        toast({ message: `${name} was deleted.` });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
