import { isDeepStrictEqual } from "node:util";

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The members that a body contains; `undefined` counts as absent. */
export function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The members of a record that a table has. */
export function pick<T extends object, K extends keyof T>(record: T, table: Readonly<Record<K, unknown>>): Pick<T, K> {
  const names = Object.keys(table) as K[];
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;
}

/**
 * A row after a PATCH: absent members keep their value, `null` clears.
 *
 * @returns `before` itself where nothing changes: then the verb writes no audit row and notifies no other process
 */
export function patched<Row extends object>(
  before: Row,
  changes: { readonly [K in keyof Row]?: Row[K] | undefined },
): Row {
  const after: Row = { ...before, ...given(changes) };
  return isDeepStrictEqual(after, before) ? before : after;
}
