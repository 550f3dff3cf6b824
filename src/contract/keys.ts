import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { lastsMembers } from "./lasts.ts";
import { Usd, UsdAmount } from "./money.ts";
import { Cursor, Deleted, queryFlag, queryInteger, queryOffset, queryWorkspace, Total } from "./page.ts";
import { nameOf, UserId } from "./plain-name.ts";
import { Instant, LimitReset, UtcInstant } from "./time.ts";

/** Lowercase hex SHA-256 of the plaintext: the key's public identifier. */
export const KeyHash = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/, "must be the key's hash: 64 lowercase hexadecimal digits"));

/**
 * A key's current status. `over_limit` and `expired` depend on the clock; the rest is stored. A key over a limit that is
 * only watched is `active`: its calls are not refused.
 */
export const KeyStatus = z.enum(["active", "over_limit", "expired", "disabled"]);
export type KeyStatus = z.infer<typeof KeyStatus>;

const usageMembers = {
  usage: Usd,
  usage_daily: Usd,
  usage_weekly: Usd,
  usage_monthly: Usd,
  byok_usage: Usd,
  byok_usage_daily: Usd,
  byok_usage_weekly: Usd,
  byok_usage_monthly: Usd,
};

/** What the gateway makes keys of its own for: the console's playground, and drift canaries. */
export const KeyPurpose = z.enum(["playground", "canary"]);
export type KeyPurpose = z.infer<typeof KeyPurpose>;

/** The API key record. Never holds the plaintext. */
export const KeyRecord = z.object({
  hash: KeyHash,
  name: z.string(),
  /** masked abbreviation of the key: prefix, first three, last four */
  label: z.string(),
  disabled: z.boolean(),
  limit: z.nullable(Usd),
  limit_remaining: z.nullable(Usd),
  limit_reset: z.nullable(LimitReset),
  include_byok_in_limit: z.boolean(),
  /** beyond the public API: the limit is counted and shown, and refuses no call */
  limit_watch_only: z.boolean(),
  ...usageMembers,
  created_at: Instant,
  updated_at: z.nullable(Instant),
  creator_user_id: z.nullable(z.string()),
  workspace_id: z.uuid(),
  expires_at: z.nullable(Instant),
  /** which of the creator's own users the key is for, as given in `external` at creation */
  external_user: z.nullable(z.string()),
  /** beyond the public API, for the console */
  status: KeyStatus,
  /** when the limit resets next; null without a limit or without a reset */
  limit_resets_at: z.nullable(Instant),
  ...lastsMembers,
  last_used_at: z.nullable(Instant),
  /** of a key that only the gateway itself calls with; null: a caller's */
  purpose: z.nullable(KeyPurpose),
  /** the key that replaced this one, and the key that this one replaced */
  replaced_by: z.nullable(KeyHash),
  replaces: z.nullable(KeyHash),
  /** the host of the app that it was made for by OAuth, empty where a person was shown the code; null: it was not */
  oauth_app: z.nullable(z.string()),
  /** the API key that had it made by OAuth */
  made_by: z.nullable(KeyHash),
  /** the keys that this one had made by OAuth, the newest first: their calls count toward its limit and its `usage` too */
  made_keys: z.array(
    z.object({ hash: KeyHash, name: z.string(), disabled: z.boolean(), expires_at: z.nullable(Instant) }),
  ),
  /** the key's own rate limits; null: none */
  requests_per_minute: z.nullable(z.int()),
  tokens_per_minute: z.nullable(z.int()),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

/** Calls, or tokens, in any sixty seconds. */
export const PerMinute = z.optional(
  z.nullable(z.int().check(z.minimum(1, "must be 1 or more"), z.maximum(1_000_000_000, "must be at most 1000000000"))),
);

export const KeyName = nameOf(255);

/** What a key's owner sets, at creation and later. The stored row's type derives from it: see storage/tables.ts. */
const settings = {
  limit: z.optional(z.nullable(UsdAmount)),
  limit_reset: z.optional(z.nullable(LimitReset)),
  include_byok_in_limit: z.optional(z.boolean()),
  /** beyond the public API, except `expires_at` at creation */
  limit_watch_only: z.optional(z.boolean()),
  expires_at: z.optional(z.nullable(UtcInstant)),
  requests_per_minute: PerMinute,
  tokens_per_minute: PerMinute,
};

export const CreateKeyBody = z.strictObject({
  name: KeyName,
  ...settings,
  creator_user_id: z.optional(z.nullable(UserId)),
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
  /** which of your own users the key is for; the record shows it as `external_user` */
  external: z.optional(z.strictObject({ user: UserId })),
});
export type CreateKeyBody = z.infer<typeof CreateKeyBody>;

export const UpdateKeyBody = z.strictObject({
  name: z.optional(KeyName),
  disabled: z.optional(z.boolean()),
  ...settings,
  /** beyond the public API: moves the key to this workspace */
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
});
export type UpdateKeyBody = z.infer<typeof UpdateKeyBody>;

/** The only answer that contains the plaintext key. */
const CreatedKey = z.object({ data: KeyRecord, key: z.string() });
const OneKey = z.object({ data: KeyRecord });
/** A malformed hash is treated as an unknown key: 404, which every operation on a key lists. */
const HashParameter = z.strictObject({ hash: z.string() });

export const createKey = endpoint({
  name: "createKey",
  operationId: "createKeys",
  method: "POST",
  path: "/keys",
  tag: "API keys",
  summary: "Create an API key",
  description:
    "The plaintext `key` is in this answer and nowhere else, ever. Send an `Idempotency-Key` header to make a repeat safe: the same request repeated makes no second key and answers 409 with the record of the first.",
  auth: "management",
  headers: ["Idempotency-Key"],
  body: CreateKeyBody,
  status: 201,
  returns: CreatedKey,
  errors: [400, 401, 403, 409, 413, 429, 500],
});

export const KeySort = z.enum([
  "created_at",
  "name",
  "expires_at",
  "last_used_at",
  "usage",
  "usage_daily",
  "usage_weekly",
  "usage_monthly",
  "byok_usage",
  "byok_usage_daily",
  "byok_usage_weekly",
  "byok_usage_monthly",
  "limit_remaining",
  "lasts_until",
  "status",
  "workspace",
]);
export type KeySort = z.infer<typeof KeySort>;

/** How much of a key's limit is used: at least four fifths but not all; all of it; or whether it has a limit at all. */
export const LimitState = z.enum(["near", "over", "some", "none"]);
export type LimitState = z.infer<typeof LimitState>;

/** Keys that expire within this many days and have not expired yet, or that never expire. */
export const KeyExpiry = z.enum(["7d", "30d", "never"]);
export type KeyExpiry = z.infer<typeof KeyExpiry>;

/** Filters of the key list other than status; the counts take the same ones. */
const keyFilters = {
  workspace_id: queryWorkspace,
  q: z.optional(z.string().check(z.maxLength(200))),
  limit_state: z.optional(LimitState),
  expires: z.optional(KeyExpiry),
  /** a `creator_user_id`, in whichever case */
  creator: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
};

export const listKeys = endpoint({
  name: "listKeys",
  operationId: "list",
  method: "GET",
  path: "/keys",
  tag: "API keys",
  summary: "List API keys",
  description:
    "Newest first, pages of 100 by `offset`, the default workspace unless `workspace_id` says otherwise. Beyond the public API: `workspace_id=all`, a search over name, label and hash prefix, filters by status, limit, expiry and creator, sorting, and paging by `cursor`. In the order of `limit_remaining` and `lasts_until`, what has no limit or no end is the largest; in that of `status`, `over_limit` comes before `expired`, `active` and `disabled`. A cursor keeps the instant of its first page, so that figures of periods and days do not change places between pages.",
  auth: "management",
  query: z.strictObject({
    include_disabled: z.optional(queryFlag),
    offset: queryOffset,
    ...keyFilters,
    status: z.optional(KeyStatus),
    sort: z.optional(KeySort),
    order: z.optional(z.enum(["asc", "desc"])),
    limit: z.optional(queryInteger(1, 100)),
    cursor: z.optional(Cursor),
  }),
  returns: z.object({ data: z.array(KeyRecord), next_cursor: z.nullable(Cursor) }),
  errors: [400, 401, 403, 429, 500],
});

export const countKeys = endpoint({
  name: "countKeys",
  method: "GET",
  path: "/keys/count",
  tag: "API keys",
  summary: "Count API keys by status",
  description:
    "For the console's tabs, under the same search and filters as the list. Counting stops at 10,000 for each status, and `more` says so.",
  auth: "management",
  query: z.strictObject(keyFilters),
  returns: z.object({
    data: z.object({ all: Total, active: Total, over_limit: Total, expired: Total, disabled: Total }),
  }),
  errors: [400, 401, 403, 500],
});

/** The most hashes in one lookup. */
export const mostIdentified = 50;

export const KeyIdentity = z.object({
  hash: KeyHash,
  kind: z.enum(["ordinary", "management"]),
  name: z.string(),
  label: z.string(),
  /** null for a management key, which belongs to no workspace */
  workspace_id: z.nullable(z.string()),
  disabled: z.boolean(),
  expires_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
  /** when it was deleted; a deleted key no longer works */
  deleted_at: z.nullable(Instant),
});
export type KeyIdentity = z.infer<typeof KeyIdentity>;

export const identifyKeys = endpoint({
  name: "identifyKeys",
  method: "GET",
  path: "/keys/identify",
  tag: "API keys",
  summary: "Say which key a hash or a masked label belongs to",
  description:
    "For a key that turned up somewhere: of either kind, and deleted ones too. Send its SHA-256 hash, never the key; up to 50 hashes, separated by commas. A label may belong to several keys. A hash that no key of this gateway has is not in the list. For the console.",
  auth: "management",
  query: z
    .strictObject({
      hash: z.optional(
        z
          .string()
          .check(
            z.regex(
              /^[0-9a-f]{64}(?:,[0-9a-f]{64}){0,49}$/,
              "must be a key's hash, 64 lowercase hexadecimal digits, or up to 50 of them separated by commas",
            ),
          ),
      ),
      /** as in a key's `label`: `sk-gh-v1-p0F...eEfw` */
      label: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    })
    .check(
      z.refine(({ hash, label }) => (hash === undefined) !== (label === undefined), {
        error: "Give either hash or label",
        path: ["hash"],
      }),
    ),
  returns: z.object({ data: z.array(KeyIdentity) }),
  errors: [400, 401, 403, 429, 500],
});

export const getKey = endpoint({
  name: "getKey",
  method: "GET",
  path: "/keys/{hash}",
  tag: "API keys",
  summary: "Get an API key",
  auth: "management",
  params: HashParameter,
  returns: OneKey,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 429, 500],
});

export const updateKey = endpoint({
  name: "updateKey",
  operationId: "updateKeys",
  method: "PATCH",
  path: "/keys/{hash}",
  tag: "API keys",
  summary: "Update an API key",
  description:
    "Members that are left out keep their value; `null` clears. `expires_at`, `limit_watch_only`, the two rate limits and `workspace_id`, which moves the key, are beyond the public API. With `If-Match`, a key whose settings changed since answers 409.",
  auth: "management",
  params: HashParameter,
  body: UpdateKeyBody,
  headers: ["If-Match"],
  returns: OneKey,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 429, 500],
});

export const deleteKey = endpoint({
  name: "deleteKey",
  operationId: "deleteKeys",
  method: "DELETE",
  path: "/keys/{hash}",
  tag: "API keys",
  summary: "Delete an API key",
  auth: "management",
  params: HashParameter,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 429, 500],
});

export const maxGraceSeconds = 30 * 86_400;

export const RotateKeyBody = z.strictObject({
  /** how long the old key keeps working; 0 ends it at once */
  grace_seconds: z
    .int()
    .check(z.minimum(0, "must be 0 or more"), z.maximum(maxGraceSeconds, "must be at most 30 days (2592000)")),
});

export const rotateKey = endpoint({
  name: "rotateKey",
  method: "POST",
  path: "/keys/{hash}/rotate",
  tag: "API keys",
  summary: "Replace an API key by a successor",
  description:
    "Makes a key with the same settings and ends the old one after `grace_seconds`. Both draw on the same spending count, so that a rotation never doubles a limit. A repeat with the same `Idempotency-Key` makes no second successor and answers 409 with the first one's record. Beyond the public API.",
  auth: "management",
  params: HashParameter,
  body: RotateKeyBody,
  headers: ["Idempotency-Key"],
  status: 201,
  returns: z.object({ data: KeyRecord, key: z.string(), replaced: KeyRecord }),
  errors: [400, 401, 403, 404, 409, 413, 429, 500],
});

export const CurrentKey = z.object({
  label: z.string(),
  limit: z.nullable(Usd),
  limit_remaining: z.nullable(Usd),
  limit_reset: z.nullable(LimitReset),
  include_byok_in_limit: z.boolean(),
  limit_watch_only: z.boolean(),
  ...usageMembers,
  creator_user_id: z.nullable(z.string()),
  expires_at: z.nullable(Instant),
  is_free_tier: z.boolean(),
  is_management_key: z.boolean(),
  /** the old name for is_management_key */
  is_provisioning_key: z.boolean(),
  /** superseded; `requests` is always -1 */
  rate_limit: z.object({ requests: z.int(), interval: z.string(), note: z.string() }),
  allowed_data_regions: z.array(z.string()),
  free_model_daily_requests: z.object({ limit: z.int(), remaining: z.int(), used: z.int() }),
  organization_id: z.nullable(z.string()),
  workspace_id: z.nullable(z.string()),
});
export type CurrentKey = z.infer<typeof CurrentKey>;

export const getCurrentKey = endpoint({
  name: "getCurrentKey",
  method: "GET",
  path: "/key",
  tag: "API keys",
  summary: "Get the key that makes this call",
  auth: "any",
  returns: z.object({ data: CurrentKey }),
  errors: [401, 500],
});

export const getCurrentKeyByOldPath = endpoint({
  name: "getCurrentKeyByOldPath",
  method: "GET",
  path: "/auth/key",
  tag: "API keys",
  summary: "Get the key that makes this call, by the older path",
  description: "The older name of `GET /key`; the answer is the same.",
  auth: "any",
  returns: z.object({ data: CurrentKey }),
  errors: [401, 500],
});

export const getKeyUsage = endpoint({
  name: "getKeyUsage",
  method: "GET",
  path: "/keys/{hash}/usage",
  tag: "API keys",
  summary: "Get a key's usage over time",
  description:
    "Spend, requests and tokens of one key, by UTC hour (at most 7 days) or UTC day (at most 90). For the console.",
  auth: "management",
  params: HashParameter,
  query: z.strictObject({
    by: z.enum(["hour", "day"]),
    last: queryInteger(1, 168),
    /** also the calls of the keys that it replaced and that replaced it: they count toward the same limit */
    with_replaced: z.optional(queryFlag),
  }),
  returns: z.object({
    data: z.array(
      z.object({
        /** start of the hour or day */
        at: Instant,
        usage: Usd,
        byok_usage: Usd,
        requests: z.int(),
        /** calls refused before they were made, which are not among the requests; kept for 30 days */
        refused: z.int(),
        prompt_tokens: z.int(),
        completion_tokens: z.int(),
      }),
    ),
  }),
  errors: [400, 401, 403, 404, 500],
});
