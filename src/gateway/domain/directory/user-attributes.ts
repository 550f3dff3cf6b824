import type { ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimUserValues } from "../../storage/directory-tables.ts";
import { scimInvalid } from "./refusals.ts";
import { parsePath, type ScimPath } from "./scim-path.ts";

type Values = Partial<ScimUserValues>;

/** RFC 7643 §4.1: what directories send of a person and is not kept here, nor refused. */
const notKept = new Set(
  "schemas id meta groups title nickname profileurl usertype preferredlanguage locale timezone password phonenumbers ims photos addresses entitlements roles x509certificates".split(
    " ",
  ),
);

const longest = 255;
const nameParts = { formatted: "formatted_name", givenname: "given_name", familyname: "family_name" } as const;
const texts = { externalid: "external_id", displayname: "display_name" } as const;

/** What a resource says of a person; what is absent is not in the answer. @throws Refusal 400 invalidValue */
export function readUser(resource: Readonly<Record<string, unknown>>): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(resource)) {
    const at = parsePath(name);
    if (at !== null) assign(values, at, value);
  }
  return values;
}

/**
 * What a PATCH changes of a person.
 * @throws Refusal 400 invalidPath for an attribute that no user has, invalidValue, noTarget
 */
export function patchUser(operations: readonly ScimOperation[]): Values {
  const values: Values = {};
  for (const { op, path, value } of operations) {
    if (path == null) {
      if (op === "remove") throw scimInvalid("noTarget", "An operation that removes needs a path");
      if (!isObject(value)) throw scimInvalid("invalidValue", "Without a path, the value must hold attributes");
      Object.assign(values, readUser(value));
      continue;
    }
    const at = parsePath(path);
    if (at !== null) assign(values, at, op === "remove" ? null : value);
  }
  return values;
}

function assign(values: Values, at: ScimPath, value: unknown): void {
  const { attribute, filter, member } = at;
  if (attribute === "username") values.user_name = requiredText(value, "userName");
  else if (attribute === "active") values.active = flag(value);
  else if (isName(texts, attribute)) values[texts[attribute]] = optionalText(value, attribute);
  else if (attribute === "name") assignName(values, member, value);
  else if (attribute === "emails") {
    const isOther = filter?.some((each) => each.attribute === "type" && each.value !== "work") ?? false;
    if (!isOther && (member === null || member === "value")) values.email = readEmail(value);
  } else if (!notKept.has(attribute)) {
    throw scimInvalid("invalidPath", "A user has no attribute of this name");
  }
}

function assignName(values: Values, member: string | null, value: unknown): void {
  if (member !== null) {
    if (isName(nameParts, member)) values[nameParts[member]] = optionalText(value, `name.${member}`);
    return;
  }
  if (value === null) return void Object.assign(values, { formatted_name: null, given_name: null, family_name: null });
  if (!isObject(value)) throw scimInvalid("invalidValue", "name must be an object");
  for (const [name, part] of Object.entries(value)) assignName(values, name.toLowerCase(), part);
}

/** One address is kept: the primary one, else the one for work, else the first. */
function readEmail(value: unknown): string | null {
  if (!Array.isArray(value)) return optionalText(isObject(value) ? value["value"] : value, "emails");
  const listed = value.slice(0, 50).filter(isObject);
  const isPrimary = (each: Record<string, unknown>) => each["primary"] === true || each["primary"] === "true";
  const chosen = listed.find(isPrimary) ?? listed.find((each) => each["type"] === "work") ?? listed[0];
  return optionalText(chosen?.["value"], "emails");
}

function optionalText(value: unknown, name: string): string | null {
  if (value === null || value === undefined || value === "") return null;
  return requiredText(value, name);
}

function requiredText(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= longest) return value;
  throw scimInvalid("invalidValue", `${name} must be text of 1 to ${longest} characters`);
}

/** Microsoft Entra sends `"False"`. */
function flag(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text === "true" || text === "false") return text === "true";
  throw scimInvalid("invalidValue", "active must be true or false");
}

function isName<T extends object>(table: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(table, name);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
