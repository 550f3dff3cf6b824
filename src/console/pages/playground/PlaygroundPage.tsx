import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/reachable.ts";
import { useStore } from "../../api/store.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { formatCount, formatUsd } from "../../format.ts";
import { Failure } from "../../shell/Failure.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { withMod } from "../../ui/mod-key.ts";
import { estimateRun } from "./estimate.ts";
import { InputPane } from "./InputPane.tsx";
import { megabytes, mostRoom, roomFor } from "./memory.ts";
import { builtInModel, defaultModel, modelFacts, modelOptions, takesImages } from "./models.ts";
import { inputOf, underWay } from "./playground.ts";
import { ResultPane } from "./ResultPane.tsx";
import { routingWords } from "./routing-words.ts";
import type { PlaygroundSearch } from "./settings.ts";
import { usePlayground } from "./use-playground.ts";
import type { Playground } from "./use-playground.ts";

/** What costs more than this is asked about first unless another sum is set, in USD. */
const usualCeiling = 1;

const RoutingDialog = lazy(async () => ({ default: (await import("./RoutingDialog.tsx")).RoutingDialog }));

/** Embeddings: texts and pictures in, vectors to look at out. */
export function PlaygroundPage() {
  const playground = usePlayground();
  return playground ? <Playing playground={playground} /> : <PageHeader title="Embeddings" />;
}

function Playing({ playground }: { playground: Playground }) {
  const { store } = playground;
  const state = useStore(store);
  const search: PlaygroundSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (next: Partial<PlaygroundSearch>) =>
      void navigate({ to: ".", search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const { record } = useWorkspace();
  const workspaces = useQuery(everyWorkspace);
  const workspace = record ?? workspaces.data?.find(({ is_default }) => is_default);
  const models = useQuery(query(listEmbeddingModels));
  const list = useMemo(() => models.data?.data ?? [], [models.data]);
  const { mode, text, rows, blocks, runs, prefixes } = state;
  const settings = useMemo(() => ({ ...search, ...prefixes }), [search, prefixes]);
  const chosen = search.model ?? defaultModel(list, mode);
  const model = list.find(({ id }) => id === chosen);
  const input = useMemo(() => inputOf({ mode, text, rows, blocks }, settings), [mode, text, rows, blocks, settings]);
  const { tokens, images, cost } = useMemo(() => estimateRun(input.items, model), [input, model]);
  const ceiling = search.ceiling ?? usualCeiling;
  const reach = useReachable();
  const busy = runs.find(({ progress }) => underWay(progress));
  const [dialog, setDialog] = useState<"routing" | "cost" | "room" | null>(null);
  const dimensions = search.dimensions ?? model?.dimensions?.default;
  const room = dimensions === undefined ? null : roomFor(input.items.length, dimensions, runs);
  useSettings(playground, search, set);

  const refused =
    input.items.length === 0
      ? "Write or paste a text first"
      : chosen === undefined
        ? models.isSuccess
          ? "No provider offers embeddings"
          : "The models are not known"
        : workspace === undefined
          ? "The workspaces are being read"
          : !reach.reachable
            ? "The gateway cannot be reached"
            : busy
              ? "A run is under way"
              : images > 0 && model && !takesImages(model)
                ? `${model.id} takes text, not images`
                : room?.letGo === null
                  ? `The vectors would take ${megabytes(room.needed)}, and ${mostRoom} is the most: ask for fewer rows or dimensions`
                  : null;
  /** Asks what has to be asked first, one question after the other, then runs. */
  function run(asked: "nothing" | "room" | "cost" = "nothing") {
    setDialog(null);
    if (refused !== null || chosen === undefined || workspace === undefined) return;
    const crowded = room?.letGo ?? [];
    if (asked === "nothing" && crowded.length > 0) return setDialog("room");
    if (asked !== "cost" && cost !== null && cost > ceiling) return setDialog("cost");
    playground.forget(crowded.map(({ id }) => id));
    playground.run(workspace.id, chosen, settings);
  }
  useShortcut("mod+enter", "Run", run);
  useEscape(busy ? () => playground.steer(busy, "cancel") : null);

  return (
    <div className="flex min-h-[calc(100dvh-72px)] flex-col lg:h-[calc(100dvh-72px)]">
      <div className="shrink-0">
        <PageHeader
          title="Embeddings"
          sub={
            <span className="flex flex-wrap items-center gap-2">
              <Combobox
                label="Model"
                mono
                className="w-85 max-md:w-full"
                options={modelOptions(list, images > 0)}
                value={chosen ?? null}
                placeholder={
                  models.isPending
                    ? "Reading the models"
                    : models.isError
                      ? "The models are not known"
                      : "No provider offers embeddings"
                }
                onChange={(value) => set({ model: value ?? undefined, dimensions: undefined })}
              />
              {model && <span className="text-12">{modelFacts(model)}</span>}
              <Button variant="quiet" onClick={() => setDialog("routing")}>
                Routing <span className="text-fg-1">{routingWords(search)}</span>
              </Button>
            </span>
          }
          actions={
            <>
              <span className="text-12 text-fg-2 tabular-nums">
                ≈ {formatCount(tokens)} tokens
                {images > 0 && ` with ${images === 1 ? "1 picture" : `${formatCount(images)} pictures`}`},{" "}
                {cost === null ? "price unknown" : `≈ ${formatUsd(cost)}`}
              </span>
              <Button variant="primary" shortcut={withMod("↵")} disabledReason={refused} onClick={() => run()}>
                Run
              </Button>
            </>
          }
        />
      </div>
      {models.isError && (
        <div className="mt-3.5 px-8 max-md:px-4">
          <Failure
            error={models.error}
            what="The list of models did not load"
            onRetry={() => void models.refetch()}
            retrying={models.isFetching}
          />
        </div>
      )}
      <div className="mt-3.5 grid min-h-0 grow border-t border-line lg:grid-cols-[436px_minmax(0,1fr)]">
        <InputPane playground={playground} model={model} search={search} set={set} workspaceId={workspace?.id} />
        <ResultPane
          playground={playground}
          search={settings}
          model={chosen ?? builtInModel(mode)}
          modelless={models.isSuccess && list.length === 0}
          set={set}
        />
      </div>
      {dialog === "routing" && (
        <Suspense fallback={null}>
          <RoutingDialog store={store} search={search} model={model} onDone={() => setDialog(null)} set={set} />
        </Suspense>
      )}
      {dialog === "room" && room && (
        <ConfirmDialog
          title="The memory is full"
          description={`This run’s vectors take ${megabytes(room.needed)}, and ${megabytes(room.free)} of ${mostRoom} are free. ${room.letGo?.map(({ id }) => `Run ${id}`).join(" and ")} would be let go: what is to be kept of it can be exported first.`}
          confirmLabel="Let go and run"
          onConfirm={() => run("room")}
          onCancel={() => setDialog(null)}
        />
      )}
      {dialog === "cost" && (
        <ConfirmDialog
          title={`This run costs about ${formatUsd(cost ?? 0)}`}
          description={`${formatCount(input.items.length)} rows with about ${formatCount(tokens)} tokens${images > 0 ? ` and ${formatCount(images)} pictures` : ""}. Runs above ${formatUsd(ceiling)} are asked about.`}
          confirmLabel="Run"
          onConfirm={() => run("cost")}
          onCancel={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** Where Escape closes or leaves something of its own. */
const ownEscape =
  ":is([role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox], [role=application])";

/** Escape cancels a run, from a text that is being typed as well. */
function useEscape(cancel: (() => void) | null): void {
  const latest = useRef(cancel);
  useEffect(() => {
    latest.current = cancel;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if ((event.target as Element).closest(ownEscape) === null) latest.current?.();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Coming back by a link of the console, which says nothing of settings, one finds those that one left. */
function useSettings(playground: Playground, search: PlaygroundSearch, set: (next: PlaygroundSearch) => void): void {
  useEffect(() => {
    if (Object.keys(search).length === 0) set(playground.settings);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the page comes up, not when settings are cleared
  }, []);
  useEffect(() => {
    playground.settings = search;
  }, [playground, search]);
}
