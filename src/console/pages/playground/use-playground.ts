import { useState } from "react";
import { playgroundHeader } from "#contract/embeddings.ts";
import { readPreference, setPreference } from "../../preferences.ts";
import { apiPath } from "../../api/base.ts";
import { now } from "../../api/clock.ts";
import { noteNoAnswer } from "../../api/connectivity.ts";
import { csrfToken, endSession, session } from "../../api/session.ts";
import {
  change,
  inputOf,
  makePlaygroundStore,
  nothingChosen,
  questionItem,
  underWay,
  type PlaygroundStore,
  type Run,
} from "./playground.ts";
import type { Item } from "../../vectors/plan.ts";
import type { Action, Clusters, Points } from "../../vectors/protocol.ts";
import { notBegun, type Progress } from "../../vectors/run-batch.ts";
import { openVectors } from "./open-vectors.ts";
import { stackedPanes } from "./show-results.ts";
import { bodyOf, type PlaygroundSearch, type Settings } from "./settings.ts";
import { startVectorWorker, type VectorWorker } from "../../vectors/vector-worker.ts";

/** The picture that is shown, for saving it. */
export interface Picture {
  /** says how the picture that is on the page becomes a file; gives what takes that back */
  offer(make: () => string): () => void;
  svg(): string | undefined;
  /** keeps what the map of a run last showed, for files of its rows */
  note(facts: MapFacts): void;
  facts(run: number): MapFacts | undefined;
}

/** Where a run's rows lie on its map, and the groups that it is colored by. */
export interface MapFacts {
  run: number;
  points: Points | null;
  clusters: Clusters | null;
}

function makePicture(): Picture {
  let current: (() => string) | undefined;
  let noted: MapFacts | undefined;
  return {
    offer(make) {
      current = make;
      return () => {
        if (current === make) current = undefined;
      };
    },
    svg: () => current?.(),
    note(facts) {
      noted = facts;
    },
    facts: (run) => (noted?.run === run ? noted : undefined),
  };
}

export interface Playground {
  store: PlaygroundStore;
  picture: Picture;
  worker: VectorWorker;
  /** starts a run of the current input; returns its id */
  run: (workspaceId: string, model: string, search: Settings) => number;
  /** @param search what the run goes on with, where that is not what it began with */
  /** opens a file of vectors in place of a run; resolves to false where it has none */
  openVectors: (file: File) => Promise<boolean>;
  steer: (run: Run, action: Action, search?: Settings) => void;
  /** lets go of runs and of their vectors */
  forget: (ids: readonly number[]) => void;
  /** the settings of the address when the page was left */
  settings: () => PlaygroundSearch;
  noteSettings: (search: PlaygroundSearch) => void;
  /** says which workspace is looked at */
  noteWorkspace: (workspaceId: string | undefined) => void;
  /** puts the example map in place of an empty page */
  showExample: () => Promise<void>;
  /** takes the example map away, on later visits as well */
  clearExample: () => void;
  /** asks a question of a run's rows, in place of the one before: one call, as the run's own were */
  ask: (run: Run, text: string) => void;
  /** takes the question back, and cancels its call if that is under way */
  unask: () => void;
  /** embeds other texts with the same settings as a run; resolves when that is over, however it ended */
  aside: (like: Run, items: Item[]) => Promise<{ run: number; progress: Progress }>;
}

/** The number of runs in the history; the vectors of older ones are discarded. */
const mostRuns = 20;

/** The one playground of this tab. It is in memory only, so that no text or picture of it is ever on a disk. */
let kept: Playground | undefined;

/** The page's state and its worker, which stay while other pages are looked at, until the tab is closed or signed out. */
export function usePlayground(): Playground {
  const [playground] = useState(() => (kept ??= open()));
  return playground;
}

function open(): Playground {
  const store = makePlaygroundStore();
  const asides = new Map<number, (progress: Progress) => void>();
  const worker = startVectorWorker((run, progress, dimensions, rate) => {
    if (!underWay(progress)) asides.get(run)?.(progress);
    if (wasRefused(progress)) endSession(sentWith.get(run));
    onProgress(store, run, { progress, dimensions, rate });
  });
  /** the token of the session that each run was sent with */
  const sentWith = new Map<number, string | undefined>();
  function headersOf(run: number, workspaceId: string): Record<string, string> {
    sentWith.set(run, csrfToken());
    return { "x-csrf-token": csrfToken() ?? "", [playgroundHeader]: workspaceId };
  }
  // the session's cookie goes along by itself
  function start(run: number, { workspaceId, body }: Pick<Run, "workspaceId" | "body">, items: Item[]) {
    const url = new URL(apiPath("/embeddings"), location.href).href;
    void worker.ask("start", { url, headers: headersOf(run, workspaceId), run, body, items });
  }
  let [lastRun, lastAside] = [0, 0];
  let settings: PlaygroundSearch = {};
  let workspace = "";
  const leaving = (event: BeforeUnloadEvent) => {
    if (store.get().runs.some(({ progress, example }) => underWay(progress) || (progress.done > 0 && !example)))
      event.preventDefault();
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
  function unask() {
    const { question } = store.get();
    if (!question) return;
    void worker.ask("forget", { run: question.aside });
    change(store, { question: null });
  }
  function forget(ids: readonly number[]) {
    for (const run of ids) void worker.ask("forget", { run });
    const { runs, current, compared } = store.get();
    const left = runs.filter(({ id }) => !ids.includes(id));
    const next = left.some(({ id }) => id === current) ? current : (left[0]?.id ?? null);
    change(store, {
      runs: left,
      compared: compared.filter((id) => !ids.includes(id)),
      ...(next !== current && { current: next, ...nothingChosen }),
    });
  }
  const forgetExample = () => forget(store.get().runs.flatMap(({ id, example }) => (example ? [id] : [])));
  async function showExample() {
    // without it the page says what it is for
    await openExample({ store, worker }, () => workspace).catch(forgetExample);
    change(store, { opening: false });
  }
  if (opensWithExample(store)) void showExample();
  return {
    store,
    picture: makePicture(),
    worker,
    settings: () => settings,
    noteSettings(search) {
      settings = search;
    },
    noteWorkspace(id) {
      workspace = id ?? "";
      const { runs } = store.get();
      if (runs.some(({ example }) => example))
        change(store, { runs: runs.map((run) => (run.example ? { ...run, workspaceId: workspace } : run)) });
    },
    showExample,
    clearExample() {
      leaveExample(store);
      unask();
      forgetExample();
    },
    run(workspaceId, model, search) {
      lastRun += 1;
      const begun = begin({ store, worker }, { id: lastRun, workspaceId, model, search });
      start(begun.id, begun, begun.items);
      return begun.id;
    },
    openVectors(file) {
      lastRun += 1;
      return openVectors({ store, worker, id: lastRun, workspaceId: workspace, file });
    },
    steer(run, action, search = run.search) {
      const body = bodyOf(search, run.model);
      const runs = store.get().runs.map((other) => (other.id === run.id ? { ...other, search, body } : other));
      change(store, { runs });
      void worker.ask("steer", { run: run.id, action, headers: headersOf(run.id, run.workspaceId), body });
    },
    forget,
    ask(run, text) {
      unask();
      lastAside -= 1;
      change(store, { question: { run: run.id, text, aside: lastAside, progress: notBegun(1) } });
      start(lastAside, { ...run, body: bodyInSpace(run) }, [questionItem(run, text)]);
    },
    unask,
    aside: (like, items) =>
      new Promise((resolve) => {
        // runs that only the pinned pair knows of count downwards: those of the history go on without a gap
        lastAside -= 1;
        const run = lastAside;
        asides.set(run, (progress) => {
          asides.delete(run);
          resolve({ run, progress });
        });
        start(run, { ...like, body: bodyInSpace(like) }, items);
      }),
  };
}

/** The body for further texts of a run: in the space of its vectors, where that is one. Roles have a space each. */
function bodyInSpace({ body, search, progress }: Run): Run["body"] {
  const [only, ...others] = progress.spaces;
  if (only === undefined || others.length > 0 || search.roles === true || search.space !== undefined) return body;
  return { ...body, provider: { ...(body.provider as object | undefined), require_vector_space: only } };
}

/** @param workspace the one that is looked at by the time the file is there */
async function openExample({ store, worker }: Pick<Playground, "store" | "worker">, workspace: () => string) {
  setPreference("example", "shown");
  change(store, { opening: true });
  const { exampleRun } = await import("./example-run.ts");
  const { run, stored } = await exampleRun();
  // its picture needs no vectors; what is asked about them is answered once they are there
  const opened = worker.ask("open", { run: run.id, example: stored });
  run.workspaceId = workspace();
  if (store.get().runs.length === 0) change(store, { runs: [run], current: run.id, ...nothingChosen });
  await opened;
}

/** Whether the example is shown at first. Where panes are stacked its map then has the first screen, and not the input. */
function opensWithExample(store: PlaygroundStore): boolean {
  if (readPreference("example") !== "shown") return false;
  if (matchMedia(stackedPanes).matches) change(store, { inputHidden: true });
  return true;
}

/** From then on the input is what there is to see. */
function leaveExample(store: PlaygroundStore): void {
  setPreference("example", "cleared");
  change(store, { inputHidden: false });
}

function begin(
  { store, worker }: Pick<Playground, "store" | "worker">,
  made: Pick<Run, "id" | "workspaceId" | "model" | "search">,
): Run {
  const state = store.get();
  const { items, shown } = inputOf(state, made.search);
  const body = bodyOf(made.search, made.model);
  const run: Run = {
    ...made,
    example: null,
    mode: state.mode,
    body,
    items,
    shown,
    progress: notBegun(items.length),
    dimensions: null,
    rate: null,
    startedAt: now(),
  };
  // the example has done what it is for
  const runs = [run, ...state.runs.filter(({ example }) => !example)];
  for (const old of state.runs.filter((other) => !runs.slice(0, mostRuns).includes(other)))
    void worker.ask("forget", { run: old.id });
  change(store, {
    runs: runs.slice(0, mostRuns),
    current: made.id,
    // what was pasted has been read as it was meant to be
    ...(state.mode === "batch" && { taken: null }),
    ...nothingChosen,
    compared: state.compared.filter((other) => runs.slice(0, mostRuns).some((kept) => kept.id === other)),
  });
  return run;
}

/** The session had ended when the run was sent. */
function wasRefused({ state, failures }: Progress): boolean {
  return state === "stopped" && failures.some(([, { status }]) => status === 401);
}

function onProgress(store: PlaygroundStore, id: number, news: Pick<Run, "progress" | "dimensions" | "rate">): void {
  const { progress } = news;
  if (progress.waiting?.refused.status === 0) noteNoAnswer();
  const { question, runs } = store.get();
  change(store, {
    runs: runs.map((run) => (run.id === id ? { ...run, ...news } : run)),
    ...(question?.aside === id && { question: { ...question, progress } }),
  });
}
