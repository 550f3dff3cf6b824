import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { lastsMembers } from "./lasts.ts";
import { maxUsd, Usd } from "./money.ts";
import { Deleted } from "./page.ts";
import { Instant, LimitReset } from "./time.ts";
import { WorkspaceReference } from "./workspaces.ts";

export const BudgetInterval = z.enum(["daily", "weekly", "monthly", "lifetime"]);
export type BudgetInterval = z.infer<typeof BudgetInterval>;

export const BudgetRecord = z.object({
  id: z.uuid(),
  workspace_id: z.uuid(),
  limit_usd: Usd,
  /** null: over the workspace's lifetime */
  reset_interval: z.nullable(LimitReset),
  created_at: Instant,
  updated_at: Instant,
  /** beyond the public API, for the console: what counts toward it now, and when it resets */
  spent_usd: Usd,
  resets_at: z.nullable(Instant),
  ...lastsMembers,
});
export type BudgetRecord = z.infer<typeof BudgetRecord>;

export const BudgetBody = z.strictObject({
  limit_usd: z.number().check(z.minimum(1e-9, "must be more than 0"), z.maximum(maxUsd, `must be at most ${maxUsd}`)),
  /** for all budgets of the workspace: whether calls made with its own provider keys count */
  include_byok_in_budgets: z.optional(z.boolean()),
});
export type BudgetBody = z.infer<typeof BudgetBody>;

const OneBudgetReference = z.strictObject({ id: WorkspaceReference.shape.id, interval: BudgetInterval });
const OneBudget = z.object({ data: BudgetRecord, include_byok_in_budgets: z.boolean() });

export const listWorkspaceBudgets = endpoint({
  name: "listWorkspaceBudgets",
  method: "GET",
  path: "/workspaces/{id}/budgets",
  tag: "Workspaces",
  summary: "List the budgets of a workspace",
  description: "At most one for each interval. A call that does not fit into one of them is refused with 403.",
  auth: "management",
  params: WorkspaceReference,
  returns: z.object({ data: z.array(BudgetRecord), include_byok_in_budgets: z.boolean() }),
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const upsertWorkspaceBudget = endpoint({
  name: "upsertWorkspaceBudget",
  method: "PUT",
  path: "/workspaces/{id}/budgets/{interval}",
  tag: "Workspaces",
  summary: "Set a budget of a workspace",
  description:
    "Limits must strictly fall: lifetime > monthly > weekly > daily. With `If-Match`, budgets of which one changed since answer 409.",
  auth: "management",
  params: OneBudgetReference,
  body: BudgetBody,
  headers: ["If-Match"],
  returns: OneBudget,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 409, 413, 500],
});

export const getWorkspaceBudget = endpoint({
  name: "getWorkspaceBudget",
  method: "GET",
  path: "/workspaces/{id}/budgets/{interval}",
  tag: "Workspaces",
  summary: "Get a budget of a workspace",
  auth: "management",
  params: OneBudgetReference,
  returns: OneBudget,
  answerHeaders: ["ETag"],
  errors: [400, 401, 403, 404, 500],
});

export const deleteWorkspaceBudget = endpoint({
  name: "deleteWorkspaceBudget",
  method: "DELETE",
  path: "/workspaces/{id}/budgets/{interval}",
  tag: "Workspaces",
  summary: "Remove a budget of a workspace",
  description: "Succeeds where there is none.",
  auth: "management",
  params: OneBudgetReference,
  headers: ["If-Match"],
  returns: Deleted,
  errors: [400, 401, 403, 404, 409, 500],
});
