/** Something with a position among others: smaller ranks come first. */
export interface Ranked {
  id: string;
  rank: number;
}

/**
 * Moves one item up (-1) or down (+1) in a list that is in order.
 * @returns the ranks to store, only those that change: two where the ranks tell all items apart, else a new numbering
 */
export function reorder(items: readonly Ranked[], id: string, by: -1 | 1): Ranked[] {
  const from = items.findIndex((item) => item.id === id);
  const [moved, other] = [items[from], items[from + by]];
  if (!moved || !other) return [];
  const order = items.with(from, other).with(from + by, moved);
  const distinct = items.every((item, index) => index === 0 || (items[index - 1]?.rank ?? 0) < item.rank);
  const ranks = distinct ? items.map((item) => item.rank) : items.map((_, index) => (index + 1) * 10);
  return order
    .map((item, index) => ({ before: item.rank, id: item.id, rank: ranks[index] ?? 0 }))
    .filter(({ before, rank }) => before !== rank)
    .map(({ id: changed, rank }) => ({ id: changed, rank }));
}
