import { addUp, counted, type Scraped, type Values } from "../metrics.ts";

/** The metrics of all workers as one. */
export interface Collector {
  scrape(): Promise<Scraped>;
  /** a worker's values, asked for with this id */
  receive(worker: number, id: number, values: Values): void;
  /** The worker has ended: what it has counted stays in the sums. */
  retire(worker: number): void;
}

interface Asked {
  readonly missing: Set<number>;
  readonly done: () => void;
}

/** A worker reads the store for at most two seconds; of one that does not answer, its previous values are used. */
const answerMs = 3_000;

/** @param ask asks the workers for their values with an id, and says which */
export function createCollector(ask: (id: number) => Iterable<number>): Collector {
  const latest = new Map<number, Values>();
  const asked = new Map<number, Asked>();
  let retired: Values = [];
  let retiring: Promise<void> = Promise.resolve();
  let ids = 0;

  return {
    async scrape() {
      const id = (ids += 1);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, answerMs);
        function done() {
          clearTimeout(timer);
          asked.delete(id);
          resolve();
        }
        const missing = new Set(ask(id));
        asked.set(id, { missing, done });
        if (missing.size === 0) done();
      });
      await retiring;
      return await addUp([retired, ...latest.values()], latest.size);
    },
    receive(worker, id, values) {
      latest.set(worker, values);
      const request = asked.get(id);
      request?.missing.delete(worker);
      if (request?.missing.size === 0) request.done();
    },
    retire(worker) {
      const values = latest.get(worker);
      latest.delete(worker);
      if (values !== undefined) {
        retiring = retiring
          .then(async () => {
            retired = await counted([retired, values]);
          })
          // Figures that do not add up with the others are lost, and not the others.
          .catch(() => {});
      }
      for (const request of asked.values()) {
        request.missing.delete(worker);
        if (request.missing.size === 0) request.done();
      }
    },
  };
}
