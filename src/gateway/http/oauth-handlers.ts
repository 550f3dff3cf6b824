import * as authCodes from "../domain/keys/auth-codes.ts";
import { exchange } from "../domain/keys/auth-code-exchange.ts";
import * as assignments from "../domain/guardrails/assignments.ts";
import { exchange as exchangeToken } from "../domain/federation/exchange.ts";
import * as federation from "../domain/federation/policies.ts";
import * as subjects from "../domain/federation/subjects.ts";
import * as destinations from "../domain/destinations/destinations.ts";
import type { Handlers } from "./bind.ts";
import { readIfMatch, tagged } from "./version.ts";

/** What watches or restricts a key does so with the keys that it had made. */
const follow = [destinations.allowSuccessor, assignments.coverSuccessor];

/** Keys for apps, and access tokens for workloads. */
export const oauthHandlers = {
  createAuthCode: (ctx, { body }) => authCodes.create(ctx, body),
  authorizeApp: (ctx, { body }) => authCodes.authorize(ctx, body),
  exchangeAuthCode: (ctx, { body }) => exchange(ctx, body, follow),
  listFederationPolicies: (ctx, { query }) => federation.list(ctx, query),
  createFederationPolicy: async (ctx, { body }, { reply }) => tagged(reply, await federation.create(ctx, body)),
  getFederationPolicy: async (ctx, { params }, { reply }) => tagged(reply, await federation.get(ctx, params.id)),
  updateFederationPolicy: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await federation.update(ctx, params.id, body, readIfMatch(request))),
  deleteFederationPolicy: (ctx, { params }, { request }) => federation.remove(ctx, params.id, readIfMatch(request)),
  listFederationSubjects: (ctx, { params, query }) => subjects.list(ctx, params.id, query),
  createOauthToken: (ctx, { body }) => exchangeToken(ctx, body),
  listOauthJwks: async (ctx) => ({ keys: await ctx.federation.signingKeys.published(ctx) }),
} satisfies Partial<Handlers>;
