import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import type { Dispatcher } from "undici";
import type { Config } from "../config.ts";
import type { Log } from "../domain/burst-log.ts";
import type { Deps } from "../domain/context.ts";
import { type Forwarder, startForwarder } from "../forwarding/forwarder.ts";
import type { Query } from "../domain/destinations/cursor-store.ts";
import type { FromThread, ThreadSettings, ToThread } from "./forwarding-thread.ts";
import { createSend } from "../forwarding/transport.ts";

export type ForwardingConfig = Pick<Config, "databaseUrl" | "secretKey" | "dataDir" | "privateNetworks">;

/** Forwarding as the rest of the process sees it. */
export interface Forwarding {
  /** the ledger has grown */
  wake(): void;
  /** destinations have changed */
  reload(): void;
  /** how many of the destinations that this process forwards to fail */
  failing(): number;
  close(): Promise<void>;
}

/** Calls that settle at almost the same time wake the forwarder once. */
const gatherMs = 20;
/** The restart delay after its thread died. */
const restartMs = 1_000;
/** How often this thread's load is checked, and the share of time from which it counts as busy. */
const paceEveryMs = 250;
const busyFrom = 0.5;

/**
 * Starts forwarding once there is a destination. The program itself runs it in a thread of its own; tests, which have
 * their own clock, run it in this one.
 */
export function openForwarding(
  deps: Deps,
  dispatcher: Dispatcher,
  config: ForwardingConfig,
  { where, log }: { readonly where: "thread" | "here"; readonly log: Log },
): Forwarding {
  const processId = randomUUID();
  let forwarder: Forwarder | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let busy = false;
  let failing = 0;
  const events: ForwarderEvents = { log, failing: (count) => void (failing = count) };
  let since = performance.eventLoopUtilization();

  const pacer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization >= busyFrom === busy) return;
    busy = !busy;
    forwarder?.pace(busy);
  }, paceEveryMs);
  pacer.unref();

  const begin = () => {
    if (closed || forwarder !== null || !deps.bodies.anyDestination()) return;
    forwarder =
      where === "thread"
        ? startThread(deps, { ...config, processId }, events, restart)
        : startHere(deps, dispatcher, processId, events);
  };
  /** What was sent but not recorded yet is sent again. */
  const restart = () => {
    forwarder = null;
    if (!closed) setTimeout(begin, restartMs).unref();
  };
  begin();
  return {
    wake() {
      if (timer !== null || forwarder === null) return;
      timer = setTimeout(() => {
        timer = null;
        forwarder?.wake();
      }, gatherMs);
      timer.unref();
    },
    reload() {
      if (forwarder === null) begin();
      else forwarder.reload();
    },
    failing: () => failing,
    async close() {
      closed = true;
      clearInterval(pacer);
      if (timer !== null) clearTimeout(timer);
      await forwarder?.close();
    },
  };
}

function queryOf({ store }: Pick<Deps, "store">): Query {
  return async (name, text, values) => {
    const { rows } = await store.pool.query<{ json: string | null }>({ name, text, values: [...values] });
    return rows;
  };
}

/** What a forwarder reports to the process. */
interface ForwarderEvents {
  readonly log: Log;
  /** how many destinations fail now */
  readonly failing: (count: number) => void;
}

function startHere(deps: Deps, dispatcher: Dispatcher, processId: string, events: ForwarderEvents): Forwarder {
  return startForwarder({
    query: queryOf(deps),
    send: createSend(dispatcher),
    secrets: deps.secrets,
    now: deps.now,
    random: Math.random,
    processId,
    alone: deps.store.engine === "embedded",
    ...events,
  });
}

function startThread(
  deps: Deps,
  config: ForwardingConfig & { processId: string },
  { log, failing }: ForwarderEvents,
  died: () => void,
): Forwarder {
  const { secretKey, dataDir, privateNetworks, processId } = config;
  const databaseUrl = deps.store.engine === "embedded" ? null : config.databaseUrl;
  const settings: ThreadSettings = { databaseUrl, secretKey, dataDir, privateNetworks, processId };
  const query = queryOf(deps);
  const worker = new Worker(new URL("./forwarding-thread.ts", import.meta.url), {
    workerData: settings,
    // Its objects are short-lived; a large nursery would only let garbage pile up.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const tell = (message: ToThread) => worker.postMessage(message);
  worker.on("message", (message: FromThread) => {
    if (message.type === "log") log(message.level, message.message, message.details);
    if (message.type === "failing") failing(message.count);
    if (message.type !== "query") return;
    const { id, name, text, values } = message;
    query(name, text, values).then(
      (rows) => tell({ type: "rows", id, rows }),
      (error: unknown) => tell({ type: "failed", id, code: codeOf(error) }),
    );
  });
  worker.on("error", (error) => {
    log("error", "forwarding stopped and is restarting", { reason: error.name });
    died();
  });
  return {
    wake: () => tell({ type: "wake" }),
    pace: (busy) => tell({ type: "pace", busy }),
    reload: () => tell({ type: "reload" }),
    async close() {
      const ended = once(worker, "exit");
      tell({ type: "close" });
      await Promise.race([ended, heardClosed(worker)]);
      await worker.terminate();
    },
  };
}

async function heardClosed(worker: Worker): Promise<void> {
  let message: FromThread;
  do [message] = (await once(worker, "message")) as [FromThread];
  while (message.type !== "closed");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
