import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound } from "../refusal.ts";
import { findWorkspace } from "./row.ts";

/** There are no user accounts, so no organization has members: answered as for a personal account. */
export async function ofOrganization(ctx: Context): Promise<never> {
  refuseUnlessManagement(ctx);
  throw notFound(
    "This gateway has no organization and no user accounts: whoever has a management key may do everything",
  );
}

/** @param reference id or slug @throws Refusal 404: no such workspace */
export async function list(ctx: Context, reference: string): Promise<{ data: []; total_count: number }> {
  refuseUnlessManagement(ctx);
  await findWorkspace(ctx.store.db, reference);
  return { data: [], total_count: 0 };
}

/** @throws Refusal 400: there is nobody to add */
export async function add(ctx: Context, reference: string): Promise<never> {
  refuseUnlessManagement(ctx);
  await findWorkspace(ctx.store.db, reference);
  throw invalid("user_ids", "must be user accounts, and this gateway has none");
}

export async function remove(ctx: Context, reference: string): Promise<{ removed_count: number }> {
  refuseUnlessManagement(ctx);
  await findWorkspace(ctx.store.db, reference);
  return { removed_count: 0 };
}
