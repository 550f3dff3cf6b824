import type { FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { compileFilterRules, type FilteredBy } from "./destination-filters.ts";
import { isSampled } from "./destination-sampling.ts";

export interface PipelineSettings {
  enabled: boolean;
  apiKeyHashes: readonly string[] | null;
  filterRules: FilterRules | null;
  samplingRate: number;
  privacyMode: boolean;
  /** what is added beyond the plain metadata */
  broadcast: { cost: boolean; identity: boolean; requestContext: boolean };
}

/** What becomes of one call at one destination, and which step decided it. */
export type Fate =
  | { fate: "forwarded"; event: ForwardedEvent }
  | { fate: "disabled" }
  | { fate: "not_in_allowlist" }
  | { fate: "filtered"; by: FilteredBy }
  | { fate: "sampled_out" };

/**
 * One destination's settings as a function from a call to its fate.
 * The order is fixed: enabled, allowlist, filters, sampling, privacy. What comes out goes to the wire format as it is.
 */
export function compilePipeline(settings: PipelineSettings): (event: ForwardedEvent) => Fate {
  const allowed = settings.apiKeyHashes && new Set(settings.apiKeyHashes);
  const filteredBy = compileFilterRules(settings.filterRules);
  return (event) => {
    if (!settings.enabled) return { fate: "disabled" };
    if (allowed && !allowed.has(event.keyHash ?? "")) return { fate: "not_in_allowlist" };
    const by = filteredBy(event);
    if (by) return { fate: "filtered", by };
    if (!isSampled(event, settings.samplingRate)) return { fate: "sampled_out" };
    return { fate: "forwarded", event: strip(event, settings) };
  };
}

/** What was made of an event by each combination of settings, so that several destinations share it. */
const made = new WeakMap<ForwardedEvent, (ForwardedEvent | undefined)[]>();

/**
 * The one privacy transform, before every wire format: in privacy mode neither the request's nor the answer's body goes
 * any further, and identity, cost breakdown and request context only go where they were asked for.
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
