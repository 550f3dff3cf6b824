import type { JsonObject } from "../answer.ts";

/** A field of a form. */
export type Field = readonly [name: string, value: string];

/**
 * The caller's further members before the gateway's; a list is a field for each of its values. A form may name a field
 * twice, and which one counts is the vendor's choice: what the gateway says, and the files, are said once.
 * @param file the files' name
 */
export function withExtra(extra: Readonly<JsonObject>, own: readonly Field[], file: string): Field[] {
  const said = new Set([file, ...own.map(([name]) => name)]);
  const further = Object.entries(extra)
    .filter(([name]) => !said.has(name))
    .flatMap(([name, value]) =>
      [value].flat().flatMap((each): Field[] => {
        if (each === null || each === undefined) return [];
        return [[name, typeof each === "object" ? JSON.stringify(each) : String(each)]];
      }),
    );
  return [...further, ...own];
}
