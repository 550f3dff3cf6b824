import { dayMs, hourMs, nextReset, startOfPeriod, startOfUtcDay, startOfUtcHour } from "#contract/time.ts";
import { inTransaction } from "../transaction.ts";
import type { Deps } from "../context.ts";
import { countersIn } from "./commit.ts";
import { countedAmounts, hourlyFigures } from "./verify.ts";
import type { Statements } from "./balance.ts";

/** Counters whose day begins ahead of a clock. */
interface AheadCounters {
  readonly counters: number;
  /** the latest of those days */
  readonly latest: Date;
}

/** Clocks of processes differ by seconds, and those of badly set machines by a time zone. */
const toldFromMs = 2 * dayMs;

async function aheadOf(store: Deps["store"], day: Date): Promise<AheadCounters | null> {
  const { rows } = await store.pool.query<{ counters: bigint; latest: Date | null }>(
    "select count(*) as counters, max(day_start) as latest from spends where day_start > $1",
    [day],
  );
  const latest = rows[0]?.latest ?? null;
  return latest === null ? null : { counters: Number(rows[0]?.counters), latest };
}

/**
 * Looks for limits that a clock has moved into the future: they do not reset until that day. Which clock is wrong, that
 * one or this process's own, only a person can say; `recount` is for the former.
 * @param warn is told, if there are any
 */
export async function checkPeriods(
  { store, now }: Pick<Deps, "store" | "now">,
  warn: (message: string, details: object) => void,
): Promise<void> {
  const ahead = await aheadOf(store, new Date(now().getTime() + toldFromMs));
  if (ahead === null) return;
  const message =
    "limits do not reset: calls were recorded by a clock far ahead of this one; if that clock was wrong, stop every process and run the command recount";
  warn(message, { counters: ahead.counters, latest_day: ahead.latest.toISOString() });
}

/** {@link checkPeriods}, now and every hour. @returns a function that stops it */
export function watchPeriods(...of: Parameters<typeof checkPeriods>): () => void {
  // A store that is away is looked at in the next round.
  const round = () => void checkPeriods(...of).catch(() => {});
  const timer = setInterval(round, hourMs).unref();
  round();
  return () => clearInterval(timer);
}

const periods = [
  ["day", "daily", 2],
  ["week", "weekly", 4],
  ["month", "monthly", 6],
] as const;

/** A counter's column, and what the ledger adds up to for it within the period between two parameters. */
const figures = periods.flatMap(([period, , start]) =>
  countedAmounts.map(([prefix, amount, counted]) => ({
    column: `${prefix}${period}`,
    sum: `sum(${amount}) filter (where ${counted} and l.settled_at >= $${start} and l.settled_at < $${start + 1})`,
  })),
);

const statement = `
with added as (
  select counted.id, ${figures.map(({ column, sum }) => `${sum} as ${column}`).join(", ")}
  from ledger l cross join lateral ${countersIn("l")}
  where counted.id = any($1) and l.settled_at >= least($4::timestamptz, $6) and l.settled_at < greatest($5::timestamptz, $7)
  group by counted.id
)
update spends s set ${figures.map(({ column }) => `${column} = coalesce(added.${column}, 0)`).join(", ")},
  ${periods.map(([period, , start]) => `${period}_start = $${start}`).join(", ")}
from unnest($1::uuid[]) as ahead (id) left join added on added.id = ahead.id
where s.id = ahead.id`;

const place = "workspace_id, key_hash, model, provider";
const moveHours = `
with moved as (delete from usage_hourly where hour >= $2 returning *)
insert into usage_hourly as u (${place}, hour, ${hourlyFigures.join(", ")})
select ${place}, $1, ${hourlyFigures.map((figure) => `sum(${figure})`).join(", ")} from moved group by ${place}
on conflict (workspace_id, hour, key_hash, model, provider) do update set
  ${hourlyFigures.map((figure) => `${figure} = u.${figure} + excluded.${figure}`).join(", ")}`;

/** Dates the calls that are dated after the present day at the present instant, with their hours and last uses. */
async function redate(client: Statements, at: Date): Promise<void> {
  const tomorrow = nextReset("daily", at);
  await client.query("update ledger set settled_at = $1 where settled_at >= $2", [at, tomorrow]);
  await client.query(moveHours, [startOfUtcHour(at), tomorrow]);
  await client.query("update api_keys set last_used_at = $1 where last_used_at >= $2", [at, tomorrow]);
}

/**
 * Counts the present day, week and month anew from the ledger, for counters whose day begins after this one: a clock
 * that was wrong has moved them there, and with them the limits. Calls that are dated after the present day, which are
 * those charged since that clock was noticed, count in it. Totals stay as they are. Running processes would not hear of
 * it: stop them first.
 * @returns what was counted anew; null: no counter is ahead
 */
export async function recount({ store, now }: Pick<Deps, "store" | "now">): Promise<AheadCounters | null> {
  const at = now();
  const today = startOfUtcDay(at);
  const ahead = await aheadOf(store, today);
  if (ahead === null) return null;
  await inTransaction(store.pool, async (client) => {
    // Reading a large ledger takes longer than the gateway's statement timeout.
    await client.query("set local statement_timeout = 0");
    const found = await client.query<{ id: string }>(
      "select id from spends where day_start > $1 order by id for update",
      [today],
    );
    const ids = found.rows.map(({ id }) => id);
    await redate(client, at);
    // A trigger on `spends` marks again the keys that are spent out, or nearly.
    await client.query(
      "update api_keys set spent_out_until = null, near_limit_until = null where spend_id = any($1) and limit_reset is not null",
      [ids],
    );
    const bounds = periods.flatMap(([, reset]) => [startOfPeriod(reset, at), nextReset(reset, at)]);
    await client.query(statement, [ids, ...bounds]);
  });
  return ahead;
}
