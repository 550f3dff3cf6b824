import type { FirstRight, RightRows } from "./first-right.ts";
import type { QueryRanking } from "./neighbours.ts";
import type { Columns, Format, ParsedRows } from "./parse-rows.ts";
import type { Item } from "./plan.ts";
import type { VectorFile } from "./read-vectors.ts";
import type { Progress } from "./run-batch.ts";
import type { checkNorms } from "./vectors.ts";

/** Everything that one run sends along with its texts. */
export interface Job {
  run: number;
  /** the address of the embeddings endpoint */
  url: string;
  headers: Record<string, string>;
  /** the body without its input: model, dimensions, provider, … */
  body: Record<string, unknown>;
  items: Item[];
}

export type Action = "pause" | "resume" | "cancel" | "retry";

/** Vectors of one run, looked at in their first `used` dimensions (null: all of them). */
export interface VectorSlice {
  run: number;
  used: number | null;
}

export interface Ranked {
  rows: Int32Array;
  scores: Float32Array;
}

export interface Points {
  rows: Int32Array;
  /** x and y of each row */
  points: Float32Array;
}

/** A part of a picture, with the words that tell its rows from the others. */
export interface Place {
  words: string[];
  /** some of its rows */
  rows: number[];
}

/** A picture by principal components. */
export interface Flat extends Points {
  /** the share of the variance along each of the first ones */
  explained: number[];
  /** false: the search for them ended early */
  settled: boolean;
}

export interface Groups {
  /** by the table's row; 255 where there is no vector */
  of: Uint8Array;
  /** how many rows are in each, the largest first */
  sizes: number[];
  /** the words that tell each from the others, most distinctive first; none where no word does */
  names: string[][];
  /** the row nearest to the middle of each: it stands for a group without such words */
  typical: number[];
}

export interface Clusters extends Groups {
  /** how well the groups hold together (the mean silhouette, −1 to 1), and among how many rows that was looked at */
  fit: { silhouette: number; among: number };
  /** the number of groups that fits best, where it was looked for; `shuffled`: the silhouette that it has by chance */
  best: { count: number; silhouette: number; among: number; shuffled: number } | null;
}

/** Texts with vectors that were made beforehand, as they are shipped, and the picture of them. */
export interface StoredExample {
  model: string;
  dimensions: number;
  texts: readonly string[];
  /** base64 of one signed byte a number, row after row, each row on a scale of its own */
  vectors: string;
  picture: StoredPicture;
}

/** As the worker draws these vectors: it takes seconds, and is always the same. */
export interface StoredPicture {
  /** x and y of each row's place in the UMAP layout */
  points: readonly number[];
  /** the groups that fit best; of each row, which one it is in */
  groups: Omit<Clusters, "of"> & { of: readonly number[] };
}

/** The row nearest to each of some rows: of all, or of a sample. */
export interface NearestOfEach {
  /** those that were asked for … */
  rows: Int32Array;
  /** … the row nearest to each, -1 where there is no other … */
  nearest: Int32Array;
  /** … and their cosine */
  scores: Float32Array;
  /** how many rows each was held against, itself among them */
  of: number;
  /** what two rows have that are drawn at random */
  random: PairMedian | null;
}

/** A row whose label the rows around it do not have. */
export interface DoubtfulLabel {
  row: number;
  /** how many of the nearest have its own label … */
  own: number;
  /** … and which label most of them have, by its code, and how many */
  theirs: number;
  count: number;
  of: number;
}

export interface RowScan {
  /** the row nearest to each, as far as it was found */
  near: NearestOfEach;
  /** the most doubtful first */
  doubtful: DoubtfulLabel[];
  /** for each of `sameLevels` (row-scan.ts): sets of rows that are connected by so high cosines, the largest first */
  same: number[][][];
  /** the share of all pairs that was compared; under 1, only those likely to be near were */
  compared: number;
}

export interface MatrixResult extends Ranked {
  /** size × size cosines, in the order of `rows` (`scores`) */
  pairs: { a: number; b: number; score: number }[];
  least: number;
  most: number;
  /** how many pairs have `nearlySame` or more */
  same: number;
  median: PairMedian | null;
}

/** The similarity of two arbitrary rows of a run. */
export interface PairMedian {
  median: number;
  /** of how many pairs */
  pairs: number;
  /** true: those are all pairs; false: they were drawn at random */
  every: boolean;
}

export interface VectorFacts {
  first: number[];
  /** the numbers farthest from 0, those first, by their place from 1 */
  largest: { place: number; value: number }[];
  /** how many are not 0 */
  filled: number;
  /** at most 96 means of neighboring values, for a small drawing */
  shape: number[];
  norm: number;
  histogram: { from: number; to: number; counts: number[] };
}

export interface Summary extends ReturnType<typeof checkNorms> {
  rows: number;
  dimensions: number;
}

export interface PairFacts {
  score: number;
  /** the rank of `b` among the rows nearest to `a`, from 1 … */
  rank: number;
  /** … out of this many */
  of: number;
}

export interface TradeoffPoint {
  used: number;
  /** how many of the ten nearest stay the same, 0 to 1 */
  overlap: number;
  /** Spearman's correlation of the similarities */
  correlation: number;
  /** what both were computed from: all pairs of this many rows … */
  rows: number;
  /** … out of this many; if there are fewer, they are a sample */
  of: number;
}

export interface Comparison extends Omit<TradeoffPoint, "used"> {
  run: number;
  points: Points;
}

/** What a file of vectors holds apart from them. */
export interface OpenedRows extends Omit<VectorFile, "table"> {
  count: number;
  dimensions: number;
}

/** A row as a file has it; what is known of it further comes under its name. */
export interface ExportRow {
  number?: number | undefined;
  fields?: Readonly<Record<string, string | number>> | undefined;
  text: string;
  group: string;
  role: string;
}

export type FileFormat = "jsonl" | "csv" | "csv-texts" | "npy";

export interface RowOf {
  run: number;
  row: number;
}

/** The page's requests to the worker that owns the vectors: by name, with input and output. */
export interface Calls {
  parse: [{ source: File | string | null; format?: Format | undefined; columns?: Columns | undefined }, ParsedRows];
  start: [Job, null];
  /** `headers` and `body` are what the further calls have: a session may be another one by now */
  steer: [{ run: number; action: Action } & Partial<Pick<Job, "headers" | "body">>, null];
  /** takes vectors that were made beforehand, as a run that is over */
  open: [{ run: number; example: StoredExample }, null];
  /** takes the vectors of a file as a run that is over; null: the file has none. `texts` go with vectors alone */
  read: [{ run: number; file: File; texts: string[] }, OpenedRows | null];
  forget: [{ run: number }, null];
  /** takes these rows out of everything that is computed, and puts back those that were taken out before */
  hide: [{ run: number; rows: number[] }, null];
  summary: [VectorSlice, Summary];
  nearest: [VectorSlice & { row: number; k: number }, Ranked];
  /** every row's cosine with one of them, by the table's row, not a number where one has no vector */
  scores: [VectorSlice & { row: number }, Float32Array];
  /** null where one of them has no vector */
  pair: [VectorSlice & { a: number; b: number }, PairFacts | null];
  /** every row by its cosine with one of another run of the same model, the nearest first */
  against: [VectorSlice & { by: RowOf }, Ranked];
  search: [VectorSlice & { queries: number[]; among: number[]; k: number }, QueryRanking[]];
  matrix: [VectorSlice & { order: number[] | "alike" | null; among: readonly number[] | null }, MatrixResult];
  /** without a count, as many groups as fit best */
  clusters: [VectorSlice & { count: number | null; seed: number }, Clusters];
  nearestOfEach: [VectorSlice, NearestOfEach];
  /** `labels` has a code for each row of the table, negative where it has none */
  scan: [VectorSlice & { labels: number[] }, RowScan];
  firstRight: [{ slices: VectorSlice[] } & RightRows, FirstRight];
  pca: [VectorSlice & { seed: number }, Flat];
  umap: [VectorSlice & { seed: number }, Points];
  /** names for parts of a picture, the smaller the more it is enlarged */
  places: [{ run: number; points: Points; level: number }, Place[]];
  stopDrawing: [null, null];
  /** ends a long work that is under way, by the id of its question */
  cancel: [{ id: number }, null];
  trust: [VectorSlice & { points: Points }, { value: number; k: number; among: number }];
  /** null where the row has no vector */
  vector: [VectorSlice & { row: number }, VectorFacts | null];
  values: [VectorSlice & { row: number }, number[]];
  tradeoff: [{ run: number; sizes: number[] }, TradeoffPoint[]];
  rankings: [{ slices: VectorSlice[]; row: number; among: number[]; k: number }, Ranked[]];
  compare: [{ slices: VectorSlice[]; seed: number }, Comparison[]];
  /** cosines of rows of several runs of one model */
  between: [{ used: number | null; pairs: { a: RowOf; b: RowOf }[] }, number[]];
  /** `only`: these rows alone; `about` goes into each line of a JSONL file */
  file: [
    VectorSlice & {
      format: FileFormat;
      rows: ExportRow[];
      only: readonly number[] | null;
      about: Record<string, string>;
    },
    Blob,
  ];
}

export type CallName = keyof Calls;

export type ToWorker = { [K in CallName]: { id: number; name: K; input: Calls[K][0] } }[CallName];

export type FromWorker =
  | { kind: "answer"; id: number; output: unknown }
  | { kind: "failed"; id: number; message: string }
  | { kind: "share"; id: number; share: number }
  | { kind: "progress"; run: number; progress: Progress; dimensions: number | null; rate: number | null }
  | { kind: "drawing"; id: number; points: Points; share: number };
