/** A text as PostgreSQL can hold it: at most so many characters, without NUL and without halves of surrogate pairs. */
export function storedText(text: string, longest: number): string {
  return text.slice(0, longest).replaceAll("\0", "").toWellFormed();
}
