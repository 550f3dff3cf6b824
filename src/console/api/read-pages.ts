interface Page<Row> {
  data: readonly Row[];
  next_cursor: string | null;
}

interface Reading {
  /** the cursor to go on at; null: the beginning */
  from?: string | null;
  /** stops after the page with which so many rows are read; that page is read whole */
  enough?: number;
  progress?: (read: number) => void;
}

/** Reads a list, one page after the other. `next` is where to go on, so that no row is read twice; null after the last. */
export async function readPages<Row>(
  page: (cursor: string | null) => Promise<Page<Row>>,
  { from = null, enough = Number.POSITIVE_INFINITY, progress }: Reading = {},
): Promise<{ rows: Row[]; next: string | null }> {
  const rows: Row[] = [];
  let cursor = from;
  do {
    const { data, next_cursor: next } = await page(cursor);
    rows.push(...data);
    progress?.(rows.length);
    cursor = next;
  } while (cursor !== null && rows.length < enough);
  return { rows, next: cursor };
}
