import { X } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { ListView } from "./ListView.tsx";
import { MatrixView } from "./MatrixView.tsx";
import { change, currentRun, nothingChosen, underWay } from "./playground.ts";
import type { Run } from "./playground.ts";
import { PinnedPair } from "./PinnedPair.tsx";
import { RunStatus } from "./RunStatus.tsx";
import { saveFile } from "./save-file.ts";
import { viewNames } from "./settings.ts";
import type { PlaygroundSearch, Settings, ViewName } from "./settings.ts";
import type { Playground } from "./use-playground.ts";

const importMap = async () => ({ default: (await import("./MapView.tsx")).MapView });
const MapView = lazy(importMap);
const CodeView = lazy(async () => ({ default: (await import("./CodeView.tsx")).CodeView }));
const CompareView = lazy(async () => ({ default: (await import("./CompareView.tsx")).CompareView }));
const VectorsView = lazy(async () => ({ default: (await import("./VectorsView.tsx")).VectorsView }));
const NoResults = lazy(async () => ({ default: (await import("./NoResults.tsx")).NoResults }));
const SearchView = lazy(async () => ({ default: (await import("./SearchView.tsx")).SearchView }));

export interface ViewProps {
  playground: Playground;
  run: Run;
  set: (next: Partial<PlaygroundSearch>) => void;
}

const views = { list: ListView, search: SearchView, matrix: MatrixView, map: MapView, vectors: VectorsView };
const words: Record<ViewName, string> = {
  list: "List",
  search: "Search",
  matrix: "Matrix",
  map: "Map",
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
  set: (next: Partial<PlaygroundSearch>) => void;
}

/** What came of a run, in the view that its size suggests unless one was chosen. */
export function ResultPane({ playground, search, model, modelless, set }: ResultPaneProps) {
  const { store, worker } = playground;
  const state = useStore(store);
  const run = currentRun(state);
  const rows = run?.items.length ?? 0;
  const view = search.view ?? (rows <= 1 ? "vectors" : rows <= 60 ? "matrix" : "map");
  const [letting, setLetting] = useState<number | null>(null);
  // fetched while somebody writes: once the vectors are there, the map must not be waited for
  useEffect(() => void importMap(), []);
  const ready = run !== undefined && run.progress.done > 0;
  const View = view === "code" || view === "compare" ? null : views[view];
  function picture() {
    document.querySelector<HTMLCanvasElement>('section[aria-label="Results"] canvas')?.toBlob((blob) => {
      if (blob) saveFile(`embeddings_${view}.png`, blob);
    });
  }
  function drawing() {
    const svg = playground.picture.svg();
    if (svg !== undefined) saveFile(`embeddings_${view}.svg`, new Blob([svg], { type: "image/svg+xml" }));
  }
  async function save(format: "jsonl" | "csv" | "csv-texts" | "npy") {
    if (!run) return;
    const blob = await worker.ask("file", { run: run.id, used: state.used, format, rows: run.shown });
    saveFile(`embeddings_${run.model.replaceAll("/", "-")}.${format.replace("-texts", "")}`, blob);
  }
  return (
    <section aria-label="Results" className="flex min-h-120 min-w-0 flex-col lg:min-h-0">
      <Tabs
        label="View"
        manual
        tabs={viewNames.map((value) => ({ value, label: words[value] }))}
        value={view}
        onChange={(next) => set({ view: next })}
        aside={
          <span className="flex items-center gap-2 pr-4">
            {state.runs.length > 0 && (
              <NativeSelect
                size="sm"
                aria-label="History"
                value={state.current ?? ""}
                onChange={(event) => change(store, { current: Number(event.target.value), ...nothingChosen })}
              >
                {state.runs.map(({ id, model, items }) => (
                  <option key={id} value={id}>
                    Run {id}: {model}, {formatCount(items.length)} rows
                  </option>
                ))}
              </NativeSelect>
            )}
            {run && !underWay(run.progress) && (
              <IconButton label={`Let go of run ${run.id}`} onClick={() => setLetting(run.id)}>
                <X size={14} aria-hidden="true" />
              </IconButton>
            )}
            <Menu
              trigger={
                <Button size="sm" variant="quiet" disabledReason={!ready && "There is nothing to export yet"}>
                  Export
                </Button>
              }
              items={[
                { label: "JSONL with vectors", onSelect: () => void save("jsonl") },
                { label: "CSV with vectors", onSelect: () => void save("csv") },
                { label: "CSV without vectors", onSelect: () => void save("csv-texts") },
                { label: "NumPy (.npy)", onSelect: () => void save("npy") },
                {
                  label: "Picture (PNG)",
                  disabledReason: view !== "map" && view !== "matrix" && "Only the map and the matrix are pictures",
                  onSelect: picture,
                },
                {
                  label: "Picture (SVG)",
                  disabledReason: view !== "map" && view !== "matrix" && "Only the map and the matrix are pictures",
                  onSelect: drawing,
                },
              ]}
            />
          </span>
        }
        className="flex min-h-0 grow flex-col [&>:first-child]:pl-6 [&>:last-child]:flex [&>:last-child]:min-h-0 [&>:last-child]:grow [&>:last-child]:flex-col [&>:last-child]:overflow-y-auto"
      >
        {run && <RunStatus playground={playground} run={run} set={set} />}
        <Suspense fallback={null}>
          {view === "code" && <CodeView state={state} search={search} model={model} />}
          {view === "compare" && <CompareView playground={playground} />}
          {View && run && ready && <View playground={playground} run={run} set={set} />}
          {View && run && ready && state.pinned && <PinnedPair playground={playground} run={run} pair={state.pinned} />}
        </Suspense>
        {View && !ready && (
          <div className="p-6">
            <Suspense fallback={null}>
              <NoResults playground={playground} run={run} modelless={modelless} set={set} />
            </Suspense>
          </div>
        )}
      </Tabs>
      {letting !== null && (
        <ConfirmDialog
          title={`Let go of run ${letting}?`}
          description="Its vectors are gone then, and its memory is free. What stands in the input stays."
          confirmLabel="Let go"
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
