import * as activity from "../domain/calls/activity.ts";
import * as analytics from "../domain/calls/analytics.ts";
import * as attention from "../domain/instance/attention.ts";
import * as budgets from "../domain/workspaces/budgets.ts";
import { readIfMatch, tagged } from "./version.ts";
import * as callSessions from "../domain/calls/call-sessions.ts";
import * as callList from "../domain/calls/call-list.ts";
import * as callSuggestions from "../domain/calls/call-suggestions.ts";
import * as calls from "../domain/calls/calls.ts";
import * as counts from "../domain/calls/counts.ts";
import * as credits from "../domain/workspaces/credits.ts";
import * as datasets from "../domain/calls/datasets.ts";
import * as feedback from "../domain/calls/feedback.ts";
import * as generations from "../domain/calls/generations.ts";
import * as overview from "../domain/instance/overview.ts";
import * as latency from "../domain/calls/latency.ts";
import * as modelUsage from "../domain/calls/model-usage.ts";
import * as refusedCalls from "../domain/calls/refused-calls.ts";
import * as usageReport from "../domain/calls/usage-report.ts";
import * as usage from "../domain/calls/usage.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Handlers } from "./bind.ts";
import { idempotencyKey } from "./idempotency-key.ts";

/** The verbs of what the ledger says, and of what limits it beyond the keys. */
export const ledgerHandlers = {
  listWorkspaceBudgets: async (ctx, { params }, { reply }) => tagged(reply, await budgets.list(ctx, params.id)),
  upsertWorkspaceBudget: async (ctx, { params, body }, { request, reply }) =>
    tagged(reply, await budgets.put(ctx, params, body, readIfMatch(request))),
  getWorkspaceBudget: async (ctx, { params }, { reply }) => tagged(reply, await budgets.get(ctx, params)),
  deleteWorkspaceBudget: (ctx, { params }, { request }) => budgets.remove(ctx, params, readIfMatch(request)),

  getCredits: (ctx) => credits.get(ctx),
  createCoinbaseCharge: () => {
    throw new Refusal("gone", "Credits cannot be bought with Coinbase any more: add them with POST /credits");
  },
  addCredits: (ctx, { body }, { request }) => credits.add(ctx, body, idempotencyKey(request)),

  getActivity: (ctx, { query }) => activity.list(ctx, query),
  getAnalyticsMeta: async (ctx) => analytics.meta(ctx),
  queryAnalytics: (ctx, { body }) => analytics.query(ctx, body),
  getRankingsDaily: (ctx, { query }) => datasets.rankingsDaily(ctx, query),
  getAppRankings: (ctx, { query }) => datasets.appRankings(ctx, query),
  getSessionCost: (ctx, { query }) => datasets.sessionCost(ctx, query),
  getBenchmarks: (ctx, { query }) => datasets.benchmarks(ctx, query),
  getTaskClassifications: async (ctx, _, { reply }) => {
    void reply.header("cache-control", "private, max-age=60, stale-while-revalidate=300");
    return await datasets.taskClassifications(ctx);
  },
  getGeneration: (ctx, { query }) => generations.get(ctx, query.id),
  getGenerationContent: (ctx, { query }) => generations.content(ctx, query.id),
  submitGenerationFeedback: (ctx, { body }) => feedback.submit(ctx, body),
  listGenerationFeedback: (ctx, { query }) => feedback.list(ctx, query.id),
  listGenerations: (ctx, { query }) => calls.list(ctx, query),
  countGenerations: (ctx, { query }) => counts.get(ctx, query),
  listGenerationSessions: (ctx, { query }) => callSessions.list(ctx, query),

  listCalls: (ctx, { query }) => callList.list(ctx, query),
  suggestCallFilters: (ctx, { query }) => callSuggestions.suggest(ctx, query),
  listRefusedCalls: (ctx, { query }) => refusedCalls.list(ctx, query),

  getUsage: (ctx, { query }) => usage.get(ctx, query),
  getUsageReport: (ctx, { query }) => usageReport.get(ctx, query),
  getLatency: (ctx, { query }) => latency.get(ctx, query),
  getModelUsage: (ctx, { query }) => modelUsage.get(ctx, query),
  getAttention: (ctx, { query }) => attention.get(ctx, query),
  getOverview: (ctx, { query }) => overview.get(ctx, query),
  getCounts: (ctx, { query }) => overview.counts(ctx, query),
} satisfies Partial<Handlers>;
