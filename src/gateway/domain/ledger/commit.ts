import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcHour, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { packBodies } from "../bodies/store.ts";
import { columnList } from "./columns.ts";
import { type ChargedEntry, type LedgerEntry, rowText } from "./entry.ts";
import { spendColumns } from "./limits.ts";
import { isProviderFault } from "./provider-fault.ts";
import type { Statements } from "./balance.ts";

/** The `spends` row that counts everything. */
export const accountSpendId = "00000000-0000-0000-0000-000000000000";

type CounterIds = Pick<LedgerEntry, "spendId" | "workspaceId" | "memberSpendId" | "makerSpendId">;

/** The counters of a call: of its key, of its workspace, of all calls, of the key's creator and of the key that had it made. */
export function countersOf({ spendId, workspaceId, memberSpendId, makerSpendId }: CounterIds): readonly string[] {
  return [spendId, workspaceId, accountSpendId, memberSpendId, makerSpendId].filter((id) => id !== null);
}

/** The same in SQL, as rows `counted (id)`. @param call the ledger's row */
export const countersIn = (call: string) =>
  `(select id from (values (${call}.spend_id), (${call}.workspace_id), ('${accountSpendId}'::uuid), (${call}.member_spend_id), (${call}.maker_spend_id)) as each (id) where id is not null) as counted`;

/** Entries committed together. */
export interface Group extends Omit<RowGroup, "rows"> {
  readonly entries: readonly ChargedEntry[];
}

/** The same as rows. */
interface RowGroup {
  /** JSON */
  readonly rows: readonly string[];
  /** when they are charged and counted; the same when the group is written again */
  readonly at: Date;
  /** how much of this process's leases the entries use up, by spend */
  readonly leased: readonly { readonly spendId: string; readonly amount: NanoUsd }[];
  readonly processId: string;
  /** after so long without an answer the connection is given up, and the group written over another one */
  readonly timeoutMs?: number;
  /** the stored bodies of the calls, sealed */
  readonly bodies?: ReturnType<typeof packBodies>;
}

/** Thrown by `commitGroup`: a lease that the group was to be charged to is gone or too small. Nothing was written. */
export class LeaseGone extends Error {
  override readonly name = "LeaseGone";
}

/**
 * Commits a group in one statement: the rows, the counters, the rollup, the leases and the keys' last use. A group that
 * was already written (its response was lost) changes nothing. Rows are locked in key order, leases before counters,
 * here and in lease-store.ts, so that two processes cannot deadlock.
 * @throws LeaseGone
 */
export async function commitGroup(statements: Statements, { entries, ...group }: Group): Promise<void> {
  await commitRows(statements, { ...group, rows: entries.map(rowText) });
}

/** `commitGroup` for entries that were read from the journal. */
export async function commitRows(statements: Statements, group: RowGroup): Promise<void> {
  const { at } = group;
  const { blobs, logged } = group.bodies ?? { blobs: [], logged: [] };
  const plain = blobs.length === 0 && logged.length === 0;
  const query = {
    ...(group.timeoutMs === undefined ? {} : { query_timeout: group.timeoutMs }),
    name: plain ? "ledger-commit" : "ledger-commit-bodies",
    text: plain ? statement : statementWithBodies,
    values: [
      `[${group.rows.join(",")}]`,
      at,
      startOfUtcDay(at),
      startOfUtcWeek(at),
      startOfUtcMonth(at),
      startOfUtcHour(at),
      JSON.stringify(group.leased.map(({ spendId, amount }) => ({ spend_id: spendId, amount: String(amount) }))),
      group.processId,
      ...(plain ? [] : [JSON.stringify(blobs), JSON.stringify(logged)]),
    ],
  };
  try {
    await statements.query(query);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "GH001") throw new LeaseGone(error.message);
    throw error;
  }
}

const names = columnList.map(({ name }) => name).join(", ");
const members = columnList.map(({ member }) => `"${member}"`).join(", ");
const typedMembers = columnList.map(({ member, sql }) => `"${member}" ${sql}`).join(", ");

/** An answered call of which no input was sent, thanks to the durable cache. */
export const isServedFromStore = "status < 400 and stored_inputs > 0 and cached_inputs >= inputs";

/** What an hour adds up of reranks, in addition to what it adds up of all calls. */
export const rerankSums = [
  ["usage", "sum(cost)"],
  ["byok_usage", "sum(byok_cost)"],
  ["requests", "count(*)"],
  ["prompt_tokens", "sum(prompt_tokens)"],
].map(([figure, sum]) => ({
  figure: `rerank_${figure}`,
  sum: `coalesce(${sum} filter (where api_type = 'rerank'), 0)`,
}));
const rerankFigures = rerankSums.map(({ figure }) => figure);

const prefixes = ["", "byok_", "overrun_", "byok_overrun_"];

const period = (name: string) => {
  const column = (prefix: string) => `
    ${prefix}${name} = case
      when s.${name}_start < excluded.${name}_start then excluded.${prefix}${name}
      when s.${name}_start = excluded.${name}_start then s.${prefix}${name} + excluded.${prefix}${name}
      else s.${prefix}${name} end`;
  return `${prefixes.map(column).join(", ")}, ${name}_start = greatest(s.${name}_start, excluded.${name}_start)`;
};
const totals = prefixes.map((prefix) => `${prefix}total = s.${prefix}total + excluded.${prefix}total`).join(", ");
/** The sum of each kind, once for each of the four periods. */
const amounts = ["own", "byok", "overrun", "byok_overrun"].flatMap((kind) => [kind, kind, kind, kind]).join(", ");

// The condition in `counted` is always true: it makes PostgreSQL lock the leases before the first counter.
const statementOf = (more: string) => `
with added as (
  insert into ledger (settled_at, ${names})
  select $2, ${members} from json_to_recordset($1::json) as entry(${typedMembers})
  on conflict do nothing
  returning workspace_id, key_hash, spend_id, member_spend_id, maker_spend_id, api_type, model, provider, status, cancelled, byok, cost, byok_cost, overrun, saved,
    prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, inputs, cached_inputs, stored_inputs, stored_saved
), used as (
  select spend_id, amount from json_to_recordset($7::json) as used(spend_id uuid, amount bigint)
), unleased as (
  update leases l set amount = l.amount - used.amount from used
  where l.spend_id = used.spend_id and l.process_id = $8::uuid and l.amount >= used.amount
    and exists (select from added)
  returning l.spend_id, used.amount
), amounts as (
  select counted.id, sum(cost)::bigint as own, sum(byok_cost)::bigint as byok,
    coalesce(sum(overrun) filter (where not added.byok), 0)::bigint as overrun,
    coalesce(sum(overrun) filter (where added.byok), 0)::bigint as byok_overrun,
    case when exists (select from used where spend_id = counted.id)
      then coalesce((select amount from unleased where spend_id = counted.id), lease_gone()) else 0 end as unreserved
  from added, lateral ${countersIn("added")}
  group by counted.id
), counted as (
  insert into spends as s (id, ${spendColumns.join(", ")}, day_start, week_start, month_start, reserved)
  select id, ${amounts}, $3::timestamptz, $4::timestamptz, $5::timestamptz, unreserved
  from amounts
  where (select count(*) from unleased) is not null
  order by id
  on conflict (id) do update set
    ${totals},
    ${period("day")}, ${period("week")}, ${period("month")},
    reserved = s.reserved - excluded.reserved
), rolled as (
  insert into usage_hourly as u (workspace_id, hour, key_hash, model, provider, usage, byok_usage, saved, requests,
    failures, provider_faults, prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, stored_inputs, stored_saved, stored_calls,
    ${rerankFigures.join(", ")})
  select workspace_id, $6::timestamptz, key_hash, model, provider, sum(cost), sum(byok_cost), sum(saved), count(*),
    count(*) filter (where status >= 400), count(*) filter (where ${isProviderFault}), sum(prompt_tokens), sum(completion_tokens), sum(reasoning_tokens), sum(cached_tokens),
    sum(stored_inputs), sum(stored_saved), count(*) filter (where ${isServedFromStore}),
    ${rerankSums.map(({ sum }) => sum).join(", ")}
  from added
  group by workspace_id, key_hash, model, provider
  order by workspace_id, key_hash, model, provider
  on conflict (workspace_id, hour, key_hash, model, provider) do update set
    usage = u.usage + excluded.usage,
    byok_usage = u.byok_usage + excluded.byok_usage,
    saved = u.saved + excluded.saved,
    requests = u.requests + excluded.requests,
    failures = u.failures + excluded.failures,
    provider_faults = u.provider_faults + excluded.provider_faults,
    prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = u.completion_tokens + excluded.completion_tokens,
    reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens,
    cached_tokens = u.cached_tokens + excluded.cached_tokens,
    stored_inputs = u.stored_inputs + excluded.stored_inputs,
    stored_saved = u.stored_saved + excluded.stored_saved,
    stored_calls = u.stored_calls + excluded.stored_calls,
    ${rerankFigures.map((figure) => `${figure} = u.${figure} + excluded.${figure}`).join(", ")}
)${more}
update api_keys k set last_used_at = $2
from (
  select hash from api_keys
  where hash in (select key_hash from added)
    and (last_used_at is null or last_used_at < $2::timestamptz - interval '10 seconds')
  order by hash
  for update skip locked
) as idle
where k.hash = idle.hash`;

const statement = statementOf("");
const statementWithBodies = statementOf(`, waiting as (
  insert into forwarding_bodies (workspace_id, n, created_at, bytes, sealed)
  select b.workspace_id, b.n, b.created_at, b.bytes, b.sealed
  from json_to_recordset($9::json) as b(workspace_id uuid, n integer, created_at timestamptz, bytes integer, sealed text)
  where exists (select from added)
), logged as (
  insert into generation_contents (id, workspace_id, created_at, sealed)
  select b.id, b.workspace_id, b.created_at, b.sealed
  from json_to_recordset($10::json) as b(id text, workspace_id uuid, created_at timestamptz, sealed text)
  where exists (select from added)
  on conflict do nothing
)`);

/** SQLSTATE classes that mean the statement or its values are wrong, so that retrying is pointless. */
const hopeless = /^(21|22|23|42|0A)/;

/** Whether a failed commit may succeed later. */
export function isPassing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    !(typeof code === "string" && hopeless.test(code)) && !(error instanceof TypeError || error instanceof RangeError)
  );
}
