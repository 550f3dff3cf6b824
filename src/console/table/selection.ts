/** What is ticked, and the row from which a shift-click counts. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/**
 * Ticks or unticks a row. With `range`, every row between the anchor and this one takes the anchor's state,
 * in the order of `rows` (the order on screen); rows outside the range stay as they are.
 */
export function toggle(selection: Selection, rows: readonly string[], id: string, range: boolean): Selection {
  const ids = new Set(selection.ids);
  const from = range && selection.anchor !== null ? rows.indexOf(selection.anchor) : -1;
  const to = rows.indexOf(id);
  if (from < 0 || to < 0) {
    if (!ids.delete(id)) ids.add(id);
    return { ids, anchor: id };
  }
  const ticked = selection.anchor !== null && ids.has(selection.anchor);
  for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (ticked) ids.add(row);
    else ids.delete(row);
  }
  return { ids, anchor: selection.anchor };
}

/** All rows, or none if all of them were ticked. */
export function toggleAll(selection: Selection, rows: readonly string[]): Selection {
  const all = rows.length > 0 && rows.every((row) => selection.ids.has(row));
  return { ids: all ? new Set() : new Set(rows), anchor: null };
}

/** Drops rows that no longer exist, so that a bulk action never touches a row that is not on the page. */
export function keepExisting(selection: Selection, rows: readonly string[]): Selection {
  const existing = new Set(rows);
  if ([...selection.ids].every((id) => existing.has(id))) return selection;
  return {
    ids: new Set([...selection.ids].filter((id) => existing.has(id))),
    anchor: selection.anchor !== null && existing.has(selection.anchor) ? selection.anchor : null,
  };
}
