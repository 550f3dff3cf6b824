import { invalid } from "./refusal.ts";

/** What a part of a position looks like, so that a forged cursor is refused here and not by the store. */
const forms = {
  instant: /^(-?infinity|\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00(:00)?))$/,
  integer: /^-?\d{1,18}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  hash: /^[0-9a-f]{64}$/,
  text: /^[^\0]*$/,
} as const;
type Form = keyof typeof forms;

/** A position in a list, opaque to callers. `list` names what it is a position in: another list refuses it. */
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
    return typeof part === "string" && forms[form].test(part);
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
