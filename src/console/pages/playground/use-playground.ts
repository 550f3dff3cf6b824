import { useEffect, useRef, useState } from "react";
import { playgroundHeader } from "#contract/embeddings.ts";
import { apiPath } from "../../api/base.ts";
import { now } from "../../api/clock.ts";
import { noteNoAnswer } from "../../api/reachable.ts";
import { csrfToken, endSession } from "../../api/session.ts";
import { change, inputOf, makePlaygroundStore } from "./playground.ts";
import type { PlaygroundStore, Run, State } from "./playground.ts";
import type { Item } from "./plan.ts";
import type { Progress } from "./run-batch.ts";
import { bodyOf } from "./settings.ts";
import type { PlaygroundSearch } from "./settings.ts";
import { startVectorWorker } from "./vector-worker.ts";
import type { VectorWorker } from "./vector-worker.ts";

/** The picture that is shown, for saving it. */
export interface Picture {
  /** says how the picture that is on the page becomes a file; gives what takes that back */
  offer(make: () => string): () => void;
  svg(): string | undefined;
}

function makePicture(): Picture {
  let current: (() => string) | undefined;
  return {
    offer(make) {
      current = make;
      return () => {
        if (current === make) current = undefined;
      };
    },
    svg: () => current?.(),
  };
}

export interface Playground {
  store: PlaygroundStore;
  picture: Picture;
  worker: VectorWorker;
  /** begins a run of what stands in the input; gives its id */
  run: (workspaceId: string, model: string, search: PlaygroundSearch) => number;
  /** embeds other texts as a run did, beside it; resolves once that is over, however it ended */
  aside: (like: Run, items: Item[]) => Promise<{ run: number; progress: Progress }>;
}

/** As many runs as the history shows; the vectors of older ones are let go. */
const mostRuns = 20;

/** The page's state and its worker, which live as long as the page is shown: leaving it lets go of every text. */
export function usePlayground(): Playground | null {
  const [playground, setPlayground] = useState<Playground | null>(null);
  const lastRun = useRef(0);
  // counted downwards: what is asked beside a run has no number in the history, nor does it take one
  const lastAside = useRef(0);
  useEffect(() => {
    const store = makePlaygroundStore();
    const asides = new Map<number, (progress: Progress) => void>();
    const worker = startVectorWorker((run, progress, dimensions, rate) => {
      if (progress.state !== "running" && progress.state !== "paused") asides.get(run)?.(progress);
      onProgress(store, run, { progress, dimensions, rate });
    });
    setPlayground({
      store,
      picture: makePicture(),
      worker,
      run: (workspaceId, model, search) => {
        lastRun.current += 1;
        begin({ store, worker }, lastRun.current, workspaceId, model, search);
        return lastRun.current;
      },
      aside: (like, items) =>
        new Promise((resolve) => {
          lastAside.current -= 1;
          const run = lastAside.current;
          asides.set(run, (progress) => {
            asides.delete(run);
            resolve({ run, progress });
          });
          void worker.ask("start", { ...callOf(like.workspaceId), run, body: like.body, items });
        }),
    });
    return () => worker.end();
  }, []);
  return playground;
}

function begin(
  { store, worker }: Pick<Playground, "store" | "worker">,
  id: number,
  workspaceId: string,
  model: string,
  search: PlaygroundSearch,
): void {
  const state = store.get();
  const { items, shown } = inputOf(state, search);
  const body = bodyOf(search, model);
  const run: Run = {
    id,
    mode: state.mode,
    workspaceId,
    model,
    search,
    body,
    items,
    shown,
    progress: waiting(items.length),
    dimensions: null,
    rate: null,
    startedAt: now(),
  };
  const runs = [run, ...state.runs];
  for (const old of runs.slice(mostRuns)) void worker.ask("forget", { run: old.id });
  change(store, {
    runs: runs.slice(0, mostRuns),
    current: id,
    selected: null,
    pinned: null,
    picked: null,
    used: null,
    compared: state.compared.filter((other) => runs.slice(0, mostRuns).some((kept) => kept.id === other)),
  });
  void worker.ask("start", { ...callOf(workspaceId), run: id, body, items });
}

/** Where and as whom calls are made; the session's cookie goes along by itself. */
function callOf(workspaceId: string): { url: string; headers: Record<string, string> } {
  return {
    url: new URL(apiPath("/embeddings"), location.href).href,
    headers: { "x-csrf-token": csrfToken() ?? "", [playgroundHeader]: workspaceId },
  };
}

function waiting(total: number): Progress {
  return {
    state: "running",
    total,
    done: 0,
    tokens: 0,
    cost: null,
    latencies: [],
    generations: [],
    failures: [],
    waiting: null,
  };
}

function onProgress(store: PlaygroundStore, id: number, news: Pick<Run, "progress" | "dimensions" | "rate">): void {
  const { progress } = news;
  const state: State = store.get();
  const statuses = new Set(progress.failures.map(([, { status }]) => status));
  if (progress.state === "stopped" && statuses.has(401)) endSession();
  if (progress.waiting?.refused.status === 0) noteNoAnswer();
  change(store, {
    runs: state.runs.map((run) => (run.id === id ? { ...run, ...news } : run)),
  });
}
