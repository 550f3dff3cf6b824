import { useEffect, useState } from "react";
import { playgroundHeader } from "#contract/embeddings.ts";
import { apiPath } from "../../api/base.ts";
import { now } from "../../api/clock.ts";
import { noteNoAnswer } from "../../api/reachable.ts";
import { csrfToken, endSession, session } from "../../api/session.ts";
import { change, inputOf, makePlaygroundStore, nothingChosen, underWay } from "./playground.ts";
import type { PlaygroundStore, Run, State } from "./playground.ts";
import type { Item } from "./plan.ts";
import type { Action } from "./protocol.ts";
import type { Progress } from "./run-batch.ts";
import { bodyOf } from "./settings.ts";
import type { PlaygroundSearch, Settings } from "./settings.ts";
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
  run: (workspaceId: string, model: string, search: Settings) => number;
  /** @param search what the run goes on with, where that is not what it began with */
  steer: (run: Run, action: Action, search?: Settings) => void;
  /** lets go of runs and of their vectors */
  forget: (ids: readonly number[]) => void;
  /** the settings of the address when the page was left */
  settings: PlaygroundSearch;
  /** embeds other texts as a run did, beside it; resolves once that is over, however it ended */
  aside: (like: Run, items: Item[]) => Promise<{ run: number; progress: Progress }>;
}

/** As many runs as the history shows; the vectors of older ones are let go. */
const mostRuns = 20;

/** The one playground of this tab. It is in memory only, so that no text or picture of it is ever on a disk. */
let kept: Playground | undefined;

/** The page's state and its worker, which stay while other pages are looked at, until the tab is closed or signed out. */
export function usePlayground(): Playground | null {
  const [playground, setPlayground] = useState(kept ?? null);
  useEffect(() => setPlayground((kept ??= open())), []);
  return playground;
}

function open(): Playground {
  const store = makePlaygroundStore();
  const asides = new Map<number, (progress: Progress) => void>();
  const worker = startVectorWorker((run, progress, dimensions, rate) => {
    if (!underWay(progress)) asides.get(run)?.(progress);
    onProgress(store, run, { progress, dimensions, rate });
  });
  let [lastRun, lastAside] = [0, 0];
  const leaving = (event: BeforeUnloadEvent) => {
    if (store.get().runs.some(({ progress }) => underWay(progress) || progress.done > 0)) event.preventDefault();
  };
  addEventListener("beforeunload", leaving);
  const unwatch = session.watch(() => {
    // an ended session is signed in to again over the page, and finds everything as it was
    if (session.get().state !== "signed-out") return;
    unwatch();
    removeEventListener("beforeunload", leaving);
    worker.end();
    kept = undefined;
  });
  return {
    store,
    picture: makePicture(),
    worker,
    settings: {},
    run(workspaceId, model, search) {
      lastRun += 1;
      begin({ store, worker }, lastRun, workspaceId, model, search);
      return lastRun;
    },
    steer(run, action, search = run.search) {
      const body = bodyOf(search, run.model);
      const runs = store.get().runs.map((other) => (other.id === run.id ? { ...other, search, body } : other));
      change(store, { runs });
      const { headers } = callOf(run.workspaceId);
      void worker.ask("steer", { run: run.id, action, headers, body });
    },
    forget(ids) {
      for (const run of ids) void worker.ask("forget", { run });
      const { runs, current, compared } = store.get();
      const left = runs.filter(({ id }) => !ids.includes(id));
      const next = left.some(({ id }) => id === current) ? current : (left[0]?.id ?? null);
      change(store, {
        runs: left,
        compared: compared.filter((id) => !ids.includes(id)),
        ...(next !== current && { current: next, ...nothingChosen }),
      });
    },
    aside: (like, items) =>
      new Promise((resolve) => {
        // runs that only the pinned pair knows of count downwards: those of the history go on without a gap
        lastAside -= 1;
        const run = lastAside;
        asides.set(run, (progress) => {
          asides.delete(run);
          resolve({ run, progress });
        });
        void worker.ask("start", { ...callOf(like.workspaceId), run, body: like.body, items });
      }),
  };
}

function begin(
  { store, worker }: Pick<Playground, "store" | "worker">,
  id: number,
  workspaceId: string,
  model: string,
  search: Settings,
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
    ...nothingChosen,
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
