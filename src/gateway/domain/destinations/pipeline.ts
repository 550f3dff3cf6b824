import type { FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { keeps, samplingId } from "#contract/sampling.ts";
import { compileFilterRules, type FilteredBy } from "./filters.ts";

export interface PipelineSettings {
  enabled: boolean;
  apiKeyHashes: readonly string[] | null;
  filterRules: FilterRules | null;
  samplingRate: number;
  privacyMode: boolean;
  /** what is added to the plain metadata */
  broadcast: { cost: boolean; identity: boolean; requestContext: boolean };
}

/** What a destination's settings decide about one call, and the step that decided it. */
export type Decision =
  | { outcome: "forwarded"; event: ForwardedEvent }
  | { outcome: "disabled" }
  | { outcome: "not_in_allowlist" }
  | { outcome: "filtered"; by: FilteredBy }
  | { outcome: "sampled_out" };

/**
 * One destination's settings as a function from a call to the decision about it.
 * The order is fixed: enabled, allowlist, filters, sampling, privacy. The result goes to the wire format unchanged.
 * @param filteredBy the rules as a function, where they ran elsewhere
 */
export function compilePipeline(
  settings: PipelineSettings,
  filteredBy = compileFilterRules(settings.filterRules),
): (event: ForwardedEvent) => Decision {
  const allowed = settings.apiKeyHashes && new Set(settings.apiKeyHashes);
  return (event) => {
    if (!settings.enabled) return { outcome: "disabled" };
    if (allowed && !allowed.has(event.keyHash ?? "")) return { outcome: "not_in_allowlist" };
    const by = filteredBy(event);
    if (by) return { outcome: "filtered", by };
    if (settings.samplingRate < 1 && !keeps(samplingId(event), settings.samplingRate))
      return { outcome: "sampled_out" };
    return { outcome: "forwarded", event: strip(event, settings) };
  };
}

/** Each combination of settings' version of an event, so that several destinations share it. */
const made = new WeakMap<ForwardedEvent, (ForwardedEvent | undefined)[]>();

/**
 * The one privacy transform, before every wire format: in privacy mode neither the request body nor the answer body
 * goes any further, and identity, cost breakdown and request context are included only where they were asked for.
 */
function strip(event: ForwardedEvent, { privacyMode, broadcast }: PipelineSettings): ForwardedEvent {
  const combination =
    (privacyMode ? 1 : 0) +
    (broadcast.identity ? 2 : 0) +
    (broadcast.cost ? 4 : 0) +
    (broadcast.requestContext ? 8 : 0);
  let variants = made.get(event);
  if (variants === undefined) made.set(event, (variants = []));
  return (variants[combination] ??= {
    ...event,
    ...(privacyMode && { input: null, output: null }),
    ...(!broadcast.identity && { keyHash: null, keyName: null }),
    ...(!broadcast.cost && { byokCost: null }),
    ...(!broadcast.requestContext && { referer: null, appTitle: null, userAgent: null, requestId: null }),
  });
}
