import { Table, type TableProps } from "../table/Table.tsx";
import { useListCursor } from "./list-cursor.ts";

/** The table that a page is about: J and K move through its rows. */
export function ListTable<Row, Context>(props: TableProps<Row, Context>) {
  return <Table {...props} cursor={useListCursor(props.rows.map(props.rowId))} />;
}
