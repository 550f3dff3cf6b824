import * as z from "zod/mini";
import { DestinationType } from "./destination-kinds.ts";
import { CreateDestinationBody, FilterRules, SamplingRate } from "./destinations.ts";
import { endpoint } from "./endpoint.ts";
import { OffsetPage } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

const tag = "Observability";
const IdParameter = z.strictObject({ id: z.uuid("must be the destination's id (a UUID)") });
const WorkspaceId = z.optional(z.uuid("must be a workspace's id (a UUID)"));
const GenerationId = z.string().check(z.minLength(1), z.maxLength(100));

/** A sink's answer as far as it is shown: secrets taken out, 2 KB at most. */
const SinkAnswer = z.object({
  /** the HTTP status; null: none came */
  status: z.nullable(z.int()),
  body: z.nullable(z.string()),
  /** in words: what went wrong, or that it was accepted */
  message: z.string(),
});

/**
 * - `delivering`: nothing failed in the last 15 minutes
 * - `degraded`: something failed in the last 15 minutes, and is being tried again or was delivered since
 * - `failing`: every try of the last 5 minutes failed, or a call has waited for 15 minutes
 * - `paused`: disabled, or broadcasting is off in the workspace
 * - `never_sent`: nothing was ever delivered, and nothing failed
 */
export const DestinationStatus = z.enum(["delivering", "degraded", "failing", "paused", "never_sent"]);
export type DestinationStatus = z.infer<typeof DestinationStatus>;

/** What became of calls in one UTC hour. `failed` counts tries; the others count calls. */
export const ForwardingHour = z.object({
  hour: Instant,
  delivered: z.int(),
  failed: z.int(),
  filtered: z.int(),
  sampled_out: z.int(),
  not_allowed: z.int(),
  dead: z.int(),
});

export const DestinationHealth = z.object({
  destination_id: z.uuid(),
  status: DestinationStatus,
  last_success_at: z.nullable(Instant),
  last_error: z.nullable(
    z.object({
      at: Instant,
      ...SinkAnswer.shape,
      /** the request that failed, without its secrets and its body */
      request: z.nullable(z.object({ method: z.string(), url: z.string(), events: z.int(), bytes: z.int() })),
    }),
  ),
  /** what was said in the tries of the last 24 hours that failed, the most frequent first; five at most */
  top_errors: z.array(z.object({ message: z.string(), count: z.int(), last_at: Instant })),
  /** since when every try has failed; null: the last one did not */
  failing_since: z.nullable(Instant),
  /** tries of what is being delivered now, and when the next one is */
  attempt: z.int(),
  next_try_at: z.nullable(Instant),
  /** how long the oldest call that is not delivered yet has waited, milliseconds */
  lag_ms: z.number(),
  /** calls that wait; counted to 100,000 at most */
  backlog: z.int(),
  /** calls that were given up and can be replayed */
  dead: z.int(),
  /** bodies are kept for this long at most while a call waits */
  bodies_kept_hours: z.int(),
  /** the last 24 hours, the oldest first; hours in which nothing happened are left out */
  hours: z.array(ForwardingHour),
});
export type DestinationHealth = z.infer<typeof DestinationHealth>;

export const getDestinationHealth = endpoint({
  name: "getDestinationHealth",
  method: "GET",
  path: "/observability/destinations/{id}/health",
  tag,
  summary: "Tell how delivery to a destination goes",
  auth: "management",
  params: IdParameter,
  returns: z.object({ data: DestinationHealth }),
  errors: [400, 401, 403, 404, 500],
});

export const listDestinationHealth = endpoint({
  name: "listDestinationHealth",
  method: "GET",
  path: "/observability/health",
  tag,
  summary: "Tell how delivery to every destination goes",
  auth: "management",
  query: z.strictObject({
    workspace_id: z.optional(z.union([z.uuid(), z.literal("all")], "must be a workspace's id (a UUID) or `all`")),
  }),
  returns: z.object({ data: z.array(DestinationHealth) }),
  errors: [400, 401, 403, 500],
});

const Unsaved = {
  /** a stored destination whose kept secrets stand in for those that are left out or masked */
  id: z.optional(z.uuid()),
  type: DestinationType,
  config: z.record(z.string(), z.unknown()),
};

export const TestDestinationBody = z.strictObject(Unsaved);
export type TestDestinationBody = z.infer<typeof TestDestinationBody>;

/** How far a test came: each step waits for the one before it. */
export const TestStep = z.object({
  step: z.enum(["address", "connection", "answer"]),
  ok: z.boolean(),
  detail: z.string(),
});

export const testDestination = endpoint({
  name: "testDestination",
  method: "POST",
  path: "/observability/destinations/test",
  tag,
  summary: "Send a marked test to a destination, saved or not",
  description:
    "Carries the header `X-Test-Connection: true`. With `id`, secrets that are left out or masked are the stored ones, unless the host changed.",
  auth: "management",
  body: TestDestinationBody,
  returns: z.object({
    data: z.object({
      passed: z.boolean(),
      steps: z.array(TestStep),
      ...SinkAnswer.shape,
      latency_ms: z.number(),
      request: z.object({ method: z.string(), url: z.string() }),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

const { name: _, enabled: __, ...previewed } = CreateDestinationBody.shape;

export const PreviewDestinationBody = z.strictObject({
  ...previewed,
  id: Unsaved.id,
  /** the call to show; left out: the latest one of the workspace, or a made-up one where there is none */
  generation_id: z.optional(GenerationId),
});
export type PreviewDestinationBody = z.infer<typeof PreviewDestinationBody>;

export const EventFate = z.enum([
  "sent",
  "waiting",
  "failed",
  "dead",
  "filtered",
  "sampled_out",
  "not_in_allowlist",
  "disabled",
  "before_destination",
]);
export type EventFate = z.infer<typeof EventFate>;

const Rule = z.object({
  /** counted from 0 */
  group: z.int(),
  rule: z.int(),
});

export const previewDestination = endpoint({
  name: "previewDestination",
  method: "POST",
  path: "/observability/destinations/preview",
  tag,
  summary: "Show exactly what unsaved settings would send for a recent call",
  description: "Nothing is sent. Secrets in the request are masked.",
  auth: "management",
  body: PreviewDestinationBody,
  returns: z.object({
    data: z.object({
      generation_id: z.string(),
      /** false: there is no call yet, and the one that is shown is made up */
      real: z.boolean(),
      fate: z.enum(["forwarded", "filtered", "sampled_out", "not_in_allowlist"]),
      rule: z.nullable(Rule),
      /** what would be sent if nothing held the call back; bodies as text */
      requests: z.array(
        z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
      ),
      /** what the settings took out of the call, and which setting did */
      removed: z.array(
        z.object({
          member: z.string(),
          /** how long it is as JSON; null: it is not there any more */
          bytes: z.nullable(z.int()),
          by: z.enum([
            "privacy_mode",
            "broadcast_generation_cost",
            "broadcast_generation_identity",
            "broadcast_generation_request_context",
            "not_kept",
          ]),
        }),
      ),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const TryDestinationBody = z.strictObject({
  workspace_id: WorkspaceId,
  api_key_hashes: z.optional(z.nullable(z.array(z.string()))),
  filter_rules: z.optional(z.nullable(FilterRules)),
  sampling_rate: z.optional(SamplingRate),
});
export type TryDestinationBody = z.infer<typeof TryDestinationBody>;

export const tryDestination = endpoint({
  name: "tryDestination",
  method: "POST",
  path: "/observability/destinations/try",
  tag,
  summary: "Run unsaved rules over the last 200 calls",
  auth: "management",
  body: TryDestinationBody,
  returns: z.object({
    data: z.array(
      z.object({
        generation_id: z.string(),
        created_at: Instant,
        model: z.string(),
        fate: z.enum(["forwarded", "filtered", "sampled_out", "not_in_allowlist"]),
        rule: z.nullable(Rule),
      }),
    ),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const estimateDestination = endpoint({
  name: "estimateDestination",
  method: "POST",
  path: "/observability/destinations/estimate",
  tag,
  summary: "Estimate how many calls a day unsaved settings would forward",
  description:
    "Counts the last 24 hours, and tells what a day of the last seven made on average; rules are run over the latest 2,000 calls and scaled up.",
  auth: "management",
  body: TryDestinationBody,
  returns: z.object({
    data: z.object({
      calls: z.int(),
      in_allowlist: z.int(),
      pass_filters: z.int(),
      sampled: z.int(),
      /** calls a day that pass keys and rules, before sampling: the mean of the last 7 days, or of as many as there are; null with less than a day of history */
      passing_per_day: z.nullable(z.number()),
      /** `passing_per_day` times the sampling rate */
      per_day: z.nullable(z.number()),
      /** how many calls the shares were taken from */
      examined: z.int(),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const getEventFate = endpoint({
  name: "getEventFate",
  method: "GET",
  path: "/observability/fate",
  tag,
  summary: "Tell what became of one call at each destination of its workspace",
  auth: "management",
  query: z.strictObject({ generation_id: GenerationId }),
  returns: z.object({
    data: z.object({
      generation_id: z.string(),
      workspace_id: z.uuid(),
      destinations: z.array(
        z.object({
          destination_id: z.uuid(),
          name: z.string(),
          type: DestinationType,
          fate: EventFate,
          rule: z.nullable(Rule),
          /** for `failed` and `dead`: how often it was tried, what the sink said last, and when it is tried next */
          attempt: z.int(),
          error: z.nullable(z.string()),
          next_try_at: z.nullable(Instant),
          /** in words, with the one change that would let it through */
          explanation: z.string(),
        }),
      ),
    }),
  }),
  errors: [400, 401, 403, 404, 500],
});

export const DeadLetter = z.object({
  generation_id: z.string(),
  created_at: Instant,
  died_at: Instant,
  attempts: z.int(),
  ...SinkAnswer.shape,
  /** the call as it would be sent, without what the settings take out */
  event: z.nullable(z.record(z.string(), z.unknown())),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

export const listDeadLetters = endpoint({
  name: "listDeadLetters",
  method: "GET",
  path: "/observability/destinations/{id}/dead-letters",
  tag,
  summary: "List the calls that a destination never took",
  auth: "management",
  params: IdParameter,
  query: OffsetPage,
  returns: z.object({ data: z.array(DeadLetter), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

export const ReplayDeadLettersBody = z.strictObject({
  /** left out: all of them */
  generation_ids: z.optional(z.array(GenerationId).check(z.minLength(1), z.maxLength(1_000))),
});

export const replayDeadLetters = endpoint({
  name: "replayDeadLetters",
  method: "POST",
  path: "/observability/destinations/{id}/dead-letters/replay",
  tag,
  summary: "Try dead letters again",
  auth: "management",
  params: IdParameter,
  body: ReplayDeadLettersBody,
  returns: z.object({ data: z.object({ replayed: z.int() }) }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const replayDestination = endpoint({
  name: "replayDestination",
  method: "POST",
  path: "/observability/destinations/{id}/replay",
  tag,
  summary: "Send everything again from an instant on",
  description: "Sinks see repeats by their stable ids. Bodies that were deleted since are not sent.",
  auth: "management",
  params: IdParameter,
  body: z.strictObject({ from: UtcInstant }),
  returns: z.object({ data: z.object({ backlog: z.int() }) }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const retryDestination = endpoint({
  name: "retryDestination",
  method: "POST",
  path: "/observability/destinations/{id}/retry",
  tag,
  summary: "Try a destination at once, whatever it is waiting for",
  auth: "management",
  params: IdParameter,
  returns: z.object({ data: z.object({ retried: z.literal(true) }) }),
  errors: [400, 401, 403, 404, 500],
});
