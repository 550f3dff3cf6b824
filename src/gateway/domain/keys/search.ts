import { type RawBuilder, type SqlBool, sql } from "kysely";

/** The words of a text: lower case, letters and digits only, so that `EU 2` finds `prod-eu.2`. */
function words(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The content of `search_text`: each word of the name and of the label's two ends, preceded by a space. */
export function foldForSearch(name: string, label: string): string {
  return ` ${[...words(name), ...words(withoutPrefix(label))].join(" ")}`;
}

/**
 * The filter of a search over name, label and hash prefix. All words must be found: those of three characters and more
 * anywhere, shorter ones at the start of a word, which is what a trigram index can answer quickly.
 *
 * @returns null when there is nothing to search for
 */
export function searchFilter(q: string): RawBuilder<SqlBool> | null {
  const text = q.trim();
  const wanted = words(withoutPrefix(text));
  // a name may have signs only, such as an emoji; few are searched for, so that no index is needed
  if (wanted.length === 0)
    return words(text).length > 0 || text === "" ? null : sql<SqlBool>`strpos(name, ${text}) > 0`;
  const inText = sql.join(
    wanted.map((word) => sql`search_text like ${pattern(word)}`),
    sql` and `,
  );
  if (!/^[0-9a-f]{4,64}$/i.test(text)) return sql<SqlBool>`(${inText})`;
  const hash = text.toLowerCase();
  // A range, not LIKE: it can use the primary key whatever the collation.
  return sql<SqlBool>`(${inText} or (hash >= ${hash} and hash < ${`${hash}g`}))`;
}

/** Letters and digits only, so that nothing in it is special to LIKE. */
function pattern(word: string): string {
  return word.length < 3 ? `% ${word}%` : `%${word}%`;
}

/** Every label begins with it, so it is useless for searching and would only fill the index. */
function withoutPrefix(label: string): string {
  return label.replace(/^sk-gh-v1-/i, "");
}
