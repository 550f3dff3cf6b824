import * as assignments from "../domain/guardrails/assignments.ts";
import * as guardrails from "../domain/guardrails/guardrails.ts";
import { tryFilters } from "../domain/guardrails/try-filters.ts";
import type { Handlers } from "./bind.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { readIfMatch, tagged } from "./version.ts";

/** The verbs of guardrails and their assignments. */
export const guardrailHandlers = {
  listGuardrails: (ctx, { query }) => guardrails.list(ctx, query),
  createGuardrail: async (ctx, { body }, { request, reply }) =>
    tagged(reply, await guardrails.create(ctx, body, idempotencyKey(request))),
  getGuardrail: async (ctx, { params }, { reply }) => tagged(reply, await guardrails.get(ctx, params.id)),
  updateGuardrail: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await guardrails.update(ctx, params.id, body, readIfMatch(request))),
  deleteGuardrail: (ctx, { params }, { request }) => guardrails.remove(ctx, params.id, readIfMatch(request)),
  listKeyAssignments: (ctx, { query }) => assignments.keysOf(ctx, null, query),
  listMemberAssignments: (ctx, { query }) => assignments.membersOf(ctx, null, query),
  listGuardrailKeyAssignments: (ctx, { params, query }) => assignments.keysOf(ctx, params.id, query),
  bulkAssignKeysToGuardrail: (ctx, { params, body }) => assignments.assignKeys(ctx, params.id, body.key_hashes),
  bulkUnassignKeysFromGuardrail: (ctx, { params, body }) => assignments.unassignKeys(ctx, params.id, body.key_hashes),
  listGuardrailMemberAssignments: (ctx, { params, query }) => assignments.membersOf(ctx, params.id, query),
  bulkAssignMembersToGuardrail: (ctx, { params, body }) =>
    assignments.assignMembers(ctx, params.id, body.member_user_ids),
  bulkUnassignMembersFromGuardrail: (ctx, { params, body }) =>
    assignments.unassignMembers(ctx, params.id, body.member_user_ids),
  tryContentFilters: (ctx, { body }) => tryFilters(ctx, body),
} satisfies Partial<Handlers>;
