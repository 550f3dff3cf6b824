import * as z from "zod/mini";
import { list } from "./list.ts";
import { DestinationType } from "./destination-kinds.ts";
import { CreateDestinationBody, FilterRules, SamplingRate, WithheldBy } from "./destinations.ts";
import { endpoint, kilobytes, megabytes } from "./endpoint.ts";
import { OffsetPage, queryWorkspace } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

const tag = "Observability";
const IdParameter = z.strictObject({ id: z.uuid("must be the destination's id (a UUID)") });
const WorkspaceId = z.optional(z.uuid("must be a workspace's id (a UUID)"));
const GenerationId = z.string().check(z.minLength(1), z.maxLength(100));

/** The part of a destination's answer that is shown: without secrets, 2 KB at most. */
const SinkAnswer = z.object({
  /** the HTTP status; null: no answer came */
  status: z.nullable(z.int()),
  body: z.nullable(z.string()),
  /** in words: what went wrong, or that it was accepted */
  message: z.string(),
});

/**
 * - `delivering`: the last attempt succeeded, and no waiting call has failed in the last 15 minutes
 * - `degraded`: the last attempt failed, or some failed in the last 15 minutes and calls are still waiting
 * - `failing`: every attempt of the last 5 minutes failed, a call has waited for 15 minutes, or the settings cannot be
 *   read
 * - `paused`: disabled, or broadcasting is off in the workspace
 * - `never_sent`: nothing was ever delivered, and nothing has failed
 */
export const DestinationStatus = z.enum(["delivering", "degraded", "failing", "paused", "never_sent"]);
export type DestinationStatus = z.infer<typeof DestinationStatus>;

/** Delivery outcomes in one UTC hour. `failed` counts attempts; the others count calls. */
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
  /** why the stored settings cannot be decrypted: nothing is sent until they are entered again; null: they can be */
  config_problem: z.nullable(z.string()),
  last_success_at: z.nullable(Instant),
  last_error: z.nullable(
    z.object({
      at: Instant,
      ...SinkAnswer.shape,
      /** the request that failed, without its secrets and its body */
      request: z.nullable(z.object({ method: z.string(), url: z.string(), events: z.int(), bytes: z.int() })),
    }),
  ),
  /** the messages of failed attempts in the last 24 hours, most frequent first; five at most */
  top_errors: z.array(z.object({ message: z.string(), count: z.int(), last_at: Instant })),
  /** since when every attempt has failed; null: the last one did not fail */
  failing_since: z.nullable(Instant),
  /** attempts at the current delivery, and when the next one is due */
  attempt: z.int(),
  next_try_at: z.nullable(Instant),
  /** how long the oldest undelivered call has waited, milliseconds */
  lag_ms: z.number(),
  /** undelivered calls; counted up to 100,000 */
  backlog: z.int(),
  /** calls that were given up and can be replayed */
  dead: z.int(),
  /** the longest that bodies are kept while a call waits */
  bodies_kept_hours: z.int(),
  /** the last 24 hours, oldest first; hours in which nothing happened are omitted */
  hours: z.array(ForwardingHour),
});
export type DestinationHealth = z.infer<typeof DestinationHealth>;

export const getDestinationHealth = endpoint({
  name: "getDestinationHealth",
  method: "GET",
  path: "/observability/destinations/{id}/health",
  tag,
  summary: "Get the delivery health of a destination",
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
  summary: "Get the delivery health of every destination",
  auth: "management",
  query: z.strictObject({
    workspace_id: queryWorkspace,
  }),
  returns: z.object({ data: z.array(DestinationHealth) }),
  errors: [400, 401, 403, 500],
});

const Unsaved = {
  /** a stored destination whose secrets replace those that are omitted or masked */
  id: z.optional(z.uuid()),
  type: DestinationType,
  config: z.record(z.string(), z.unknown()),
};

export const TestDestinationBody = z.strictObject(Unsaved);
export type TestDestinationBody = z.infer<typeof TestDestinationBody>;

/** How far a test got: each step depends on the one before it. */
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
  bodyLimit: megabytes(1),
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
  /** the call to show; default: the workspace's latest one, or a made-up one if it has none */
  generation_id: z.optional(GenerationId),
});
export type PreviewDestinationBody = z.infer<typeof PreviewDestinationBody>;

export const DeliveryOutcome = z.enum([
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
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

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
  bodyLimit: megabytes(1),
  returns: z.object({
    data: z.object({
      generation_id: z.string(),
      /** false: there are no calls yet, and the one shown is made up */
      real: z.boolean(),
      outcome: z.enum(["forwarded", "filtered", "sampled_out", "not_in_allowlist"]),
      rule: z.nullable(Rule),
      /** what would be sent if nothing held the call back; bodies as text */
      requests: z.array(
        z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
      ),
      /** what the settings removed from the call, and which setting did */
      removed: z.array(
        z.object({
          member: z.string(),
          /** its length as JSON; null: it no longer exists */
          bytes: z.nullable(z.int()),
          by: WithheldBy,
        }),
      ),
      /** true: made-up bodies replace the call's own, which were not stored */
      example_bodies: z.boolean(),
      /** over the latest calls that pass keys and rules; null where none can be measured */
      size: z.nullable(z.object({ mean_bytes: z.int(), calls: z.int() })),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const TryDestinationBody = z.strictObject({
  workspace_id: WorkspaceId,
  api_key_hashes: z.optional(z.nullable(list(z.string(), { most: 10_000 }))),
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
  bodyLimit: megabytes(1),
  returns: z.object({
    data: z.array(
      z.object({
        generation_id: z.string(),
        created_at: Instant,
        model: z.string(),
        outcome: z.enum(["forwarded", "filtered", "sampled_out", "not_in_allowlist"]),
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
    "Counts the last 24 hours, each session by its own hash, and tells what a day of the last seven made on average. Rules and sampling are run over the latest 2,000 calls; `exact` is false where the day had more, and the counts are scaled up.",
  auth: "management",
  body: TryDestinationBody,
  bodyLimit: megabytes(1),
  returns: z.object({
    data: z.object({
      calls: z.int(),
      in_allowlist: z.int(),
      pass_filters: z.int(),
      /** the passing calls whose session is sampled */
      sampled: z.int(),
      /** false: `pass_filters` and `sampled` are extrapolated from the latest 2,000 calls */
      exact: z.boolean(),
      passing_sessions: z.int(),
      sampled_sessions: z.int(),
      /** the average number of calls in a call's session, over the passing calls; null where none pass */
      calls_per_session: z.nullable(z.number()),
      /**
       * calls per day that pass keys and rules, before sampling: the mean of the last 7 days, or of as many as there
       * are; null with less than a day of history
       */
      passing_per_day: z.nullable(z.number()),
      /** `passing_per_day` times the sampling rate */
      per_day: z.nullable(z.number()),
      /** how many calls the shares were computed from */
      examined: z.int(),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const SampleSessionsBody = z.strictObject({
  workspace_id: WorkspaceId,
  api_key_hashes: TryDestinationBody.shape.api_key_hashes,
  filter_rules: TryDestinationBody.shape.filter_rules,
});
export type SampleSessionsBody = z.infer<typeof SampleSessionsBody>;

/** A session's place among all: a rate above it keeps the session. */
const SamplingPosition = z.number();

export const sampleSessions = endpoint({
  name: "sampleSessions",
  method: "POST",
  path: "/observability/destinations/sessions",
  tag,
  summary: "List recent sessions, with the place of each in sampling",
  description:
    "The sessions of the calls of the last 24 hours that pass unsaved keys and rules. A call without a session goes by its trace, and one without a trace by itself. A rate keeps the sessions whose `position` is below it.",
  auth: "management",
  body: SampleSessionsBody,
  bodyLimit: megabytes(1),
  returns: z.object({
    data: z.object({
      /** the latest 240, newest first */
      sessions: z.array(
        z.object({
          /** the time of its latest call */
          last_at: Instant,
          /** those of its calls that pass */
          calls: z.int(),
          position: SamplingPosition,
        }),
      ),
      /** how many calls of these keys were looked at: the latest 2,000 */
      examined: z.int(),
      /** true: these keys made more calls than that */
      more_calls: z.boolean(),
      /** true: the calls looked at had more sessions than 240 */
      more_sessions: z.boolean(),
    }),
  }),
  errors: [400, 401, 403, 404, 413, 500],
});
export type SampledSession = z.infer<typeof sampleSessions.returns>["data"]["sessions"][number];

/** The smallest change to a destination's settings that lets a call through. Absent members can stay as they are. */
const LetThrough = z.object({
  /** each change in words */
  changes: z.array(z.string()),
  /** to be added to `api_key_hashes` */
  add_api_key_hash: z.optional(z.string()),
  filter_rules: z.optional(z.nullable(FilterRules)),
  sampling_rate: z.optional(SamplingRate),
});
export type LetThrough = z.infer<typeof LetThrough>;

export const getDeliveryOutcome = endpoint({
  name: "getDeliveryOutcome",
  method: "GET",
  path: "/observability/delivery-outcome",
  tag,
  summary: "Get what happened to one call at each destination of its workspace",
  auth: "management",
  query: z.strictObject({ generation_id: GenerationId }),
  returns: z.object({
    data: z.object({
      generation_id: z.string(),
      workspace_id: z.uuid(),
      /** of the call's session */
      position: SamplingPosition,
      destinations: z.array(
        z.object({
          destination_id: z.uuid(),
          name: z.string(),
          type: DestinationType,
          outcome: DeliveryOutcome,
          /** the rate that decided, or would */
          sampling_rate: z.number(),
          rule: z.nullable(Rule),
          /**
           * for `failed` and `dead`: the number of attempts, the destination's last message, and when the next attempt
           * is due
           */
          attempt: z.int(),
          error: z.nullable(z.string()),
          next_try_at: z.nullable(Instant),
          /** for `failed` and `dead`: when the last attempt ended, and its status; null: not recorded, or no answer */
          at: z.nullable(Instant),
          status: z.nullable(z.int()),
          /** in words, with the one change that would let it through */
          explanation: z.string(),
          /**
           * for a call that a setting held back: what would have to change in the current settings for calls like it;
           * null where nothing would, or where that cannot be determined
           */
          let_through: z.nullable(LetThrough),
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
  /** the call as it would be sent, without what the settings remove */
  event: z.nullable(z.record(z.string(), z.unknown())),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

export const listDeadLetters = endpoint({
  name: "listDeadLetters",
  method: "GET",
  path: "/observability/destinations/{id}/dead-letters",
  tag,
  summary: "List a destination's dead letters",
  auth: "management",
  params: IdParameter,
  query: OffsetPage,
  returns: z.object({ data: z.array(DeadLetter), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

export const ReplayDeadLettersBody = z.strictObject({
  /** omitted: all of them */
  generation_ids: z.optional(list(GenerationId, { least: 1, most: 1_000 })),
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
  bodyLimit: kilobytes(256),
  returns: z.object({ data: z.object({ replayed: z.int() }) }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const replayDestination = endpoint({
  name: "replayDestination",
  method: "POST",
  path: "/observability/destinations/{id}/replay",
  tag,
  summary: "Replay everything from a point in time",
  description:
    "Destinations can recognize repeats by their stable ids. Bodies that have since been deleted are not sent.",
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
  summary: "Retry a destination now, whatever it is waiting for",
  auth: "management",
  params: IdParameter,
  returns: z.object({ data: z.object({ retried: z.literal(true) }) }),
  errors: [400, 401, 403, 404, 500],
});
