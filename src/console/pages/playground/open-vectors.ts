import { now } from "../../api/clock.ts";
import { counted } from "../../format.ts";
import { toast } from "../../ui/toast.ts";
import type { VectorWorker } from "../../vectors/vector-worker.ts";
import { notBegun } from "../../vectors/run-batch.ts";
import { change, nothingChosen, type PlaygroundStore, type Run, type Shown } from "./playground.ts";

interface Opening {
  store: PlaygroundStore;
  worker: VectorWorker;
  id: number;
  workspaceId: string;
  file: File;
}

/**
 * Opens a file of vectors as a run that is over: nothing is sent, and nothing paid again. Vectors alone are those of the
 * batch's rows where there are as many of them.
 * @returns false: the file has no vectors
 */
export async function openVectors({ store, worker, id, workspaceId, file }: Opening): Promise<boolean> {
  const batch = store.get().rows.filter(({ text }) => text.trim() !== "");
  const opened = await worker.ask("read", { run: id, file, texts: batch.map(({ text }) => text) });
  if (!opened) return false;
  const { rows, count, dimensions, skipped } = opened;
  const own = batch.length === count ? batch : [];
  const shown = Array.from({ length: count }, (_, at): Shown => {
    const { text, group, role, fields } = rows?.[at] ?? own[at] ?? { text: "", group: "", role: "document" };
    return { text: text || `row ${at + 1}`, group, role, number: at + 1, source: -1, ...(fields && { fields }) };
  });
  const model = opened.model ?? file.name;
  const run: Run = {
    id,
    mode: "batch",
    example: null,
    workspaceId,
    model,
    search: { query: "", document: "" },
    body: { model },
    items: shown.map(({ text }) => ({ input: text, tokens: 0, inputType: null })),
    shown,
    progress: { ...notBegun(count), state: "done", done: count },
    dimensions,
    rate: null,
    startedAt: now(),
  };
  const runs = [run, ...store.get().runs.filter(({ example }) => !example)];
  change(store, { runs, current: id, inputHidden: true, ...nothingChosen });
  toast({
    message: `Opened ${counted(count, "row")} with vectors from ${file.name}.`,
    detail: `Nothing was sent.${skipped > 0 ? ` ${counted(skipped, "row")} without a whole vector left out.` : ""}`,
  });
  return true;
}
