import type { Duplex } from "node:stream";
import type pg from "pg";

/** How long an idle connection's goodbye is waited for. */
const goodbyeMs = 2_000;

/** Ends a connection, also where the server does not hear of it. */
export async function endInTime(client: pg.Client): Promise<void> {
  const late = setTimeout(() => streamOf(client).destroy(), goodbyeMs);
  await client.end();
  clearTimeout(late);
}

const streamOf = (client: pg.ClientBase) => (client as unknown as { connection: { stream: Duplex } }).connection.stream;

/** Lifts the server's limit for the statements of one transaction, such as the check of the whole ledger. */
const unlimited = /^set local statement_timeout = 0/;
const ended = /^(?:commit|rollback)/;

/**
 * Gives a connection up when its server says nothing for `mostMs` while it works on a statement: a network that swallows
 * everything is noticed by TCP after a quarter of an hour, and until then the connection would be handed out again and
 * again. A transaction without the server's own limit is waited for.
 *
 * @returns gives it up now
 */
export function giveUpWhenSilent(client: pg.PoolClient, mostMs: number): () => void {
  const stream = streamOf(client);
  const giveUp = () => void stream.destroy(new Error("PostgreSQL did not answer in time: its connection was given up"));
  let timer: NodeJS.Timeout | undefined;
  let isUnlimited = false;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: [string | { text?: string }, ...unknown[]]) => {
    const text = typeof args[0] === "string" ? args[0] : (args[0].text ?? "");
    if (unlimited.test(text)) isUnlimited = true;
    if (ended.test(text)) isUnlimited = false;
    if (isUnlimited) stop();
    else timer ??= setTimeout(giveUp, mostMs);
    return send(...args);
  }) as pg.PoolClient["query"];
  stream.on("data", () => timer?.refresh());
  stream.once("close", stop);
  client.on("drain", stop);
  return giveUp;
}
