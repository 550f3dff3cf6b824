/** A token of a regular expression: a quotation, an escape, a class, a repetition, or one character. */
const token = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

/**
 * Why a pattern is refused before it is compiled; null: nothing was found. Its time grows with its length.
 */
export function patternProblem(pattern: string): string | null {
  if (/\(\?<?[=!]/.test(withoutQuotations(pattern)))
    return "it looks ahead or behind, which takes a (?=, (?!, (?<= or (?<!";
  const backreference = /\\(?:[1-9]|k[<{])/.exec(withoutQuotations(pattern, { escapes: true }));
  if (backreference !== null) return `it refers back to a group, with ${backreference[0]}`;
  return isNested(pattern) ? "a repetition is repeated itself, as in (a+)+" : null;
}

/** The pattern without quotations and classes, in which these signs mean nothing, and without other escapes unless asked. */
function withoutQuotations(pattern: string, { escapes = false } = {}): string {
  return pattern.replaceAll(token, (each) => {
    if (each.startsWith("\\Q") || (each.startsWith("[") && each.length > 1)) return "_";
    return each.startsWith("\\") && !escapes ? "_" : each;
  });
}

/** Whether something without an upper bound is within a group that has none either. */
function isNested(pattern: string): boolean {
  /** of each open group, whether something in it has no bound */
  const open: boolean[] = [];
  let last = false;
  for (const [each] of pattern.matchAll(token)) {
    if (each === "(") {
      open.push(false);
      last = false;
    } else if (each === ")") {
      last = open.pop() ?? false;
      if (last && open.length > 0) open[open.length - 1] = true;
    } else if (each === "*" || each === "+" || /^\{\d+,\}$/.test(each)) {
      if (last) return true;
      if (open.length > 0) open[open.length - 1] = true;
    } else last = false;
  }
  return false;
}
