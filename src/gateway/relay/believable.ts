/**
 * A count as a provider reported it, if it can be true. More than is possible is the provider's mistake; taken at face
 * value, it would drain a limit at once.
 */
export function believable(reported: number | null | undefined, most: number, otherwise: number): number {
  return reported != null && reported <= most ? reported : otherwise;
}
