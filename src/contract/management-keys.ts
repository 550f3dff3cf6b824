import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { KeyHash, KeyName, RotateKeyBody } from "./keys.ts";
import { Deleted } from "./page.ts";
import { Instant, UtcInstant } from "./time.ts";

/** A management key's current status; it has no limit to exceed. */
export const ManagementKeyStatus = z.enum(["active", "expired", "disabled"]);
export type ManagementKeyStatus = z.infer<typeof ManagementKeyStatus>;

/** A management key, without its plaintext. */
export const ManagementKeyRecord = z.object({
  hash: KeyHash,
  name: z.string(),
  /** masked abbreviation; for a key that the administrator chose, its last four characters */
  label: z.string(),
  disabled: z.boolean(),
  status: ManagementKeyStatus,
  created_at: Instant,
  /** the name of the management key that created it; null: the program did */
  created_by: z.nullable(z.string()),
  updated_at: z.nullable(Instant),
  expires_at: z.nullable(Instant),
  /** to within five minutes; null: never used */
  last_used_at: z.nullable(Instant),
  /** console sessions that are signed in with it */
  sessions: z.int(),
  /** true for the key that GATEHOUSE_MANAGEMENT_KEY installed */
  from_environment: z.boolean(),
  /** true for the key that makes this call */
  current: z.boolean(),
  replaced_by: z.nullable(KeyHash),
  replaces: z.nullable(KeyHash),
});
export type ManagementKeyRecord = z.infer<typeof ManagementKeyRecord>;

const OneKey = z.object({ data: ManagementKeyRecord });
const HashParameter = z.strictObject({ hash: KeyHash });
const tag = "Management keys";

/** More than an organization has administrators and managing programs; the list holds all of them. */
export const mostManagementKeys = 500;

export const listManagementKeys = endpoint({
  name: "listManagementKeys",
  method: "GET",
  path: "/management-keys",
  tag,
  summary: "List management keys",
  description: `All of them, newest first; there are at most ${mostManagementKeys}. Beyond the public API.`,
  auth: "management",
  returns: z.object({ data: z.array(ManagementKeyRecord) }),
  errors: [401, 403, 500],
});

export const CreateManagementKeyBody = z.strictObject({
  name: KeyName,
  expires_at: z.optional(z.nullable(UtcInstant)),
});
export type CreateManagementKeyBody = z.infer<typeof CreateManagementKeyBody>;

export const createManagementKey = endpoint({
  name: "createManagementKey",
  method: "POST",
  path: "/management-keys",
  tag,
  summary: "Create a management key",
  description:
    "The plaintext `key` is in this answer and nowhere else, ever. Send an `Idempotency-Key` header to make a repeat safe: the same request repeated makes no second key and answers 409 with the record of the first.",
  auth: "management",
  headers: ["Idempotency-Key"],
  body: CreateManagementKeyBody,
  status: 201,
  returns: z.object({ data: ManagementKeyRecord, key: z.string() }),
  errors: [400, 401, 403, 409, 413, 500],
});

export const getManagementKey = endpoint({
  name: "getManagementKey",
  method: "GET",
  path: "/management-keys/{hash}",
  tag,
  summary: "Get a management key",
  auth: "management",
  params: HashParameter,
  returns: OneKey,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const UpdateManagementKeyBody = z.strictObject({
  name: z.optional(KeyName),
  disabled: z.optional(z.boolean()),
  expires_at: z.optional(z.nullable(UtcInstant)),
});
export type UpdateManagementKeyBody = z.infer<typeof UpdateManagementKeyBody>;

export const updateManagementKey = endpoint({
  name: "updateManagementKey",
  method: "PATCH",
  path: "/management-keys/{hash}",
  tag,
  summary: "Update a management key",
  description:
    "Members that are left out keep their value; `expires_at: null` clears. Disabling a key signs out the console sessions that it opened. The last management key that works cannot be disabled or given an expiry: 409. With `If-Match`, a key whose settings changed since answers 409 too.",
  auth: "management",
  params: HashParameter,
  body: UpdateManagementKeyBody,
  headers: ["If-Match"],
  returns: OneKey,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const deleteManagementKey = endpoint({
  name: "deleteManagementKey",
  method: "DELETE",
  path: "/management-keys/{hash}",
  tag,
  summary: "Delete a management key",
  description:
    "Ends the key for good, and with it every console session that it opened. The last management key that works cannot be deleted: 409.",
  auth: "management",
  params: HashParameter,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});

export const rotateManagementKey = endpoint({
  name: "rotateManagementKey",
  method: "POST",
  path: "/management-keys/{hash}/rotate",
  tag,
  summary: "Replace a management key by a successor",
  description:
    "Creates a key with the same name and expiry, and ends the old one after `grace_seconds`. With 0 the sessions that the old one opened end at once; the session that makes this call goes on with the successor. A repeat with the same `Idempotency-Key` makes no second successor and answers 409 with the first one's record.",
  auth: "management",
  params: HashParameter,
  body: RotateKeyBody,
  headers: ["Idempotency-Key"],
  status: 201,
  returns: z.object({ data: ManagementKeyRecord, key: z.string(), replaced: ManagementKeyRecord }),
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const endManagementKeySessions = endpoint({
  name: "endManagementKeySessions",
  method: "DELETE",
  path: "/management-keys/{hash}/sessions",
  tag,
  summary: "Sign out a management key's console sessions",
  description: "Ends every console session that the key opened, except the one that makes this call.",
  auth: "management",
  params: HashParameter,
  returns: z.object({ ended: z.int() }),
  errors: [400, 401, 403, 404, 500],
});
