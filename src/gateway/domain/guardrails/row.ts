import type { Kysely, Selectable, Transaction } from "kysely";
import type { GuardrailRecord } from "#contract/guardrails.ts";
import type { GuardrailsTable } from "../../storage/guardrail-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { notFound, type Refusal } from "../refusal.ts";
import { columnsOf, defaultName, guardrailDefaults, shownSettings } from "./settings.ts";

export type GuardrailRow = Selectable<GuardrailsTable>;
type Trx = Transaction<Tables>;

/**
 * A guardrail by its id. A workspace's default one that was never changed has no row; it restricts nothing.
 * @throws Refusal not_found
 */
export async function findGuardrail(db: Kysely<Tables>, id: string): Promise<GuardrailRow> {
  const row = await db.selectFrom("guardrails").selectAll().where("id", "=", id).executeTakeFirst();
  const found = row ?? (await unchangedDefault(db, id));
  if (found === null) throw noSuchGuardrail();
  return found;
}

/** The same, locked until the transaction ends; a default one has a row from then on. */
export async function lockGuardrail(trx: Trx, id: string): Promise<GuardrailRow> {
  const unchanged = await unchangedDefault(trx, id);
  if (unchanged !== null) await insertGuardrail(trx, unchanged);
  return await lockStored(trx, id);
}

async function lockStored(trx: Trx, id: string): Promise<GuardrailRow> {
  const row = await trx.selectFrom("guardrails").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (row === undefined) throw noSuchGuardrail();
  return row;
}

/** Inserts a guardrail, unless it is there. */
export async function insertGuardrail(trx: Trx, row: GuardrailRow): Promise<void> {
  const { id, workspace_id, is_default, created_at, updated_at } = row;
  await trx
    .insertInto("guardrails")
    .values({ ...columnsOf(row), id, workspace_id, is_default, created_at, updated_at })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** A default guardrail as it is before it is changed; null: no living workspace has it. Its workspace stays until then. */
async function unchangedDefault(db: Kysely<Tables>, id: string): Promise<GuardrailRow | null> {
  const workspace = await db
    .selectFrom("workspaces")
    .select(["id", "created_at"])
    .where("default_guardrail_id", "=", id)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  if (workspace === undefined) return null;
  return {
    ...guardrailDefaults,
    name: defaultName,
    id,
    workspace_id: workspace.id,
    is_default: true,
    created_at: workspace.created_at,
    updated_at: null,
  };
}

/** Guardrails as the API has them, with the number of their assignments. */
export async function guardrailRecords(db: Kysely<Tables>, rows: readonly GuardrailRow[]): Promise<GuardrailRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const counts = async (table: "guardrail_keys" | "guardrail_members") => {
    const found = await db
      .selectFrom(table)
      .select(["guardrail_id", ({ fn }) => fn.countAll<bigint>().as("count")])
      .where("guardrail_id", "in", ids)
      .groupBy("guardrail_id")
      .execute();
    return new Map(found.map(({ guardrail_id, count }) => [guardrail_id, Number(count)]));
  };
  const [keys, members] = [await counts("guardrail_keys"), await counts("guardrail_members")];
  return rows.map((row) => ({
    ...shownSettings(row),
    id: row.id,
    workspace_id: row.workspace_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
    is_default: row.is_default,
    key_count: keys.get(row.id) ?? 0,
    member_count: members.get(row.id) ?? 0,
  }));
}

export function noSuchGuardrail(): Refusal {
  return notFound("There is no guardrail with this id");
}
