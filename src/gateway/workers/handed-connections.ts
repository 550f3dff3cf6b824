import type { Worker } from "node:cluster";
import type { ChildProcess } from "node:child_process";

/** The connection in the supervisor's own copy. */
interface Handle {
  close(): void;
}

/**
 * Closes the connection that a worker was given and had not taken when it was killed. `node:cluster` closes its own copy
 * when the worker says that it took the connection, and otherwise never: the caller would wait for ever.
 * @see https://github.com/nodejs/node/blob/v24.x/lib/internal/cluster/round_robin_handle.js `handoff`: one at a time
 */
export function watchHandedConnections(): (worker: Worker) => void {
  const handed = new Map<Worker, Handle>();
  return (worker) => {
    const { process: child } = worker;
    const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
    child.send = ((message: { act?: unknown }, handle?: Handle, ...rest: unknown[]) => {
      if (message.act === "newconn" && handle !== undefined) handed.set(worker, handle);
      return send(message, handle, ...rest);
    }) as ChildProcess["send"];
    worker.once("exit", () => {
      const handle = handed.get(worker);
      handed.delete(worker);
      // The worker may have passed it on to another one, which has it by now. Closing a closed one does nothing.
      if (![...handed.values()].some((other) => other === handle)) handle?.close();
    });
  };
}
