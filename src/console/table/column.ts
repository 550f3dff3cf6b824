import type { ReactNode } from "react";

/** One column of a table. Made at module level; what changes from render to render arrives as `context`. */
export interface Column<Row, Context = undefined> {
  id: string;
  head: string;
  /** the head for this context, where it changes: "Used this week" */
  headFor?: (context: Context) => string;
  /** its cells are times: a Table's head says in which zone */
  zoned?: boolean;
  /**
   * In px, its padding included. A DataTable's first column is at least this wide and takes what is left over; a Table's
   * columns share that, and one without a width takes it all, or has its width from its class.
   */
  width?: number;
  cell: (row: Row, context: Context) => ReactNode;
  /** its cells begin with a picture, of which even a part says something: a phone shows what it has room for */
  picture?: true;
  /** figures are right-aligned */
  figures?: boolean;
  /** the value passed to `onSort`; without it the column can't be sorted */
  sort?: string | ((context: Context) => string | undefined);
  /** the first column stays in sight; it and whatever else must not be hidden says so */
  fixed?: boolean;
  /** while loading: a block of this many pixels, two lines if `two`, or a custom placeholder */
  skeleton?: { width: number; two?: boolean } | { cell: ReactNode };
  className?: string;
}

/** What sorting by this column is called, if it can be sorted by as it is shown now. */
export function sortOf<Row, Context>({ sort }: Column<Row, Context>, context: Context): string | undefined {
  return typeof sort === "function" ? sort(context) : sort;
}

export interface Sort {
  column: string;
  order: "asc" | "desc";
}

/** The columns that a person has not hidden. */
export function shownColumns<Row, Context>(
  columns: readonly Column<Row, Context>[],
  hidden: ReadonlySet<string>,
): readonly Column<Row, Context>[] {
  return columns.filter((column) => column.fixed || !hidden.has(column.id));
}
