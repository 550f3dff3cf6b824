import type { Server, ServerResponse } from "node:http";

/** The requests in progress, and how the server says goodbye to its callers. */
export interface Drain {
  /** true once a stop was ordered: readiness reports it, and every answer closes its connection */
  stopping(): boolean;
  /** true once new requests are refused */
  refusing(): boolean;
  /** requests without a complete answer */
  open(): number;
  watch(server: Server): void;
  /** begins to stop: requests are still served */
  announce(): void;
  /** refuses new requests, and closes connections as they become idle, so that callers go elsewhere */
  refuse(): void;
  /** Resolves with true when no request is open, with false after `ms`. */
  emptied(ms: number): Promise<boolean>;
  /** Cuts every connection that is left. */
  destroy(): void;
}

/** A connection that falls idle while the server drains is closed within this time. */
const closeIdleEveryMs = 50;

export function createDrain(): Drain {
  const open = new Set<ServerResponse>();
  let server: Server | null = null;
  let stopping = false;
  let refusing = false;
  let waiting: (() => void)[] = [];

  return {
    stopping: () => stopping,
    refusing: () => refusing,
    open: () => open.size,
    watch(watched) {
      server = watched;
      server.prependListener("request", (_, response: ServerResponse) => {
        if (stopping) response.shouldKeepAlive = false;
        open.add(response);
        response.once("close", () => {
          open.delete(response);
          if (open.size > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        });
      });
    },
    announce() {
      stopping = true;
      for (const response of open) response.shouldKeepAlive = false;
    },
    refuse() {
      refusing = true;
      // A stream that began before the signal has promised to keep its connection, and then leaves it idle.
      const timer = setInterval(() => server?.closeIdleConnections(), closeIdleEveryMs);
      server?.once("close", () => clearInterval(timer));
      timer.unref();
      server?.closeIdleConnections();
    },
    async emptied(ms) {
      if (open.size === 0) return true;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
      const empty = new Promise<true>((resolve) => waiting.push(() => resolve(true)));
      try {
        return await Promise.race([empty, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    destroy: () => server?.closeAllConnections(),
  };
}
