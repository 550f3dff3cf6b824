/** A part of a text: UTF-16 units, as in `slice`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where a global regular expression matches. */
export function* spansOf(text: string, pattern: RegExp): Generator<Span, void, void> {
  for (const { index, 0: match } of text.matchAll(pattern)) yield { from: index, to: index + match.length };
}

/**
 * The longest runs of characters that `isIn` knows by their code, where they have at least so many. A regular expression
 * would need memory for each character of a long run.
 */
export function* runsOf(text: string, isIn: (code: number) => boolean, least: number): Generator<Span, void, void> {
  let from = -1;
  for (let at = 0; at <= text.length; at += 1) {
    // NaN at the end is in no run
    const inside = isIn(text.charCodeAt(at));
    if (inside && from === -1) from = at;
    else if (!inside && from !== -1) {
      if (at - from >= least) yield { from, to: at };
      from = -1;
    }
  }
}
