import { decodeFloats, floatCount } from "./base64.ts";
import { chooseCount, clusters } from "./clusters.ts";
import { compareRuns, flatten, tradeoff } from "./compare-runs.ts";
import { decodeExample } from "./example-vectors.ts";
import { csvFile, jsonLines, npyFile, valuesOf } from "./export-file.ts";
import { firstRight } from "./first-right.ts";
import { groupNames } from "./group-names.ts";
import { textOfInput } from "./plan.ts";
import { similarityMatrix } from "./matrix.ts";
import { nearestOfEach } from "./nearest-of-each.ts";
import { nearest, rankAgainst, rankEach } from "./neighbours.ts";
import { guessFormat, parseRows } from "./parse-rows.ts";
import { pinSpaces } from "./pin-spaces.ts";
import { placeNames } from "./place-names.ts";
import { pointOf } from "./plane.ts";
import type {
  CallName,
  Calls,
  Clusters,
  FromWorker,
  Job,
  MatrixResult,
  Ranked,
  ToWorker,
  VectorSlice,
} from "./protocol.ts";
import { spread } from "./random.ts";
import { makeRate } from "./rate.ts";
import { readVectors } from "./read-vectors.ts";
import { readText } from "./read-text.ts";
import { scanRows } from "./row-scan.ts";
import { startBatch, type Batch, type Progress } from "./run-batch.ts";
import { sendChunk } from "./send-chunk.ts";
import { shuffledSilhouette } from "./shuffled-groups.ts";
import { similarities } from "./similarity.ts";
import { trustworthiness } from "./trustworthiness.ts";
import { takeTurns } from "./turns.ts";
import { umapPoints } from "./umap-points.ts";
import { vectorFacts } from "./vector-facts.ts";
import {
  checkNorms,
  cosine,
  dot,
  makeTable,
  mostBytes,
  vectorStart,
  viewOf,
  type VectorTable,
  type VectorView,
} from "./vectors.ts";

// The one owner of the vectors: it fetches, decodes and holds them. The page gets scores, places and files.

interface Run {
  job: Job;
  /** null: its vectors were there before */
  batch: Batch | null;
  table: VectorTable | null;
  /** the vectors as they were looked at last, until another one comes */
  seen: VectorView | null;
  /** rows that were taken out of everything that is computed */
  hidden: readonly number[];
}

const runs = new Map<number, Run>();
/** what was pasted or dropped last, so that another choice of columns need not send it again */
let source = { text: "", name: "" };
let answered: { key: string; ranked: Ranked } = {
  key: "",
  ranked: { rows: new Int32Array(), scores: new Float32Array() },
};
/** the number of groups that was found to fit best, for the rows that were looked at last */
let chosen: { key: string; best: Clusters["best"] } = { key: "", best: null };
/** the layout that is under way; a newer one stops it */
let drawing = 0;

const say = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });

function viewed({ run, used }: VectorSlice): VectorView {
  const own = runs.get(run);
  if (!own?.table) throw new Error("There are no vectors of this run yet.");
  const wanted = Math.min(used ?? own.table.dimensions, own.table.dimensions);
  if (own.seen?.used !== wanted) own.seen = viewOf(own.table, wanted);
  return own.seen;
}

function start(job: Job): null {
  let told = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  const rate = makeRate();
  const tell = (progress: Progress) => {
    clearTimeout(late);
    const send = () => {
      told = performance.now();
      const dimensions = runs.get(job.run)?.table?.dimensions ?? null;
      say({ kind: "progress", run: job.run, progress, dimensions, rate: rate(progress, told) });
    };
    const pause = told + 100 - performance.now();
    if (progress.state !== "running" || pause <= 0) send();
    else late = setTimeout(send, pause);
  };
  const run: Run = { job, batch: null, table: null, seen: null, hidden: [] };
  runs.set(job.run, run);
  run.batch = startBatch(job.items, {
    send: pinSpaces((chunk, signal, space) => sendChunk(inSpace(run.job, space), chunk, signal)),
    keep: (places, vector) => keep(run, job.items.length, places, vector),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
      }),
    now: () => Date.now(),
    tell,
  });
  return null;
}

/** A space that a person requires comes before the one of the first answer. */
function inSpace(job: Job, space: string | null): Job {
  if (space === null) return job;
  const provider = { require_vector_space: space, ...(job.body.provider as object | undefined) };
  return { ...job, body: { ...job.body, provider } };
}

/** @throws Error where so many further numbers find no room */
function checkRoom(count: number, dimensions: number): void {
  const held = [...runs.values()].reduce((sum, { table }) => sum + (table?.data.byteLength ?? 0), 0);
  const wanted = count * dimensions * 4;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  if (held + wanted > mostBytes)
    throw new Error(
      `${count} × ${dimensions} numbers take ${megabytes(wanted)} MB, and ${megabytes(mostBytes - held)} MB of ${megabytes(mostBytes)} are free: discard an older run, or ask for fewer dimensions.`,
    );
}

function keep(run: Run, count: number, places: readonly number[], vector: string) {
  const dimensions = floatCount(vector);
  if (!run.table) {
    checkRoom(count, dimensions);
    run.table = makeTable(count, dimensions);
  }
  const { table } = run;
  run.seen = null;
  const [first = 0, ...others] = places;
  decodeFloats(vector, table.data, first * dimensions);
  for (const place of others) table.data.copyWithin(place * dimensions, first * dimensions, (first + 1) * dimensions);
  for (const place of places) table.present[place] = 1;
}

const underWay = new Set<number>();
/** the long works that were cancelled and have not ended yet */
const cancelled = new Set<number>();
const turnsOf = (id: number) =>
  takeTurns(
    (share) => say({ kind: "share", id, share }),
    () => cancelled.has(id),
  );

function textsOf(run: number): (row: number) => string {
  const items = runs.get(run)?.job.items ?? [];
  return (row) => textOfInput(items[row]?.input);
}

const handlers: { [K in CallName]: (input: Calls[K][0], id: number) => Calls[K][1] | Promise<Calls[K][1]> } = {
  async parse({ source: given, format, columns }) {
    if (given !== null) {
      source =
        typeof given === "string" ? { text: given, name: "" } : { text: await readText(given), name: given.name };
    }
    return parseRows(source.text.replace(/^\uFEFF/, ""), format ?? guessFormat(source.text, source.name), columns);
  },
  start,
  steer({ run, action, ...changed }) {
    const own = runs.get(run);
    if (own) own.job = { ...own.job, ...changed };
    own?.batch?.[action]();
    return null;
  },
  open({ run, example }) {
    const items = example.texts.map((input) => ({ input, tokens: 0, inputType: null }));
    const job = { run, url: "", headers: {}, body: {}, items };
    runs.set(run, { job, batch: null, table: decodeExample(example), seen: null, hidden: [] });
    return null;
  },
  async read({ run, file, texts }) {
    const found = await readVectors(file);
    if (!found) return null;
    const { table, ...about } = found;
    checkRoom(table.count, table.dimensions);
    const own = about.rows?.map(({ text }) => text) ?? (texts.length === table.count ? texts : []);
    const items = Array.from({ length: table.count }, (_, row) => ({
      input: own[row] ?? "",
      tokens: 0,
      inputType: null,
    }));
    runs.set(run, { job: { run, url: "", headers: {}, body: {}, items }, batch: null, table, seen: null, hidden: [] });
    return { ...about, count: table.count, dimensions: table.dimensions };
  },
  forget({ run }) {
    runs.get(run)?.batch?.cancel();
    runs.delete(run);
    return null;
  },
  hide({ run, rows }) {
    const own = runs.get(run);
    if (!own?.table) return null;
    const { present } = own.table;
    for (const row of own.hidden) present[row] = 1;
    own.hidden = rows.filter((row) => present[row] === 1);
    for (const row of own.hidden) present[row] = 0;
    own.seen = null;
    answered.key = "";
    chosen.key = "";
    return null;
  },
  summary(slice) {
    const view = viewed(slice);
    return { ...checkNorms(view), rows: view.rows.length, dimensions: view.table.dimensions };
  },
  nearest({ row, k, ...slice }) {
    const view = viewed(slice);
    // the map and the list next to it ask for the same: it is computed once
    const key = `${slice.run} ${view.used} ${view.rows.length} ${row} ${k}`;
    if (answered.key !== key) answered = { key, ranked: nearest(view, row, k) };
    return answered.ranked;
  },
  scores({ row, ...slice }) {
    const view = viewed(slice);
    const scores = new Float32Array(view.table.count).fill(Number.NaN);
    if (view.table.present[row] === 1) for (const other of view.rows) scores[other] = cosine(view, row, other);
    return scores;
  },
  pair({ a, b, ...slice }) {
    const view = viewed(slice);
    if (view.table.present[a] !== 1 || view.table.present[b] !== 1) return null;
    const score = cosine(view, a, b);
    const others = view.rows.filter((row) => row !== a);
    const nearer = others.filter((row) => row !== b && cosine(view, a, row) > score);
    return { score, rank: nearer.length + 1, of: others.length };
  },
  against: ({ by, ...slice }) => rankAgainst(viewed(slice), viewed({ run: by.run, used: slice.used }), by.row),
  search: ({ queries, among, k, ...slice }) => rankEach(viewed(slice), queries, among, k),
  matrix: ({ order, among, ...slice }) => similarityMatrix(viewed(slice), order, among),
  async clusters({ count, seed, ...slice }, id) {
    const view = viewed(slice);
    const key = `${slice.run} ${view.used} ${view.rows.length} ${seed}`;
    // chosen once: a person who tries other numbers is told each time which one fits best
    if (chosen.key !== key) {
      const best = await chooseCount(view, seed, turnsOf(id));
      chosen = {
        key,
        best: best && { ...best, shuffled: shuffledSilhouette(view, best.count, best.among, seed) },
      };
    }
    const { best } = chosen;
    const found = clusters(view, count ?? best?.count ?? 1, seed);
    return { ...found, best, names: groupNames(view.rows, found.of, found.sizes.length, textsOf(slice.run)) };
  },
  scan: ({ labels, ...slice }, id) => scanRows(viewed(slice), Int32Array.from(labels), turnsOf(id)),
  firstRight: ({ slices, ...rows }, id) => firstRight(slices.map(viewed), rows, turnsOf(id)),
  nearestOfEach: (slice, id) => nearestOfEach(viewed(slice), turnsOf(id)),
  pca: ({ seed, ...slice }) => flatten(viewed(slice), seed),
  async umap({ seed, ...slice }, id) {
    drawing = id;
    const view = viewed(slice);
    const points = await umapPoints(view, seed, {
      draw: (points, share) =>
        say({ kind: "drawing", id, points: { rows: view.rows, points }, share }, [points.buffer]),
      stopped: () => drawing !== id,
    });
    return { rows: view.rows, points };
  },
  places: ({ run, points, level }) => placeNames(points, level, textsOf(run)),
  stopDrawing() {
    drawing = 0;
    return null;
  },
  cancel({ id }) {
    if (underWay.has(id)) cancelled.add(id);
    return null;
  },
  trust({ points, ...slice }) {
    const place = new Map(Array.from(points.rows, (row, index) => [row, index] as const));
    const view = viewed(slice);
    const rows = spread(
      view.rows.filter((row) => place.has(row)),
      600,
    );
    const shown = Float32Array.from(Array.from(rows).flatMap((row) => pointOf(points.points, place.get(row) ?? 0)));
    const k = Math.max(1, Math.min(10, Math.floor(rows.length / 4)));
    return { value: trustworthiness(similarities(view, rows), shown, k), k, among: rows.length };
  },
  vector({ row, ...slice }) {
    const view = viewed(slice);
    return view.table.present[row] === 1 ? vectorFacts(view, row) : null;
  },
  values: ({ row, ...slice }) => valuesOf(viewed(slice), row),
  tradeoff: ({ run, sizes }, id) => tradeoff(viewed({ run, used: null }).table, sizes, turnsOf(id)),
  rankings: ({ slices, row, among, k }) =>
    slices.map((slice) => nearest(viewed(slice), row, k, Int32Array.from(among))),
  compare({ slices, seed }, id) {
    return compareRuns(
      slices.map((slice) => ({ run: slice.run, view: viewed(slice) })),
      seed,
      turnsOf(id),
    );
  },
  between: ({ used, pairs }) =>
    pairs.map(({ a, b }) => {
      const [left, right] = [viewed({ run: a.run, used }), viewed({ run: b.run, used })];
      const product = dot(vectorStart(left.table, a.row), vectorStart(right.table, b.row), left.used);
      return product / ((left.norms[a.row] ?? 0) * (right.norms[b.row] ?? 0) || 1);
    }),
  file({ format, rows, only, about, ...slice }) {
    const whole = viewed(slice);
    const view = only ? { ...whole, rows: whole.rows.filter((row) => only.includes(row)) } : whole;
    if (format === "npy") return npyFile(view);
    return format === "jsonl" ? jsonLines(view, rows, about) : csvFile(view, rows, format === "csv");
  },
};

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  const handle = handlers[data.name] as (input: unknown, id: number) => unknown;
  void (async () => {
    underWay.add(data.id);
    try {
      const output = await handle(data.input, data.id);
      // a matrix is some megabytes: it is handed over instead of copied
      const given = data.name === "matrix" ? [(output as MatrixResult).scores.buffer] : [];
      say({ kind: "answer", id: data.id, output }, given);
    } catch (error) {
      say({ kind: "failed", id: data.id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      underWay.delete(data.id);
      cancelled.delete(data.id);
    }
  })();
});
