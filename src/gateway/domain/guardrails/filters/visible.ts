import type { Span } from "./span.ts";

/** A text as a model may read it, where that is not how it is written. */
export interface Visible {
  readonly text: string;
  /** where a part of it is in what was written */
  written(part: Span): Span;
}

/**
 * Characters that are not seen, by Unicode's Default_Ignorable_Code_Point, and those that stand for plain ones: fullwidth
 * forms, letters of mathematics, digits, dashes, blanks and stops of other scripts, and tags, in which a whole message can
 * hide ("ASCII smuggling").
 */
const odd =
  // oxlint-disable-next-line no-misleading-character-class -- each of these is looked for by itself
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\uFF01-\uFF5E\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{1D400}-\u{1D7FF}\u{E0000}-\u{E0FFF}\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\u058A\u05BE\u2010-\u2015\u2212\u2043\u2E3A\u2E3B\u301C\u3030\uFE58\uFE63\u00B7\u2022\u2024\u3002\uFE52\uFE6B\uFF61\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59]/gu;

const plain = new Map([
  ..."\u058A\u05BE\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u2E3A\u2E3B\u301C\u3030\uFE58\uFE63"
    .split("")
    .map(as("-")),
  ..."\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000"
    .split("")
    .map(as(" ")),
  ..."\u0085\u2028\u2029".split("").map(as("\n")),
  // In names of domains some of these are stops: https://www.unicode.org/reports/tr46/#Notation
  ..."\u00B7\u2022\u2024\u3002\uFE52\uFF61".split("").map(as(".")),
  ["\uFE6B", "@"] as const,
  // Arabic, Persian, Devanagari, Bengali and Thai
  ...[0x660, 0x6f0, 0x966, 0x9e6, 0xe50].flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), String(digit)] as const),
  ),
]);

function as(meant: string) {
  return (character: string) => [character, meant] as const;
}

/** What a character of these stands for; empty: it is not seen. */
function meaning(character: string): string {
  const known = plain.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0020 && code <= 0xe007e) return String.fromCharCode(code - 0xe0000);
  const isLetter = (code >= 0xff01 && code <= 0xff5e) || (code >= 0x1d400 && code <= 0x1d7ff);
  const normal = isLetter ? character.normalize("NFKC") : "";
  return normal.length === 1 ? normal : "";
}

/** @returns null where it is written as it is read */
export function visibleOf(text: string): Visible | null {
  const pieces: string[] = [];
  /** of each piece, where it begins in what is read, and in what is written */
  const read: number[] = [];
  const places: number[] = [];
  let length = 0;
  let copied = 0;
  const add = (piece: string, from: number) => {
    if (piece === "") return;
    pieces.push(piece);
    read.push(length);
    places.push(from);
    length += piece.length;
  };
  for (const { 0: character, index } of text.matchAll(odd)) {
    add(text.slice(copied, index), copied);
    add(meaning(character), index);
    copied = index + character.length;
  }
  if (copied === 0) return null;
  add(text.slice(copied), copied);

  function placeOf(at: number): number {
    let [low, high] = [0, read.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((read[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return (places[low] ?? 0) + at - (read[low] ?? 0);
  }

  return {
    text: pieces.join(""),
    written({ from, to }) {
      const last = placeOf(to - 1);
      return { from: placeOf(from), to: last + ((text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1) };
    },
  };
}
