import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { list } from "./list.ts";
import { OffsetPage } from "./page.ts";
import { Instant } from "./time.ts";
import { WorkspaceReference } from "./workspaces.ts";

/** Members are people whom an identity provider has pushed by SCIM. They cannot sign in: docs/scim.md says what they are for. */
const OrganizationMember = z.object({
  id: z.string(),
  email: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  role: z.enum(["org:admin", "org:member"]),
});

const WorkspaceMember = z.object({
  id: z.uuid(),
  workspace_id: z.uuid(),
  user_id: z.string(),
  role: z.enum(["admin", "member"]),
  created_at: Instant,
});

export const listOrganizationMembers = endpoint({
  name: "listOrganizationMembers",
  method: "GET",
  path: "/organization/members",
  tag: "Organization",
  summary: "List the members of the organization",
  description:
    "The people whom an identity provider has pushed by SCIM and not deactivated. 404, as for a personal account, while none is connected.",
  auth: "management",
  query: OffsetPage,
  returns: z.object({ data: z.array(OrganizationMember), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

const Users = z.strictObject({
  user_ids: list(z.string().check(z.minLength(1), z.maxLength(255)), { least: 1, most: 100 }),
});

export const listWorkspaceMembers = endpoint({
  name: "listWorkspaceMembers",
  method: "GET",
  path: "/workspaces/{id}/members",
  tag: "Workspaces",
  summary: "List the members of a workspace",
  description:
    "Members who were added by hand or joined through a SCIM group. Every member of the organization is in the default workspace. A management key can use every workspace.",
  auth: "management",
  params: WorkspaceReference,
  query: OffsetPage,
  returns: z.object({ data: z.array(WorkspaceMember), total_count: z.int() }),
  errors: [400, 401, 403, 404, 500],
});

export const addWorkspaceMembers = endpoint({
  name: "addWorkspaceMembers",
  operationId: "bulkAddWorkspaceMembers",
  method: "POST",
  path: "/workspaces/{id}/members/add",
  tag: "Workspaces",
  summary: "Add members to a workspace",
  description: "Members of the organization join with the role `member`, and stay whatever their SCIM groups.",
  auth: "management",
  params: WorkspaceReference,
  body: Users,
  returns: z.object({ added_count: z.int(), data: z.array(WorkspaceMember) }),
  errors: [400, 401, 403, 404, 413, 500],
});

export const removeWorkspaceMembers = endpoint({
  name: "removeWorkspaceMembers",
  operationId: "bulkRemoveWorkspaceMembers",
  method: "POST",
  path: "/workspaces/{id}/members/remove",
  tag: "Workspaces",
  summary: "Remove members from a workspace",
  description:
    "Refused with 400 for a member through a SCIM group, one with active keys in the workspace, and in the default workspace. People who are not members are skipped.",
  auth: "management",
  params: WorkspaceReference,
  body: Users,
  returns: z.object({ removed_count: z.int() }),
  errors: [400, 401, 403, 404, 413, 500],
});
