import type { DestinationRecord } from "#contract/destinations.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";
import { dayMs } from "#contract/time.ts";
import { now } from "../../api/clock.ts";
import { formatRelative } from "../../format.ts";
import { totals } from "./health.ts";
import { PipelineStrip } from "./PipelineStrip.tsx";
import { showSection } from "./SectionNav.tsx";
import type { Editor } from "./use-editor.ts";
import type { Forecast } from "./use-forecast.ts";

/** The pipeline of what the form has now, saved or not. */
export function EditorPipeline({ editor, forecast }: { editor: Editor; forecast: Forecast }) {
  const { base, draft, dirty } = editor;
  const { estimate, countsFailed, health, missing } = forecast;
  const stages = estimate.data?.data;
  return (
    <PipelineStrip
      stages={
        stages && missing === null
          ? {
              calls: stages.calls,
              inAllowlist: stages.in_allowlist,
              passFilters: stages.pass_filters,
              sampled: stages.sampled,
              exact: stages.exact,
            }
          : null
      }
      rate={draft.sampling_rate}
      note={
        countsFailed
          ? "The counts did not load. You can still save."
          : missing !== null
            ? `Not counted: ${missing} first.`
            : `Last 24 h, ${dirty && base ? "recounted with your unsaved changes" : "with these settings"}${sessionWords(stages)}. Select a stage to edit it.`
      }
      delivered={base && health.data ? deliveredWords(base, health.data.data, dirty) : null}
      onOpen={showSection}
    />
  );
}

/** What was delivered lies behind the settings that were saved then, so it says when, and under which. */
function deliveredWords(base: DestinationRecord, health: DestinationHealth, dirty: boolean): string {
  const { delivered } = totals(health.hours);
  const since = Date.parse(base.updated_at);
  const earlier = now().getTime() - since < dayMs && base.updated_at !== base.created_at;
  const under = earlier ? ", some of it under earlier settings" : dirty ? ", under the saved settings" : "";
  const last =
    health.last_success_at === null ? "" : `; the last one ${formatRelative(new Date(health.last_success_at), now())}`;
  return `${delivered.toLocaleString("en-US")} delivered in the last 24 h${delivered > 0 ? under : ""}${last}.`;
}

/** Sessions are kept whole: their number is what sampling chooses from. */
function sessionWords(
  stages: { passing_sessions: number; sampled_sessions: number; exact: boolean } | undefined,
): string {
  if (!stages?.exact || stages.passing_sessions === 0) return "";
  const of = stages.passing_sessions.toLocaleString("en-US");
  return `: ${stages.sampled_sessions.toLocaleString("en-US")} of ${of} ${stages.passing_sessions === 1 ? "session" : "sessions"} kept`;
}
