import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { everyWorkspace } from "../api/workspaces.ts";
import { allWorkspaces, paths } from "../paths.ts";
import { linkTextClass } from "../ui/LinkText.tsx";
import { Failure } from "./Failure.tsx";
import { PageHeader } from "./PageHeader.tsx";
import { useWorkspace } from "./workspace.ts";

/** The frame of all pages of one workspace: it says so if the URL names a workspace that does not exist. */
export function WorkspaceFrame() {
  const { path, id, unknown } = useWorkspace();
  const list = useQuery(everyWorkspace);
  if (unknown) return <NoSuchWorkspace path={path} />;
  if (id === undefined && list.isError) {
    return (
      <div className="px-8 py-4 max-md:px-4">
        <Failure
          error={list.error}
          what="The workspaces did not load"
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      </div>
    );
  }
  return <Outlet />;
}

function NoSuchWorkspace({ path }: { path: string }) {
  return (
    <>
      <PageHeader title="There is no such workspace" />
      <p className="px-8 pt-3 text-13 text-fg-2 max-md:px-4">
        No workspace is called “{path}”. It may have been renamed or deleted.{" "}
        <Link to={paths.workspaces(allWorkspaces)} className={`${linkTextClass} underline`}>
          Show all workspaces
        </Link>
      </p>
    </>
  );
}
