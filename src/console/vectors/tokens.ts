/** A letter, digit or mark of a script that vendors' tokenizers cut into single signs: about one token each. */
const dense = /[\u0e00-\u0eff\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;

/**
 * About how many tokens a text has, for saying what a run will cost before it is made. Four letters of an alphabet to a
 * token, which is what English comes to with the usual tokenizers, and one token for each sign of a script without
 * spaces. The answer says how many it really was.
 */
export function estimateTokens(text: string): number {
  if (text === "") return 0;
  const signs = text.match(dense)?.length ?? 0;
  return Math.max(1, Math.ceil((text.length - signs) / 4) + signs);
}

/** Where about in `text` the first `limit` tokens end, as an offset; the whole length where all fit. */
export function cutAt(text: string, limit: number): number {
  if (estimateTokens(text) <= limit) return text.length;
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= limit) least = middle;
    else most = middle - 1;
  }
  return least;
}

/**
 * Cuts a text into parts of at most `size` estimated tokens, each beginning with the last `overlap` tokens of the one
 * before, at spaces where there are some.
 */
export function splitText(text: string, size: number, overlap: number): string[] {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const rest = text.slice(from);
    let end = from + Math.max(1, cutAt(rest, size));
    if (end < text.length) {
      const space = text.lastIndexOf(" ", end);
      if (space > from + (end - from) / 2) end = space;
    }
    parts.push(text.slice(from, end).trim());
    if (end >= text.length) break;
    const back = Math.max(0, end - from - 1);
    from = end - Math.min(back, Math.floor(((end - from) * Math.min(overlap, size - 1)) / size));
  }
  return parts.filter((part) => part !== "");
}
