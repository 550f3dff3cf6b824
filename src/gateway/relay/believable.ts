/**
 * A count as a provider reported it, if it can be true. More than is possible is the provider's mistake; taken at face
 * value, it would drain a limit at once, and a count of nothing would pass it by.
 */
export function believable(reported: number | null | undefined, most: number, otherwise: number): number {
  return reported != null && reported > 0 && reported <= most ? reported : otherwise;
}
