import { sql } from "kysely";
import type { DestinationType } from "#contract/destination-kinds.ts";
import type { Output } from "#contract/endpoint.ts";
import type { EventFate, getEventFate } from "#contract/forwarding.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import type { DestinationsTable } from "../storage/destination-tables.ts";
import type { Context } from "./context.ts";
import { compilePipeline, type PipelineSettings } from "./destination-pipeline.ts";
import { readsBodies, settingsOf } from "./destination-settings.ts";
import { withBodies } from "./destination-trials.ts";
import { findCall } from "./forwarded-calls.ts";
import { missingGeneration } from "./generations.ts";
import { refuseUnlessManagement } from "./permission.ts";
import type { Selectable } from "kysely";

type Answer = Output<typeof getEventFate>["data"]["destinations"][number];

interface Row extends Selectable<DestinationsTable> {
  broadcasts: boolean;
  passed: boolean;
  attempt: number;
  next_try_at: Date | null;
  error: string | null;
  /** the settings that decided, or will; null: none did yet */
  decided: PipelineSettings | null;
  dead_attempts: number | null;
  dead_error: string | null;
}

/** What became of one call at each destination of its workspace. */
export async function get(ctx: Context, id: string): Promise<Output<typeof getEventFate>> {
  refuseUnlessManagement(ctx);
  const call = await findCall(ctx.store, id);
  if (call === null) throw missingGeneration();
  const { rows } = await sql<Row>`
    select d.*, w.is_observability_broadcast_enabled as broadcasts,
      (${call.xact}::text::xid8, ${call.seq}::bigint) <= (f.cursor_xact, f.cursor_seq) as passed,
      f.attempt, f.next_try_at, f.last_error ->> 'message' as error,
      (select s.settings from forwarding_settings s
       where s.destination_id = d.id and (s.xact, s.seq) < (${call.xact}::text::xid8, ${call.seq}::bigint)
       order by s.xact desc, s.seq desc limit 1) as decided,
      l.attempts as dead_attempts, l.answer ->> 'message' as dead_error
    from destinations d
    join workspaces w on w.id = d.workspace_id
    join forwarding f on f.destination_id = d.id
    left join dead_letters l on l.destination_id = d.id and l.id = ${id}
    where d.workspace_id = ${call.workspace_id} and d.deleted_at is null
    order by d.created_at, d.id`.execute(ctx.store.db);
  const [event] = await withBodies(ctx, [call]);
  if (event === undefined) throw missingGeneration();
  return {
    data: {
      generation_id: id,
      workspace_id: call.workspace_id,
      destinations: rows.map((row) => fateAt(row, event)),
    },
  };
}

function fateAt(row: Row, event: ForwardedEvent): Answer {
  const about = { destination_id: row.id, name: row.name, type: row.type as DestinationType, rule: null };
  const plain = { ...about, attempt: 0, error: null, next_try_at: null };
  const say = (fate: EventFate, explanation: string): Answer => ({ ...plain, fate, explanation });
  if (row.dead_attempts !== null) {
    return {
      ...plain,
      fate: "dead",
      attempt: row.dead_attempts,
      error: row.dead_error,
      explanation: "The destination did not take it although it takes others. Its dead letter can be replayed.",
    };
  }
  if (row.passed && row.decided === null) {
    return say("before_destination", "It was made before the destination began to take calls. A replay would send it.");
  }
  if (!row.passed && !(row.enabled && row.broadcasts)) {
    return say(
      "disabled",
      row.enabled
        ? "Broadcasting is off in this workspace. It is sent once that is on again."
        : "The destination is disabled. It is sent once it is enabled again, unless that is asked to begin from now.",
    );
  }
  const settings = row.passed && row.decided !== null ? row.decided : settingsOf(row);
  const fate = compilePipeline(settings)(event);
  const unsure =
    readsBodies(settings) && event.input === null
      ? " Its bodies are not kept any more, so rules that read them cannot be told again."
      : "";
  switch (fate.fate) {
    case "disabled":
      return say("disabled", "The destination was disabled then, and began from a later call when it was enabled.");
    case "not_in_allowlist":
      return say("not_in_allowlist", "Its key is not in the allowlist. Add the key to let calls like it through.");
    case "filtered": {
      const { group, rule } = fate.by;
      const explanation = `Rule ${rule + 1} of group ${group + 1} holds it back. Change that rule to let calls like it through.`;
      return { ...say("filtered", explanation + unsure), rule: fate.by };
    }
    case "sampled_out":
      return say(
        "sampled_out",
        `The destination takes ${Number((settings.samplingRate * 100).toPrecision(6))} % of sessions, and not this one. A higher rate takes more.`,
      );
    case "forwarded":
      break;
  }
  if (row.passed) return say("sent", `The destination has accepted it.${unsure}`);
  if (row.attempt === 0) return say("waiting", "It is sent as soon as what came before it is.");
  return {
    ...plain,
    fate: "failed",
    attempt: row.attempt,
    error: row.error,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    explanation: "The destination does not take calls at the moment. It is tried again.",
  };
}
