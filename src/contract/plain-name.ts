import * as z from "zod/mini";

/**
 * Characters that a name must not have, because one name could look like another, or like nothing: control characters
 * (terminals obey them), text direction (Unicode Standard Annex 9, §2), line ends, and what is not drawn, such as soft
 * hyphens, joiners and tags (Unicode Standard, §5.21).
 */
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]/gu;

/**
 * Where such a character is drawn all the same: within an emoji, and where a joiner changes the shape of the letters
 * around it (RFC 5892, appendix A.1 and A.2): after an Indic virama, and between Arabic letters that would join.
 */
const drawn =
  /\p{RGI_Emoji}|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=\p{L})|(?<=[[\p{L}&&\p{sc=Arab}]--[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0698]])\u200c(?=\p{sc=Arab})/gv;

/** What a name may not be besides: only spaces and blank signs. */
const blank = /^[\s\u2800]+$/;

/** Whether a text may be a name: all of it can be seen. The empty one may. */
export const isPlainName = (text: string): boolean => text.replace(drawn, "x").search(hidden) < 0 && !blank.test(text);

export const notPlain = "must contain a visible character, and no control or invisible characters";

/** The text with what may not be in a name left out; for names that others choose, which cannot be refused. */
export const withoutHidden = (text: string): string => {
  let visible = "";
  let from = 0;
  for (const { 0: kept, index } of text.matchAll(drawn)) {
    visible += text.slice(from, index).replace(hidden, "") + kept;
    from = index + kept.length;
  }
  return visible + text.slice(from).replace(hidden, "");
};

/** Refuses what is no plain name. */
export const plain = z.refine<string>(isPlainName, notPlain);

/** What people call something: a plain name of at most so many characters. */
export const nameOf = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "must have at least one character"),
      z.maxLength(most, `must have at most ${most} characters`),
      plain,
    );

/**
 * The id of a person, as your own system or the directory has it. Case does not distinguish two of them: the gateway
 * keeps the spelling that it saw first.
 */
export const UserId = nameOf(255);
