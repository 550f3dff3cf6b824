import type { Output } from "#contract/endpoint.ts";
import type { SampledSession, SampleSessionsBody, sampleSessions } from "#contract/forwarding.ts";
import { samplingId, samplingPosition } from "#contract/sampling.ts";
import { dayMs } from "#contract/time.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { decideAll, eventsOf, workspaceOf } from "./dry-run.ts";
import { refuseWrongRules } from "./filters.ts";
import { latestToDecide } from "./forwarded-calls.ts";
import { newSettings, pipelineSettings } from "./settings.ts";

const mostCalls = 2_000;
const mostSessions = 240;

/** The sessions of the last 24 hours that unsaved keys and rules let through, before any of them is sampled. */
export async function get(ctx: Context, body: SampleSessionsBody): Promise<Output<typeof sampleSessions>> {
  refuseUnlessManagement(ctx);
  refuseWrongRules(body.filter_rules);
  const settings = pipelineSettings(newSettings(body));
  const workspaceId = await workspaceOf(ctx, body.workspace_id);
  const since = new Date(ctx.now().getTime() - dayMs);
  // One more than is looked at: it says whether there are more.
  const which = { workspaceId, most: mostCalls + 1, since, hashes: body.api_key_hashes ?? null };
  const latest = await latestToDecide(ctx.store, which);
  const events = await eventsOf(ctx, latest.slice(0, mostCalls), settings);
  const decisions = await decideAll(events, settings);
  const sessions = new Map<string, Omit<SampledSession, "position">>();
  for (const [at, event] of events.entries()) {
    if (decisions[at]?.outcome !== "forwarded") continue;
    const id = samplingId(event);
    const known = sessions.get(id);
    if (known === undefined) sessions.set(id, { last_at: event.startedAt.toISOString(), calls: 1 });
    else known.calls += 1;
  }
  return {
    data: {
      sessions: [...sessions]
        .slice(0, mostSessions)
        .map(([id, session]) => ({ ...session, position: samplingPosition(id) })),
      examined: events.length,
      more_calls: latest.length > mostCalls,
      more_sessions: sessions.size > mostSessions,
    },
  };
}
