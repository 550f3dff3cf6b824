/** The letters of a plate; none for a name without any. */
export function plateLetters(name: string): string {
  const [first = "", ...rest] = name.match(/[\p{Letter}\p{Number}]/gu) ?? [];
  return first.toUpperCase() + (rest.find((letter) => /\p{Lu}/u.test(letter)) ?? rest[0] ?? "");
}
