import type { Kysely, Selectable, Transaction } from "kysely";
import { type FederationPolicyRecord, tokenLifetime } from "#contract/federation.ts";
import type { FederationPoliciesTable, FederationSettings } from "../../storage/federation-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { pick } from "../patch.ts";
import { notFound, type Refusal } from "../refusal.ts";
import { versionOf } from "../version.ts";

export type PolicyRow = Selectable<FederationPoliciesTable>;

/** A policy's settings, each with its default. Creation, PATCH, record and audit row are derived from this table. */
export const policyDefaults: FederationSettings = {
  name: "",
  api_key_hash: "",
  issuer: "",
  jwks_url: null,
  jwks: null,
  audience: "",
  subject: "",
  claims: {},
  token_lifetime: tokenLifetime.usual,
};

/** A policy's settings as the record and the audit log show them. */
export const shownSettings = (row: FederationSettings) => pick(row, policyDefaults);

/** Differs between any two states of the settings. */
export const settingsVersion = (row: FederationSettings) => versionOf(shownSettings(row));

/** The settings as columns. */
export function columnsOf(row: FederationSettings) {
  const { jwks, claims, ...plain } = shownSettings(row);
  return { ...plain, jwks: jwks === null ? null : JSON.stringify(jwks), claims: JSON.stringify(claims) };
}

/** Null: there is none. */
export async function readPolicy(db: Kysely<Tables>, id: string): Promise<PolicyRow | null> {
  const row = await db.selectFrom("federation_policies").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** @throws Refusal 404 */
export async function findPolicy(db: Kysely<Tables>, id: string): Promise<PolicyRow> {
  const row = await readPolicy(db, id);
  if (row === null) throw noSuchPolicy();
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockPolicy(trx: Transaction<Tables>, id: string): Promise<PolicyRow> {
  const row = await trx
    .selectFrom("federation_policies")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw noSuchPolicy();
  return row;
}

/** Policies as the API has them, with when they were last used. */
export async function policyRecords(db: Kysely<Tables>, rows: readonly PolicyRow[]): Promise<FederationPolicyRecord[]> {
  if (rows.length === 0) return [];
  const uses = await db
    .selectFrom("federation_subjects")
    .select(["policy_id", ({ fn }) => fn.max("last_at").as("at")])
    .where(
      "policy_id",
      "in",
      rows.map(({ id }) => id),
    )
    .groupBy("policy_id")
    .execute();
  const lastUses = new Map(uses.map(({ policy_id, at }) => [policy_id, at]));
  return rows.map((row) => ({
    id: row.id,
    ...shownSettings(row),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at?.toISOString() ?? null,
    last_used_at: lastUses.get(row.id)?.toISOString() ?? null,
  }));
}

export function noSuchPolicy(): Refusal {
  return notFound("There is no federation policy with this id");
}
