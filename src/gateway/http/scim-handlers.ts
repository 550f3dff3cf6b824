import * as groups from "../domain/directory/groups.ts";
import * as mappings from "../domain/directory/mappings.ts";
import * as syncJobs from "../domain/directory/sync-jobs.ts";
import * as tokens from "../domain/directory/tokens.ts";
import type { Handlers } from "./bind.ts";

/** What admins do about identity providers; what these do themselves is in scim-routes.ts. */
export const scimHandlers = {
  listScimTokens: (ctx) => tokens.list(ctx),
  createScimToken: (ctx, { body }) => tokens.create(ctx, body),
  deleteScimToken: (ctx, { params }) => tokens.remove(ctx, params.id),
  listScimGroups: (ctx, { query }) => groups.listForAdmin(ctx, query),
  listScimGroupMappings: (ctx, { query }) => mappings.list(ctx, query),
  createScimGroupMapping: (ctx, { body }) => mappings.create(ctx, body),
  getScimGroupMapping: (ctx, { params }) => mappings.get(ctx, params.id),
  updateScimGroupMapping: (ctx, { params, body }) => mappings.update(ctx, params.id, body),
  deleteScimGroupMapping: (ctx, { params, query }) => mappings.remove(ctx, params.id, query.keep_members),
  createScimSyncJob: (ctx) => syncJobs.start(ctx),
  getScimSyncJob: (ctx, { params }) => syncJobs.get(ctx, params.id),
} satisfies Partial<Handlers>;
