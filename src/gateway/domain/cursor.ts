import { invalid } from "./refusal.ts";

const matches = (pattern: RegExp) => (part: string) => pattern.test(part);
const instant = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d{1,6})?(Z|\+00(:00)?)$/;

/** Validates the parts of a position, so that a forged cursor is refused here and not by the store. */
const forms = {
  instant: isInstant,
  /** also accepts what the store holds in place of an instant */
  bound: (part: string) => part === "infinity" || part === "-infinity" || isInstant(part),
  integer: (part: string) => /^-?\d{1,19}$/.test(part) && BigInt.asIntN(64, BigInt(part)) === BigInt(part),
  uuid: matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  hash: matches(/^[0-9a-f]{64}$/),
  text: matches(/^[^\0]*$/),
} as const;
type Form = keyof typeof forms;

/** A valid instant: no 13th month, no 30 February, and no year 0, which PostgreSQL refuses. */
function isInstant(part: string): boolean {
  const [, year = "", month, day, hour, minute, second] = instant.exec(part) ?? [];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(iso);
  return Number(year) > 0 && !Number.isNaN(date.getTime()) && date.toISOString() === iso;
}

/** A position in a list, opaque to callers. `list` names the list it belongs to; any other list refuses it. */
export function writeCursor(list: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString("base64url");
}

/**
 * The parts of a position.
 *
 * @throws Refusal 400 for anything that {@link writeCursor} did not make for the same list
 */
export function readCursor<const Forms extends readonly Form[]>(
  cursor: string,
  list: string,
  expected: Forms,
): { [Index in keyof Forms]: string } {
  const [name, ...position] = parse(cursor);
  const fits = expected.every((form, index) => {
    const part = position[index];
    return typeof part === "string" && forms[form](part);
  });
  if (name !== list || position.length !== expected.length || !fits) {
    throw invalid("cursor", "must be the next_cursor of a page with the same filters and order");
  }
  return position as { [Index in keyof Forms]: string };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
