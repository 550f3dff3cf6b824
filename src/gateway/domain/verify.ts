import { type Kysely, sql } from "kysely";
import type { NanoUsd } from "#contract/money.ts";
import type { Store } from "../storage/store.ts";
import type { Tables } from "../storage/tables.ts";
import { accountSpendId } from "./ledger-commit.ts";

/** A figure that is kept beside the ledger and does not agree with it. */
export interface Difference {
  /** the table, and the key of the row in it */
  readonly table: "spends" | "usage_hourly";
  readonly row: string;
  readonly figure: string;
  readonly kept: NanoUsd;
  readonly added: NanoUsd;
}

export interface Verification {
  readonly calls: bigint;
  readonly charged: NanoUsd;
  readonly counters: number;
  readonly hours: number;
  /** the first ones, by table and row; empty: everything agrees */
  readonly differences: readonly Difference[];
}

const spendFigures = ["total", "byok_total", "day", "byok_day", "week", "byok_week", "month", "byok_month", "reserved"];
const hourlyFigures = [
  "usage",
  "byok_usage",
  "saved",
  "requests",
  "failures",
  "prompt_tokens",
  "completion_tokens",
  "reasoning_tokens",
];
const mostTold = 100;

/**
 * Adds the whole ledger up again and compares every counter with it. All in one snapshot, so it may run beside a
 * gateway at work. Periods are worked out by PostgreSQL here and by TypeScript where they are counted.
 */
export async function verifyLedger(store: Store): Promise<Verification> {
  return await store.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      // Reading ten million rows takes longer than any statement of the gateway may.
      await sql`set local statement_timeout = 0`.execute(trx);
      const totals = await sql<{ calls: bigint; charged: bigint }>`
        select count(*) as calls, coalesce(sum(cost), 0)::bigint as charged from ledger`.execute(trx);
      const spends = await compareSpends(trx);
      const hours = await compareHours(trx);
      const [total] = totals.rows;
      return {
        calls: total?.calls ?? 0n,
        charged: total?.charged ?? 0n,
        counters: spends.rows,
        hours: hours.rows,
        differences: [...spends.differences, ...hours.differences].slice(0, mostTold),
      };
    });
}

interface Compared {
  readonly rows: number;
  readonly differences: readonly Difference[];
}

async function compareSpends(db: Kysely<Tables>): Promise<Compared> {
  const within = (period: string) => sql.raw(`date_trunc('${period}', l.settled_at, 'UTC') = s.${period}_start`);
  const { rows } = await sql<Record<string, unknown>>`
    with added as (
      select counted.id,
        sum(l.cost) as total, sum(l.byok_cost) as byok_total,
        sum(l.cost) filter (where ${within("day")}) as day, sum(l.byok_cost) filter (where ${within("day")}) as byok_day,
        sum(l.cost) filter (where ${within("week")}) as week, sum(l.byok_cost) filter (where ${within("week")}) as byok_week,
        sum(l.cost) filter (where ${within("month")}) as month,
        sum(l.byok_cost) filter (where ${within("month")}) as byok_month
      from ledger l
      cross join lateral (values (l.spend_id), (l.workspace_id), (${accountSpendId}::uuid)) as counted (id)
      left join spends s on s.id = counted.id
      group by counted.id
    ), leased as (
      select spend_id as id, sum(amount) as reserved from leases group by spend_id
    ), compared as (
      select coalesce(s.id, a.id) as row, ${sql.raw(
        spendFigures
          .map((figure) => {
            const added = figure === "reserved" ? "l.reserved" : `a.${figure}`;
            return `coalesce(s.${figure}, 0)::bigint as kept_${figure}, coalesce(${added}, 0)::bigint as added_${figure}`;
          })
          .join(", "),
      )}
      from spends s full join added a on a.id = s.id left join leased l on l.id = coalesce(s.id, a.id)
    )
    select *, count(*) over () as rows from compared order by ${differsFirst(spendFigures)}, row limit ${mostTold}`.execute(
    db,
  );
  return differencesOf("spends", spendFigures, rows);
}

async function compareHours(db: Kysely<Tables>): Promise<Compared> {
  const { rows } = await sql<Record<string, unknown>>`
    with added as (
      select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_hash, model, provider,
        sum(cost) as usage, sum(byok_cost) as byok_usage, sum(saved) as saved, count(*) as requests,
        count(*) filter (where status >= 400) as failures, sum(prompt_tokens) as prompt_tokens,
        sum(completion_tokens) as completion_tokens, sum(reasoning_tokens) as reasoning_tokens
      from ledger group by 1, 2, 3, 4, 5
    ), compared as (
      select concat_ws('/', workspace_id, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"'), key_hash, model, provider)
        as row, ${sql.raw(
          hourlyFigures
            .map(
              (figure) =>
                `coalesce(u.${figure}, 0)::bigint as kept_${figure}, coalesce(a.${figure}, 0)::bigint as added_${figure}`,
            )
            .join(", "),
        )}
      from usage_hourly u full join added a using (workspace_id, hour, key_hash, model, provider)
    )
    select *, count(*) over () as rows from compared order by ${differsFirst(hourlyFigures)}, row limit ${mostTold}`.execute(
    db,
  );
  return differencesOf("usage_hourly", hourlyFigures, rows);
}

function differsFirst(figures: readonly string[]) {
  return sql.raw(
    `case when ${figures.map((figure) => `kept_${figure} = added_${figure}`).join(" and ")} then 1 else 0 end`,
  );
}

function differencesOf(
  table: Difference["table"],
  figures: readonly string[],
  rows: readonly Record<string, unknown>[],
): Compared {
  const differences = rows.flatMap((row) =>
    figures.flatMap((figure): Difference[] => {
      const [kept, added] = [row[`kept_${figure}`] as bigint, row[`added_${figure}`] as bigint];
      return kept === added ? [] : [{ table, row: String(row["row"]), figure, kept, added }];
    }),
  );
  return { rows: Number(rows[0]?.["rows"] ?? 0n), differences };
}

/** The result in words, one line for each difference; amounts in nano-dollars. */
export function describeVerification({ calls, charged, counters, hours, differences }: Verification): string {
  const compared = `${calls} calls on the ledger, ${charged} nano-dollars charged; ${counters} counters and ${hours} hourly sums compared with it`;
  const [first] = differences;
  if (first === undefined) return `${compared}: all agree.`;
  const lines = differences.map(
    ({ table, row, figure, kept, added }) => `  ${table} ${row}: ${figure} is ${kept}, the ledger adds up to ${added}`,
  );
  return `${compared}: ${differences.length >= mostTold ? `${mostTold} or more` : differences.length} differ, the first is ${first.figure} of ${first.table} ${first.row}.\n${lines.join("\n")}`;
}
