import { Link } from "@tanstack/react-router";
import { allWorkspaces, paths } from "../paths.ts";
import { linkTextClass } from "../ui/LinkText.tsx";
import { Notice } from "../ui/Notice.tsx";
import { PageHeader } from "./PageHeader.tsx";

/** In place of every page of a workspace that does not exist. */
export function NoSuchWorkspace({ name, deleted }: { name: string; deleted: boolean }) {
  return (
    <>
      <PageHeader title={deleted ? "This workspace was deleted" : "There is no such workspace"} />
      <p className="px-8 pt-3 text-13 text-fg-2 max-md:px-4">
        {deleted
          ? `“${name}” was deleted elsewhere. Its spend stays in the account's totals.`
          : `No workspace is called “${name}”. It may have been renamed or deleted.`}{" "}
        <ShowAll />
      </p>
    </>
  );
}

/** Over a page that keeps what only it has, although its workspace was deleted. */
export function DeletedNotice({ name }: { name: string }) {
  return (
    <Notice tone="bad" role="alert">
      <b className="font-semibold">The workspace “{name}” was deleted elsewhere.</b> Anything open here stays, so you
      can copy it. <ShowAll />
    </Notice>
  );
}

function ShowAll() {
  return (
    <Link to={paths.workspaces(allWorkspaces)} className={`${linkTextClass} underline`}>
      Show all workspaces
    </Link>
  );
}
