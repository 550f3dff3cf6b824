import type { ReactNode } from "react";

/** One column of a table. Made at module level; what changes from render to render arrives as `context`. */
export interface Column<Row, Context = undefined> {
  id: string;
  head: string;
  /** the head for this context, where it changes: "Used this week" */
  headFor?: (context: Context) => string;
  cell: (row: Row, context: Context) => ReactNode;
  /** figures stand at the right */
  figures?: boolean;
  /** what `onSort` is told; without it the column can't be sorted */
  sort?: string | ((context: Context) => string | undefined);
  /** the first column stays in sight; it and whatever else must not be hidden says so */
  fixed?: boolean;
  /** while loading: a block of so many pixels, two lines if `two`, or what stands in for it */
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
