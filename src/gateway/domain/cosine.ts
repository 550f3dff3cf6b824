/** The cosine of the angle between two vectors; null: one of them is all zeros, and points nowhere. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number | null {
  let dot = 0;
  let squaresOne = 0;
  let squaresOther = 0;
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    dot += a * b;
    squaresOne += a * a;
    squaresOther += b * b;
  }
  const lengths = Math.sqrt(squaresOne) * Math.sqrt(squaresOther);
  return lengths === 0 ? null : dot / lengths;
}
