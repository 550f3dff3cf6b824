import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { ModelId, type ModelPricing, ProviderSlug } from "./providers.ts";
import { Deleted, queryInteger } from "./page.ts";
import { Instant } from "./time.ts";

/** How many texts a canary embeds, and about how many tokens they have: each vendor's tokenizer counts differently. */
export const canaryTexts = 12;
export const canaryTokens = 500;
/** How often the texts are embedded to learn how much the vectors differ by themselves. */
export const baselineCalls = 5;
/** Less than this distance is never drift: a vendor's other hardware and another order of sums make as much. */
export const canaryFloor = 0.0001;
/** As many times the noise of the baseline is drift. */
export const noiseFactor = 3;
export const mostCanaries = 100;
/** Of one canary; older ones are deleted. */
export const mostCanaryRuns = 500;
/** What a workspace's canaries may spend per month until an admin sets another limit, USD. */
export const canaryKeyLimit = 1;

const EveryHours = z
  .int()
  .check(z.minimum(1, "must be at least 1"), z.maximum(720, "must be at most 720, which is 30 days"));

/** What a drift is recognized by: the vectors moved, have another length, or come under another model name. */
export const DriftReason = z.enum(["distance", "length", "model_name"]);
export type DriftReason = z.infer<typeof DriftReason>;

export const CanaryRun = z.object({
  id: z.uuid(),
  at: Instant,
  /** `suspected`: beyond the noise, and not confirmed yet; `failed`: no vectors came, which says nothing about drift */
  outcome: z.enum(["baseline", "steady", "suspected", "drift", "failed"]),
  reason: z.nullable(DriftReason),
  /** the largest cosine distance of a text's vector from the baseline's; null: none was measured, or the lengths differ */
  distance: z.nullable(z.number()),
  /** the distance from which it is drift; of a baseline, the one that it sets */
  threshold: z.nullable(z.number()),
  /** the space of the vectors, as in `X-Vector-Space` */
  space: z.nullable(z.string()),
  /** why it failed */
  message: z.nullable(z.string()),
  /** the call that showed it */
  generation_id: z.nullable(z.string()),
});
export type CanaryRun = z.infer<typeof CanaryRun>;

export const CanaryStatus = z.enum(["new", "steady", "suspected", "drift"]);
export type CanaryStatus = z.infer<typeof CanaryStatus>;

export const CanaryRecord = z.object({
  id: z.uuid(),
  provider: z.string(),
  provider_name: z.string(),
  model: z.string(),
  /** whose key pays for its calls */
  workspace_id: z.uuid(),
  every_hours: z.int(),
  /** `new`: without a baseline */
  status: CanaryStatus,
  drift: z.nullable(
    z.object({ since: Instant, reason: DriftReason, distance: z.nullable(z.number()), space: z.string() }),
  ),
  baseline: z.nullable(z.object({ at: Instant, space: z.string(), noise: z.number(), threshold: z.number() })),
  /** a new baseline is measured by the next run */
  measures_next: z.boolean(),
  last_run: z.nullable(CanaryRun),
  /** runs that failed in a row */
  failures: z.int(),
  /** a run is under way, or begins within seconds */
  running: z.boolean(),
  next_run_at: Instant,
  created_at: Instant,
  created_by: z.nullable(z.string()),
});
export type CanaryRecord = z.infer<typeof CanaryRecord>;

/** About what a canary's calls cost, USD; null where the model has no price. Suspicions and baselines come on top. */
export function canaryCost(pricing: ModelPricing | null, everyHours: number): { run: number; month: number } | null {
  if (pricing === null) return null;
  const run = canaryTokens * Number(pricing.prompt) + Number(pricing.request ?? 0);
  return { run, month: (run * 30 * 24) / everyHours };
}

/** What drifted, in one sentence. */
export function driftSentence({
  reason,
  distance,
  space,
  baseline,
}: {
  reason: DriftReason;
  distance: number | null;
  space: string;
  baseline: { space: string; threshold: number } | null;
}): string {
  if (reason === "length") {
    const before = baseline === null ? "" : ` instead of ${lengthIn(baseline.space)}`;
    return `Its vectors have another length: ${lengthIn(space)} numbers${before}`;
  }
  if (reason === "model_name") return "It answers under another model name than it had in the baseline";
  const noise = baseline === null ? "" : `, where up to ${formatDistance(baseline.threshold)} is noise`;
  return `The same texts have other vectors: they moved by a cosine distance of ${formatDistance(distance ?? 0)}${noise}`;
}

/** How many numbers the vectors of a space have: a part of its id. */
const lengthIn = (space: string) => /^vs_[\da-f]+-(\d+)/.exec(space)?.[1] ?? "other";

/** Two digits are enough: distances differ by orders of magnitude. */
export function formatDistance(distance: number): string {
  if (distance === 0) return "0";
  return distance < 0.000_001 ? "less than 0.000001" : String(Number(distance.toPrecision(2)));
}

const One = z.object({ data: CanaryRecord });
const params = z.strictObject({ id: z.uuid() });
const tag = "Providers";
const auth = "management";

export const listCanaries = endpoint({
  name: "listCanaries",
  method: "GET",
  path: "/canaries",
  tag,
  auth,
  summary: "List the drift canaries",
  description:
    "Each embeds the same texts at one provider's embedding model on a schedule and compares the vectors with those of its baseline. Beyond the public API.",
  query: z.strictObject({ model: z.optional(ModelId) }),
  returns: z.object({ data: z.array(CanaryRecord) }),
  errors: [400, 401, 403, 500],
});

export const createCanary = endpoint({
  name: "createCanary",
  method: "POST",
  path: "/canaries",
  tag,
  auth,
  summary: "Watch a provider's embedding model for drift",
  description: `Its calls are charged like any other, to a key of the workspace's own that is made for its canaries with a limit of $${canaryKeyLimit} per month: about ${canaryTokens} tokens each time, ${baselineCalls} times that for a baseline. Without \`workspace_id\`, the default workspace pays. Beyond the public API.`,
  body: z.strictObject({
    provider: ProviderSlug,
    model: ModelId,
    workspace_id: z.optional(z.uuid()),
    every_hours: z.optional(EveryHours),
  }),
  status: 201,
  returns: One,
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const updateCanary = endpoint({
  name: "updateCanary",
  method: "PATCH",
  path: "/canaries/{id}",
  tag,
  auth,
  summary: "Change how often a drift canary runs, or who pays",
  params,
  body: z.strictObject({ workspace_id: z.optional(z.uuid()), every_hours: z.optional(EveryHours) }),
  returns: One,
  errors: [400, 401, 403, 404, 413, 500],
});

export const deleteCanary = endpoint({
  name: "deleteCanary",
  method: "DELETE",
  path: "/canaries/{id}",
  tag,
  auth,
  summary: "Remove a drift canary with its history",
  params,
  returns: Deleted,
  errors: [400, 401, 403, 404, 500],
});

export const checkCanary = endpoint({
  name: "checkCanary",
  method: "POST",
  path: "/canaries/{id}/check",
  tag,
  auth,
  summary: "Run a drift canary now",
  description: "It begins within seconds; at most once a minute.",
  params,
  returns: One,
  errors: [400, 401, 403, 404, 429, 500],
});

export const acceptCanaryBaseline = endpoint({
  name: "acceptCanaryBaseline",
  method: "POST",
  path: "/canaries/{id}/baseline",
  tag,
  auth,
  summary: "Accept the current vectors as a drift canary's baseline",
  description: `The texts are embedded ${baselineCalls} times within seconds, and a drift that was reported ends; at most once a minute.`,
  params,
  returns: One,
  errors: [400, 401, 403, 404, 429, 500],
});

export const listCanaryRuns = endpoint({
  name: "listCanaryRuns",
  method: "GET",
  path: "/canaries/{id}/runs",
  tag,
  auth,
  summary: "List the latest runs of a drift canary, newest first",
  description: `The newest ${mostCanaryRuns} are kept.`,
  params,
  query: z.strictObject({ limit: z.optional(queryInteger(1, mostCanaryRuns)) }),
  returns: z.object({ data: z.array(CanaryRun) }),
  errors: [400, 401, 403, 404, 500],
});
