import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { Deleted, OffsetPage } from "./page.ts";
import { nameOf } from "./plain-name.ts";
import { Instant } from "./time.ts";

const tag = "SCIM";

/** An organization needs one, and a second one while the first is replaced. */
export const mostScimTokens = 10;

const ScimToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** masked abbreviation */
  label: z.string(),
  created_at: Instant,
  /** the name of the management key that created it */
  created_by: z.nullable(z.string()),
  /** to within five minutes; null: never used */
  last_used_at: z.nullable(Instant),
});
export type ScimTokenRecord = z.infer<typeof ScimToken>;

const ById = z.strictObject({ id: z.uuid("must be an id (a UUID)") });

export const listScimTokens = endpoint({
  name: "listScimTokens",
  method: "GET",
  path: "/scim/tokens",
  tag,
  summary: "List the tokens of identity providers",
  description: `All of them, newest first; there are at most ${mostScimTokens}. Beyond the public API.`,
  auth: "management",
  returns: z.object({ data: z.array(ScimToken) }),
  errors: [401, 403, 500],
});

export const createScimToken = endpoint({
  name: "createScimToken",
  method: "POST",
  path: "/scim/tokens",
  tag,
  summary: "Create a token for an identity provider",
  description:
    "The token is good for the SCIM 2.0 server at `/scim/v2` and for nothing else. The plaintext `token` is in this answer and nowhere else, ever. Beyond the public API.",
  auth: "management",
  body: z.strictObject({ name: nameOf(100) }),
  status: 201,
  returns: z.object({ data: ScimToken, token: z.string() }),
  errors: [400, 401, 403, 409, 413, 500],
});

export const deleteScimToken = endpoint({
  name: "deleteScimToken",
  method: "DELETE",
  path: "/scim/tokens/{id}",
  tag,
  summary: "Delete a token of an identity provider",
  description: "It stops working at once. What it has pushed stays. Beyond the public API.",
  auth: "management",
  params: ById,
  returns: Deleted,
  errors: [400, 401, 403, 404, 500],
});

const ScimGroup = z.object({
  id: z.uuid(),
  organization_id: z.string(),
  external_id: z.nullable(z.string()),
  display_name: z.string(),
  created_at: Instant,
  updated_at: Instant,
});

export const listScimGroups = endpoint({
  name: "listScimGroups",
  method: "GET",
  path: "/scim/groups",
  tag,
  summary: "List the groups that identity providers have pushed",
  description: "The oldest first.",
  auth: "management",
  query: OffsetPage,
  returns: z.object({ data: z.array(ScimGroup), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const WorkspaceRole = z.enum(["admin", "member"], "must be admin or member");
export type WorkspaceRole = z.infer<typeof WorkspaceRole>;

/** The most mappings of groups to workspaces. */
export const mostScimMappings = 2_000;

const Mapping = z.object({
  id: z.uuid(),
  organization_id: z.string(),
  scim_group_id: z.uuid(),
  workspace_id: z.uuid(),
  role: WorkspaceRole,
  created_at: Instant,
  updated_at: Instant,
});
export type ScimMappingRecord = z.infer<typeof Mapping>;
const OneMapping = z.object({ data: Mapping });

export const listScimGroupMappings = endpoint({
  name: "listScimGroupMappings",
  method: "GET",
  path: "/scim/group-mappings",
  tag,
  summary: "List which groups are mapped to which workspaces",
  description: "The oldest first.",
  auth: "management",
  query: OffsetPage,
  returns: z.object({ data: z.array(Mapping), total_count: z.int() }),
  errors: [400, 401, 403, 500],
});

export const createScimGroupMapping = endpoint({
  name: "createScimGroupMapping",
  method: "POST",
  path: "/scim/group-mappings",
  tag,
  summary: "Map a group to a workspace",
  description:
    "The group's active members become members of the workspace with this role, and leave it when they leave the group. Of several groups the highest role wins. A group's members times its mappings are at most 100,000: a mapping beyond that is answered 409.",
  auth: "management",
  body: z.strictObject({
    scim_group_id: z.uuid("must be a group's id (a UUID)"),
    workspace_id: z.uuid("must be a workspace's id (a UUID)"),
    role: WorkspaceRole,
  }),
  status: 201,
  returns: OneMapping,
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const getScimGroupMapping = endpoint({
  name: "getScimGroupMapping",
  method: "GET",
  path: "/scim/group-mappings/{id}",
  tag,
  summary: "Get a mapping of a group to a workspace",
  auth: "management",
  params: ById,
  returns: OneMapping,
  errors: [400, 401, 403, 404, 500],
});

export const updateScimGroupMapping = endpoint({
  name: "updateScimGroupMapping",
  method: "PATCH",
  path: "/scim/group-mappings/{id}",
  tag,
  summary: "Change the role that a mapping gives",
  description: "Members who joined through the mapping get the highest role of their groups.",
  auth: "management",
  params: ById,
  body: z.strictObject({ role: WorkspaceRole }),
  returns: OneMapping,
  errors: [400, 401, 403, 404, 413, 500],
});

export const deleteScimGroupMapping = endpoint({
  name: "deleteScimGroupMapping",
  method: "DELETE",
  path: "/scim/group-mappings/{id}",
  tag,
  summary: "Delete a mapping of a group to a workspace",
  description:
    "With `keep_members=true` the members who joined through it stay, as if they had been added by hand. With `false` they leave, except those that another mapping of the workspace covers.",
  auth: "management",
  params: ById,
  query: z.strictObject({
    keep_members: z.pipe(
      z.enum(["true", "false"], "is required and must be true or false"),
      z.transform((text) => text === "true"),
    ),
  }),
  returns: Deleted,
  errors: [400, 401, 403, 404, 500],
});

const SyncJob = z.object({
  id: z.uuid(),
  status: z.enum(["queued", "running", "succeeded", "failed"]),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  /** groups with a mapping, whose mappings were applied; null: it has not finished */
  synced_groups: z.nullable(z.int()),
  /** always 0: a directory deletes its groups itself */
  deleted_groups: z.nullable(z.int()),
  error_message: z.nullable(z.string()),
});
export type ScimSyncJobRecord = z.infer<typeof SyncJob>;
const OneJob = z.object({ data: SyncJob });

export const createScimSyncJob = endpoint({
  name: "createScimSyncJob",
  method: "POST",
  path: "/scim/sync-jobs",
  tag,
  summary: "Apply all group mappings again",
  description:
    "A directory pushes its groups, so that nothing is fetched: the job compares every mapped workspace's members with the groups as they were pushed last. A job that has not finished is answered instead of a new one.",
  auth: "management",
  status: 202,
  returns: OneJob,
  errors: [401, 403, 500],
});

export const getScimSyncJob = endpoint({
  name: "getScimSyncJob",
  method: "GET",
  path: "/scim/sync-jobs/{id}",
  tag,
  summary: "Get a synchronization job",
  description: "The newest 100 are kept.",
  auth: "management",
  params: ById,
  returns: OneJob,
  errors: [400, 401, 403, 404, 500],
});
