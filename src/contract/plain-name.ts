/**
 * Characters allowed in a name: no control characters (terminals obey them), and nothing that changes the direction of
 * the surrounding text (Unicode Standard Annex 9, §2), which can make one name look like another.
 */
export const plainName = /^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u;
export const notPlain = "must not hold control characters or ones that turn the direction of text";
