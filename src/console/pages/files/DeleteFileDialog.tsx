import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { deleteFile, getFileMetadata } from "#contract/files.ts";
import { query } from "../../api/query.ts";
import { ActionDialog } from "../../form/ActionDialog.tsx";
import { allWorkspaces, paths } from "../../paths.ts";
import { useClosePanel } from "../../shell/close-panel.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.ts";

/** Asks before a file is deleted. */
export function DeleteFileDialog() {
  const { path, id: workspaceId } = useWorkspace();
  const { id = "" } = useParams({ strict: false });
  const closePanel = useClosePanel();
  const close = () => closePanel(paths.files(path));
  const isKnown = workspaceId !== undefined && workspaceId !== allWorkspaces;
  const input = { params: { file_id: id }, query: { workspace_id: workspaceId } };
  const found = useQuery({ ...query(getFileMetadata, input), enabled: isKnown });
  if (found.data === undefined) return null;
  const { filename } = found.data;
  return (
    <ActionDialog
      endpoint={deleteFile}
      input={input}
      danger
      title={`Delete ${filename}`}
      description="Its content is deleted with it. Calls that name it are refused from now on. This cannot be undone."
      confirmLabel="Delete file"
      onDone={() => {
        toast({ message: `${filename} was deleted.` });
        close();
      }}
      onCancel={close}
    />
  );
}
