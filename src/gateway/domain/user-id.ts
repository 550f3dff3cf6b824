import { type Kysely, sql } from "kysely";
import { withoutHidden } from "#contract/plain-name.ts";
import type { Tables } from "../storage/tables.ts";
import { isUuid } from "./uuid.ts";

/** What all spellings of a person's id have in common: case, spaces around it and compatibility forms do not count. */
export function userKey(id: string): string {
  return withoutHidden(id).normalize("NFKC").trim().toUpperCase().toLowerCase();
}

/**
 * The spelling by which a person's keys, guardrails and budgets are found: the first that the gateway was given, and of
 * the directory's ids the one with small letters. It is kept from now on.
 */
export async function keepUserId(db: Kysely<Tables>, id: string): Promise<string>;
export async function keepUserId(db: Kysely<Tables>, id: string | null): Promise<string | null>;
export async function keepUserId(db: Kysely<Tables>, id: string | null): Promise<string | null> {
  return id === null ? null : ((await keepUserIds(db, [id]))[0] ?? id);
}

/** The same of several, in their order. */
export async function keepUserIds(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const spelled = new Map(ids.map((id) => [userKey(id), isUuid(userKey(id)) ? userKey(id) : id.trim()]));
  const keys = [...spelled.keys()].toSorted();
  const rows = keys.map((key) => ({ key, id: spelled.get(key) ?? key }));
  if (rows.length > 0) {
    await db
      .insertInto("user_ids")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return await knownUserIds(db, ids);
}

/** The spellings to look for, in the order of the ids; what was never used stays as it is. */
export async function knownUserIds(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("user_ids")
    .selectAll()
    .where(sql<boolean>`key = any(${ids.map(userKey)}::text[])`)
    .execute();
  const known = new Map(rows.map(({ key, id }) => [key, id]));
  return ids.map((id) => known.get(userKey(id)) ?? id.trim());
}
