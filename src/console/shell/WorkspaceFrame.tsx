import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams, useRouter, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { everyWorkspace } from "../api/workspaces.ts";
import { keepsPage } from "../form/leave-guard.ts";
import { PanelNotice } from "../ui/panel-notice.ts";
import { PageError } from "./PageError.tsx";
import { useWorkspace } from "./workspace.ts";

const NoSuchWorkspace = lazy(async () => ({ default: (await import("./NoSuchWorkspace.tsx")).NoSuchWorkspace }));
const DeletedNotice = lazy(async () => ({ default: (await import("./NoSuchWorkspace.tsx")).DeletedNotice }));

const refreshEveryMs = 30_000;

/**
 * The frame of all pages of one workspace: it says so if the URL names a workspace that does not exist, or no longer
 * does, and follows one that was renamed.
 */
export function WorkspaceFrame() {
  const { id, name, deleted, unknown } = useWorkspace();
  const list = useQuery({
    ...everyWorkspace,
    refetchInterval: refreshEveryMs,
    refetchOnWindowFocus: "always",
  });
  useFollowRenamed();
  const emptied = useEmptied(deleted, list.dataUpdatedAt);
  if (unknown || emptied) {
    return (
      <Suspense>
        <NoSuchWorkspace name={name} deleted={deleted} />
      </Suspense>
    );
  }
  if (id === undefined && list.isError) return <PageError error={list.error} reset={() => void list.refetch()} />;
  const notice = deleted && (
    <Suspense>
      <DeletedNotice name={name} />
    </Suspense>
  );
  return (
    <PanelNotice value={notice}>
      {notice}
      <Outlet />
    </PanelNotice>
  );
}

/** Leads to the same page under the slug that the workspace has by now. Nothing is left, so no form is asked. */
function useFollowRenamed(): void {
  const router = useRouter();
  const { workspace: written } = useParams({ strict: false });
  const { path } = useWorkspace();
  useEffect(() => {
    if (written === undefined || written === path) return;
    const { pathname } = router.state.location;
    const to = pathname.replace(/^\/w\/[^/]+/, `/w/${encodeURIComponent(path)}`);
    void router.navigate({ to, search: true, hash: true, replace: true, ignoreBlocker: true });
  }, [router, written, path]);
}

/** Whether a deleted workspace's page gives way: not while it has what is nowhere else, such as a new key's text. */
function useEmptied(deleted: boolean, readAt: number): boolean {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.href });
  const [emptied, setEmptied] = useState(false);
  useEffect(() => setEmptied(deleted && !keepsPage()), [deleted, readAt, shown]);
  return deleted && emptied;
}
