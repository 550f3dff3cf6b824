import type { TestGateway } from "./gateway.ts";

/**
 * Puts copies of a row into its table, each with an id of its own.
 * @param others further members in SQL, in which `n` counts from 1
 */
export async function insertCopies(
  { deps }: TestGateway,
  table: string,
  { id, count, others = {} }: { id: string; count: number; others?: Readonly<Record<string, string>> },
): Promise<void> {
  const members = Object.entries({ id: "gen_random_uuid()", ...others }).flatMap(([name, sql]) => [`'${name}'`, sql]);
  await deps.store.pool.query(
    `insert into ${table} overriding user value select (jsonb_populate_record(t, jsonb_build_object(${members.join(", ")}))).*
     from ${table} as t, generate_series(1, ${count}) as n where t.id = $1`,
    [id],
  );
}
