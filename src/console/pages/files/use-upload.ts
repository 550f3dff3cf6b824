import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { uploadFile } from "#contract/files.ts";
import { refreshAfter } from "../../api/action.ts";
import { upload } from "./upload.ts";
import { toast } from "../../ui/toast.ts";

/** A file on its way, or one that did not arrive. */
type Uploading =
  | { readonly name: string; readonly fraction: number; readonly error: null }
  | { readonly name: string; readonly fraction: null; readonly error: unknown };

/** One upload at a time, which ends with the page. */
export function useUpload(workspaceId: string | undefined) {
  const client = useQueryClient();
  const [state, setState] = useState<Uploading | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  async function start(file: File) {
    const { signal } = (running.current = new AbortController());
    const { name } = file;
    setState({ name, fraction: 0, error: null });
    try {
      await upload(uploadFile, { query: { workspace_id: workspaceId } }, file, {
        signal,
        onProgress: (fraction) => setState({ name, fraction, error: null }),
      });
      await refreshAfter(client, uploadFile);
      setState(null);
      toast({ message: `${name} was uploaded.` });
    } catch (error) {
      if (!signal.aborted) setState({ name, fraction: null, error });
    }
  }
  return {
    state,
    start: (file: File) => void start(file),
    cancel: () => {
      running.current?.abort();
      setState(null);
    },
  };
}
