import * as z from "zod/mini";
import { list } from "./list.ts";
import { endpoint } from "./endpoint.ts";
import { headerSafe, headerUnsafe } from "./header-text.ts";
import { Deleted, OffsetPage } from "./page.ts";
import { plain, UserId } from "./plain-name.ts";
import { ProviderTest } from "./providers.ts";
import { Instant } from "./time.ts";

/** A workspace's own key at a provider. The key itself is write-only; `label` is its masked snippet. */
export const ByokRecord = z.object({
  id: z.uuid(),
  provider: z.string(),
  name: z.nullable(z.string()),
  label: z.string(),
  /** the origin that the key was entered for; it is never sent anywhere else */
  origin: z.nullable(z.string()),
  disabled: z.boolean(),
  /** tried after the shared credentials instead of before them */
  is_fallback: z.boolean(),
  sort_order: z.int(),
  allowed_models: z.nullable(z.array(z.string())),
  allowed_user_ids: z.nullable(z.array(z.string())),
  allowed_api_key_hashes: z.nullable(z.array(z.string())),
  created_at: Instant,
  workspace_id: z.nullable(z.uuid()),
  /** required by newer official clients */
  declared_zdr: z.nullable(z.boolean()),
  is_byok_only: z.boolean(),
  is_required: z.boolean(),
});
export type ByokRecord = z.infer<typeof ByokRecord>;

/** Keys that a provider key may be limited to. */
export const mostByokAllowedKeys = 100;

const names = z.optional(z.nullable(list(z.string().check(z.minLength(1), z.maxLength(200)), { most: 100 })));
const Hash = z.string().check(z.regex(/^[a-f0-9]{64}$/, "must be a key's hash: 64 lowercase hexadecimal digits"));
const Secret = z
  .string()
  .check(z.minLength(1, "must have at least one character"), z.maxLength(10_000), z.regex(headerSafe, headerUnsafe));

const settings = {
  name: z.optional(z.nullable(z.string().check(z.maxLength(255), plain))),
  disabled: z.optional(z.boolean()),
  is_fallback: z.optional(z.boolean()),
  /** null: every model */
  allowed_models: names,
  /** null: every user */
  allowed_user_ids: z.optional(z.nullable(list(UserId, { most: 100 }))),
  /** null: every key of the workspace */
  allowed_api_key_hashes: z.optional(z.nullable(list(Hash, { least: 1, most: mostByokAllowedKeys }))),
};

export const CreateByokBody = z.strictObject({
  /** the slug of a configured provider */
  provider: z.string().check(z.minLength(1), z.maxLength(64)),
  key: Secret,
  /** default: the default workspace */
  workspace_id: z.optional(z.uuid("must be a workspace's id (a UUID)")),
  ...settings,
});
export type CreateByokBody = z.infer<typeof CreateByokBody>;

/** Absent members keep their value. A new `key` replaces the old one. */
export const UpdateByokBody = z.strictObject({
  key: z.optional(Secret),
  /** lower is tried first, among one workspace's keys for one provider */
  sort_order: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
  ...settings,
});
export type UpdateByokBody = z.infer<typeof UpdateByokBody>;

const One = z.object({ data: ByokRecord });
const params = z.strictObject({ id: z.uuid() });
const tag = "Provider keys (BYOK)";
const auth = "management";

export const listByokKeys = endpoint({
  name: "listByokKeys",
  operationId: "listBYOKKeys",
  method: "GET",
  path: "/byok",
  tag,
  auth,
  summary: "List workspaces' own provider keys",
  query: z.strictObject({
    ...OffsetPage.shape,
    workspace_id: z.optional(z.uuid()),
    provider: z.optional(z.string().check(z.maxLength(64))),
  }),
  returns: z.object({ data: z.array(ByokRecord), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createByokKey = endpoint({
  name: "createByokKey",
  operationId: "createBYOKKey",
  method: "POST",
  path: "/byok",
  tag,
  auth,
  summary: "Add a workspace's own key at a provider",
  description: "A repeat with the same `Idempotency-Key` adds no second key and answers the first.",
  body: CreateByokBody,
  headers: ["Idempotency-Key"],
  status: 201,
  returns: One,
  errors: [400, 401, 403, 409, 413, 500],
});

export const getByokKey = endpoint({
  name: "getByokKey",
  operationId: "getBYOKKey",
  method: "GET",
  path: "/byok/{id}",
  tag,
  auth,
  summary: "Read a provider key's settings",
  params,
  returns: One,
  errors: [400, 401, 403, 404, 500],
});

export const updateByokKey = endpoint({
  name: "updateByokKey",
  operationId: "updateBYOKKey",
  method: "PATCH",
  path: "/byok/{id}",
  tag,
  auth,
  summary: "Change a provider key, or put another in its place",
  params,
  body: UpdateByokBody,
  returns: One,
  errors: [400, 401, 403, 404, 413, 500],
});

export const deleteByokKey = endpoint({
  name: "deleteByokKey",
  operationId: "deleteBYOKKey",
  method: "DELETE",
  path: "/byok/{id}",
  tag,
  auth,
  summary: "Delete a provider key; its secret is wiped at once",
  params,
  returns: Deleted,
  errors: [400, 401, 403, 404, 500],
});

export const testByokKey = endpoint({
  name: "testByokKey",
  operationId: "testBYOKKey",
  method: "POST",
  path: "/byok/{id}/test",
  tag,
  auth,
  summary: "Ask the vendor for its model list with a stored provider key; costs nothing",
  description: "For a key that is not stored yet, use `POST /provider-settings/test` with `slug` and `api_key`.",
  params,
  returns: z.object({ data: ProviderTest }),
  errors: [400, 401, 403, 404, 500],
});
