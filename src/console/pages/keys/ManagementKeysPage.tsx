import { Outlet, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type ManagementKeyRecord, deleteManagementKey } from "#contract/management-keys.ts";
import { useReachable } from "../../api/connectivity.ts";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../shell/ButtonLink.tsx";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { TableSkeleton } from "../../table/Table.tsx";
import { managementKeyColumns, type ManagementKeyContext } from "./management-key-columns.tsx";
import { ManagementKeyMenu } from "./ManagementKeyMenu.tsx";
import { ManagementKeyQuestion, type AskedOfManagementKey } from "./ManagementKeyQuestion.tsx";
import { useUnsaved } from "./UnsavedNotice.tsx";
import { UnsavedQuestion } from "./UnsavedQuestion.tsx";
import { useManagementKeys } from "./use-management-keys.ts";

function menu(key: ManagementKeyRecord, { onAsk }: ManagementKeyContext) {
  return <ManagementKeyMenu of={key} onAsk={onAsk} />;
}

/** The keys that open this console and the management API, whichever workspace is chosen. */
export function ManagementKeysPage() {
  const { path } = useWorkspace();
  const { reachable } = useReachable();
  const navigate = useNavigate();
  const list = useManagementKeys();
  const [asked, setAsked] = useState<AskedOfManagementKey | null>(null);
  useShortcut("c", "Create a management key", () => void navigate({ to: paths.newManagementKey(path) }), reachable);
  return (
    <>
      <PageHeader
        title="Management keys"
        sub={list.data && (list.data.data.length === 1 ? "One" : `${list.data.data.length} total`)}
        actions={
          <ButtonLink id="create-management-key" to={paths.newManagementKey(path)} variant="primary">
            Create management key
          </ButtonLink>
        }
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Anyone who has one can do everything here, in every workspace. Give each person and program their own, so that
        the audit log tells them apart and you can revoke one without the others.
      </p>
      <QueryBoundary
        query={list}
        what="the management keys"
        skeleton={<TableSkeleton columns={managementKeyColumns} rows={2} actions />}
      >
        {({ data }) => (
          <>
            <UnsavedManagementKey keys={data} />
            <ListTable
              label="Management keys"
              columns={managementKeyColumns}
              context={{ onAsk: setAsked }}
              rows={data}
              rowId={({ hash }) => hash}
              actions={menu}
            />
          </>
        )}
      </QueryBoundary>
      {asked && <ManagementKeyQuestion asked={asked} onClose={() => setAsked(null)} />}
      <Outlet />
    </>
  );
}

/** After a reload that cut the reveal of a management key short. Said once, on the page of those keys. */
function UnsavedManagementKey({ keys }: { keys: readonly ManagementKeyRecord[] }) {
  const [hash, forget] = useUnsaved("management-key");
  const key = keys.find((one) => one.hash === hash);
  return key ? <UnsavedQuestion of={key} remove={deleteManagementKey} onDone={forget} /> : null;
}
