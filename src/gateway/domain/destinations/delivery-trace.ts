import { sql, type Selectable } from "kysely";
import { deliveryFailure } from "#contract/delivery-failure.ts";
import type { DestinationType } from "#contract/destination-kinds.ts";
import type { Output } from "#contract/endpoint.ts";
import type { DeliveryOutcome, getDeliveryOutcome } from "#contract/forwarding.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { percentOf, samplingId, samplingPosition } from "#contract/sampling.ts";
import type { DestinationsTable } from "../../storage/destination-tables.ts";
import type { Context } from "../context.ts";
import { letThrough } from "./let-through.ts";
import type { PipelineSettings } from "./pipeline.ts";
import { readsBodies, settingsOf } from "./settings.ts";
import { decide, withBodies } from "./dry-run.ts";
import { areSlow } from "./filter-thread.ts";
import { findCall } from "./forwarded-calls.ts";
import { missingGeneration } from "../calls/generations.ts";
import { refuseUnlessManagement } from "../permission.ts";

type Answer = Output<typeof getDeliveryOutcome>["data"]["destinations"][number];

interface Row extends Selectable<DestinationsTable> {
  broadcasts: boolean;
  passed: boolean;
  attempt: number;
  next_try_at: Date | null;
  error: string | null;
  error_at: string | null;
  error_status: number | null;
  /** the settings that decided, or will decide; null: none has yet */
  decided: PipelineSettings | null;
  dead_attempts: number | null;
  dead_error: string | null;
  dead_at: Date | null;
  dead_status: number | null;
}

/** What happened to one call at each destination of its workspace. */
export async function get(ctx: Context, id: string): Promise<Output<typeof getDeliveryOutcome>> {
  refuseUnlessManagement(ctx);
  const call = await findCall(ctx.store, id);
  if (call === null) throw missingGeneration();
  const { rows } = await sql<Row>`
    select d.*, w.is_observability_broadcast_enabled as broadcasts,
      (${call.xact}::text::xid8, ${call.seq}::bigint) <= (f.cursor_xact, f.cursor_seq) as passed,
      f.attempt, f.next_try_at, f.last_error ->> 'message' as error,
      f.last_error ->> 'at' as error_at, (f.last_error ->> 'status')::int as error_status,
      (select s.settings from forwarding_settings s
       where s.destination_id = d.id and (s.xact, s.seq) < (${call.xact}::text::xid8, ${call.seq}::bigint)
       order by s.xact desc, s.seq desc limit 1) as decided,
      l.attempts as dead_attempts, l.answer ->> 'message' as dead_error, l.died_at as dead_at,
      (l.answer ->> 'status')::int4 as dead_status
    from destinations d
    join workspaces w on w.id = d.workspace_id
    join forwarding f on f.destination_id = d.id
    left join dead_letters l on l.destination_id = d.id and l.id = ${id}
    where d.workspace_id = ${call.workspace_id} and d.deleted_at is null
    order by d.created_at, d.id`.execute(ctx.store.db);
  const [event] = await withBodies(ctx, [call]);
  if (event === undefined) throw missingGeneration();
  const destinations: Answer[] = [];
  for (const row of rows) destinations.push(await outcomeAt(row, event));
  const position = samplingPosition(samplingId(event));
  return { data: { generation_id: id, workspace_id: call.workspace_id, position, destinations } };
}

async function outcomeAt(row: Row, event: ForwardedEvent): Promise<Answer> {
  const settings = row.passed && row.decided !== null ? row.decided : settingsOf(row);
  const about = {
    destination_id: row.id,
    name: row.name,
    type: row.type as DestinationType,
    sampling_rate: settings.samplingRate,
    rule: null,
    let_through: null,
  };
  const plain = { ...about, attempt: 0, error: null, next_try_at: null, at: null, status: null };
  const say = (outcome: DeliveryOutcome, explanation: string): Answer => ({ ...plain, outcome, explanation });
  if (row.dead_attempts !== null) {
    return {
      ...plain,
      outcome: "dead",
      attempt: row.dead_attempts,
      error: row.dead_error,
      at: row.dead_at?.toISOString() ?? null,
      status: row.dead_status,
      explanation: "The destination refused it but accepts others. You can replay its dead letter.",
    };
  }
  if (row.passed && row.decided === null) {
    return say("before_destination", "It was made before the destination started. A replay would send it.");
  }
  if (!row.passed && !(row.enabled && row.broadcasts)) {
    return say(
      "disabled",
      row.enabled
        ? "Broadcasting is off in this workspace. It is sent once broadcasting is on again."
        : "The destination is disabled. It will be sent when the destination is enabled again, unless you choose to start from now.",
    );
  }
  const decision = await decide(event, settings);
  const current = { ...settingsOf(row), enabled: true };
  const unsure =
    event.input === null && (readsBodies(settings) || readsBodies(current))
      ? " Its bodies are no longer kept, so rules that read them cannot be checked again."
      : "";
  const held = async (kind: DeliveryOutcome, explanation: string): Promise<Answer> => {
    const answer = say(kind, explanation + unsure);
    if (unsure !== "") return answer;
    const passesNow = (await decide(event, current)).outcome === "forwarded";
    const now = passesNow ? " The settings have changed since and would let it through now: a replay sends it." : "";
    return { ...answer, explanation: explanation + now, let_through: await changesThatHelp(current, event) };
  };
  switch (decision.outcome) {
    case "disabled":
      return say("disabled", "The destination was disabled then, and started from a later call when it was enabled.");
    case "not_in_allowlist":
      return held("not_in_allowlist", "Its key is not in the allowlist. Add the key to let calls like it through.");
    case "filtered": {
      const { group, rule } = decision.by;
      const explanation = `Rule ${rule + 1} of group ${group + 1} holds it back. Change that rule to let calls like it through.`;
      return { ...(await held("filtered", explanation)), rule: decision.by };
    }
    case "sampled_out":
      return held(
        "sampled_out",
        `The destination takes ${percentOf(settings.samplingRate)} of sessions, but not this one. A higher rate takes more.`,
      );
    case "forwarded":
      break;
  }
  if (row.passed) return say("sent", `The destination has accepted it.${unsure}`);
  if (row.attempt === 0) return say("waiting", "It is sent once the events before it are.");
  return {
    ...plain,
    outcome: "failed",
    attempt: row.attempt,
    error: row.error,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    at: row.error_at,
    status: row.error_status,
    explanation: `${deliveryFailure({ status: row.error_status, message: row.error ?? "it did not answer" })}. Gatehouse will try again.`,
  };
}

/** Slow rules run only in their own thread, which finds the rule that stops the call, but not what would help. */
async function changesThatHelp(settings: PipelineSettings, event: ForwardedEvent) {
  const { filterRules } = settings;
  if (filterRules === null || !areSlow(filterRules)) return letThrough(settings, event);
  const byRules = await decide(event, { ...settings, apiKeyHashes: null, samplingRate: 1 });
  return byRules.outcome === "forwarded" ? letThrough({ ...settings, filterRules: null }, event) : null;
}
