import cluster from "node:cluster";
import type { Config } from "../config.ts";
import { open, stopGateway } from "../serve.ts";
import type { FellowWorkers } from "../app/open.ts";
import type { FellowRates } from "../domain/ledger/rates.ts";
import type { Scraped, Values } from "../metrics.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** How long the supervisor may take to answer. */
const scrapeMs = 5_000;

/** Runs the gateway as one of several workers, until the supervisor tells it to stop, or has gone. */
export async function work(config: Config): Promise<void> {
  // The supervisor gets the signals, and a service manager or a terminal sends them to every process.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});
  // Without this, Node ends a worker at once whose supervisor has gone.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
  const scrapes = new Map<number, (scraped: Scraped) => void>();
  let ids = 0;
  let missing = 0;
  let isToStop = false;
  let stop = () => void (isToStop = true);
  let values: () => Promise<Values> = async () => [];
  let countRates: Parameters<FellowRates["listen"]>[0] = () => {};

  process.on("disconnect", () => stop());
  process.on("message", (message: ToWorker) => {
    if (message.type === "stop") stop();
    else if (message.type === "rates") countRates(message.processId, message.counts);
    else if (message.type === "missing") missing = message.count;
    else if (message.type === "scraped") scrapes.get(message.id)?.(message.scraped);
    else {
      const { id } = message;
      void values().then((own) => tell({ type: "values", id, values: own }));
    }
  });

  const fellows: FellowWorkers = {
    missing: () => missing,
    scrape(own) {
      const id = (ids += 1);
      return new Promise((resolve) => {
        const timer = setTimeout(() => answer(null), scrapeMs);
        function answer(scraped: Scraped | null) {
          clearTimeout(timer);
          scrapes.delete(id);
          resolve(scraped ?? own());
        }
        scrapes.set(id, answer);
        tell({ type: "scrape", id });
      });
    },
    collect: (own) => void (values = own),
    rates: {
      tell: (processId, counts) => tell({ type: "rates", processId, counts }),
      listen: (receive) => void (countRates = receive),
    },
  };
  const { gateway, said } = await open(config, fellows);
  let stopped = false;
  stop = () => {
    if (stopped) return;
    stopped = true;
    stopGateway(gateway, config);
  };
  if (isToStop) return stop();
  tell({ type: "listening", said });
  gateway.app.log.info("listening");
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
