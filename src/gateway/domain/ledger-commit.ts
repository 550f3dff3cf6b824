import type { NanoUsd } from "#contract/money.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Store } from "../storage/store.ts";
import type { packBodies } from "./kept-bodies.ts";
import { type ChargedEntry, rowOf } from "./ledger-entry.ts";

/** The row of `spends` that everything counts on. */
export const accountSpendId = "00000000-0000-0000-0000-000000000000";

/** Entries that are committed together. */
export interface Group {
  readonly entries: readonly ChargedEntry[];
  /** the instant that they are charged at, and count in; the same when the group is written again */
  readonly at: Date;
  /** how much of this process's leases the entries use up, by spend */
  readonly leased: readonly { readonly spendId: string; readonly amount: NanoUsd }[];
  readonly processId: string;
  /** what the calls keep of their bodies, sealed */
  readonly bodies?: ReturnType<typeof packBodies>;
}

const hourMs = 3_600_000;

/**
 * Commits a group in one statement: the rows, the counters, the rollup, the leases and the keys' last use. A group that
 * was written before (its answer was lost on the way) changes nothing. Rows are touched in the order of their keys, so
 * that two processes cannot wait for each other: leases before counters, here and in purses-leased.ts.
 */
export async function commitGroup(store: Store, group: Group): Promise<void> {
  const { at } = group;
  const { blobs, logged } = group.bodies ?? { blobs: [], logged: [] };
  const plain = blobs.length === 0 && logged.length === 0;
  await store.pool.query({
    name: plain ? "ledger-commit" : "ledger-commit-bodies",
    text: plain ? statement : statementWithBodies,
    values: [
      JSON.stringify(group.entries.map(rowOf)),
      at,
      startOfUtcDay(at),
      startOfUtcWeek(at),
      startOfUtcMonth(at),
      new Date(Math.floor(at.getTime() / hourMs) * hourMs),
      JSON.stringify(group.leased.map(({ spendId, amount }) => ({ spend_id: spendId, amount: String(amount) }))),
      group.processId,
      ...(plain ? [] : [JSON.stringify(blobs), JSON.stringify(logged)]),
    ],
  });
}

const columns = [
  "id text",
  "workspace_id uuid",
  "created_at timestamptz",
  "key_hash text",
  "spend_id uuid",
  "api_type text",
  "model text",
  "provider text",
  "status smallint",
  "error_type text",
  "prompt_tokens integer",
  "completion_tokens integer",
  "reasoning_tokens integer",
  "cached_tokens integer",
  "metered_by text",
  "priced boolean",
  "byok boolean",
  "cost bigint",
  "byok_cost bigint",
  "overrun bigint",
  "saved bigint",
  "inputs integer",
  "cached_inputs integer",
  "latency_ms integer",
  "duration_ms integer",
  "streamed boolean",
  "cancelled boolean",
  "finish_reason text",
  "native_finish_reason text",
  "upstream_id text",
  "attempts jsonb",
  "http_referer text",
  "app_title text",
  "user_agent text",
  "external_user text",
  "session_id text",
  "trace jsonb",
  "request_id text",
];
const names = columns.map((column) => column.slice(0, column.indexOf(" "))).join(", ");

const period = (name: string) => {
  const column = (prefix: string) => `
    ${prefix}${name} = case
      when s.${name}_start < excluded.${name}_start then excluded.${prefix}${name}
      when s.${name}_start = excluded.${name}_start then s.${prefix}${name} + excluded.${prefix}${name}
      else s.${prefix}${name} end`;
  return `${column("")}, ${column("byok_")}, ${name}_start = greatest(s.${name}_start, excluded.${name}_start)`;
};

const statementOf = (more: string) => `
with added as (
  insert into ledger (settled_at, ${names})
  select $2, ${names} from json_to_recordset($1::json) as entry(${columns.join(", ")})
  on conflict do nothing
  returning workspace_id, key_hash, spend_id, model, provider, status, cost, byok_cost, saved,
    prompt_tokens, completion_tokens, reasoning_tokens
), unleased as (
  update leases l set amount = l.amount - used.amount
  from json_to_recordset($7::json) as used(spend_id uuid, amount bigint)
  where l.spend_id = used.spend_id and l.process_id = $8::uuid and l.amount >= used.amount
    and exists (select from added)
  returning l.spend_id, used.amount
), amounts as (
  select counted.id, sum(cost)::bigint as own, sum(byok_cost)::bigint as byok,
    coalesce((select amount from unleased where spend_id = counted.id), 0) as unreserved
  from added, lateral (values (spend_id), (workspace_id), ('${accountSpendId}'::uuid)) as counted(id)
  group by counted.id
), counted as (
  insert into spends as s (id, total, day, week, month, byok_total, byok_day, byok_week, byok_month,
    day_start, week_start, month_start, reserved)
  select id, own, own, own, own, byok, byok, byok, byok, $3::timestamptz, $4::timestamptz, $5::timestamptz, unreserved
  from amounts order by id
  on conflict (id) do update set
    total = s.total + excluded.total,
    byok_total = s.byok_total + excluded.byok_total,
    ${period("day")}, ${period("week")}, ${period("month")},
    reserved = s.reserved - excluded.reserved
), rolled as (
  insert into usage_hourly as u (workspace_id, hour, key_hash, model, provider, usage, byok_usage, saved, requests,
    failures, prompt_tokens, completion_tokens, reasoning_tokens)
  select workspace_id, $6::timestamptz, key_hash, model, provider, sum(cost), sum(byok_cost), sum(saved), count(*),
    count(*) filter (where status >= 400), sum(prompt_tokens), sum(completion_tokens), sum(reasoning_tokens)
  from added
  group by workspace_id, key_hash, model, provider
  order by workspace_id, key_hash, model, provider
  on conflict (workspace_id, hour, key_hash, model, provider) do update set
    usage = u.usage + excluded.usage,
    byok_usage = u.byok_usage + excluded.byok_usage,
    saved = u.saved + excluded.saved,
    requests = u.requests + excluded.requests,
    failures = u.failures + excluded.failures,
    prompt_tokens = u.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = u.completion_tokens + excluded.completion_tokens,
    reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens
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

/** SQLSTATE classes that say the statement or its values are wrong, so that trying again would be in vain. */
const hopeless = /^(21|22|23|42|0A)/;

/** Whether a failed commit may succeed later. */
export function isPassing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    !(typeof code === "string" && hopeless.test(code)) && !(error instanceof TypeError || error instanceof RangeError)
  );
}
