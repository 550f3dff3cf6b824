/** Letters in which a name may differ from what was meant, the longest name that is compared, and how many are. */
const maxEdits = 3;
const maxLength = 100;
const maxCompared = 300;

/**
 * The model that was probably meant: the author's own with the fewest letters changed, or another author's of the same
 * name. Null: none is near.
 * @param isOffered whether the caller may be told of it
 */
export function nearestName(
  asked: string,
  names: Iterable<string>,
  isOffered: (name: string) => boolean,
): string | null {
  const wanted = asked.toLowerCase();
  const slash = wanted.lastIndexOf("/") + 1;
  if (wanted === "" || wanted.length > maxLength) return null;
  const [author, bare] = [wanted.slice(0, slash), wanted.slice(slash)];
  let best: string | null = null;
  let least = Math.min(maxEdits, Math.floor(bare.length / 3)) + 1;
  let compared = 0;
  for (const name of names) {
    const lower = name.toLowerCase();
    const isSame = lower.endsWith(`/${bare}`);
    const isNear = author !== "" && lower.startsWith(author) && Math.abs(lower.length - wanted.length) < least;
    if (!(isSame || isNear) || compared >= maxCompared || !isOffered(name)) continue;
    compared += 1;
    const edits = isSame ? 0 : editsBetween(bare, lower.slice(slash), least);
    if (edits >= least) continue;
    best = name;
    least = edits;
  }
  return best;
}

/** Letters to add, leave out or change; `limit` where they are at least so many: only places so near are compared. */
function editsBetween(one: string, other: string, limit: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next: number[] = [];
    next[Math.max(0, at - limit)] = at <= limit ? at : limit;
    for (let to = Math.max(1, at - limit + 1); to <= Math.min(other.length, at + limit); to += 1) {
      const changed = (row[to - 1] ?? limit) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? limit) + 1, (next[to - 1] ?? limit) + 1));
    }
    row = next;
  }
  return Math.min(limit, row.at(-1) ?? limit);
}
