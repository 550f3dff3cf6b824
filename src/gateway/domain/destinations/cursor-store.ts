import type { DestinationType } from "#contract/destination-kinds.ts";
import type { SettingColumns } from "../../storage/destination-tables.ts";
import { settingColumns } from "./settings.ts";
import { eventColumns, eventTables, type LedgerJson } from "./events.ts";
import type { LedgerPosition } from "./position.ts";

/** Runs one statement; its rows have a single column, `json`, so that they pass between threads as text. */
export type Query = (name: string, text: string, values: readonly unknown[]) => Promise<{ json: string | null }[]>;

/** A destination that this process forwards to, as it was when it was claimed. */
export interface Claimed extends SettingColumns {
  id: string;
  workspace_id: string;
  type: DestinationType;
  config: string;
  version: number;
  updated_at: string;
  cursor_xact: string;
  cursor_seq: string;
  epoch: number;
  attempt: number;
  last_success_at: string | null;
  failing_since: string | null;
  /** dead letters to retry */
  replays: number;
  /** another process had claimed it and let its claim expire */
  taken_over: boolean;
}

export interface Claims {
  claimed: Claimed[];
  /** destinations that this process still forwards to, though their claim could not be renewed now */
  kept: string[];
}

export interface Counts {
  delivered: number;
  failed: number;
  filtered: number;
  sampled_out: number;
  not_allowed: number;
  dead: number;
}

/** Failed attempts of one hour with the same message. */
export interface FailedTries {
  hour: string;
  message: string;
  count: number;
  last_at: string;
}

export interface NewDeadLetter {
  id: string;
  workspace_id: string;
  created_at: string;
  died_at: string;
  attempts: number;
  answer: { status: number | null; body: string | null; message: string };
  /** its bodies, sealed as a generation's; null where there are none, or the destination does not take them */
  sealed: string | null;
}

/** What has happened at a destination since it was last recorded. */
export interface Progress {
  destination_id: string;
  epoch: number;
  xact: string;
  seq: string;
  attempt: number;
  next_try_at: string | null;
  failing_since: string | null;
  last_success_at: string | null;
  /** null: no new one */
  last_error: object | null;
  minutes: ({ minute: string } & Counts)[];
  errors: FailedTries[];
  dead: NewDeadLetter[];
  /** dead letters that were finally delivered */
  redelivered: string[];
}

/** How long a claim lasts; after that another process may take over. */
export const claimMs = 6_000;

/**
 * A destination whose row is locked, such as by its own progress that is being recorded, is neither claimed nor renewed:
 * as long as an earlier claim lasts, this process keeps it.
 */
const claimText = `
with served as (
  select d.id from destinations d join workspaces w on w.id = d.workspace_id
  where d.deleted_at is null and d.enabled and w.deleted_at is null and w.is_observability_broadcast_enabled
), free as (
  select f.destination_id, f.owner is not null and f.owner <> $1::uuid as taken_over
  from forwarding f join served on served.id = f.destination_id
  where $2::boolean or f.owner is null or f.owner = $1::uuid or f.owned_until < clock_timestamp()
  order by f.destination_id
  for update of f skip locked
), mine as (
  update forwarding f set owner = $1::uuid, owned_until = clock_timestamp() + interval '${claimMs} milliseconds'
  from free where f.destination_id = free.destination_id
  returning f.*, free.taken_over
)
select json_build_object('kept', (
  select coalesce(json_agg(f.destination_id), '[]') from forwarding f join served on served.id = f.destination_id
  where f.owner = $1::uuid and f.owned_until > clock_timestamp()
    and f.destination_id not in (select destination_id from free)
), 'claimed', coalesce(json_agg(row), '[]'))::text as json from (
  select d.id, d.workspace_id, d.type, d.config, ${settingColumns.map((column) => `d.${column}`).join(", ")},
    d.version, d.updated_at,
    m.taken_over, m.cursor_xact::text, m.cursor_seq::text, m.epoch, m.attempt, m.last_success_at, m.failing_since,
    (select count(*) from dead_letters l where l.destination_id = d.id and l.replay) as replays
  from mine m join destinations d on d.id = m.destination_id
) as row`;

const releaseText = `
update forwarding set owner = null, owned_until = null
where owner = $1::uuid and ($2::uuid is null or destination_id = $2::uuid)`;

/**
 * The oldest transaction of this database that is still running; everything before it is committed or never will be.
 * The snapshot's own xmin covers the whole server: a long transaction in any other database would block forwarding. The
 * view is read after the statement's snapshot is taken, so a transaction that is in neither of the two has ended, and
 * the next statement sees its rows. Its transaction ids are 32-bit, so they are counted back from the snapshot's 64-bit
 * ones.
 */
const horizonText = `
select (s.next - coalesce(max(running.age), 0))::text as json
from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) s
left join lateral (
  select ((s.next & 4294967295) - xid::text::bigint + 4294967296) % 4294967296 as age from (
    select backend_xid as xid from pg_stat_activity where datname = current_database() and backend_xid is not null
    union all
    select transaction from pg_prepared_xacts where database = current_database()
  ) here
) running on running.age < 2147483648
group by s.next`;

const pageText = `
select json_agg(row)::text as json from (
  select ${eventColumns} from ${eventTables}
  where l.workspace_id = $1 and (l.xact, l.seq) > ($2::text::xid8, $3::bigint)
    and l.xact < $5::text::xid8
  order by l.xact, l.seq limit $4
) as row`;

const saveText = `
with given as (
  select * from json_to_recordset($1::json) as g(destination_id uuid, epoch integer, xact text, seq bigint,
    attempt integer, next_try_at timestamptz, failing_since timestamptz, last_success_at timestamptz,
    last_error jsonb, minutes json, errors json, dead json, redelivered json)
), moved as (
  update forwarding f set cursor_xact = g.xact::xid8, cursor_seq = g.seq, attempt = g.attempt,
    next_try_at = g.next_try_at, failing_since = g.failing_since,
    last_success_at = coalesce(g.last_success_at, f.last_success_at),
    last_error = coalesce(g.last_error, f.last_error)
  from given g
  where f.destination_id = g.destination_id and f.owner = $2::uuid and f.epoch = g.epoch
  returning f.destination_id
), counted as (
  insert into forwarding_minutes as m (destination_id, minute, delivered, failed, filtered, sampled_out, not_allowed, dead)
  select g.destination_id, c.minute, c.delivered, c.failed, c.filtered, c.sampled_out, c.not_allowed, c.dead
  from given g join moved using (destination_id),
    json_to_recordset(g.minutes) as c(minute timestamptz, delivered bigint, failed bigint, filtered bigint,
      sampled_out bigint, not_allowed bigint, dead bigint)
  on conflict (destination_id, minute) do update set
    delivered = m.delivered + excluded.delivered, failed = m.failed + excluded.failed,
    filtered = m.filtered + excluded.filtered, sampled_out = m.sampled_out + excluded.sampled_out,
    not_allowed = m.not_allowed + excluded.not_allowed, dead = m.dead + excluded.dead
), errors_counted as (
  insert into forwarding_errors as e (destination_id, hour, message, count, last_at)
  select g.destination_id, c.hour, c.message, c.count, c.last_at
  from given g join moved using (destination_id),
    json_to_recordset(g.errors) as c(hour timestamptz, message text, count bigint, last_at timestamptz)
  on conflict (destination_id, hour, message) do update set
    count = e.count + excluded.count, last_at = greatest(e.last_at, excluded.last_at)
), dead_lettered as (
  insert into dead_letters as l (destination_id, id, workspace_id, created_at, died_at, attempts, answer, sealed)
  select g.destination_id, b.id, b.workspace_id, b.created_at, b.died_at, b.attempts, b.answer, b.sealed
  from given g join moved using (destination_id),
    json_to_recordset(g.dead) as b(id text, workspace_id uuid, created_at timestamptz, died_at timestamptz,
      attempts integer, answer jsonb, sealed text)
  on conflict (destination_id, id) do update set
    died_at = excluded.died_at, attempts = l.attempts + excluded.attempts, answer = excluded.answer, replay = false
), redelivered as (
  delete from dead_letters l using given g join moved using (destination_id), json_array_elements_text(g.redelivered) as r(id)
  where l.destination_id = g.destination_id and l.id = r.id
)
select json_agg(destination_id)::text as json from moved`;

const settingsText = `
with passed as (
  delete from forwarding_settings
  where destination_id = $1::uuid and (xact, seq) > ($2::text::xid8, $3::bigint)
)
insert into forwarding_settings (destination_id, xact, seq, settings) values ($1::uuid, $2::text::xid8, $3::bigint, $4::jsonb)
on conflict (destination_id, xact, seq) do update set settings = excluded.settings`;

const replaysText = `
select json_agg(row)::text as json from (
  select ${eventColumns}, dead.sealed
  from ${eventTables}
  join dead_letters dead on l.workspace_id = dead.workspace_id and l.created_at = dead.created_at and l.id = dead.id
  where dead.destination_id = $1 and dead.replay order by dead.died_at, dead.id limit 100
) as row`;

/** The forwarder's statements. */
export function createCursorStore(query: Query, processId: string) {
  const read = async <T>(name: string, text: string, values: readonly unknown[]): Promise<T[]> => {
    const [row] = await query(name, text, values);
    return row?.json == null ? [] : (JSON.parse(row.json) as T[]);
  };
  return {
    /** Claims what no other process forwards to, and renews existing claims. @param alone no other process can exist */
    async claim(alone: boolean): Promise<Claims> {
      const [row] = await query("forwarding-claim", claimText, [processId, alone]);
      return row?.json == null ? { claimed: [], kept: [] } : (JSON.parse(row.json) as Claims);
    },
    /** @param id the destination; null: all that this process forwards to */
    release: (id: string | null) => query("forwarding-release", releaseText, [processId, id]),
    /** The rows after a position, in order; none that a running transaction could still precede. */
    async page(workspaceId: string, after: LedgerPosition, most: number) {
      const [horizon] = await query("forwarding-horizon", horizonText, []);
      return await read<LedgerJson>("forwarding-page", pageText, [
        workspaceId,
        after.xact,
        after.seq,
        most,
        horizon?.json ?? "0",
      ]);
    },
    query,
    /** Records progress. @returns the destinations that this process still owns; progress of the others is dropped */
    save: (progress: readonly Progress[]) =>
      read<string>("forwarding-save", saveText, [JSON.stringify(progress), processId]),
    noteSettings: (id: string, from: LedgerPosition, settings: object) =>
      query("forwarding-settings", settingsText, [id, from.xact, from.seq, JSON.stringify(settings)]),
    replays: (id: string) => read<LedgerJson & { sealed: string | null }>("forwarding-replays", replaysText, [id]),
  };
}

export type CursorStore = ReturnType<typeof createCursorStore>;
