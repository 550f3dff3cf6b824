/**
 * The members of a PATCH: those whose value differs from what is stored, `null` where a stored value is cleared.
 * A member that did not change is absent, which keeps the stored value, even if somebody else has changed it since.
 */
export function changedMembers<T extends object>(stored: T, wanted: T): Partial<T> {
  const changed: Partial<T> = {};
  for (const member of Object.keys(wanted) as (keyof T)[]) {
    if (!same(stored[member], wanted[member])) changed[member] = wanted[member];
  }
  return changed;
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
