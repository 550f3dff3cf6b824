import * as z from "zod/mini";
import { ContentFilterMatch, FilterAction } from "./content-filter-match.ts";
import { endpoint, kilobytes } from "./endpoint.ts";
import { list } from "./list.ts";
import { UsdAmount } from "./money.ts";
import { Deleted, OffsetPage } from "./page.ts";
import { nameOf, plain, UserId } from "./plain-name.ts";
import { Instant, LimitReset } from "./time.ts";

/** Of a workspace, its default one not counted. */
export const mostGuardrails = 500;
/** Models or providers in one list of a guardrail. */
export const mostListed = 500;
export const mostContentFilters = 100;
/** Characters of a content filter's pattern. */
export const mostPatternLength = 100_000;
/** Keys or members in one request. */
export const mostAssigned = 500;
/** Keys in one look-up of assignments. */
export const mostLookedUp = 50;

/** The models whose zero data retention is enforced together, by who makes them. */
export const zdrGroups = ["anthropic", "google", "openai", "xai", "other"] as const;
export type ZdrGroup = (typeof zdrGroups)[number];

/** The built-in content filters, each with its label, which stands in brackets where a text is redacted. */
export const builtinLabels = {
  email: "EMAIL",
  phone: "PHONE",
  ssn: "SSN",
  "credit-card": "CREDIT_CARD",
  "ip-address": "IP_ADDRESS",
  "person-name": "PERSON_NAME",
  address: "ADDRESS",
  "regex-prompt-injection": "PROMPT_INJECTION",
} as const;
export type BuiltinSlug = keyof typeof builtinLabels;
const slugs = Object.keys(builtinLabels) as BuiltinSlug[];
/** Built-in filters that need an analysis of language, which this gateway does not have: it refuses them. */
export const languageBuiltins: ReadonlySet<BuiltinSlug> = new Set<BuiltinSlug>(["person-name", "address"]);

export const BuiltinSlug = z.enum(slugs);
export const ScanScope = z.enum(["user_only", "all_messages"]);

const label = z.string().check(z.maxLength(100, "must have at most 100 characters"), plain);
/** Null counts as absent. */
const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

const BuiltinFilter = z
  .strictObject({
    slug: BuiltinSlug,
    action: FilterAction,
    /** ignored: each built-in filter has a label of its own */
    label: z.optional(label),
    /** which messages are looked at; default: all */
    scan_scope: z.optional(ScanScope),
  })
  .check((payload) => {
    const { slug, scan_scope: scope } = payload.value;
    if (scope === undefined || slug === "regex-prompt-injection") return;
    const message = "is for regex-prompt-injection only: the other filters look at all messages";
    payload.issues.push({ code: "custom", input: scope, path: ["scan_scope"], message });
  });
export type BuiltinFilter = z.infer<typeof BuiltinFilter>;

const ContentFilter = z.strictObject({
  /** a regular expression without lookaround and backreferences */
  pattern: z
    .string()
    .check(
      z.minLength(1, "must have at least one character"),
      z.maxLength(mostPatternLength, `must have at most ${mostPatternLength} characters`),
    ),
  action: FilterAction,
  /** stands in brackets where a text is redacted; default: REDACTED */
  label: maybe(label),
});
export type ContentFilter = z.infer<typeof ContentFilter>;

const name = z.string().check(z.minLength(1, "must have at least one character"), z.maxLength(255));
const names = maybe(list(name, { least: 1, most: mostListed, tooFew: "must name at least one; null means no rule" }));
const region = z.enum(["global", "europe", "us"]);
const flag = maybe(z.boolean());

const settings = {
  description: maybe(z.string().check(z.maxLength(1_000, "must have at most 1000 characters"))),
  /** the only models that may be called; null: any */
  allowed_models: names,
  /** models that may not be called */
  ignored_models: names,
  /** the only providers that may serve calls, by slug; null: any */
  allowed_providers: names,
  /** providers that may not serve calls */
  ignored_providers: names,
  /** through which regions calls may come in; this gateway has no regions, so it has to be among them */
  allowed_data_regions: maybe(
    list(region, {
      least: 1,
      most: 3,
      tooFew: "must name at least one; null means no rule",
      together: {
        holds: (regions) => regions.includes("global"),
        message: "must contain global: calls do not reach this gateway through any other region",
      },
    }),
  ),
  /** deprecated: stands for each of the five that the request leaves out */
  enforce_zdr: flag,
  enforce_zdr_anthropic: flag,
  enforce_zdr_google: flag,
  enforce_zdr_openai: flag,
  enforce_zdr_xai: flag,
  enforce_zdr_other: flag,
  /** false: free models only at providers that do not collect request data */
  enable_free_model_training: flag,
  enable_free_model_publication: flag,
  /** false: paid models only at providers that do not collect request data */
  enable_paid_model_training: flag,
  /** what each key or member may spend in an interval; together with `reset_interval`, or neither */
  limit_usd: maybe(UsdAmount),
  reset_interval: maybe(LimitReset),
  /** whether calls made with the workspace's own provider keys count toward `limit_usd` */
  include_byok_in_budgets: z.optional(z.boolean()),
  content_filters: maybe(list(ContentFilter, { most: mostContentFilters })),
  content_filter_builtins: maybe(
    list(BuiltinFilter, {
      most: slugs.length,
      together: {
        holds: (filters) => new Set(filters.map(({ slug }) => slug)).size === filters.length,
        message: "must have each slug once",
      },
    }),
  ),
};

export const CreateGuardrailBody = z.strictObject({
  name: nameOf(200),
  /** default: the default workspace */
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
  ...settings,
});
export type CreateGuardrailBody = z.infer<typeof CreateGuardrailBody>;

/** Absent members keep their value, null clears, and a list replaces the whole list. */
export const UpdateGuardrailBody = z.strictObject({ name: z.optional(nameOf(200)), ...settings });
export type UpdateGuardrailBody = z.infer<typeof UpdateGuardrailBody>;

/** Characters of a text to try filters on. */
export const mostTriedLength = 10_000;

export const TryContentFiltersBody = z.strictObject({
  content_filters: settings.content_filters,
  content_filter_builtins: settings.content_filter_builtins,
  /** what a user would say */
  text: z
    .string()
    .check(
      z.minLength(1, "must have at least one character"),
      z.maxLength(mostTriedLength, `must have at most ${mostTriedLength} characters`),
    ),
});
export type TryContentFiltersBody = z.infer<typeof TryContentFiltersBody>;

/** What filters make of a text. */
export const TriedContentFilters = z.object({
  /** the strictest that was done; null: nothing was found */
  action: z.nullable(FilterAction),
  /** as a model would read it; null: it would read nothing */
  text: z.nullable(z.string()),
  /** what was found; where the text is blocked, up to what blocks it */
  matches: z.array(ContentFilterMatch),
  /** of a prompt injection, what gave it away */
  patterns: z.array(z.string()),
});
export type TriedContentFilters = z.infer<typeof TriedContentFilters>;

const texts = z.nullable(z.array(z.string()));
const stated = z.nullable(z.boolean());

export const GuardrailRecord = z.object({
  id: z.uuid(),
  workspace_id: z.nullable(z.uuid()),
  name: z.string(),
  description: z.nullable(z.string()),
  allowed_models: texts,
  ignored_models: texts,
  allowed_providers: texts,
  ignored_providers: texts,
  allowed_data_regions: z.nullable(z.array(region)),
  enforce_zdr: stated,
  enforce_zdr_anthropic: stated,
  enforce_zdr_google: stated,
  enforce_zdr_openai: stated,
  enforce_zdr_xai: stated,
  enforce_zdr_other: stated,
  enable_free_model_training: stated,
  enable_free_model_publication: stated,
  enable_paid_model_training: stated,
  limit_usd: z.nullable(z.number()),
  reset_interval: z.nullable(LimitReset),
  include_byok_in_budgets: z.boolean(),
  content_filters: z.nullable(
    z.array(z.object({ pattern: z.string(), action: FilterAction, label: z.nullable(z.string()) })),
  ),
  content_filter_builtins: z.nullable(
    z.array(
      z.object({
        slug: BuiltinSlug,
        action: FilterAction,
        label: z.string(),
        /** of regex-prompt-injection alone */
        scan_scope: z.optional(ScanScope),
      }),
    ),
  ),
  created_at: Instant,
  updated_at: z.nullable(Instant),
  /** beyond the public API: whether it is its workspace's default guardrail, which needs no assignment */
  is_default: z.boolean(),
  /** beyond the public API: how many keys and members it is assigned to */
  key_count: z.int(),
  member_count: z.int(),
});
export type GuardrailRecord = z.infer<typeof GuardrailRecord>;

const assignment = {
  id: z.uuid(),
  guardrail_id: z.uuid(),
  /** who assigned it: the name of the key */
  assigned_by: z.nullable(z.string()),
  created_at: Instant,
};

export const KeyAssignment = z.object({
  ...assignment,
  key_hash: z.string(),
  key_name: z.string(),
  key_label: z.string(),
});
export type KeyAssignment = z.infer<typeof KeyAssignment>;

export const MemberAssignment = z.object({
  ...assignment,
  user_id: z.string(),
  /** the same for all: this gateway is one organization */
  organization_id: z.string(),
});
export type MemberAssignment = z.infer<typeof MemberAssignment>;

const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be a key's hash: 64 hexadecimal digits"));
/** In a query string. */
const Hashes = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,${mostLookedUp - 1}}$`),
      `must be a key's hash, 64 lowercase hexadecimal digits, or up to ${mostLookedUp} of them separated by commas`,
    ),
  );
const KeysBody = z.strictObject({ key_hashes: list(Hash, { least: 1, most: mostAssigned }) });
const MembersBody = z.strictObject({
  /** users by the `creator_user_id` of their keys */
  member_user_ids: list(UserId, { least: 1, most: mostAssigned }),
});
export type MembersBody = z.infer<typeof MembersBody>;

const One = z.object({ data: GuardrailRecord });
const KeyAssignments = z.object({ data: z.array(KeyAssignment), total_count: z.int() });
const MemberAssignments = z.object({ data: z.array(MemberAssignment), total_count: z.int() });
const Assigned = z.object({ assigned_count: z.int() });
const Unassigned = z.object({ unassigned_count: z.int() });

const params = z.strictObject({ id: z.uuid() });
const tag = "Guardrails";
const auth = "management";
const bodyLimit = kilobytes(256);

export const listGuardrails = endpoint({
  name: "listGuardrails",
  method: "GET",
  path: "/guardrails",
  tag,
  auth,
  summary: "List guardrails, the oldest first",
  description:
    "Of one workspace, or of all. A workspace's default guardrail (`default_guardrail_id`) is among them once it was changed.",
  query: z.strictObject({ ...OffsetPage.shape, workspace_id: z.optional(z.uuid()) }),
  returns: z.object({ data: z.array(GuardrailRecord), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createGuardrail = endpoint({
  name: "createGuardrail",
  method: "POST",
  path: "/guardrails",
  tag,
  auth,
  summary: "Create a guardrail",
  description:
    "It does nothing until it is assigned to keys or members. A repeat with the same `Idempotency-Key` creates no second one and answers the first.",
  body: CreateGuardrailBody,
  bodyLimit,
  headers: ["Idempotency-Key"],
  status: 201,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 409, 413, 500],
});

export const getGuardrail = endpoint({
  name: "getGuardrail",
  method: "GET",
  path: "/guardrails/{id}",
  tag,
  auth,
  summary: "Get a guardrail",
  params,
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const updateGuardrail = endpoint({
  name: "updateGuardrail",
  method: "PATCH",
  path: "/guardrails/{id}",
  tag,
  auth,
  summary: "Update a guardrail",
  description:
    "A workspace's default guardrail keeps its name. With `If-Match`, a guardrail that changed since answers 409.",
  params,
  body: UpdateGuardrailBody,
  bodyLimit,
  headers: ["If-Match"],
  returns: One,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteGuardrail = endpoint({
  name: "deleteGuardrail",
  method: "DELETE",
  path: "/guardrails/{id}",
  tag,
  auth,
  summary: "Delete a guardrail with its assignments",
  description: "A workspace's default guardrail goes back to restricting nothing.",
  params,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});

export const listKeyAssignments = endpoint({
  name: "listKeyAssignments",
  method: "GET",
  path: "/guardrails/assignments/keys",
  tag,
  auth,
  summary: "List all assignments of guardrails to keys, the oldest first",
  description: `Beyond the public API: those of up to ${mostLookedUp} keys, by their hashes with commas between them.`,
  query: z.strictObject({ ...OffsetPage.shape, key_hash: z.optional(Hashes) }),
  returns: KeyAssignments,
  errors: [400, 401, 403, 500],
});

export const listMemberAssignments = endpoint({
  name: "listMemberAssignments",
  method: "GET",
  path: "/guardrails/assignments/members",
  tag,
  auth,
  summary: "List all assignments of guardrails to members, the oldest first",
  description: "Beyond the public API: that of one member.",
  query: z.strictObject({ ...OffsetPage.shape, user_id: z.optional(name) }),
  returns: MemberAssignments,
  errors: [400, 401, 403, 500],
});

export const listGuardrailKeyAssignments = endpoint({
  name: "listGuardrailKeyAssignments",
  method: "GET",
  path: "/guardrails/{id}/assignments/keys",
  tag,
  auth,
  summary: "List the keys that a guardrail is assigned to",
  params,
  query: OffsetPage,
  returns: KeyAssignments,
  errors: [400, 401, 403, 404, 500],
});

export const bulkAssignKeysToGuardrail = endpoint({
  name: "bulkAssignKeysToGuardrail",
  method: "POST",
  path: "/guardrails/{id}/assignments/keys",
  tag,
  auth,
  summary: "Assign a guardrail to keys of its workspace",
  description: "It takes the place of the guardrail that a key has. Keys of another workspace are refused (400).",
  params,
  body: KeysBody,
  returns: Assigned,
  errors: [400, 401, 403, 404, 413, 500],
});

export const bulkUnassignKeysFromGuardrail = endpoint({
  name: "bulkUnassignKeysFromGuardrail",
  method: "POST",
  path: "/guardrails/{id}/assignments/keys/remove",
  tag,
  auth,
  summary: "Take a guardrail from keys",
  description: "Keys that do not have this guardrail are not counted.",
  params,
  body: KeysBody,
  returns: Unassigned,
  errors: [400, 401, 403, 404, 413, 500],
});

export const listGuardrailMemberAssignments = endpoint({
  name: "listGuardrailMemberAssignments",
  method: "GET",
  path: "/guardrails/{id}/assignments/members",
  tag,
  auth,
  summary: "List the members that a guardrail is assigned to",
  params,
  query: OffsetPage,
  returns: MemberAssignments,
  errors: [400, 401, 403, 404, 500],
});

export const bulkAssignMembersToGuardrail = endpoint({
  name: "bulkAssignMembersToGuardrail",
  method: "POST",
  path: "/guardrails/{id}/assignments/members",
  tag,
  auth,
  summary: "Assign a guardrail to members",
  description:
    "A member is the `creator_user_id` of keys; the guardrail then covers all keys of that creator. It takes the place of the guardrail that a member has.",
  params,
  body: MembersBody,
  bodyLimit,
  returns: Assigned,
  errors: [400, 401, 403, 404, 413, 500],
});

export const bulkUnassignMembersFromGuardrail = endpoint({
  name: "bulkUnassignMembersFromGuardrail",
  method: "POST",
  path: "/guardrails/{id}/assignments/members/remove",
  tag,
  auth,
  summary: "Take a guardrail from members",
  description: "Members that do not have this guardrail are not counted.",
  params,
  body: MembersBody,
  bodyLimit,
  returns: Unassigned,
  errors: [400, 401, 403, 404, 413, 500],
});

export const tryContentFilters = endpoint({
  name: "tryContentFilters",
  method: "POST",
  path: "/guardrails/try",
  tag,
  auth,
  summary: "Try content filters on a text",
  description:
    "Says what they would find in a user's message, and what a model would read of it. Nothing is sent or stored. Beyond the public API.",
  body: TryContentFiltersBody,
  bodyLimit,
  returns: z.object({ data: TriedContentFilters }),
  errors: [400, 401, 403, 413, 500, 503],
});
