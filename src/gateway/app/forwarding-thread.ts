import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { addressRule, type PrivateNetworks } from "../domain/instance/network-guard.ts";
import { openSecretBox } from "../domain/secrets/key.ts";
import { createDispatcher } from "../providers/dispatcher.ts";
import { sharedPool } from "../storage/pool.ts";
import type { Query } from "../domain/destinations/cursor-store.ts";
import { startForwarder } from "../forwarding/forwarder.ts";
import { createSend } from "../forwarding/transport.ts";

/** What the thread is started with. */
export interface ThreadSettings {
  /** null: the embedded store, which only the main thread can query */
  databaseUrl: string | null;
  secretKey: string | null;
  dataDir: string;
  privateNetworks: PrivateNetworks;
  processId: string;
}

/** From the main thread. */
export type ToThread =
  | { type: "wake" | "reload" | "close" }
  | { type: "pace"; busy: boolean }
  | { type: "rows"; id: number; rows: { json: string | null }[] }
  | { type: "failed"; id: number; code: string };

/** To the main thread. */
export type FromThread =
  | { type: "query"; id: number; name: string; text: string; values: readonly unknown[] }
  | { type: "log"; level: "info" | "warn" | "error"; message: string; details: object }
  | { type: "failing"; count: number }
  | { type: "closed" };

/**
 * Forwarding in a thread of its own, at a lower priority: what it reads, decides, writes and sends takes no time away
 * from calls.
 */
async function serve(port: MessagePort, settings: ThreadSettings): Promise<void> {
  try {
    // On Linux this is the thread's own priority.
    setPriority(10);
  } catch {
    // Some systems do not let a thread lower its priority: then it runs like any other.
  }
  const tell = (message: FromThread) => port.postMessage(message);
  const own =
    settings.databaseUrl === null ? null : sharedPool(settings.databaseUrl, { size: 3, statementTimeoutMs: 30_000 });
  const asked = new Map<number, PromiseWithResolvers<{ json: string | null }[]>>();
  let lastId = 0;
  const throughMain: Query = (name, text, values) => {
    const answer = Promise.withResolvers<{ json: string | null }[]>();
    asked.set((lastId += 1), answer);
    tell({ type: "query", id: lastId, name, text, values });
    return answer.promise;
  };
  const direct: Query = async (name, text, values) => {
    const result = await own?.query<{ json: string | null }>({ name, text, values: [...values] });
    return result?.rows ?? [];
  };
  const dispatcher = createDispatcher({ refuse: addressRule(settings.privateNetworks, "admin"), connections: 16 });
  const forwarder = startForwarder({
    query: own === null ? throughMain : direct,
    send: createSend(dispatcher),
    secrets: await openSecretBox(settings.secretKey, settings.dataDir),
    now: () => new Date(),
    random: Math.random,
    processId: settings.processId,
    alone: own === null,
    log: (level, message, details) => tell({ type: "log", level, message, details }),
    failing: (count) => tell({ type: "failing", count }),
  });
  port.on("message", (message: ToThread) => {
    switch (message.type) {
      case "wake":
        return forwarder.wake();
      case "pace":
        return forwarder.pace(message.busy);
      case "reload":
        return forwarder.reload();
      case "rows":
        asked.get(message.id)?.resolve(message.rows);
        return void asked.delete(message.id);
      case "failed":
        asked.get(message.id)?.reject(Object.assign(new Error("the store did not answer"), { code: message.code }));
        return void asked.delete(message.id);
      case "close":
        return void forwarder
          .close()
          .then(() => dispatcher.destroy())
          .then(() => own?.end())
          .finally(() => tell({ type: "closed" }));
    }
  });
}

if (parentPort !== null) await serve(parentPort, workerData as ThreadSettings);
