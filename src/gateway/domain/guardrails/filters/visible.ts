import type { Span } from "./span.ts";

/** A text as a model may read it, where that is not how it is written. */
export interface Visible {
  readonly text: string;
  /** where a part of it is in what was written */
  written(part: Span): Span;
}

/**
 * Characters that are not seen, by Unicode's Default_Ignorable_Code_Point, and those that stand for plain ones: fullwidth
 * forms, letters of mathematics, and tags, in which a whole message can hide ("ASCII smuggling").
 */
const odd =
  // oxlint-disable-next-line no-misleading-character-class -- each of these is looked for by itself
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\uFF01-\uFF5E\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{1D400}-\u{1D7FF}\u{E0000}-\u{E0FFF}]/gu;

/** What a character of these stands for; empty: it is not seen. */
function meaning(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0020 && code <= 0xe007e) return String.fromCharCode(code - 0xe0000);
  const isLetter = (code >= 0xff01 && code <= 0xff5e) || (code >= 0x1d400 && code <= 0x1d7ff);
  const plain = isLetter ? character.normalize("NFKC") : "";
  return plain.length === 1 ? plain : "";
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
