import { fitsInto } from "../../json-weight.ts";
import type { JsonObject } from "../answer.ts";
import { cannotCarry } from "../call.ts";

/** A field of a form. */
export type Field = readonly [name: string, value: string];

/** Characters of the further members, about. */
const mostFurther = 1_048_576;

/**
 * The caller's further members before the gateway's; a list is a field for each of its values. A form may name a field
 * twice, and which one counts is the vendor's choice: what the gateway says, and the files, are said once.
 * @param file the files' name
 * @throws CallFailed when the further members are too long to be written in one go
 */
export function withExtra(extra: Readonly<JsonObject>, own: readonly Field[], file: string): Field[] {
  if (!fitsInto(extra, mostFurther)) throw cannotCarry("further members of a form may have 1 MB together");
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
