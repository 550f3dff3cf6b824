import { type Kysely, sql } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import { destinationsChannel } from "../bodies/capture.ts";
import { destinationDefaults, pipelineSettings } from "./settings.ts";
import type { Context } from "../context.ts";

/** Forwarding starts with the calls that settle from now on. */
export async function startForwarding(trx: Kysely<Tables>, row: { id: string; workspace_id: string }): Promise<void> {
  await trx
    .insertInto("forwarding")
    .values({
      destination_id: row.id,
      workspace_id: row.workspace_id,
      cursor_xact: sql<string>`pg_current_xact_id()`,
      cursor_seq: 0n,
    })
    .execute();
}

/** The settings that decide on the calls being skipped. */
const passedOver = pipelineSettings({ ...destinationDefaults, enabled: false, privacy_mode: true });

/** Skips everything up to now. */
export async function forwardFromNow(trx: Kysely<Tables>, id: string): Promise<void> {
  await sql`
    insert into forwarding_settings (destination_id, xact, seq, settings)
    select destination_id, cursor_xact, cursor_seq, ${JSON.stringify(passedOver)}::jsonb
    from forwarding where destination_id = ${id}
    on conflict (destination_id, xact, seq) do update set settings = excluded.settings`.execute(trx);
  await moveCursor(trx, id, sql<string>`pg_current_xact_id()`, 0n);
}

/** Forgets the destination's position, and its dead letters. */
export async function endForwarding(trx: Kysely<Tables>, id: string): Promise<void> {
  await trx.deleteFrom("forwarding").where("destination_id", "=", id).execute();
  await trx.deleteFrom("forwarding_settings").where("destination_id", "=", id).execute();
  await trx.deleteFrom("forwarding_errors").where("destination_id", "=", id).execute();
  await trx.deleteFrom("dead_letters").where("destination_id", "=", id).execute();
}

/**
 * Moves a destination to another ledger position. Its forwarder notices by the epoch, and continues from there.
 */
export async function moveCursor(
  trx: Kysely<Tables>,
  id: string,
  xact: ReturnType<typeof sql<string>>,
  seq: bigint,
): Promise<void> {
  await trx
    .updateTable("forwarding")
    .set((row) => ({
      cursor_xact: xact,
      cursor_seq: seq,
      epoch: row("epoch", "+", 1),
      attempt: 0,
      next_try_at: null,
      failing_since: null,
    }))
    .where("destination_id", "=", id)
    .execute();
}

/** Notifies every process, this one first, so that the next call already counts. */
export async function tellOfChange(ctx: Pick<Context, "bodies" | "store">, id: string): Promise<void> {
  await ctx.bodies.refresh();
  await ctx.store.notices.send(destinationsChannel, id);
}
