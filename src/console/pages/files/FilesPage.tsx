import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { KeptFile, KeptFiles } from "#contract/files.ts";
import { useReachable } from "../../api/connectivity.ts";
import { errorText } from "../../api/error-messages.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { filesOf } from "./files-of.ts";
import { counted, formatBytes, formatCount, formatPercent } from "../../format.ts";
import { allWorkspaces, paths, workspaceInPath } from "../../paths.ts";
import { ListTable } from "../../shell/ListTable.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Older } from "../../table/Older.tsx";
import { RowMenu } from "../../table/RowMenu.tsx";
import { TableSkeleton } from "../../table/Table.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { fileColumns, type FileContext } from "./file-columns.tsx";
import { useUpload } from "./use-upload.ts";

const menu = ({ id, filename }: KeptFile, { onDelete }: FileContext) => (
  <RowMenu name={filename} items={[{ label: "Delete …", danger: true, onSelect: () => onDelete(id) }]} />
);

/** The files of a workspace, which its calls can name by their ids. */
export function FilesPage() {
  const { path } = useWorkspace();
  return path === allWorkspaces ? <NoWorkspace /> : <WorkspaceFiles />;
}

function NoWorkspace() {
  const workspaces = useQuery(everyWorkspace).data ?? [];
  return (
    <>
      <PageHeader title="Files" sub="Files belong to one workspace" />
      <nav aria-label="Files by workspace" className="px-8 py-4 max-md:px-4">
        <ul className="max-w-160 border-t border-line-2">
          {workspaces.map((workspace) => (
            <li key={workspace.id} className="border-b border-line">
              <Link
                to={paths.files(workspaceInPath(workspace))}
                className="flex min-h-10 items-center justify-between gap-4 px-1 text-13 hover:bg-bg-2"
              >
                <span className="min-w-0 wrap-anywhere">{workspace.name}</span>
                <ChevronRight size={14} aria-hidden="true" className="shrink-0 text-fg-3" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

function WorkspaceFiles() {
  const { path, id, name } = useWorkspace();
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...filesOf(id ?? ""), enabled: id !== undefined });
  const { state, start, cancel } = useUpload(id);
  const context: FileContext = { onDelete: (file) => void navigate({ to: paths.deleteFile(path, file) }) };
  const sending = state?.error === null;
  const choose = <ChooseFile onFile={start} busy={sending || id === undefined} />;
  const [first] = list.data?.pages ?? [];
  return (
    <>
      <PageHeader
        title="Files"
        sub={first !== undefined && first.usage.files > 0 && `${formatCount(first.usage.files)} total`}
        actions={first?.usage.files === 0 ? undefined : choose}
      />
      <p className="max-w-160 px-8 pt-2 pb-4 text-13 text-fg-2 max-md:px-4">
        Documents, images and sound that calls of this workspace name by their ids instead of sending them. They are
        kept encrypted until they are deleted.
      </p>
      {state !== null && (
        <div className="px-8 pb-4 max-md:px-4">
          {state.fraction !== null ? (
            <div role="status" className="flex flex-wrap items-center gap-3 text-12">
              <span className="wrap-anywhere">
                Uploading {state.name}: {formatPercent(state.fraction)}
              </span>
              <Meter fraction={state.fraction} tone="accent" role="progressbar" label={`Upload of ${state.name}`} />
              <Button size="sm" onClick={cancel}>
                Cancel
              </Button>
            </div>
          ) : (
            <Notice
              tone="bad"
              role="alert"
              action={
                <Button size="sm" onClick={cancel}>
                  Dismiss
                </Button>
              }
            >
              {state.name} was not uploaded. {errorText(state.error)}
            </Notice>
          )}
        </div>
      )}
      <QueryBoundary query={list} what="the files" skeleton={<TableSkeleton columns={fileColumns} rows={4} actions />}>
        {({ pages }) => {
          const rows: readonly KeptFile[] = pages.flatMap(({ data }) => data);
          const usage = pages.at(-1)?.usage;
          if (rows.length === 0) {
            return (
              <div className="px-8 py-4 max-md:px-4">
                <EmptyState title={`No files in ${name} yet`} action={choose}>
                  PDF, images, Office documents, sound and text. Upload one here, or with{" "}
                  <span className="mono">POST /api/v1/files</span>.
                </EmptyState>
              </div>
            );
          }
          return (
            <>
              {usage && <Usage usage={usage} />}
              <ListTable
                label="Files"
                columns={fileColumns}
                context={context}
                rows={rows}
                rowId={(file) => file.id}
                actions={menu}
              />
              <Older list={list} what="files" action="Show more files" />
            </>
          );
        }}
      </QueryBoundary>
      <Outlet />
    </>
  );
}

function Usage({ usage: { bytes, files, most_bytes: mostBytes, most_files: mostFiles } }: Pick<KeptFiles, "usage">) {
  const words = `${formatBytes(bytes)} of ${formatBytes(mostBytes)} used`;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-8 pb-3 text-12 text-fg-2 max-md:px-4">
      <Meter
        fraction={Math.max(mostBytes === 0 ? 1 : bytes / mostBytes, files / mostFiles)}
        label="Room for files"
        valueText={words}
      />
      <span>
        {words}, {counted(files, "file")} of {formatCount(mostFiles)}
      </span>
    </div>
  );
}

function ChooseFile({ onFile, busy }: { onFile: (file: File) => void; busy: boolean }) {
  const { reachable, reason } = useReachable();
  if (!reachable || busy) {
    return (
      <Button variant="primary" disabledReason={reachable ? "Wait for the upload under way, or cancel it." : reason}>
        Upload a file
      </Button>
    );
  }
  return (
    <label
      className={cx(buttonClass({ variant: "primary" }), "has-focus-visible:outline-2 has-focus-visible:outline-focus")}
    >
      Upload a file
      <input
        type="file"
        aria-label="Upload a file"
        className="absolute inset-0 opacity-0"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
