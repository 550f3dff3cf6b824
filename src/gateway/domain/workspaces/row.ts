import { randomUUID } from "node:crypto";
import type { Kysely, Selectable, Transaction } from "kysely";
import type { CreateWorkspaceBody } from "#contract/workspaces.ts";
import type { Tables, WorkspaceSettings, WorkspacesTable } from "../../storage/tables.ts";
import { given } from "../patch.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { isUuid } from "../uuid.ts";

export type WorkspaceRow = Selectable<WorkspacesTable>;

/**
 * A workspace's settings, each with its default. Creation, PATCH, record and audit row are derived from this table.
 */
export const workspaceDefaults: WorkspaceSettings = {
  name: "",
  slug: "",
  description: null,
  default_image_model: null,
  default_provider_sort: null,
  default_text_model: null,
  io_logging_api_key_ids: null,
  io_logging_sampling_rate: 1,
  is_data_discount_logging_enabled: false,
  is_observability_broadcast_enabled: true,
  is_observability_io_logging_enabled: false,
  requests_per_minute: null,
  tokens_per_minute: null,
  embedding_cache_mb: null,
  embedding_cache_days: 30,
};

export interface NewWorkspace {
  id?: string;
  settings: CreateWorkspaceBody;
  isDefault: boolean;
  createdBy: string | null;
}

export async function insertWorkspace(
  trx: Transaction<Tables>,
  { settings, isDefault, createdBy, id = randomUUID() }: NewWorkspace,
  now: Date,
): Promise<WorkspaceRow> {
  return await trx
    .insertInto("workspaces")
    .values({
      ...workspaceDefaults,
      ...given(settings),
      id,
      created_at: now,
      created_by: createdBy,
      updated_at: null,
      deleted_at: null,
      is_default: isDefault,
      default_guardrail_id: randomUUID(),
      include_byok_in_budgets: false,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * The workspace of a new key, protected from deletion until the transaction ends; null: the default one.
 *
 * @throws Refusal 400 naming workspace_id
 */
export async function requireWorkspace(trx: Transaction<Tables>, id: string | null): Promise<WorkspaceRow> {
  const query = trx.selectFrom("workspaces").selectAll().where("deleted_at", "is", null).forKeyShare();
  const found = await (
    id === null ? query.where("is_default", "=", true) : query.where("id", "=", id)
  ).executeTakeFirst();
  if (found === undefined) throw invalid("workspace_id", "does not exist or was deleted");
  return found;
}

/**
 * For a change that makes a key work again: its workspace must still exist, and stays until the transaction ends.
 *
 * @throws Refusal 409
 */
export async function requireLivingWorkspace(
  trx: Transaction<Tables>,
  id: string | null,
  what: "key" | "destination",
): Promise<void> {
  if (id === null) return;
  const found = await trx
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  if (found !== undefined) return;
  const message = `This ${what}'s workspace was deleted, so the ${what} cannot be used again: make a new ${what} in another one`;
  throw new Refusal("conflict", message, { workspace_id: id });
}

/** @param reference id or slug */
export async function findWorkspace(db: Kysely<Tables>, reference: string): Promise<WorkspaceRow> {
  const found = await living(db, reference).executeTakeFirst();
  if (found === undefined) throw noSuchWorkspace();
  return found;
}

/** A workspace, locked against changes by other transactions until this one ends. @param reference id or slug */
export async function lockWorkspace(trx: Transaction<Tables>, reference: string): Promise<WorkspaceRow> {
  const found = await living(trx, reference).forUpdate().executeTakeFirst();
  if (found === undefined) throw noSuchWorkspace();
  return found;
}

function living(db: Kysely<Tables>, reference: string) {
  const column = isUuid(reference) ? "id" : "slug";
  return db.selectFrom("workspaces").selectAll().where("deleted_at", "is", null).where(column, "=", reference);
}

export function noSuchWorkspace(): Refusal {
  return notFound("There is no workspace with this id or slug");
}
