import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { PerMinute } from "./keys.ts";
import { Usd } from "./money.ts";
import { Deleted, OffsetPage } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { SortBy } from "./routing.ts";
import { Instant, LimitReset } from "./time.ts";

/** The workspace record of the public API, with two additional figures for the console. */
export const WorkspaceRecord = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  created_at: Instant,
  created_by: z.nullable(z.string()),
  updated_at: z.nullable(Instant),
  default_guardrail_id: z.uuid(),
  default_image_model: z.nullable(z.string()),
  default_provider_sort: z.nullable(z.string()),
  default_text_model: z.nullable(z.string()),
  include_byok_in_budgets: z.boolean(),
  io_logging_api_key_ids: z.nullable(z.array(z.int())),
  io_logging_sampling_rate: z.number(),
  is_data_discount_logging_enabled: z.boolean(),
  is_observability_broadcast_enabled: z.boolean(),
  is_observability_io_logging_enabled: z.boolean(),
  /** beyond the public API, for the console */
  is_default: z.boolean(),
  /** by key status, as in lists of keys; each is counted up to 10,000 */
  active_keys: z.int(),
  over_limit_keys: z.int(),
  usage_monthly: z.number(),
  /** the budget of which the smallest share is left; null: it has none */
  budget: z.nullable(
    z.object({
      reset_interval: z.nullable(LimitReset),
      limit_usd: Usd,
      spent_usd: Usd,
      resets_at: z.nullable(Instant),
    }),
  ),
  /** beyond the public API: what all keys of the workspace together may use per minute */
  requests_per_minute: z.nullable(z.int()),
  tokens_per_minute: z.nullable(z.int()),
  /** beyond the public API: the durable embedding cache; null: off, and without a limit of age */
  embedding_cache_mb: z.nullable(z.int()),
  embedding_cache_days: z.nullable(z.int()),
});
export type WorkspaceRecord = z.infer<typeof WorkspaceRecord>;

const Name = nameOf(100);
const Slug = z.string().check(
  z.minLength(1, "must have at least one character"),
  z.maxLength(50, "must have at most 50 characters"),
  z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lowercase letters, digits and single hyphens between them"),
  z.refine((slug) => slug !== "all", "must not be all, which stands for every workspace in filters and addresses"),
);

/** A hundred gigabytes: more belongs into a vector database. */
const mostCacheMb = 102_400;
const mostCacheDays = 3_650;
const wholeUpTo = (most: number) =>
  z.optional(z.nullable(z.int().check(z.minimum(1, "must be 1 or more"), z.maximum(most, `must be at most ${most}`))));

const settings = {
  description: z.optional(z.nullable(z.string().check(z.maxLength(500, "must have at most 500 characters")))),
  default_image_model: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  /** how candidates are sorted for calls without `sort`; null: drawn at random, weighted by price */
  default_provider_sort: z.optional(z.nullable(SortBy)),
  /** the model for chat calls that name none */
  default_text_model: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  /** the public API's restriction to some keys, by numeric ids that no key here has; null: every key */
  io_logging_api_key_ids: z.optional(
    z.null("must be null, which means every key: keys of this gateway have hashes and no numeric ids"),
  ),
  io_logging_sampling_rate: z.optional(z.number().check(z.minimum(0.0001), z.maximum(1))),
  is_data_discount_logging_enabled: z.optional(z.boolean()),
  is_observability_broadcast_enabled: z.optional(z.boolean()),
  is_observability_io_logging_enabled: z.optional(z.boolean()),
  requests_per_minute: PerMinute,
  tokens_per_minute: PerMinute,
  /**
   * the most that the durable embedding cache holds, megabytes: vectors are then stored, encrypted, and equal inputs of
   * the workspace's later calls are answered from it; null: off, and what it held is deleted
   */
  embedding_cache_mb: wholeUpTo(mostCacheMb),
  /** older vectors are not used; null: none is too old */
  embedding_cache_days: wholeUpTo(mostCacheDays),
};

export const CreateWorkspaceBody = z.strictObject({ name: Name, slug: Slug, ...settings });
export type CreateWorkspaceBody = z.infer<typeof CreateWorkspaceBody>;

export const UpdateWorkspaceBody = z.strictObject({ name: z.optional(Name), slug: z.optional(Slug), ...settings });
export type UpdateWorkspaceBody = z.infer<typeof UpdateWorkspaceBody>;

/** A workspace in a path: its id or its slug. */
export const WorkspaceReference = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) });
const OneWorkspace = z.object({ data: WorkspaceRecord });

export const listWorkspaces = endpoint({
  name: "listWorkspaces",
  method: "GET",
  path: "/workspaces",
  tag: "Workspaces",
  summary: "List workspaces",
  auth: "management",
  query: OffsetPage,
  returns: z.object({ data: z.array(WorkspaceRecord), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createWorkspace = endpoint({
  name: "createWorkspace",
  method: "POST",
  path: "/workspaces",
  tag: "Workspaces",
  summary: "Create a workspace",
  auth: "management",
  headers: ["Idempotency-Key"],
  body: CreateWorkspaceBody,
  status: 201,
  returns: OneWorkspace,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 409, 413, 500],
});

export const getWorkspace = endpoint({
  name: "getWorkspace",
  method: "GET",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Get a workspace by id or slug",
  auth: "management",
  params: WorkspaceReference,
  returns: OneWorkspace,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const updateWorkspace = endpoint({
  name: "updateWorkspace",
  method: "PATCH",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Update a workspace",
  description: "With `If-Match`, a workspace whose settings changed since answers 409.",
  auth: "management",
  params: WorkspaceReference,
  body: UpdateWorkspaceBody,
  headers: ["If-Match"],
  returns: OneWorkspace,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteWorkspace = endpoint({
  name: "deleteWorkspace",
  method: "DELETE",
  path: "/workspaces/{id}",
  tag: "Workspaces",
  summary: "Delete a workspace",
  description: "Refused (400) while it holds active keys, and always (403) for the default workspace.",
  auth: "management",
  params: WorkspaceReference,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});
