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

interface OffsetPage<Row> {
  data: readonly Row[];
  total_count: number;
}
/** Where a page begins, and how many rows it has, as endpoints take them. */
type Place = { limit: string; offset: string };

const pageSize = 100;

/** Reads a list that counts its rows, page by page. @param most where it stops */
export async function readByOffset<Row>(
  page: (at: Place) => Promise<OffsetPage<Row>>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  for (;;) {
    const { data, total_count: total } = await page({ limit: String(pageSize), offset: String(rows.length) });
    rows.push(...data);
    if (data.length === 0 || rows.length >= Math.min(total, most)) return { rows, total };
  }
}
