import type { RateCounts } from "../domain/ledger/rates.ts";
import type { Scraped, Values } from "../metrics.ts";

/** A worker let calls through: the supervisor tells the others. */
interface CountedRates {
  readonly type: "rates";
  readonly processId: string;
  readonly counts: RateCounts;
}

/** What a worker tells the supervisor. */
export type FromWorker =
  /** it serves; `said` is what is printed for people, if it is the first */
  | { readonly type: "listening"; readonly said: readonly string[] }
  | CountedRates
  /** asks for the metrics of all workers */
  | { readonly type: "scrape"; readonly id: number }
  /** its own metrics, asked for with `collect` */
  | { readonly type: "values"; readonly id: number; readonly values: Values };

/** What the supervisor tells a worker. */
export type ToWorker =
  /** finish and exit */
  | { readonly type: "stop" }
  | CountedRates
  | { readonly type: "collect"; readonly id: number }
  | { readonly type: "scraped"; readonly id: number; readonly scraped: Scraped }
  /** how many workers are being replaced */
  | { readonly type: "missing"; readonly count: number };
