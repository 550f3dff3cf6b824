/**
 * What is left of a budget of characters when a value is written into it; negative if it does not fit, in which case
 * only a part of it was visited, so that weighing itself takes no time.
 * @param perValue the cost of writing a value apart from its characters
 */
export function roomBeside(value: unknown, room: number, perValue: number): number {
  let left = room - perValue;
  if (typeof value === "string") return left - value.length;
  if (typeof value !== "object" || value === null) return left;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = roomBeside(value[at], left, perValue);
    return left;
  }
  for (const name in value) {
    left = roomBeside((value as Record<string, unknown>)[name], left - name.length, perValue);
    if (left < 0) break;
  }
  return left;
}

/** Whether a parsed value takes at most roughly this many characters. */
export function fitsInto(value: unknown, characters: number): boolean {
  return roomBeside(value, characters, 1) >= 0;
}
