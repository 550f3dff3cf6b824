import type { Store } from "../storage/store.ts";

/** Bodies that wait for a destination are kept for this long at most, and no more than this of them altogether. */
export const bodiesKeptHours = 24;
const mostBytes = 1_073_741_824;
/** What a workspace logs for itself. */
const loggedDays = 30;
/** What became of calls is told for a day; a little more is kept. */
const minutesKeptHours = 48;
const mostAtOnce = 2_000;

const passedText = `
delete from generation_contents c using (
  select passed.workspace_id, passed.created_at, passed.id
  from (select distinct workspace_id from destinations) w
  cross join lateral (
    select min(f.cursor_xact) as xact from forwarding f
    join destinations d on d.id = f.destination_id
    where f.workspace_id = w.workspace_id and d.enabled and d.deleted_at is null
      and (not d.privacy_mode or d.filter_rules::text ~ '"field": "(input|output)"')
      and exists (select from workspaces where id = w.workspace_id and is_observability_broadcast_enabled)
  ) needed
  cross join lateral (
    select workspace_id, created_at, id from generation_contents
    where workspace_id = w.workspace_id and not logged and (needed.xact is null or xact < needed.xact)
    order by xact limit ${mostAtOnce}
  ) passed
  limit ${mostAtOnce}
) gone
where c.workspace_id = gone.workspace_id and c.created_at = gone.created_at and c.id = gone.id`;

const agedText = `
delete from generation_contents c using (
  select workspace_id, created_at, id from generation_contents
  where created_at < $1::timestamptz and (not logged or created_at < $2::timestamptz)
  order by created_at limit ${mostAtOnce}
) gone
where c.workspace_id = gone.workspace_id and c.created_at = gone.created_at and c.id = gone.id`;

const overfullText = `
delete from generation_contents c using (
  select workspace_id, created_at, id from (
    select workspace_id, created_at, id, sum(bytes) over (order by created_at desc, id) as total
    from generation_contents where not logged
  ) counted where total > ${mostBytes} limit ${mostAtOnce}
) gone
where c.workspace_id = gone.workspace_id and c.created_at = gone.created_at and c.id = gone.id`;

/**
 * Deletes bodies that nobody needs any more: those that every destination has passed, those that are too old, and the
 * oldest where there are too many.
 * @returns how many were deleted
 */
export async function purgeBodies(store: Store, now: Date): Promise<number> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  let deleted = 0;
  const run = async (name: string, text: string, values: unknown[]) => {
    let rows = mostAtOnce;
    while (rows === mostAtOnce) {
      const result = await store.pool.query({ name, text, values });
      rows = result.rowCount ?? 0;
      deleted += rows;
    }
  };
  await run("bodies-passed", passedText, []);
  await run("bodies-aged", agedText, [before(bodiesKeptHours), before(loggedDays * 24)]);
  return deleted;
}

/** The seldom part: the total size, and counts that nobody asks for any more. */
export async function purgeExcess(store: Store, now: Date): Promise<void> {
  await store.pool.query({ name: "bodies-overfull", text: overfullText });
  await store.pool.query("delete from forwarding_minutes where minute < $1", [
    new Date(now.getTime() - minutesKeptHours * 3_600_000),
  ]);
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
      await purgeBodies(store, now());
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
