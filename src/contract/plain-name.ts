import * as z from "zod/mini";

/**
 * Characters allowed in a name: no control characters (terminals obey them), and nothing that changes the direction of
 * the surrounding text (Unicode Standard Annex 9, §2), which can make one name look like another. Not all of it may be
 * invisible: spaces, format characters, and letters that are blank.
 */
export const plainName =
  /^(?![\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$)[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u;
export const notPlain = "must contain a visible character, and no control or text-direction characters";

/** What people call something: a plain name of at most so many characters. */
export const nameOf = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "must have at least one character"),
      z.maxLength(most, `must have at most ${most} characters`),
      z.regex(plainName, notPlain),
    );
