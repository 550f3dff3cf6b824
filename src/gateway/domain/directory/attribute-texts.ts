import { scimInvalid } from "./refusals.ts";

/** Microsoft Entra's longest names. */
const longest = 256;

/** @throws Refusal 400 invalidValue */
export function requiredText(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= longest) return value;
  throw scimInvalid("invalidValue", `${name} must be text of 1 to ${longest} characters`);
}

/** @returns null for what is absent or empty @throws Refusal 400 invalidValue */
export function optionalText(value: unknown, name: string): string | null {
  if (value === null || value === undefined || value === "") return null;
  return requiredText(value, name);
}
