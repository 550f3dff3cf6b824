import type { FilterRules } from "#contract/destinations.ts";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";
import { keeps, samplingId } from "#contract/sampling.ts";
import type { DestinationSettings } from "../../storage/destination-tables.ts";
import { compileFilterRules, type FilteredBy } from "./filters.ts";

type BroadcastName = Extract<keyof DestinationSettings, `broadcast_${string}`>;

/** Members of an event that leave only where a setting asks for them. */
export const broadcastMembers: Readonly<Record<BroadcastName, readonly (keyof ForwardedEvent)[]>> = {
  broadcast_generation_cost: ["byokCost"],
  broadcast_generation_identity: ["keyHash", "keyName"],
  broadcast_generation_request_context: ["referer", "appTitle", "userAgent", "requestId"],
};
const broadcastNames = Object.keys(broadcastMembers) as BroadcastName[];

export interface PipelineSettings {
  enabled: boolean;
  apiKeyHashes: readonly string[] | null;
  filterRules: FilterRules | null;
  samplingRate: number;
  privacyMode: boolean;
  /** what is added to the plain metadata */
  broadcast: Readonly<Record<BroadcastName, boolean>>;
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
function strip(event: ForwardedEvent, settings: PipelineSettings): ForwardedEvent {
  const combination = broadcastNames.reduce(
    (bits, name, index) => (settings.broadcast[name] ? bits | (2 << index) : bits),
    settings.privacyMode ? 1 : 0,
  );
  let variants = made.get(event);
  if (variants === undefined) made.set(event, (variants = []));
  return (variants[combination] ??= {
    ...event,
    ...Object.fromEntries(withheld(settings).map(({ member }) => [member, null])),
  });
}

/** The members of an event that the settings keep back, each with the setting that does. */
export function withheld({ privacyMode, broadcast }: PipelineSettings) {
  const bodies = privacyMode ? (["input", "output"] as const) : [];
  return [
    ...bodies.map((member) => ({ member, by: "privacy_mode" as const })),
    ...broadcastNames.flatMap((by) => (broadcast[by] ? [] : broadcastMembers[by].map((member) => ({ member, by })))),
  ];
}
