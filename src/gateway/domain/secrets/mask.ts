/**
 * A secret as it may be displayed: the first and last four characters around `...`.
 * Short ones show less, so that no mask reveals half of its secret.
 */
export function maskSecret(secret: string): string {
  const shown = secret.length >= 16 ? 4 : secret.length >= 10 ? 2 : 0;
  return `${secret.slice(0, shown)}...${secret.slice(secret.length - shown)}`;
}

/**
 * Whether a value has the form of a mask: stars, a bullet, or dots with at most four characters at each end. No vendor's
 * credentials look like that, so such a value is never stored as one, wherever the mask came from.
 */
export function isMask(value: string): boolean {
  return /[…•]/.test(value) || /^\*+$/.test(value) || /^.{0,4}(?:\.{3}|\*{3,}).{0,4}$/s.test(value);
}
