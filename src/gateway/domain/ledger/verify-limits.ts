import { type Kysely, type Selectable, sql } from "kysely";
import { type NanoUsd, toNanoUsd } from "#contract/money.ts";
import { type LimitReset, startOfPeriod, hourMs } from "#contract/time.ts";
import type { AuditTable, Tables } from "../../storage/tables.ts";
import { accountSpendId } from "./commit.ts";
import { chargedTowardLimit, type LimitSettings, spendOfRow } from "./limits.ts";

/** A limit to which more was charged in its current period than it allowed at any instant of that period. */
export interface Excess {
  /** whose limit it is */
  readonly of: string;
  readonly reset: LimitReset | null;
  /** the largest limit that was in force in the period */
  readonly allowed: NanoUsd;
  readonly charged: NanoUsd;
}

/** One limit in force. */
interface Limit {
  readonly spendId: string;
  readonly settings: LimitSettings & { readonly limit: NanoUsd };
  /** of calls by this key alone, where others share its count: what others spent is for their limits to allow */
  readonly ofKey?: string;
}

/** What a limit was in its current period. */
interface History {
  readonly amounts: readonly NanoUsd[];
  /** changes before or after which there was no limit, or one that was only watched: what was charged by then was allowed */
  readonly unlimited: readonly Pick<Change, "at">[];
}

type Change = Pick<Selectable<AuditTable>, "at" | "target_id" | "before" | "after">;

/** Calls in flight during a change, and processes that had not heard of it, still follow the old limit. */
const afterEffectMs = hourMs;

/**
 * Compares what is charged with every limit in force. A lowered limit is no fault, nor is what was charged before there
 * was one; where the period or the rule for own provider keys changed, no statement is possible.
 */
export async function compareLimits(
  db: Kysely<Tables>,
  now: Date,
): Promise<{ limits: number; excesses: readonly Excess[] }> {
  const [keys, budgets, credits] = [await keyLimits(db), await budgetLimits(db), await creditLimit(db)];
  const guardrails = await guardrailLimits(db);
  const excesses: Excess[] = [];
  const judge = async (limit: Limit, charged: NanoUsd, of: string, read: ReadHistory) => {
    const { settings } = limit;
    if (charged <= settings.limit) return;
    const history = await read(limit);
    if (history === null) return;
    const allowed = await mostAllowed(db, limit, history, now);
    if (charged > allowed) excesses.push({ of, reset: settings.reset, allowed, charged });
  };
  const judgeCount = async (row: SpendRow, settings: Limit["settings"], of: string, read: ReadHistory) =>
    await judge({ spendId: row.id, settings }, chargedTowardLimit(settings, spendOfRow(row), now), of, read);
  for (const row of keys) {
    const settings = { limit: row.limit_nano, reset: row.limit_reset, includeByok: row.include_byok_in_limit };
    const of = `key ${row.name} (${row.hash})`;
    if (row.shared) {
      const own: Limit = { spendId: row.id, settings, ofKey: row.hash };
      const charged = await chargedOnLedger(db, own, periodStart(settings, now), null);
      await judge(own, charged, `${of}, by its own calls`, (limit) => historyOfKey(db, limit, now));
    }
    await judgeCount(row, settings, of, (limit) => historyOfKey(db, limit, now));
  }
  for (const row of budgets) {
    const reset = row.interval === "lifetime" ? null : row.interval;
    const settings = { limit: row.limit_nano, reset, includeByok: row.include_byok_in_budgets };
    const target = `${row.id}/${row.interval}`;
    await judgeCount(row, settings, `${row.interval} budget of workspace ${row.name}`, (limit) =>
      historyOfBudget(db, limit, target, now),
    );
  }
  for (const row of credits) {
    const settings = { limit: row.limit_nano, reset: null, includeByok: false };
    await judgeCount(row, settings, "credits", () => historyOfCredits(db));
  }
  for (const row of guardrails) {
    const settings = { limit: row.limit_nano, reset: row.reset_interval, includeByok: row.include_byok };
    await judgeCount(row, settings, `budget of guardrail ${row.guardrail} for ${row.covered}`, (limit) =>
      historyOfGuardrail(db, limit, row.guardrail_id, now),
    );
  }
  return { limits: keys.length + budgets.length + credits.length + guardrails.length, excesses };
}

/** null: the period or the rule for own provider keys changed, so no statement is possible */
type ReadHistory = (limit: Limit) => Promise<History | null>;

type SpendRow = Parameters<typeof spendOfRow>[0] & { readonly id: string };

async function keyLimits(db: Kysely<Tables>) {
  return await db
    .selectFrom("api_keys as k")
    .innerJoin("spends as s", "s.id", "k.spend_id")
    .selectAll("s")
    .select(["k.hash", "k.name", "k.limit_reset", "k.include_byok_in_limit"])
    .select(sql<bigint>`k.limit_nano`.as("limit_nano"))
    .select(sql<boolean>`(select count(*) > 1 from api_keys where spend_id = k.spend_id)`.as("shared"))
    .where("k.limit_nano", "is not", null)
    .where("k.limit_watch_only", "=", false)
    .orderBy("k.hash")
    .execute();
}

async function budgetLimits(db: Kysely<Tables>) {
  return await db
    .selectFrom("workspace_budgets as b")
    .innerJoin("workspaces as w", "w.id", "b.workspace_id")
    .innerJoin("spends as s", "s.id", "b.workspace_id")
    .selectAll("s")
    .select(["b.interval", "b.limit_nano", "w.name", "w.include_byok_in_budgets"])
    .orderBy("b.workspace_id")
    .orderBy("b.interval")
    .execute();
}

type GuardrailLimit = SpendRow & {
  readonly guardrail_id: string;
  readonly guardrail: string;
  /** whose spending it limits */
  readonly covered: string;
  readonly limit_nano: bigint;
  readonly reset_interval: LimitReset;
  readonly include_byok: boolean;
};

/** The budget of each guardrail for each count that it limits. Of one that keys share, all of them must be covered. */
async function guardrailLimits(db: Kysely<Tables>): Promise<readonly GuardrailLimit[]> {
  const covers = (key: "k" | "o") =>
    sql.raw(
      `((g.is_default and ${key}.workspace_id = g.workspace_id) or exists (
         select from guardrail_keys a where a.guardrail_id = g.id and a.key_hash = ${key}.hash))`,
    );
  const { rows } = await sql<GuardrailLimit>`
    select s.*, g.id as guardrail_id, g.name as guardrail, covered.name as covered, g.limit_nano, g.reset_interval,
      g.include_byok_in_budgets as include_byok
    from guardrails g
    cross join lateral (
      select k.spend_id, min('key ' || k.name || ' (' || k.hash || ')') as name from api_keys k
      where k.kind = 'ordinary' and ${covers("k")} and not exists (
        select from api_keys o where o.spend_id = k.spend_id and o.deleted_at is null and not ${covers("o")}
      )
      group by k.spend_id
      union all select m.spend_id, 'member ' || m.user_id from guardrail_members m where m.guardrail_id = g.id
    ) as covered
    join spends s on s.id = covered.spend_id
    where g.limit_nano is not null
    order by g.id, s.id`.execute(db);
  return rows;
}

async function creditLimit(db: Kysely<Tables>) {
  return await db
    .selectFrom("spends as s")
    .selectAll("s")
    .select(sql<bigint>`(select sum(amount)::bigint from credits)`.as("limit_nano"))
    .where("s.id", "=", accountSpendId)
    .where(sql<boolean>`exists (select from credits)`)
    .execute();
}

/**
 * A replaced key and its successor share one count, each under a limit of its own: the count is judged by the highest,
 * and what each key was charged by its own.
 */
async function historyOfKey(db: Kysely<Tables>, limit: Limit, now: Date): Promise<History | null> {
  const { reset, includeByok } = limit.settings;
  const keys = await db
    .selectFrom("api_keys")
    .select(["hash", "limit_nano", "limit_reset", "include_byok_in_limit", "limit_watch_only"])
    .where("spend_id", "=", limit.spendId)
    .$if(limit.ofKey !== undefined, (query) => query.where("hash", "=", limit.ofKey ?? ""))
    .execute();
  const amounts: NanoUsd[] = [];
  for (const key of keys) {
    if (key.limit_nano === null || key.limit_watch_only) return null;
    if (key.limit_reset !== reset || key.include_byok_in_limit !== includeByok) return null;
    amounts.push(key.limit_nano);
  }
  const hashes = keys.map(({ hash }) => hash);
  const changes = await changesSince(
    db,
    limit,
    now,
    sql<boolean>`target_type = 'key' and target_id = any(${hashes}::text[])`,
  );
  if (changes.some((change) => names(change, "limit_reset") || names(change, "include_byok_in_limit"))) return null;
  const unlimited = changes.filter(({ before, after }) =>
    [before, after].some((side) => side?.["limit"] === null || side?.["limit_watch_only"] === true),
  );
  amounts.push(...changes.flatMap((change) => amountsOf(change, "limit")));
  return { amounts, unlimited };
}

async function historyOfBudget(db: Kysely<Tables>, limit: Limit, target: string, now: Date): Promise<History | null> {
  const changes = await changesSince(
    db,
    limit,
    now,
    sql<boolean>`target_type = 'workspace_budget' and workspace_id = ${limit.spendId}`,
  );
  if (changes.some((change) => names(change, "include_byok_in_budgets"))) return null;
  // Any budget can set the rule for own provider keys, and the audit row of a new one does not say what it was before.
  const begunOrEnded = changes.filter(({ before, after }) => before === null || after === null);
  if (begunOrEnded.some(({ target_id }) => target_id !== target)) return null;
  const amounts = changes
    .filter(({ target_id }) => target_id === target)
    .flatMap((change) => amountsOf(change, "limit_usd"));
  return { amounts, unlimited: begunOrEnded };
}

/** What was charged before the guardrail's last change, or before it was last assigned, was allowed. */
async function historyOfGuardrail(db: Kysely<Tables>, limit: Limit, id: string, now: Date): Promise<History> {
  const target = sql<boolean>`target_type = 'guardrail' and target_id = ${id}`;
  return { amounts: [], unlimited: await changesSince(db, limit, now, target) };
}

async function historyOfCredits(db: Kysely<Tables>): Promise<History> {
  const entries = await db.selectFrom("credits").select(["at", "amount"]).orderBy("at").orderBy("id").execute();
  const amounts = entries.map((_, index) => entries.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, 0n));
  return { amounts, unlimited: entries.slice(0, 1) };
}

/** What the audit log says about the limit since its period began. */
async function changesSince(
  db: Kysely<Tables>,
  { settings: { reset } }: Limit,
  now: Date,
  target: ReturnType<typeof sql<boolean>>,
): Promise<Change[]> {
  let query = db.selectFrom("audit").select(["at", "target_id", "before", "after"]).where(target).orderBy("at");
  if (reset !== null) {
    query = query.where("at", ">=", new Date(startOfPeriod(reset, now).getTime() - afterEffectMs));
  }
  return await query.execute();
}

/** Whether an existing record's member was changed. */
function names({ before, after }: Change, member: string): boolean {
  return before !== null && after !== null && member in before;
}

function amountsOf({ before, after }: Change, member: string): NanoUsd[] {
  return [before?.[member], after?.[member]].flatMap((usd) => (typeof usd === "number" ? [toNanoUsd(usd)] : []));
}

/** The most that may have been charged in the limit's current period. */
async function mostAllowed(
  db: Kysely<Tables>,
  limit: Limit,
  { amounts, unlimited }: History,
  now: Date,
): Promise<NanoUsd> {
  const { settings } = limit;
  const last = unlimited.at(-1);
  const allowed = [settings.limit, ...amounts];
  if (last !== undefined) {
    const until = new Date(last.at.getTime() + afterEffectMs);
    const charged = await chargedOnLedger(db, limit, periodStart(settings, now), until);
    const isWhole = settings.reset === null && limit.ofKey === undefined;
    allowed.push(charged + (isWhole ? await pruned(db, limit.spendId, settings) : 0n));
  }
  return allowed.reduce((largest, amount) => (amount > largest ? amount : largest));
}

const periodStart = ({ reset }: LimitSettings, now: Date) => (reset === null ? new Date(0) : startOfPeriod(reset, now));

/** What calls that are still on the ledger were charged toward a limit. */
async function chargedOnLedger(
  db: Kysely<Tables>,
  { spendId, settings, ofKey }: Limit,
  since: Date,
  until: Date | null,
): Promise<NanoUsd> {
  const counts =
    ofKey === undefined
      ? sql<boolean>`${spendId}::uuid in (spend_id, workspace_id, ${accountSpendId}::uuid, member_spend_id, maker_spend_id)`
      : sql<boolean>`key_hash = ${ofKey}`;
  const { rows } = await sql<{ charged: bigint }>`
    select coalesce(sum(cost + case when ${settings.includeByok} then byok_cost else 0 end), 0)::bigint as charged
    from ledger
    where settled_at >= ${since} and settled_at < coalesce(${until}::timestamptz, 'infinity') and ${counts}`.execute(
    db,
  );
  return rows[0]?.charged ?? 0n;
}

/** Calls that were deleted from the ledger are older than any period that is still counted. */
async function pruned(db: Kysely<Tables>, spendId: string, { includeByok }: LimitSettings): Promise<NanoUsd> {
  const row = await db.selectFrom("ledger_closings").selectAll().where("id", "=", spendId).executeTakeFirst();
  return row === undefined ? 0n : row.total + (includeByok ? row.byok_total : 0n);
}
