import { randomUUID } from "node:crypto";
import type { Kysely, Selectable, Transaction } from "kysely";
import type { CreateWorkspaceBody } from "#contract/workspaces.ts";
import type { Tables, WorkspacesTable } from "../storage/tables.ts";
import { invalid, notFound, Refusal } from "./refusal.ts";

export type WorkspaceRow = Selectable<WorkspacesTable>;

export interface NewWorkspace extends CreateWorkspaceBody {
  isDefault: boolean;
  createdBy: string | null;
}

export async function insertWorkspace(trx: Transaction<Tables>, body: NewWorkspace, now: Date): Promise<WorkspaceRow> {
  return await trx
    .insertInto("workspaces")
    .values({
      id: randomUUID(),
      slug: body.slug,
      name: body.name,
      description: body.description ?? null,
      created_at: now,
      created_by: body.createdBy,
      updated_at: null,
      deleted_at: null,
      is_default: body.isDefault,
      default_guardrail_id: randomUUID(),
      default_image_model: body.default_image_model ?? null,
      default_provider_sort: body.default_provider_sort ?? null,
      default_text_model: body.default_text_model ?? null,
      include_byok_in_budgets: false,
      io_logging_api_key_ids: body.io_logging_api_key_ids ?? null,
      io_logging_sampling_rate: body.io_logging_sampling_rate ?? 1,
      is_data_discount_logging_enabled: body.is_data_discount_logging_enabled ?? false,
      is_observability_broadcast_enabled: body.is_observability_broadcast_enabled ?? true,
      is_observability_io_logging_enabled: body.is_observability_io_logging_enabled ?? false,
      requests_per_minute: body.requests_per_minute ?? null,
      tokens_per_minute: body.tokens_per_minute ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The workspace of a new key, kept from being deleted until the transaction ends; null: the default one.
 *
 * @throws Refusal 400 naming workspace_id
 */
export async function requireWorkspace(trx: Transaction<Tables>, id: string | null): Promise<WorkspaceRow> {
  const query = trx.selectFrom("workspaces").selectAll().where("deleted_at", "is", null).forKeyShare();
  const found = await (
    id === null ? query.where("is_default", "=", true) : query.where("id", "=", id)
  ).executeTakeFirst();
  if (found === undefined) throw invalid("workspace_id", "is not the id of a workspace");
  return found;
}

/**
 * For a change that makes a key work again: its workspace must still be there, and stays until the transaction ends.
 *
 * @throws Refusal 409
 */
export async function requireLivingWorkspace(trx: Transaction<Tables>, id: string | null): Promise<void> {
  if (id === null) return;
  const found = await trx
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  if (found !== undefined) return;
  const message = "This key's workspace was deleted, so the key cannot be used again: make a new key in another one";
  throw new Refusal("conflict", message, { workspace_id: id });
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param reference id or slug */
export async function findWorkspace(db: Kysely<Tables>, reference: string): Promise<WorkspaceRow> {
  const query = db.selectFrom("workspaces").selectAll().where("deleted_at", "is", null);
  const found = await (
    uuid.test(reference) ? query.where("id", "=", reference) : query.where("slug", "=", reference)
  ).executeTakeFirst();
  if (found === undefined) throw noSuchWorkspace();
  return found;
}

export function noSuchWorkspace(): Refusal {
  return notFound("There is no workspace with this id or slug");
}
