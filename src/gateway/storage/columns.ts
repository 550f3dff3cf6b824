import type { ColumnType } from "kysely";

/** A column that is set when the row is made and never changed. */
export type Fixed<T> = ColumnType<T, T, never>;

/** jsonb: read parsed, written as JSON text. */
export type Json<T> = ColumnType<T, string | NullOf<T>, string | NullOf<T>>;
type NullOf<T> = null extends T ? null : never;

/** The members of a contract's body as columns of the same names: none of them is absent from a row. */
export type Settings<Body> = { [K in keyof Body]-?: Exclude<Body[K], undefined> };
