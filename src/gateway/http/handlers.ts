import * as audit from "../domain/audit.ts";
import * as keyUsage from "../domain/calls/key-usage.ts";
import * as federation from "../domain/federation/policies.ts";
import * as destinations from "../domain/destinations/destinations.ts";
import * as assignments from "../domain/guardrails/assignments.ts";
import * as byok from "../domain/providers/byok.ts";
import * as keys from "../domain/keys/keys.ts";
import * as managementKeys from "../domain/instance/management-keys.ts";
import * as members from "../domain/directory/members.ts";
import * as embeddingCache from "../domain/workspaces/embedding-cache.ts";
import * as videoWebhook from "../domain/workspaces/video-webhook.ts";
import * as workspaces from "../domain/workspaces/workspaces.ts";
import type { ReadReadiness } from "./probes.ts";
import { version } from "../version.ts";
import type { Handlers } from "./bind.ts";
import type { BatchHandlerName } from "./batch-routes.ts";
import { destinationHandlers } from "./destination-handlers.ts";
import type { VendorFiles } from "../relay/files/vendor-files.ts";
import { fileHandlers } from "./file-routes.ts";
import { guardrailHandlers } from "./guardrail-handlers.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { oauthHandlers } from "./oauth-handlers.ts";
import { ledgerHandlers } from "./ledger-handlers.ts";
import { presetHandlers } from "./preset-handlers.ts";
import { providerHandlers } from "./provider-handlers.ts";
import { scimHandlers } from "./scim-handlers.ts";
import { sessionHandlers, sessionToken } from "./session-handlers.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The lists that name keys. */
const follow = [
  byok.allowSuccessor,
  destinations.allowSuccessor,
  assignments.coverSuccessor,
  federation.followSuccessor,
];

/** Every endpoint's verb. */
export function makeHandlers(
  cookie: { path: string; secure: boolean },
  readiness: ReadReadiness,
  vendorFiles: VendorFiles,
): Omit<Handlers, "getVideo" | BatchHandlerName> {
  return {
    createKey: (ctx, { body }, { request }) => keys.create(ctx, body, idempotencyKey(request)),
    listKeys: (ctx, { query }) => keys.list(ctx, query),
    countKeys: (ctx, { query }) => keys.count(ctx, query),
    identifyKeys: (ctx, { query }) => keys.identify(ctx, query),
    getKey: async (ctx, { params }, { reply }) => tagged(reply, await keys.get(ctx, params.hash)),
    updateKey: async (ctx, { params, body }, { request, reply }) =>
      tagged(reply, await keys.update(ctx, params.hash, body, readIfMatch(request))),
    deleteKey: (ctx, { params }, { request }) => keys.remove(ctx, params.hash, readIfMatch(request)),
    rotateKey: (ctx, { params, body }, { request }) =>
      keys.rotate(ctx, params.hash, body, { follow, idempotencyKey: idempotencyKey(request) }),
    getKeyUsage: (ctx, { params, query }) => keyUsage.usage(ctx, params.hash, query),
    getCurrentKey: (ctx) => keys.current(ctx),
    getCurrentKeyByOldPath: (ctx) => keys.current(ctx),

    listManagementKeys: (ctx) => managementKeys.list(ctx),
    createManagementKey: (ctx, { body }, { request }) => managementKeys.create(ctx, body, idempotencyKey(request)),
    getManagementKey: async (ctx, { params }, { reply }) => tagged(reply, await managementKeys.get(ctx, params.hash)),
    updateManagementKey: async (ctx, { params, body }, { request, reply }) =>
      tagged(reply, await managementKeys.update(ctx, params.hash, body, readIfMatch(request))),
    deleteManagementKey: (ctx, { params }, { request }) =>
      managementKeys.remove(ctx, params.hash, { ifVersions: readIfMatch(request) }),
    rotateManagementKey: (ctx, { params, body }, { request }) =>
      managementKeys.rotate(ctx, params.hash, body, {
        sessionToken: sessionToken(request),
        idempotencyKey: idempotencyKey(request),
      }),
    endManagementKeySessions: (ctx, { params }, { request }) =>
      managementKeys.signOutSessions(ctx, params.hash, sessionToken(request)),

    listWorkspaces: (ctx, { query }) => workspaces.list(ctx, query),
    createWorkspace: async (ctx, { body }, { request, reply }) =>
      tagged(reply, await workspaces.create(ctx, body, idempotencyKey(request))),
    getWorkspace: async (ctx, { params }, { reply }) => tagged(reply, await workspaces.get(ctx, params.id)),
    updateWorkspace: async (ctx, { params, body }, { request, reply }) =>
      tagged(reply, await workspaces.update(ctx, params.id, body, readIfMatch(request))),
    deleteWorkspace: (ctx, { params }, { request }) => workspaces.remove(ctx, params.id, readIfMatch(request)),
    listOrganizationMembers: (ctx, { query }) => members.ofOrganization(ctx, query),
    listWorkspaceMembers: (ctx, { params, query }) => members.list(ctx, params.id, query),
    addWorkspaceMembers: (ctx, { params, body }) => members.add(ctx, params.id, body.user_ids),
    removeWorkspaceMembers: (ctx, { params, body }) => members.remove(ctx, params.id, body.user_ids),
    getEmbeddingCache: (ctx, { params, query }) => embeddingCache.get(ctx, params.id, query),
    clearEmbeddingCache: (ctx, { params }) => embeddingCache.clear(ctx, params.id),

    getVideoWebhook: (ctx, { params }) => videoWebhook.get(ctx, params.id),
    updateVideoWebhook: (ctx, { params, body }) => videoWebhook.update(ctx, params.id, body),
    deleteVideoWebhook: (ctx, { params }) => videoWebhook.remove(ctx, params.id),
    rotateVideoWebhookSecret: (ctx, { params }) => videoWebhook.rotateSecret(ctx, params.id),

    listAudit: (ctx, { query }) => audit.list(ctx, query),

    ...providerHandlers,

    ...fileHandlers(vendorFiles),

    ...guardrailHandlers,

    ...oauthHandlers,

    ...scimHandlers,

    ...presetHandlers,

    ...ledgerHandlers,

    ...destinationHandlers,

    ...sessionHandlers(cookie),

    getHealth: async (ctx) => ({ status: "ok", version, now: ctx.now().toISOString() }),
    getReadiness: readiness,
  };
}
