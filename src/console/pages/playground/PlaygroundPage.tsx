import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "../../api/store.ts";
import { ModelsFailure } from "../../shell/ModelsFailure.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { useListener } from "../../ui/use-listener.ts";
import { Combobox } from "../../ui/Combobox.tsx";
import { cx } from "../../ui/cx.ts";
import { withMod } from "../../ui/mod-key.ts";
import { toast } from "../../ui/toast.ts";
import { estimateWords } from "./estimate.ts";
import { inputPane, InputPane } from "./InputPane.tsx";
import { PlaygroundTabs } from "../../shell/PlaygroundTabs.tsx";
import { builtInModel, modelFacts, modelOptions } from "./models.ts";
import { RunQuestion } from "./RunQuestion.tsx";
import { exampleToAsk, showResults } from "./show-results.ts";
import { ResultPane } from "./ResultPane.tsx";
import { routingLabel } from "./routing-labels.ts";
import type { PlaygroundSearch } from "./settings.ts";
import { useNextRun } from "./use-next-run.ts";
import { usePlayground, type Playground } from "./use-playground.ts";

const UnpricedModel = lazy(async () => ({ default: (await import("./UnpricedModel.tsx")).UnpricedModel }));
const RoutingDialog = lazy(async () => ({ default: (await import("./RoutingDialog.tsx")).RoutingDialog }));

/** Embeddings: texts and pictures in, vectors to look at out. */
export function PlaygroundPage() {
  const playground = usePlayground();
  const { store } = playground;
  const state = useStore(store);
  const search: PlaygroundSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (next: Partial<PlaygroundSearch>) =>
      void navigate({ to: ".", search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const next = useNextRun(store, search);
  const { workspaceId, models, list, chosen, model, settings, rows, estimate, room, busy, refused } = next;
  const [dialog, setDialog] = useState<"routing" | "cost" | "room" | null>(null);
  const isWriting = useRef(false);
  useSettings(playground, search, set);
  useEffect(() => playground.noteWorkspace(workspaceId), [playground, workspaceId]);

  /** Asks what has to be asked first, one question after the other, then runs. */
  function run(asked: "nothing" | "room" | "cost" = "nothing") {
    setDialog(null);
    // a question that is asked first has the focus by the time it is answered
    if (asked === "nothing") isWriting.current = document.activeElement?.closest(inputPane) != null;
    if (refused !== null || chosen === undefined || workspaceId === undefined) return;
    const crowded = room?.letGo ?? [];
    if (asked === "nothing" && crowded.length > 0) return setDialog("room");
    if (asked !== "cost" && estimate.guess !== null && estimate.guess > next.ceiling) return setDialog("cost");
    const example = exampleToAsk(state, search);
    playground.forget(crowded.map(({ id }) => id));
    if (example) playground.ask(example, state.text.trim());
    else playground.run(workspaceId, chosen, settings);
    if (!isWriting.current) showResults(store);
  }
  useShortcut("mod+enter", "Run", () => {
    if (refused === null) run();
    else toast({ message: "Nothing was run.", detail: refused });
  });
  useEscape(busy ? () => playground.steer(busy, "cancel") : null);

  return (
    <div className="@container/panes">
      <div className="-mt-4 flex min-h-[calc(100dvh-56px-var(--h-bar,0px))] flex-col @min-[800px]/panes:h-[calc(100dvh-56px-var(--h-bar,0px))] @min-[800px]/panes:min-h-140">
        <div className="shrink-0">
          <PageHeader
            title="Playground"
            stacked
            sub={
              <div className="flex flex-wrap items-center gap-x-4 max-md:flex-nowrap">
                <PlaygroundTabs compact />
                <span className="flex flex-wrap items-center gap-2 max-md:min-w-0 max-md:grow max-md:flex-nowrap">
                  <ChooseModel
                    next={next}
                    onChoose={(value) => set({ model: value, dimensions: undefined, space: undefined })}
                  />
                  {/* the list of models says it too: without it Run stays on the title's line */}
                  {model && <span className="text-12 max-xl:hidden">{modelFacts(model)}</span>}
                  <Button variant="quiet" className="shrink-0" onClick={() => setDialog("routing")}>
                    Routing <span className="text-fg-1">{routingLabel(search)}</span>
                  </Button>
                </span>
              </div>
            }
            actions={
              <>
                <span className="text-12 text-fg-2 tabular-nums">{estimateWords(estimate)}</span>
                <Button variant="primary" shortcut={withMod("↵")} disabledReason={refused} onClick={() => run()}>
                  Run
                </Button>
              </>
            }
          />
        </div>
        <BeforeRun next={next} />
        <div
          className={cx(
            "[--pane-end:16px] [--pane-x:16px] @min-[880px]/panes:[--pane-x:24px] @max-[800px]/panes:md:[--pane-end:32px] @max-[800px]/panes:md:[--pane-x:32px]",
            "mt-2 grid min-h-0 grow border-t border-line @max-[800px]/panes:grid-rows-[auto_minmax(0,1fr)]",
            state.inputHidden
              ? "@min-[800px]/panes:grid-cols-[40px_minmax(0,1fr)]"
              : "@min-[800px]/panes:grid-cols-[clamp(320px,33%,440px)_minmax(0,1fr)]",
          )}
        >
          <InputPane playground={playground} model={model} search={search} set={set} workspaceId={workspaceId} />
          <ResultPane
            playground={playground}
            search={settings}
            model={chosen ?? builtInModel(state.mode)}
            modelless={models.isSuccess && list.length === 0}
            ready={rows}
            set={set}
          />
        </div>
        {dialog === "routing" && (
          <Suspense fallback={null}>
            <RoutingDialog store={store} search={search} model={model} onDone={() => setDialog(null)} set={set} />
          </Suspense>
        )}
        {(dialog === "room" || dialog === "cost") && (
          <RunQuestion
            about={dialog}
            room={room}
            estimate={estimate}
            rows={rows}
            ceiling={next.ceiling}
            left={next.left}
            onRun={() => run(dialog)}
            onCancel={() => setDialog(null)}
          />
        )}
      </div>
    </div>
  );
}

/** What has to be seen to before anything can be run. */
function BeforeRun({ next: { unpriced, chosen, models } }: Pick<ChooseModelProps, "next">) {
  return (
    <>
      {unpriced && chosen !== undefined && (
        <Suspense fallback={null}>
          <UnpricedModel key={chosen} model={chosen} />
        </Suspense>
      )}
      {models.isError && <ModelsFailure models={models} />}
    </>
  );
}

interface ChooseModelProps {
  next: ReturnType<typeof useNextRun>;
  onChoose: (model: string | undefined) => void;
}

function ChooseModel({ next: { list, models, estimate, chosen }, onChoose }: ChooseModelProps) {
  return (
    <Combobox
      label="Model"
      mono
      className="w-85 max-xl:w-56 max-md:w-auto max-md:min-w-0 max-md:grow"
      options={modelOptions(list, estimate.images > 0)}
      value={chosen ?? null}
      placeholder={
        models.isPending
          ? "Loading the models"
          : models.isError
            ? "The models did not load"
            : "No provider offers embeddings"
      }
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

/** Where Escape closes or leaves something of its own. */
const ownEscape =
  ":is([role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox], [role=application])";

/** Escape cancels a run, from a text that is being typed as well. */
function useEscape(cancel: (() => void) | null): void {
  useListener(document, "keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if ((event.target as Element).closest(ownEscape) === null) cancel?.();
  });
}

/** Coming back by a link of the console, which says nothing of settings, one finds those that one left. */
function useSettings(playground: Playground, search: PlaygroundSearch, set: (next: PlaygroundSearch) => void): void {
  const came = useRef(false);
  useEffect(() => {
    // when the page comes up, not when settings are cleared
    if (!came.current && Object.keys(search).length === 0) set(playground.settings());
    else playground.noteSettings(search);
    came.current = true;
  }, [playground, search, set]);
}
