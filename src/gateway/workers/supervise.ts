import cluster, { type Worker } from "node:cluster";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import { longestEndMs } from "../serve.ts";
import { print } from "../startup-message.ts";
import { createCollector } from "./collect.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { watchHandedConnections } from "./handed-connections.ts";
import { createRestarts } from "./restarts.ts";
import { onStopSignals } from "../stop-signals.ts";

/**
 * Runs the gateway in several processes on one port, each the whole program on the shared store, until it receives a
 * signal to stop. This process serves nothing itself: it accepts connections and hands them out in turn.
 */
export function supervise(config: Config): void {
  cluster.setupPrimary({ serialization: "advanced" });
  const workers = new Map<number, Worker>();
  const serving = new Set<number>();
  const watchHanded = watchHandedConnections();
  const restarts = createRestarts(() => performance.now());
  const log = createLog(config.logLevel);
  let stopping = false;
  let isStarted = false;
  let exitCode = 0;

  const tell = (worker: Worker, message: ToWorker) => {
    if (worker.isConnected()) worker.send(message, () => {});
  };
  const collector = createCollector((id) => {
    for (const number of serving) {
      const worker = workers.get(number);
      if (worker !== undefined) tell(worker, { type: "collect", id });
    }
    return serving;
  });

  function tellMissing(): void {
    const count = config.workers - serving.size;
    for (const worker of workers.values()) tell(worker, { type: "missing", count });
  }

  function tellOthers(teller: number, message: ToWorker): void {
    for (const [number, worker] of workers) if (number !== teller) tell(worker, message);
  }

  /** @param number which of the workers: a replacement has that of its predecessor */
  function start(number: number): void {
    const worker = cluster.fork();
    workers.set(number, worker);
    watchHanded(worker);
    worker.on("error", () => {
      // It could not be started at all, and has no exit.
      if (worker.process.pid === undefined && workers.get(number) === worker) ended(number, null, null);
    });
    worker.on("message", (message: FromWorker) => {
      if (message.type === "rates") return tellOthers(number, message);
      // It has ended meanwhile: its figures are in the sums already.
      if (workers.get(number) !== worker) return;
      if (message.type === "scrape") {
        const { id } = message;
        collector.scrape().then(
          (scraped) => tell(worker, { type: "scraped", id, scraped }),
          // The worker answers with its own after a while.
          (error: unknown) => log("error", "the workers' metrics do not add up", { reason: String(error) }),
        );
      } else if (message.type === "values") collector.receive(number, message.id, message.values);
      else listening(number, message.said);
    });
    worker.once("exit", (code: number | null, signal: string | null) => ended(number, code, signal));
  }

  function listening(number: number, said: readonly string[]): void {
    serving.add(number);
    restarts.serves(number);
    log("info", "a worker listens", { worker: number, pid_of_worker: workers.get(number)?.process.pid });
    if (!isStarted) {
      isStarted = true;
      for (const line of said) print(line);
      // The first one has migrated the store and made what the first start makes.
      for (let other = 2; other <= config.workers; other += 1) start(other);
    }
    tellMissing();
  }

  function ended(number: number, code: number | null, signal: string | null): void {
    const pid = workers.get(number)?.process.pid;
    workers.delete(number);
    serving.delete(number);
    collector.retire(number);
    if (stopping) {
      if (code !== 0) exitCode = 1;
      if (workers.size === 0) process.exit(exitCode);
      return;
    }
    if (!isStarted) {
      // It has said itself why it cannot start, unless it was killed.
      if (code === null) log("error", "the first worker ended before it listened", { pid_of_worker: pid, signal });
      process.exit(code === 0 || code === null ? 1 : code);
    }
    const delayMs = restarts.after(number);
    const details = { worker: number, pid_of_worker: pid, code, signal, restart_ms: delayMs };
    log("error", "a worker ended and is replaced", details);
    tellMissing();
    setTimeout(() => {
      if (!stopping) start(number);
    }, delayMs);
  }

  function stop(): void {
    stopping = true;
    if (workers.size === 0) process.exit(0);
    for (const worker of workers.values()) tell(worker, { type: "stop" });
    // Each worker ends by itself before that.
    setTimeout(end, (config.stopDelay + config.stopTimeout) * 1_000 + longestEndMs + 2_000).unref();
  }

  function end(): void {
    for (const worker of workers.values()) worker.process.kill("SIGKILL");
    process.exit(1);
  }

  onStopSignals(stop, end);
  start(1);
}

const levels = { debug: 20, info: 30, warn: 40, error: 50, silent: 100 };

/** Lines like those of the workers, in the same log. */
function createLog(least: Config["logLevel"]) {
  return (level: "info" | "error", msg: string, details: object) => {
    if (levels[level] < levels[least]) return;
    const line = { level: levels[level], time: Date.now(), pid: process.pid, hostname: hostname(), ...details, msg };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
}
