import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useStore } from "../../api/store.ts";
import { counted } from "../../format.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { cx } from "../../ui/cx.ts";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { AskField } from "./AskField.tsx";
import { ExampleStatus } from "./ExampleStatus.tsx";
import { ExportMenu } from "./ExportMenu.tsx";
import { ListView } from "./ListView.tsx";
import { MatrixView } from "./MatrixView.tsx";
import { change, currentRun, nothingChosen, underWay } from "./playground.ts";
import { PinnedPair } from "./PinnedPair.tsx";
import { RunStatus } from "./RunStatus.tsx";
import { viewNames, type PlaygroundSearch, type Settings, type ViewName } from "./settings.ts";
import { useHits } from "./use-hits.ts";
import type { Playground } from "./use-playground.ts";

const importMap = async () => ({ default: (await import("./MapView.tsx")).MapView });
const MapView = lazy(importMap);
const CodeView = lazy(async () => ({ default: (await import("./CodeView.tsx")).CodeView }));
const CheckView = lazy(async () => ({ default: (await import("./CheckView.tsx")).CheckView }));
const CompareView = lazy(async () => ({ default: (await import("./CompareView.tsx")).CompareView }));
const VectorsView = lazy(async () => ({ default: (await import("./VectorsView.tsx")).VectorsView }));
const NoResults = lazy(async () => ({ default: (await import("./NoResults.tsx")).NoResults }));
const SearchView = lazy(async () => ({ default: (await import("./SearchView.tsx")).SearchView }));

const views = {
  list: ListView,
  search: SearchView,
  matrix: MatrixView,
  map: MapView,
  check: CheckView,
  vectors: VectorsView,
};
const words: Record<ViewName, string> = {
  list: "List",
  search: "Search",
  matrix: "Matrix",
  map: "Map",
  check: "Check",
  vectors: "Vectors",
  compare: "Compare",
  code: "Code",
};

interface ResultPaneProps {
  playground: Playground;
  search: Settings;
  /** what would be asked now */
  model: string;
  /** no provider has a model that makes vectors */
  modelless: boolean;
  /** rows that would be sent now */
  ready: number;
  set: (next: Partial<PlaygroundSearch>) => void;
}

/** What came of a run, in the view that its size suggests unless one was chosen. */
export function ResultPane({ playground, search, model, modelless, ready: rowsReady, set }: ResultPaneProps) {
  const { store } = playground;
  const state = useStore(store);
  const run = currentRun(state);
  const rows = run?.items.length ?? 0;
  const view = search.view ?? (rows <= 1 ? "vectors" : rows <= 60 ? "matrix" : "map");
  const [letting, setLetting] = useState<number | null>(null);
  // fetched while somebody writes: once the vectors are there, the map must not be waited for
  useEffect(() => void importMap().catch(() => undefined), []);
  const ready = run !== undefined && run.progress.done > 0;
  const hits = useHits(playground, run);
  const View = view === "code" || view === "compare" ? null : views[view];
  return (
    <section
      aria-label="Results"
      className="@container/results flex min-h-120 min-w-0 flex-col border-line-2 @max-[800px]/panes:border-t @min-[800px]/panes:min-h-0"
    >
      <Tabs
        label="View"
        manual
        tabs={viewNames.map((value) => ({ value, label: words[value] }))}
        value={view}
        onChange={(next) => set({ view: next })}
        aside={
          <>
            {state.runs.length > 0 && !run?.example && (
              // a run's name needs the whole width of a phone
              <span
                className={cx(
                  "ml-auto flex min-w-0 items-center py-1 pl-4 @max-[560px]/results:order-1 @max-[560px]/results:basis-full @max-[560px]/results:px-(--pane-x)",
                  // the folded input names the only one there is
                  state.runs.length === 1 && state.inputHidden && "@max-[560px]/results:hidden",
                )}
              >
                <NativeSelect
                  size="sm"
                  aria-label="History"
                  className="min-w-0 @max-[560px]/results:grow @min-[560px]/results:max-w-48 @min-[800px]/results:max-w-72"
                  value={state.current ?? ""}
                  onChange={(event) => change(store, { current: Number(event.target.value), ...nothingChosen })}
                >
                  {state.runs.map(({ id, model: of, items }) => (
                    <option key={id} value={id}>
                      Run {id}: {of}, {counted(items.length, "row")}
                    </option>
                  ))}
                </NativeSelect>
              </span>
            )}
            <span className="ml-auto flex items-center gap-2 py-1 pr-[calc(var(--pane-x)-11px)] pl-2 @min-[560px]/results:ml-0">
              {run && !run.example && !underWay(run.progress) && (
                <IconButton label={`Discard run ${run.id}`} onClick={() => setLetting(run.id)}>
                  <X size={14} aria-hidden="true" />
                </IconButton>
              )}
              <ExportMenu playground={playground} run={ready ? run : undefined} view={view} />
            </span>
          </>
        }
        className="flex min-h-0 grow flex-col [&>:first-child>:first-child]:pl-(--pane-x) [&>:last-child]:flex [&>:last-child]:min-h-0 [&>:last-child]:grow [&>:last-child]:flex-col [&>:last-child]:overflow-y-auto"
      >
        {run?.example && <ExampleStatus playground={playground} run={run} />}
        {run && !run.example && <RunStatus playground={playground} run={run} set={set} />}
        <Suspense fallback={null}>
          {view === "code" && <CodeView state={state} search={search} model={model} />}
          {view === "compare" && <CompareView playground={playground} />}
          {View && run && ready && run.items.length > 1 && (
            <AskField key={run.id} playground={playground} run={run} hits={hits} />
          )}
          {View && run && ready && (
            <View key={run.example ? "example" : "own"} playground={playground} run={run} hits={hits} set={set} />
          )}
          {View && run && ready && state.pinned && <PinnedPair playground={playground} run={run} pair={state.pinned} />}
        </Suspense>
        {View && !ready && !state.opening && (
          <div className="px-(--pane-x) py-6">
            <Suspense fallback={null}>
              <NoResults
                playground={playground}
                run={run}
                model={model}
                modelless={modelless}
                ready={rowsReady}
                set={set}
              />
            </Suspense>
          </div>
        )}
      </Tabs>
      {letting !== null && (
        <ConfirmDialog
          title={`Discard run ${letting}?`}
          description="Its vectors are deleted; your input is kept."
          confirmLabel="Discard"
          onConfirm={() => {
            playground.forget([letting]);
            setLetting(null);
          }}
          onCancel={() => setLetting(null)}
        />
      )}
    </section>
  );
}
