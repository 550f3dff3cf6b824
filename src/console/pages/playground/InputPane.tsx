import { lazy, Suspense, useEffect } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { Field } from "../../ui/Field.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { KeySpend } from "./KeySpend.tsx";
import { change, currentRun } from "./playground.ts";
import type { Mode } from "./playground.ts";
import { makeRow } from "./rows.ts";
import type { PlaygroundSearch } from "./settings.ts";
import { cutAt, estimateTokens } from "./tokens.ts";
import type { Playground } from "./use-playground.ts";

const loadBatch = () => import("./BatchPane.tsx");
const BatchPane = lazy(async () => ({ default: (await loadBatch()).BatchPane }));
const MultimodalPane = lazy(async () => ({ default: (await import("./MultimodalPane.tsx")).MultimodalPane }));

export interface InputProps {
  playground: Playground;
  model: ModelRecord | undefined;
  search: PlaygroundSearch;
  set: (next: Partial<PlaygroundSearch>) => void;
  workspaceId: string | undefined;
}

/** What is sent: one text, many, or blocks of texts and pictures. Each keeps its contents while another is shown. */
export function InputPane(props: InputProps) {
  const { store } = props.playground;
  const state = useStore(store);
  const { mode, text, rows } = state;
  const run = currentRun(state);
  const filled = rows.filter((row) => row.text !== "").length;
  useEffect(() => {
    // it is there before anybody gets to its tab
    loadBatch().catch(() => undefined);
  }, []);
  function choose(next: Mode) {
    const carry = mode === "text" && next === "batch" && filled === 0 && text.trim() !== "";
    change(store, { mode: next, ...(carry && { rows: [makeRow(text)] }) });
  }
  return (
    <section
      aria-label="Input"
      className="flex min-h-80 min-w-0 flex-col border-r border-line max-lg:border-r-0 lg:min-h-0"
    >
      <Tabs
        label="Input"
        tabs={[
          { value: "text", label: "Text" },
          { value: "batch", label: "Batch", count: filled > 0 ? formatCount(filled) : undefined },
          { value: "multimodal", label: "Multimodal" },
        ]}
        value={mode}
        onChange={choose}
        className="flex min-h-0 grow flex-col [&>:first-child]:pl-8 max-md:[&>:first-child]:pl-4 [&>:last-child]:flex [&>:last-child]:min-h-0 [&>:last-child]:grow [&>:last-child]:flex-col"
      >
        {mode === "text" && <TextPane {...props} />}
        <Suspense fallback={null}>
          {mode === "batch" && <BatchPane {...props} />}
          {mode === "multimodal" && <MultimodalPane {...props} />}
        </Suspense>
      </Tabs>
      {props.workspaceId !== undefined && (
        <KeySpend workspaceId={props.workspaceId} version={`${run?.id} ${run?.progress.state}`} />
      )}
    </section>
  );
}

function TextPane({ playground: { store }, model }: InputProps) {
  const { text } = useStore(store);
  const tokens = estimateTokens(text);
  const limit = model?.context_length ?? null;
  const over = limit !== null && tokens > limit;
  return (
    <div className="px-8 py-4 max-md:px-4">
      <Field
        label="Text"
        hint={`≈ ${formatCount(tokens)} tokens. ${limit === null ? "How much the model takes is not known." : `The model takes ${formatCount(limit)}.`}`}
        error={
          over
            ? `About ${formatCount(tokens - limit)} tokens too many: what comes after “…${text.slice(Math.max(0, cutAt(text, limit) - 30), cutAt(text, limit))}” does not fit`
            : null
        }
      >
        {(control) => (
          <TextArea
            {...control}
            rows={10}
            value={text}
            placeholder="A sentence, a paragraph, a search query"
            onChange={(event) => change(store, { text: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
