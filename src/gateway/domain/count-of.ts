import type { SelectQueryBuilder } from "kysely";

/** How many rows a query finds of which nothing is selected yet. */
// oxlint-disable-next-line typescript/no-empty-object-type -- what kysely calls a query that selects nothing
export async function countOf<DB, TB extends keyof DB>(found: SelectQueryBuilder<DB, TB, {}>): Promise<number> {
  const { count } = await found
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .$castTo<{ count: bigint }>()
    .executeTakeFirstOrThrow();
  return Number(count);
}
