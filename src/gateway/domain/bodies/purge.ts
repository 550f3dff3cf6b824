import { refusedCallDays } from "#contract/refused-calls.ts";
import { hourMs } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { idempotencyMs } from "../idempotency.ts";

/** The longest that bodies are kept for a destination, and the most of them in total. */
export const bodiesKeptHours = 24;
const mostBytes = 1_073_741_824;
/** The same for what a workspace logs for itself. */
const loggedDays = 30;
/** Delivery outcomes are shown for a day; they are kept a little longer. */
const minutesKeptHours = 48;
const mostAtOnce = 500;

const passedText = `
delete from forwarding_bodies b using (
  select passed.workspace_id, passed.xact, passed.n
  from (select distinct workspace_id from destinations) w
  cross join lateral (
    select min(f.cursor_xact) as xact from forwarding f
    join destinations d on d.id = f.destination_id
    where f.workspace_id = w.workspace_id and d.deleted_at is null
      and (not d.privacy_mode or d.filter_rules::text ~ '"field": "(input|output)"')
      and exists (select from workspaces where id = w.workspace_id and is_observability_broadcast_enabled)
  ) needed
  cross join lateral (
    select workspace_id, xact, n from forwarding_bodies
    where workspace_id = w.workspace_id and (needed.xact is null or xact < needed.xact)
    order by xact limit ${mostAtOnce}
  ) passed
  limit ${mostAtOnce}
) gone
where b.workspace_id = gone.workspace_id and b.xact = gone.xact and b.n = gone.n`;

const agedText = `delete from forwarding_bodies where created_at < $1`;

const overfullText = `
delete from forwarding_bodies b using (
  select workspace_id, xact, n, sum(bytes) over (order by xact desc, n) as total from forwarding_bodies
) counted
where counted.total > ${mostBytes}
  and b.workspace_id = counted.workspace_id and b.xact = counted.xact and b.n = counted.n`;

const loggedText = `
delete from generation_contents c using (
  select workspace_id, created_at, id from generation_contents where created_at < $1 order by created_at limit ${mostAtOnce}
) gone
where c.workspace_id = gone.workspace_id and c.created_at = gone.created_at and c.id = gone.id`;

/**
 * Deletes the bodies that every destination has passed.
 * @returns how many groups of them
 */
export async function purgeBodies(store: Store): Promise<number> {
  return await repeat(store, "bodies-passed", passedText, []);
}

/**
 * The less frequent part: bodies that are too old or too many, counts that are no longer shown, and Idempotency-Keys
 * whose repeat is no longer recognized.
 */
export async function purgeExcess(store: Store, now: Date): Promise<void> {
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs);
  await store.pool.query({ name: "bodies-aged", text: agedText, values: [before(bodiesKeptHours)] });
  await store.pool.query({ name: "bodies-overfull", text: overfullText });
  await repeat(store, "bodies-logged-aged", loggedText, [before(loggedDays * 24)]);
  await store.pool.query("delete from forwarding_minutes where minute < $1", [before(minutesKeptHours)]);
  await store.pool.query("delete from refused_calls where minute < $1", [before(refusedCallDays * 24)]);
  await store.pool.query("delete from idempotency where created_at <= $1", [new Date(now.getTime() - idempotencyMs)]);
  await store.pool.query("delete from forwarding_errors where hour < $1", [before(minutesKeptHours)]);
}

async function repeat(store: Store, name: string, text: string, values: unknown[]): Promise<number> {
  let deleted = 0;
  let rows = mostAtOnce;
  while (rows === mostAtOnce) {
    rows = (await store.pool.query({ name, text, values })).rowCount ?? 0;
    deleted += rows;
  }
  return deleted;
}

const everyMs = 5_000;
const seldom = 60;

/** Does both from time to time, until the function that it returns is called. */
export function schedulePurge(store: Store, now: () => Date): () => void {
  let rounds = 0;
  let running = false;
  const round = async () => {
    if (running) return;
    running = true;
    rounds += 1;
    try {
      await purgeBodies(store);
      if (rounds % seldom === 1) await purgeExcess(store, now());
    } catch {
      // The next round makes up for it.
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void round(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
