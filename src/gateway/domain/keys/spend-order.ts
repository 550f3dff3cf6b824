import { type RawBuilder, sql } from "kysely";
import { type LimitReset, nextReset, startOfPeriod } from "#contract/time.ts";
import { countedSinceSql } from "./counted-since.ts";
import { furthestMs, leastMs, paceWindow } from "../ledger/lasts.ts";

/*
 * The record's figures of money at `now`, as expressions over `api_keys k` and its `spends s`. What a record shows is
 * computed by limits.ts and lasts.ts; these only put records in order, and list.test.ts compares the two.
 */

type Expression = RawBuilder<unknown>;
type Period = "day" | "week" | "month";

/** Larger than any amount or instant: what has no limit, and what has no end. */
const endless = sql.raw("9000000000000000000");
const periodOf = { daily: "day", weekly: "week", monthly: "month" } as const;
const resetOf = { day: "daily", week: "weekly", month: "monthly" } as const;
const resets: readonly LimitReset[] = ["daily", "weekly", "monthly"];

/** What was charged in the period of `now`. */
export function usageIn(period: Period, kind: "own" | "byok", now: Date): Expression {
  return inPeriod(period, sql.ref(kind === "own" ? `s.${period}` : `s.byok_${period}`), now);
}

/** What is left of the limit; without a limit the largest. */
export function leftOfLimit(now: Date): Expression {
  return sql`case when k.limit_nano is null then ${endless} else greatest(k.limit_nano - ${towardLimit(now)}, 0) end`;
}

/** The rule of lasts.ts: the milliseconds of its instant, -1 for what is spent, the largest for what has no end. */
export function lastsUntil(now: Date): Expression {
  const at = sql`${now}::timestamptz`;
  const isLimited = sql`(k.limit_nano is not null and not k.limit_watch_only)`;
  const left = sql`greatest(k.limit_nano - ${towardLimit(now)}, 0)`;
  const byLimit = sql`case when ${isLimited} then ${now.getTime()}::int8 + ${byReset((reset) => runsOutAfter(reset, left, now))} end`;
  const byExpiry = sql`case when k.expires_at < 'infinity' then ${milliseconds(sql`k.expires_at`)} end`;
  return sql`case when k.disabled or k.expires_at <= ${at} then ${endless}
    when ${isLimited} and ${left} = 0 then -1
    else least(coalesce(${byLimit}, ${endless}), coalesce(${byExpiry}, ${endless})) end`;
}

/** In how many milliseconds; null where it does not before the reset, or where it is too early to say. */
function runsOutAfter(reset: LimitReset | null, left: Expression, now: Date): Expression {
  const { period, start } = paceWindow(reset, now);
  const since = sql`greatest(${start}::timestamptz, ${countedSinceSql})`;
  const elapsed = sql`(${now.getTime()}::int8 - ${milliseconds(since)})`;
  const after = sql`div(${left}::numeric * ${elapsed}, nullif(${inPeriod(period, counted(period), now)}, 0)::numeric)`;
  const bound =
    reset === null ? furthestMs + 1 : Math.min(furthestMs + 1, nextReset(reset, now).getTime() - now.getTime());
  return sql`case when ${elapsed} >= ${leastMs(reset)}::int8 and ${after} < ${bound}::int8 then ${after}::int8 end`;
}

function towardLimit(now: Date): Expression {
  return byReset((reset) =>
    reset === null ? counted("total") : inPeriod(periodOf[reset], counted(periodOf[reset]), now),
  );
}

function counted(period: Period | "total"): Expression {
  const [own, overrun] = [sql.ref(`s.${period}`), sql.ref(`s.overrun_${period}`)];
  const [byok, byokOverrun] = [sql.ref(`s.byok_${period}`), sql.ref(`s.byok_overrun_${period}`)];
  return sql`(${own} + ${overrun} + case when k.include_byok_in_limit then ${byok} + ${byokOverrun} else 0 end)`;
}

function inPeriod(period: Period, amount: Expression, now: Date): Expression {
  const start = startOfPeriod(resetOf[period], now);
  return sql`(case when ${sql.ref(`s.${period}_start`)} >= ${start}::timestamptz then ${amount} else 0 end)`;
}

function byReset(value: (reset: LimitReset | null) => Expression): Expression {
  const cases = resets.map((reset) => sql`when ${sql.lit(reset)} then ${value(reset)}`);
  return sql`(case k.limit_reset ${sql.join(cases, sql` `)} else ${value(null)} end)`;
}

function milliseconds(instant: Expression): Expression {
  return sql`floor(extract(epoch from ${instant}) * 1000)::int8`;
}
