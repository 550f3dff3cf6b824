import type { Store } from "../../storage/store.ts";

const mostAtOnce = 500;

/**
 * Deletes an owner's entries of a table whose primary key is the owner and `key`, a few at a time, so that no statement
 * holds many of them.
 * @param condition SQL, written here and never by a caller
 */
export async function deleteInSteps(
  pool: Pick<Store["pool"], "query">,
  { table, owner }: { readonly table: string; readonly owner: string },
  condition: string,
  values: readonly unknown[] = [],
): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from ${table} where (${owner}, key) in
         (select ${owner}, key from ${table} where ${condition} limit ${mostAtOnce})`,
      [...values],
    );
    if ((rowCount ?? 0) < mostAtOnce) break;
  }
}
