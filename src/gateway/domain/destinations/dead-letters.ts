import { sql } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { DeadLetter, listDeadLetters, replayDeadLetters, replayDestination } from "#contract/forwarding.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { compilePipeline } from "./pipeline.ts";
import { settingsOf } from "./settings.ts";
import { find, target } from "./destinations.ts";
import { eventColumns, eventOf, eventTables, type LedgerJson } from "./events.ts";
import type { KeptBody } from "../bodies/body.ts";
import { moveCursor, tellOfChange } from "./start-forwarding.ts";
import { callBodyAad } from "../secrets/aad.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { countOf } from "../count-of.ts";

interface Row {
  id: string;
  created_at: Date;
  died_at: Date;
  attempts: number;
  answer: Pick<DeadLetter, "status" | "body" | "message">;
  sealed: string | null;
  call: LedgerJson | null;
}

/** The calls that a destination never accepted, latest first. */
export async function list(
  ctx: Context,
  id: string,
  query: Parsed<typeof listDeadLetters>["query"],
): Promise<Output<typeof listDeadLetters>> {
  refuseUnlessManagement(ctx);
  const destination = await find(ctx.store.db, id);
  const total = await countOf(ctx.store.db.selectFrom("dead_letters").where("destination_id", "=", id));
  const { rows } = await sql<Row>`
    select dead.id, dead.created_at, dead.died_at, dead.attempts, dead.answer, dead.sealed,
      (select row_to_json(row) from (select ${sql.raw(eventColumns)} from ${sql.raw(eventTables)}
        where l.workspace_id = dead.workspace_id and l.created_at = dead.created_at and l.id = dead.id) as row) as call
    from (
      select * from dead_letters where destination_id = ${id}
      order by died_at desc, id limit ${query.limit ?? 50} offset ${query.offset ?? 0}
    ) dead
    order by dead.died_at desc, dead.id`.execute(ctx.store.db);
  const asSent = compilePipeline({
    ...settingsOf(destination),
    enabled: true,
    apiKeyHashes: null,
    filterRules: null,
    samplingRate: 1,
  });
  return {
    data: rows.map((row) => ({
      generation_id: row.id,
      created_at: row.created_at.toISOString(),
      died_at: row.died_at.toISOString(),
      attempts: row.attempts,
      ...row.answer,
      event: eventIn(ctx, row, asSent),
    })),
    total_count: total,
  };
}

function eventIn(ctx: Context, { id, sealed, call }: Row, asSent: ReturnType<typeof compilePipeline>) {
  if (call === null) return null;
  const body = sealed === null ? null : (JSON.parse(ctx.secrets.open(sealed, callBodyAad(id))) as KeptBody);
  const decision = asSent(eventOf(call, body));
  return decision.outcome === "forwarded"
    ? (JSON.parse(JSON.stringify(decision.event)) as Record<string, unknown>)
    : null;
}

/** Marked by one statement: the embedded store, which has one connection, answers others between two. */
const markedAtOnce = 500;

/** Requests a retry of dead letters; those that fail stay. */
export async function replay(
  ctx: Context,
  id: string,
  body: Parsed<typeof replayDeadLetters>["body"],
): Promise<Output<typeof replayDeadLetters>> {
  refuseUnlessManagement(ctx);
  const { generation_ids: ids } = body;
  const newest = await ctx.store.db.transaction().execute(async (trx) => {
    const row = await find(trx, id);
    const found = await trx
      .selectFrom("dead_letters")
      .select(({ fn }) => [fn.countAll<bigint>().as("count"), fn.max("died_at").as("newest")])
      .where("destination_id", "=", id)
      .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
      .executeTakeFirstOrThrow();
    await recordChange(trx, ctx, {
      action: "replayDeadLetters",
      target: target(row),
      before: null,
      after: { dead_letters: Number(found.count) },
    });
    // Those that die while the others are marked were not asked for.
    return found.newest;
  });
  let replayed = 0;
  for (let last: string | null = ""; last !== null;) {
    const { rows }: { rows: { count: bigint; last: string | null }[] } = await sql<{
      count: bigint;
      last: string | null;
    }>`
      with marked as (
        update dead_letters set replay = true
        where destination_id = ${id} and id in (
          select id from dead_letters
          where destination_id = ${id} and id > ${last} and died_at <= ${newest} and (${ids ?? null}::text[] is null or id = any(${ids ?? null}))
          order by id limit ${markedAtOnce}
        ) returning id
      ) select count(*) as count, max(id) as last from marked`.execute(ctx.store.db);
    replayed += Number(rows[0]?.count ?? 0n);
    last = rows[0]?.last ?? null;
  }
  await tellOfChange(ctx, id);
  return { data: { replayed } };
}

/** Resends everything to a destination from an instant on. */
export async function replayFrom(ctx: Context, id: string, from: Date): Promise<Output<typeof replayDestination>> {
  refuseUnlessManagement(ctx);
  const backlog = await ctx.store.db.transaction().execute(async (trx) => {
    const row = await find(trx, id, true);
    // What is still undelivered is not skipped, however late the instant is.
    const { rows } = await sql<{ xact: string; seq: bigint; behind: boolean }>`
      select l.xact::text, l.seq, (l.xact, l.seq) <= (f.cursor_xact, f.cursor_seq) as behind
      from ledger l join forwarding f on f.destination_id = ${id}
      where l.workspace_id = ${row.workspace_id} and l.created_at >= ${from}
      order by l.xact, l.seq limit 1`.execute(trx);
    const [first] = rows;
    if (first?.behind === true) await moveCursor(trx, id, sql<string>`${first.xact}::text::xid8`, first.seq - 1n);
    const { rows: waiting } = await sql<{ backlog: bigint }>`
      select count(*) as backlog from ledger l join forwarding f on f.destination_id = ${id}
      where l.workspace_id = ${row.workspace_id} and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)`.execute(trx);
    await recordChange(trx, ctx, {
      action: "replayDestination",
      target: target(row),
      before: null,
      after: { from: from.toISOString() },
    });
    return Number(waiting[0]?.backlog ?? 0n);
  });
  await tellOfChange(ctx, id);
  return { data: { backlog } };
}

/** Retries a destination at once, whatever it is waiting for. */
export async function retry(ctx: Context, id: string): Promise<{ data: { retried: true } }> {
  refuseUnlessManagement(ctx);
  await find(ctx.store.db, id);
  await ctx.store.db
    .updateTable("forwarding")
    .set((row) => ({ epoch: row("epoch", "+", 1), attempt: 0, next_try_at: null }))
    .where("destination_id", "=", id)
    .execute();
  await tellOfChange(ctx, id);
  return { data: { retried: true } };
}
