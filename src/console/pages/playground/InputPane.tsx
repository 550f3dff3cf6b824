import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, type Ref } from "react";
import { flushSync } from "react-dom";
import { useStore } from "../../api/store.ts";
import { counted, formatCount } from "../../format.ts";
import { setPreference } from "../../preferences.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { Field } from "../../ui/Field.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import type { InputProps } from "./input-props.ts";
import { KeySpend } from "./KeySpend.tsx";
import { change, chooseMode, currentRun, type Mode, type State } from "./playground.ts";
import { cutAt, estimateTokens } from "../../vectors/tokens.ts";
import { usePictures } from "./use-pictures.ts";

const importBatch = async () => ({ default: (await import("./BatchPane.tsx")).BatchPane });
const BatchPane = lazy(importBatch);
const MultimodalPane = lazy(async () => ({ default: (await import("./MultimodalPane.tsx")).MultimodalPane }));

/** Where a person who runs by keyboard is writing. */
export const inputPane = "#playground-input";

const modeWords: Record<Mode, string> = { text: "Text", batch: "Batch", multimodal: "Multimodal" };

/** What is sent: one text, many, or blocks of texts and pictures. Each keeps its contents while another is shown. */
export function InputPane(props: InputProps) {
  const { store } = props.playground;
  const state = useStore(store);
  const { mode, rows, inputHidden } = state;
  const pictures = usePictures(store);
  const toggle = useRef<HTMLButtonElement>(null);
  // it is there before anybody gets to its tab
  useEffect(() => void importBatch().catch(() => undefined), []);
  const filled = rows.filter((row) => row.text !== "").length;
  const hide = (hidden: boolean) => {
    setPreference("input", hidden ? "folds" : "stays");
    change(store, { inputHidden: hidden });
  };
  useShortcut("[", inputHidden ? "Show the input" : "Hide the input", () => hide(!inputHidden));
  // each of the two buttons takes the other's place, and its focus
  const onToggle = () => {
    flushSync(() => hide(!inputHidden));
    toggle.current?.focus();
  };
  if (inputHidden) return <FoldedInput ref={toggle} state={state} onOpen={onToggle} />;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping has a button as its twin
    <section
      id={inputPane.slice(1)}
      aria-label="Input"
      className="@container/input flex min-h-80 min-w-0 flex-col border-r border-line @max-[800px]/panes:border-r-0 @min-[800px]/panes:min-h-0"
      // files that are not images are swallowed, so that the browser does not open them in place of the page
      onDragOver={(event) => event.preventDefault()}
      onDropCapture={pictures.onDrop}
      onDrop={(event) => event.preventDefault()}
    >
      <Tabs
        label="Input"
        tabs={[
          { value: "text", label: modeWords.text },
          { value: "batch", label: modeWords.batch, count: filled > 0 ? formatCount(filled) : undefined },
          { value: "multimodal", label: modeWords.multimodal },
        ]}
        value={mode}
        onChange={(next) => chooseMode(store, next)}
        aside={
          <span className="flex items-center pr-[calc(var(--pane-end)-8px)]">
            <IconButton ref={toggle} label="Hide the input" {...tip("Hide the input: [")} onClick={onToggle}>
              <PanelLeftClose size={16} aria-hidden="true" />
            </IconButton>
          </span>
        }
        className="flex min-h-0 grow flex-col [&>:first-child>:first-child]:pl-8 max-md:[&>:first-child>:first-child]:pl-4 [&>:last-child]:flex [&>:last-child]:min-h-0 [&>:last-child]:grow [&>:last-child]:flex-col"
      >
        {pictures.trouble !== null && (
          <Notice tone="warn" role="alert">
            {pictures.trouble}
          </Notice>
        )}
        {mode === "text" && <TextPane {...props} />}
        <Suspense fallback={null}>
          {mode === "batch" && <BatchPane {...props} />}
          {mode === "multimodal" && <MultimodalPane {...props} pictures={pictures} />}
        </Suspense>
      </Tabs>
      {props.workspaceId !== undefined && <KeySpend workspaceId={props.workspaceId} />}
    </section>
  );
}

interface FoldedInputProps {
  ref: Ref<HTMLButtonElement>;
  state: State;
  onOpen: () => void;
}

/** In the input's place, a strip that says what was run, or what is in it where nothing was; a press opens it again. */
function FoldedInput({ ref, state, onOpen }: FoldedInputProps) {
  const { mode, rows, blocks } = state;
  const run = currentRun(state);
  const filled = rows.filter((row) => row.text !== "").length;
  const counts: Record<Mode, string> = {
    text: "",
    batch: `, ${counted(filled, "row")}`,
    multimodal: `, ${counted(blocks.length, "vector")}`,
  };
  const ran = run && !run.example ? run : null;
  const what = ran ? `Run ${ran.id}: ${counted(ran.items.length, "row")}` : modeWords[mode] + counts[mode];
  return (
    <section
      aria-label="Input"
      className="flex min-w-0 border-line @max-[800px]/panes:border-b @min-[800px]/panes:border-r"
    >
      <button
        ref={ref}
        type="button"
        aria-label={`Show the input. ${what}${ran ? `, ${ran.model}` : ""}`}
        aria-expanded="false"
        {...tip("Show the input: [")}
        onClick={onOpen}
        className="flex min-h-10 min-w-0 grow items-center gap-2.5 px-(--pane-x) text-left text-12 text-fg-2 -outline-offset-2 hover:bg-bg-3 @min-[800px]/panes:w-10 @min-[800px]/panes:flex-col @min-[800px]/panes:px-0 @min-[800px]/panes:py-2.5"
      >
        <PanelLeftOpen size={16} aria-hidden="true" className="shrink-0" />
        <span className="min-h-0 min-w-0 truncate tabular-nums @min-[800px]/panes:[writing-mode:vertical-rl]">
          {what}
          {ran && <span className="text-fg-3">, {ran.model}</span>}
        </span>
        <span className="ml-auto shrink-0 text-accent @min-[800px]/panes:hidden">Show the input</span>
      </button>
    </section>
  );
}

function TextPane({ playground: { store }, model }: InputProps) {
  const { text, editing } = useStore(store);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (editing === null) return;
    change(store, { editing: null });
    area.current?.focus();
  }, [editing, store]);
  const tokens = estimateTokens(text);
  const limit = model?.context_length ?? null;
  const over = limit !== null && tokens > limit;
  return (
    <div className="py-4 pr-(--pane-end) pl-8 max-md:pl-4">
      <Field
        label="Text"
        hint={`≈ ${counted(tokens, "token")}. ${limit === null ? "The model's limit is unknown." : `The model takes ${formatCount(limit)}.`}`}
        error={
          over
            ? `About ${counted(tokens - limit, "token")} too many: what comes after “…${text.slice(Math.max(0, cutAt(text, limit) - 30), cutAt(text, limit))}” does not fit`
            : null
        }
      >
        {(control) => (
          <TextArea
            {...control}
            ref={area}
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
