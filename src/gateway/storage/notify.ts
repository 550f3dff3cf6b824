import pg from "pg";
import { keepAliveInitialDelayMillis } from "./pool.ts";
import { endInTime } from "./silent-connection.ts";

/** Short messages between the processes that share a store. Best effort: where certainty is needed, poll as well. */
export interface Notices {
  /** Tells every listener of `channel`, in this process and in the others; a payload is at most `largestNotice` bytes. */
  send(channel: string, ...payloads: string[]): Promise<void>;
  /** @param hear gets the payload; null: messages may have been missed, so take nothing for granted */
  listen(channel: string, hear: (payload: string | null) => void): void;
  close(): Promise<void>;
}

/** PostgreSQL refuses 8,000 bytes and more. */
export const largestNotice = 7_900;

type Hear = (payload: string | null) => void;

/** The embedded store has one process: a message is a function call. */
export function localNotices(): Notices {
  const listeners = new Map<string, Hear[]>();
  return {
    async send(channel, ...payloads) {
      for (const hear of listeners.get(channel) ?? []) for (const payload of payloads) hear(payload);
    },
    listen(channel, hear) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), hear]);
    },
    async close() {
      listeners.clear();
    },
  };
}

const retryMs = 1_000;

/**
 * LISTEN/NOTIFY on a connection of its own, which is made anew whenever it breaks. As long as it is there it holds a lock
 * on the process's id, by which the others know that the process lives.
 */
export function sharedNotices(url: string, pool: pg.Pool, processId: string): Notices {
  const local = localNotices();
  const channels = new Map<string, Hear[]>();
  let started = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let closed = false;
  // A connection takes one statement at a time.
  let lastListen: Promise<unknown> = Promise.resolve();

  function again(): void {
    if (!closed && retry === null) retry = setTimeout(() => void connect(), retryMs);
  }

  async function connect(): Promise<void> {
    retry = null;
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      application_name: "gatehouse notices",
    });
    next.on("error", () => {});
    next.on("end", () => {
      if (client !== next) return;
      client = null;
      again();
    });
    next.on("notification", ({ channel, payload }) => {
      for (const hear of channels.get(channel) ?? []) hear(payload ?? "");
    });
    try {
      await next.connect();
      client = next;
      await next.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [processId]);
      lastListen = listenTo(next, [...channels.keys()]);
      await lastListen;
      for (const hears of channels.values()) for (const hear of hears) hear(null);
    } catch {
      if (client === next) client = null;
      void next.end().catch(() => {});
      again();
    }
  }

  return {
    async send(channel, ...payloads) {
      await local.send(channel, ...payloads);
      await pool.query("select pg_notify($1, payload) from unnest($2::text[]) as payload", [channel, payloads]);
    },
    listen(channel, hear) {
      local.listen(channel, hear);
      channels.set(channel, [...(channels.get(channel) ?? []), hear]);
      const connected = client;
      if (connected !== null) lastListen = lastListen.then(() => listenTo(connected, [channel])).catch(() => {});
      if (started) return;
      started = true;
      void connect();
    },
    async close() {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      if (client !== null) await endInTime(client);
      await local.close();
    },
  };
}

async function listenTo(client: pg.Client, channels: string[]): Promise<void> {
  for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
