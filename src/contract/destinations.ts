import * as z from "zod/mini";
import { list } from "./list.ts";
import { DestinationType } from "./destination-kinds.ts";
import { endpoint, megabytes } from "./endpoint.ts";
import { Deleted, OffsetPage, queryWorkspace } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { Instant } from "./time.ts";

export const FilterField = z.enum([
  "model",
  "provider",
  "session_id",
  "user_id",
  "api_key_name",
  "finish_reason",
  "input",
  "output",
  "total_cost",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
]);
export type FilterField = z.infer<typeof FilterField>;

export const FilterOperator = z.enum([
  "equals",
  "not_equals",
  "contains",
  "not_contains",
  "regex",
  "starts_with",
  "ends_with",
  "gt",
  "lt",
  "gte",
  "lte",
  "exists",
  "not_exists",
]);
export type FilterOperator = z.infer<typeof FilterOperator>;

export const FilterRule = z.strictObject({
  field: FilterField,
  operator: FilterOperator,
  /** omitted for exists and not_exists */
  value: z.optional(z.union([z.string().check(z.maxLength(10_000)), z.number()])),
});
export type FilterRule = z.infer<typeof FilterRule>;

/** The rules of a group are joined by `logic`; every group has to match. */
export const FilterRules = z.strictObject({
  enabled: z.optional(z.boolean()),
  groups: list(
    z.strictObject({
      logic: z.optional(z.enum(["and", "or"])),
      rules: list(FilterRule, { most: 100, tooMany: "must have at most 100 rules" }),
    }),
    { most: 50, tooMany: "must have at most 50 groups" },
  ),
});
export type FilterRules = z.infer<typeof FilterRules>;

/** Fraction of the traffic that is forwarded: 1 is all of it, 0.0001 one call in ten thousand. */
export const SamplingRate = z
  .number()
  .check(z.minimum(0.0001, "must be from 0.0001 to 1"), z.maximum(1, "must be from 0.0001 to 1"));

/** Keys that a destination may be limited to. */
export const mostAllowedKeys = 10_000;

const KeyAllowlist = z.nullable(
  list(z.string().check(z.minLength(1, "must be a key's hash"), z.maxLength(128)), {
    least: 1,
    tooFew: "must name at least one key, or be null for all keys",
    most: mostAllowedKeys,
  }),
);

export const Region = z.enum(["global", "europe", "us", "eu"]);

/** Checked against the table row for the destination's kind, where its `type` is known. */
const Config = z.record(z.string(), z.unknown());

const Name = nameOf(255);

/** What is sent in addition to the metadata where a destination asks for it. */
const broadcast = {
  broadcast_generation_cost: z.boolean(),
  broadcast_generation_identity: z.boolean(),
  broadcast_generation_request_context: z.boolean(),
};

/** The settings that keep members of a call from a destination. */
export const WithheldBy = z.enum(["privacy_mode", ...(Object.keys(broadcast) as (keyof typeof broadcast)[])]);

/** The destination record. Secrets in `config` are masked: first four characters, `...`, last four. */
export const DestinationRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  type: DestinationType,
  enabled: z.boolean(),
  config: Config,
  api_key_hashes: z.nullable(z.array(z.string())),
  filter_rules: z.nullable(FilterRules),
  privacy_mode: z.boolean(),
  sampling_rate: z.number(),
  created_at: Instant,
  updated_at: Instant,
  workspace_id: z.uuid(),
  /** required by newer official clients */
  ...broadcast,
  regions: z.array(Region),
});
export type DestinationRecord = z.infer<typeof DestinationRecord>;

const settings = {
  enabled: z.optional(z.boolean()),
  api_key_hashes: z.optional(KeyAllowlist),
  filter_rules: z.optional(z.nullable(FilterRules)),
  privacy_mode: z.optional(z.boolean()),
  sampling_rate: z.optional(SamplingRate),
  ...z.partial(z.strictObject(broadcast)).shape,
  regions: z.optional(list(Region, { most: 10 })),
};

export const CreateDestinationBody = z.strictObject({
  name: Name,
  type: DestinationType,
  config: Config,
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
  ...settings,
});
export type CreateDestinationBody = z.infer<typeof CreateDestinationBody>;

export const UpdateDestinationBody = z.strictObject({
  name: z.optional(Name),
  config: z.optional(Config),
  ...settings,
  /** beyond the public API: when a destination is re-enabled, what happens to the calls made since it was disabled */
  resume: z.optional(z.enum(["where_it_stopped", "from_now"])),
});
export type UpdateDestinationBody = z.infer<typeof UpdateDestinationBody>;

const IdParameter = z.strictObject({ id: z.uuid("must be the destination's id (a UUID)") });
const OneDestination = z.object({ data: DestinationRecord });
const tag = "Observability";

export const listDestinations = endpoint({
  name: "listDestinations",
  operationId: "listObservabilityDestinations",
  method: "GET",
  path: "/observability/destinations",
  tag,
  summary: "List observability destinations",
  description: "The default workspace unless `workspace_id` says otherwise; `all` is beyond the public API.",
  auth: "management",
  query: z.extend(OffsetPage, {
    workspace_id: queryWorkspace,
  }),
  returns: z.object({ data: z.array(DestinationRecord), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createDestination = endpoint({
  name: "createDestination",
  operationId: "createObservabilityDestination",
  method: "POST",
  path: "/observability/destinations",
  tag,
  summary: "Create an observability destination",
  description:
    "At most five of one kind in a workspace; a sixth answers 409. A `regex` rule reads the beginning of a text: 1,000,000 characters divided by the size of all expressions of the destination, which is their characters, each as often as `{n}` repeats it.",
  auth: "management",
  headers: ["Idempotency-Key"],
  body: CreateDestinationBody,
  bodyLimit: megabytes(1),
  status: 201,
  returns: OneDestination,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 409, 413, 500],
});

export const getDestination = endpoint({
  name: "getDestination",
  operationId: "getObservabilityDestination",
  method: "GET",
  path: "/observability/destinations/{id}",
  tag,
  summary: "Get an observability destination",
  auth: "management",
  params: IdParameter,
  returns: OneDestination,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const updateDestination = endpoint({
  name: "updateDestination",
  operationId: "updateObservabilityDestination",
  method: "PATCH",
  path: "/observability/destinations/{id}",
  tag,
  summary: "Update an observability destination",
  description:
    "Members that are left out keep their value and `null` clears. In `config`, masked values are ignored, members that are left out stay, and `null` removes an optional member; extra headers are laid over the kept ones, and `null` or an empty value removes one. Every answer sets `updated_at`. When the host changes, the kept secrets have to be sent again. With `If-Match`, a record that changed since answers 409.",
  auth: "management",
  params: IdParameter,
  body: UpdateDestinationBody,
  bodyLimit: megabytes(1),
  headers: ["If-Match"],
  returns: OneDestination,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteDestination = endpoint({
  name: "deleteDestination",
  operationId: "deleteObservabilityDestination",
  method: "DELETE",
  path: "/observability/destinations/{id}",
  tag,
  summary: "Delete an observability destination",
  auth: "management",
  params: IdParameter,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});

export const listDestinationTypes = endpoint({
  name: "listDestinationTypes",
  method: "GET",
  path: "/observability/destination-types",
  tag,
  summary: "List the kinds of destination and the members of their config",
  auth: "management",
  returns: z.object({
    data: z.array(
      z.object({
        type: DestinationType,
        title: z.string(),
        sends: z.string(),
        config: z.array(
          z.object({
            name: z.string(),
            title: z.string(),
            required: z.boolean(),
            secret: z.boolean(),
            form: z.enum(["text", "url", "host", "headers", "choice"]),
            default: z.nullable(z.string()),
            choices: z.nullable(z.array(z.string())),
            pattern: z.nullable(z.string()),
          }),
        ),
      }),
    ),
  }),
  errors: [401, 403, 500],
});
