import { withoutHidden } from "#contract/plain-name.ts";
import { scimInvalid } from "./refusals.ts";

/** Microsoft Entra's longest names. */
const longest = 256;

/**
 * The text without what a name may not have: a directory that is refused because of a character that cannot be seen would push
 * no more changes of that person. The audit log and the console show what is left.
 * @throws Refusal 400 invalidValue
 */
export function requiredText(value: unknown, name: string): string {
  if (typeof value === "string" && value.length <= longest) {
    const text = withoutHidden(value);
    if (text.trim() !== "") return text;
  }
  throw scimInvalid("invalidValue", `${name} must be text of 1 to ${longest} characters that can be seen`);
}

/** @returns null for what is absent or empty @throws Refusal 400 invalidValue */
export function optionalText(value: unknown, name: string): string | null {
  if (value === null || value === undefined || value === "") return null;
  return requiredText(value, name);
}
