import { now } from "../../api/clock.ts";
import { pictureOf } from "../../vectors/example-vectors.ts";
import type { StoredExample } from "../../vectors/protocol.ts";
import { notBegun } from "../../vectors/run-batch.ts";
import type { Run } from "./playground.ts";

/** Its number in the worker: those of real runs begin with 1. */
const exampleId = 0;
const file = new URL("./example-map.json", import.meta.url).href;

/**
 * Sentences on six topics with the vectors that the built-in model makes of them, as a run that is over.
 * @throws Error if the file cannot be read
 */
export async function exampleRun(): Promise<{ run: Run; stored: StoredExample }> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`The example map was answered with ${answer.status}.`);
  const stored = (await answer.json()) as StoredExample;
  const { texts, model, dimensions } = stored;
  const run: Run = {
    id: exampleId,
    mode: "batch",
    example: pictureOf(stored.picture),
    // whoever shows it says which: it may become known while the file is read
    workspaceId: "",
    model,
    search: { query: "", document: "" },
    body: { model },
    items: texts.map((input) => ({ input, tokens: 0, inputType: null })),
    shown: texts.map((text, at) => ({ text, role: "document", group: "", number: at + 1, source: -1 })),
    progress: { ...notBegun(texts.length), state: "done", done: texts.length },
    dimensions,
    rate: null,
    startedAt: now(),
  };
  return { run, stored };
}
