import { type Kysely, sql } from "kysely";
import type { NanoUsd } from "#contract/money.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Deps } from "../context.ts";
import { accountSpendId, countersIn, isServedFromStore, rerankSums } from "./commit.ts";
import { spendColumns } from "./limits.ts";
import { isProviderFault } from "./provider-fault.ts";
import { compareLimits, type Excess } from "./verify-limits.ts";

/** A stored figure that does not agree with the ledger. */
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
  /** calls that were deleted; the closing balances represent them */
  readonly pruned: bigint;
  readonly counters: number;
  readonly hours: number;
  /** the first ones, by table and row; empty: everything agrees */
  readonly differences: readonly Difference[];
  readonly limits: number;
  /** limits to which more was charged than they allowed */
  readonly excesses: readonly Excess[];
}

const spendFigures = [...spendColumns, "reserved"];
/** What an hour adds up. */
export const hourlyFigures = [
  "usage",
  "byok_usage",
  "saved",
  "requests",
  "failures",
  "provider_faults",
  "prompt_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cached_tokens",
  "stored_inputs",
  "stored_saved",
  "stored_calls",
  ...rerankSums.map(({ figure }) => figure),
];
const mostTold = 100;
/** Calls were deleted up to this instant. Periods and hours that began before it can no longer be added up. */
const prunedBefore = `coalesce((select pruned_before from ledger_closings where id = '${accountSpendId}'), '-infinity')`;

/** During a rolling upgrade, older processes add calls without these figures: until a day after it, hours may have less. */
const lateFigures = ["provider_faults", "cached_tokens"];
const countedFrom = (figure: string) =>
  `coalesce((select since + interval '24 hours' from figures_since where figure = '${figure}'), '-infinity')`;

/**
 * Adds the whole ledger up again, compares every counter with it, and the counters with the limits in force at `now`.
 * It reads one snapshot, so it may run while a gateway is running. PostgreSQL computes the periods here, TypeScript
 * does where they are counted.
 */
export async function verifyLedger({ store, now }: Pick<Deps, "store" | "now">): Promise<Verification> {
  return await store.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      // Reading ten million rows takes longer than the gateway's statement timeout.
      await sql`set local statement_timeout = 0`.execute(trx);
      const sums = await sql<{ calls: bigint; charged: bigint; pruned: bigint }>`
        select count(*) as calls, coalesce(sum(cost), 0)::bigint as charged,
          coalesce((select calls from ledger_closings where id = ${accountSpendId}), 0)::bigint as pruned
        from ledger`.execute(trx);
      const spends = await compareSpends(trx);
      const hours = await compareHours(trx);
      const limits = await compareLimits(trx, now());
      const [total] = sums.rows;
      return {
        calls: total?.calls ?? 0n,
        charged: total?.charged ?? 0n,
        pruned: total?.pruned ?? 0n,
        counters: spends.rows,
        hours: hours.rows,
        differences: [...spends.differences, ...hours.differences].slice(0, mostTold),
        ...limits,
      };
    });
}

interface Compared {
  readonly rows: number;
  readonly differences: readonly Difference[];
}

/** What a counter counts of a call `l` on the ledger: the prefix of its columns, the amount, and of which calls. */
export const countedAmounts = [
  ["", "l.cost", "true"],
  ["byok_", "l.byok_cost", "true"],
  ["overrun_", "l.overrun", "not l.byok"],
  ["byok_overrun_", "l.overrun", "l.byok"],
] as const;

async function compareSpends(db: Kysely<Tables>): Promise<Compared> {
  const sums = countedAmounts.flatMap(([prefix, amount, counted]) =>
    ["total", "day", "week", "month"].map((period) => {
      const within = period === "total" ? "" : ` and date_trunc('${period}', l.settled_at, 'UTC') = s.${period}_start`;
      return `sum(${amount}) filter (where ${counted}${within}) as ${prefix}${period}`;
    }),
  );
  const { rows } = await sql<Record<string, unknown>>`
    with added as (
      select counted.id,
        ${sql.raw(sums.join(", "))}
      from ledger l
      cross join lateral ${sql.raw(countersIn("l"))}
      left join spends s on s.id = counted.id
      group by counted.id
    ), leased as (
      select id, sum(amount) as reserved
      from (
        select spend_id as id, amount from leases
        union all select unnest(spend_ids), reserved from video_jobs where reserved > 0
      ) as held group by id
    ), compared as (
      select coalesce(s.id, a.id, c.id) as row, ${sql.raw(
        spendFigures
          .map(
            (figure) =>
              `coalesce(s.${figure}, 0)::bigint as kept_${figure}, coalesce(${addedTo(figure)}, 0)::bigint as added_${figure}`,
          )
          .join(", "),
      )}
      from spends s full join added a on a.id = s.id full join ledger_closings c on c.id = coalesce(s.id, a.id)
      left join leased l on l.id = coalesce(s.id, a.id, c.id)
    )
    select *, count(*) over () as rows from compared order by ${differsFirst(spendFigures)}, row limit ${mostTold}`.execute(
    db,
  );
  return differencesOf("spends", spendFigures, rows);
}

/** A counter's expected value: the sum of the calls, plus the closing balance of those that were deleted. */
function addedTo(figure: (typeof spendFigures)[number]): string {
  if (figure === "reserved") return "l.reserved";
  if (figure.endsWith("total")) return `coalesce(a.${figure}, 0) + coalesce(c.${figure}, 0)`;
  const period = figure.slice(figure.lastIndexOf("_") + 1);
  return `case when s.${period}_start < ${prunedBefore} then s.${figure} else a.${figure} end`;
}

async function compareHours(db: Kysely<Tables>): Promise<Compared> {
  const { rows } = await sql<Record<string, unknown>>`
    with added as (
      select workspace_id, date_trunc('hour', settled_at, 'UTC') as hour, key_hash, model, provider,
        sum(cost) as usage, sum(byok_cost) as byok_usage, sum(saved) as saved, count(*) as requests,
        count(*) filter (where status >= 400) as failures,
        count(*) filter (where ${sql.raw(isProviderFault)}) as provider_faults, sum(prompt_tokens) as prompt_tokens,
        sum(completion_tokens) as completion_tokens, sum(reasoning_tokens) as reasoning_tokens,
        sum(cached_tokens) as cached_tokens, sum(stored_inputs) as stored_inputs, sum(stored_saved) as stored_saved,
        count(*) filter (where ${sql.raw(isServedFromStore)}) as stored_calls,
        ${sql.raw(rerankSums.map(({ figure, sum }) => `${sum} as ${figure}`).join(", "))}
      from ledger where settled_at >= ${sql.raw(prunedBefore)} group by 1, 2, 3, 4, 5
    ), compared as (
      select concat_ws('/', workspace_id, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"'), key_hash, model, provider)
        as row, ${sql.raw(
          hourlyFigures
            .map(
              (figure) =>
                `coalesce(u.${figure}, 0)::bigint as kept_${figure}, ${addedToHour(figure)}::bigint as added_${figure}`,
            )
            .join(", "),
        )}
      from (select * from usage_hourly where hour >= ${sql.raw(prunedBefore)}) u full join added a using (workspace_id, hour, key_hash, model, provider)
    )
    select *, count(*) over () as rows from compared order by ${differsFirst(hourlyFigures)}, row limit ${mostTold}`.execute(
    db,
  );
  return differencesOf("usage_hourly", hourlyFigures, rows);
}

function addedToHour(figure: string): string {
  const added = `coalesce(a.${figure}, 0)`;
  return lateFigures.includes(figure)
    ? `case when hour < ${countedFrom(figure)} then least(u.${figure}, ${added}) else ${added} end`
    : added;
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

/** The result in words, one line for each fault; amounts in nano-dollars. */
export function describeVerification(verification: Verification): string {
  const { calls, charged, pruned, counters, hours, limits, differences, excesses } = verification;
  const before = pruned === 0n ? "" : `, after ${pruned} that were pruned`;
  const compared = `${calls} calls on the ledger${before}, ${charged} nano-dollars charged; ${counters} counters and ${hours} hourly sums compared with it, and ${limits} limits with the counters`;
  const [first] = differences;
  const excess = excesses.map(
    ({ of, reset, allowed, charged: sum }) =>
      `  ${of}: ${sum} was charged${reset === null ? "" : ` in the current ${reset} period`}, the limit allowed ${allowed}`,
  );
  const exceeded = excess.length === 0 ? "" : ` ${excess.length} exceeded.\n${excess.join("\n")}`;
  if (first === undefined)
    return `${compared}: all ${exceeded === "" ? "agree." : "sums agree, but of the limits"}${exceeded}`;
  const lines = differences.map(
    ({ table, row, figure, kept, added }) => `  ${table} ${row}: ${figure} is ${kept}, the ledger adds up to ${added}`,
  );
  return `${compared}: ${differences.length >= mostTold ? `${mostTold} or more` : differences.length} differ, the first is ${first.figure} of ${first.table} ${first.row}.\n${lines.join("\n")}${exceeded === "" ? "" : `\nOf the limits${exceeded}`}`;
}
