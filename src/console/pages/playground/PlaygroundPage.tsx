import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { listEmbeddingModels } from "#contract/embeddings.ts";
import { query } from "../../api/query.ts";
import { useReachable } from "../../api/reachable.ts";
import { useStore } from "../../api/store.ts";
import { everyWorkspace } from "../../api/workspaces.ts";
import { formatCount, formatUsd } from "../../format.ts";
import { useLeaveGuard } from "../../form/leave-guard.ts";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { InputPane } from "./InputPane.tsx";
import { defaultModel, modelOptions, requestPrice, tokenPrice } from "./models.ts";
import { change, currentRun, inputOf, sentTokens } from "./playground.ts";
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
  const { mode, text, rows, blocks } = state;
  const chosen = search.model ?? defaultModel(list, mode);
  const model = list.find(({ id }) => id === chosen);
  const input = useMemo(() => inputOf({ mode, text, rows, blocks }, search), [mode, text, rows, blocks, search]);
  const tokens = useMemo(() => sentTokens(input.items), [input]);
  const price = tokenPrice(model);
  const cost = price === null ? null : tokens * price + Math.ceil(input.items.length / 256) * requestPrice(model);
  const ceiling = search.ceiling ?? usualCeiling;
  const reach = useReachable();
  const current = currentRun(state);
  const busy = current?.progress.state === "running" || current?.progress.state === "paused";
  const [dialog, setDialog] = useState<"routing" | "cost" | null>(null);
  const guard = useLeaveGuard(busy ? "ask" : "free");
  const images = mode === "multimodal" && blocks.some(({ parts }) => parts.some((p) => p.type === "image"));

  const refused =
    input.items.length === 0
      ? "Write or paste a text first"
      : chosen === undefined
        ? "No provider offers embeddings"
        : workspace === undefined
          ? "The workspaces are being read"
          : !reach.reachable
            ? "The gateway cannot be reached"
            : busy
              ? "A run is under way"
              : null;
  function start() {
    setDialog(null);
    if (refused !== null || chosen === undefined || workspace === undefined) return;
    playground.run(workspace.id, chosen, search);
  }
  const run = () => (cost !== null && cost > ceiling && refused === null ? setDialog("cost") : start());
  useShortcut("mod+enter", "Run", run);

  return (
    <div className="flex min-h-[calc(100dvh-72px)] flex-col lg:h-[calc(100dvh-72px)]">
      <PageHeader
        title="Embeddings"
        sub={
          <span className="flex flex-wrap items-center gap-2">
            <Combobox
              label="Model"
              mono
              className="w-85 max-md:w-full"
              options={modelOptions(list, images)}
              value={chosen ?? null}
              placeholder={models.isPending ? "Reading the models" : "No provider offers embeddings"}
              onChange={(value) => set({ model: value ?? undefined, dimensions: undefined })}
            />
            <Button variant="quiet" onClick={() => setDialog("routing")}>
              Routing <span className="text-fg-1">{routingWords(search)}</span>
            </Button>
          </span>
        }
        actions={
          <>
            <span className="text-12 text-fg-2 tabular-nums">
              ≈ {formatCount(tokens)} tokens, {cost === null ? "price unknown" : `≈ ${formatUsd(cost)}`}
            </span>
            <Button variant="primary" shortcut="⌘↵" disabledReason={refused} onClick={run}>
              Run
            </Button>
          </>
        }
      />
      <div className="mt-3.5 grid min-h-0 grow border-t border-line lg:grid-cols-[436px_minmax(0,1fr)]">
        <InputPane playground={playground} model={model} search={search} set={set} />
        <ResultPane playground={playground} search={search} set={set} />
      </div>
      {dialog === "routing" && (
        <Suspense fallback={null}>
          <RoutingDialog search={search} model={model} onDone={() => setDialog(null)} set={set} />
        </Suspense>
      )}
      {dialog === "cost" && (
        <ConfirmDialog
          title={`This run costs about ${formatUsd(cost ?? 0)}`}
          description={`${formatCount(input.items.length)} rows with about ${formatCount(tokens)} tokens. Runs above ${formatUsd(ceiling)} are asked about.`}
          confirmLabel="Run"
          onConfirm={start}
          onCancel={() => setDialog(null)}
        />
      )}
      {guard.asking && (
        <ConfirmDialog
          title="Leave while a run is under way?"
          description="What was not sent yet will not be, and the vectors are let go."
          confirmLabel="Leave"
          cancelLabel="Stay"
          onConfirm={() => {
            change(store, { current: null });
            guard.leave();
          }}
          onCancel={guard.stay}
        />
      )}
    </div>
  );
}
