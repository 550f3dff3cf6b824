import type { ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimUserValues } from "../../storage/directory-tables.ts";
import { optionalText, requiredText } from "./attribute-texts.ts";
import { type EmailChange, readEmailChange } from "./kept-email.ts";
import { isUnchanged, type Patched } from "./read-only.ts";
import { scimInvalid } from "./refusals.ts";
import { parsePath, type ScimPath } from "./scim-path.ts";

type Op = ScimOperation["op"];

/** What a request changes of a person. */
export interface UserChange {
  readonly values: Partial<Omit<ScimUserValues, "email" | "email_type">>;
  /** what it does to the kept address, in this order */
  readonly emails: EmailChange[];
}

/**
 * RFC 7643 §4.1 and §4.3: what directories send of a person and is not kept here, nor refused. Microsoft Entra sends the
 * attributes of the enterprise schema without its name too.
 */
const notKept = new Set(
  [
    "schemas id meta groups title nickname profileurl usertype preferredlanguage locale timezone password phonenumbers",
    "ims photos addresses entitlements roles x509certificates",
    "employeenumber costcenter organization division department manager",
  ].flatMap((names) => names.split(" ")),
);

const nameParts = { formatted: "formatted_name", givenname: "given_name", familyname: "family_name" } as const;
const texts = { externalid: "external_id", displayname: "display_name" } as const;

/** What a resource says of a person; what is absent is not in the answer. @throws Refusal 400 invalidValue */
export function* readUser(resource: Readonly<Record<string, unknown>>): Generator<void, UserChange, void> {
  const change: UserChange = { values: {}, emails: [] };
  yield* assignAll(change, resource, { op: "replace", own: null });
  return change;
}

/**
 * What a PATCH changes of a person.
 * @throws Refusal 400 invalidPath for an attribute that no user has, invalidValue, noTarget, mutability
 */
export function* patchUser(id: string, operations: readonly ScimOperation[]): Generator<void, UserChange, void> {
  const own: Patched = { type: "user", id };
  const change: UserChange = { values: {}, emails: [] };
  for (const { op, path, value } of operations) {
    yield;
    if (path == null) {
      if (op === "remove") throw scimInvalid("noTarget", "An operation that removes needs a path");
      if (!isObject(value)) throw scimInvalid("invalidValue", "Without a path, the value must hold attributes");
      yield* assignAll(change, value, { op, own });
      continue;
    }
    const at = parsePath(path);
    if (at !== null && !isUnchanged(own, at, op === "remove" ? null : value)) assign(change, at, { op, value });
  }
  return change;
}

/** @param own what is patched; null: a whole resource is sent, whose read-only attributes are ignored (RFC 7644 §3.5.1) */
function* assignAll(
  change: UserChange,
  resource: Readonly<Record<string, unknown>>,
  { op, own }: { readonly op: Op; readonly own: Patched | null },
): Generator<void, void, void> {
  for (const [name, value] of Object.entries(resource)) {
    yield;
    const at = parsePath(name);
    if (at !== null && !(own !== null && isUnchanged(own, at, value))) assign(change, at, { op, value });
  }
}

function assign({ values, emails }: UserChange, at: ScimPath, { op, value }: { op: Op; value: unknown }): void {
  const { attribute, member } = at;
  const sent = op === "remove" ? null : value;
  if (attribute === "username") values.user_name = requiredText(sent, "userName");
  else if (attribute === "active") values.active = flag(sent);
  else if (isName(texts, attribute)) values[texts[attribute]] = optionalText(sent, attribute);
  else if (attribute === "name") assignName(values, member, sent);
  else if (attribute === "emails") {
    const change = readEmailChange(at, { op, value });
    if (change !== null) emails.push(change);
  } else if (!notKept.has(attribute)) {
    throw scimInvalid("invalidPath", "A user has no attribute of this name");
  }
}

function assignName(values: UserChange["values"], member: string | null, value: unknown): void {
  if (member !== null) {
    if (isName(nameParts, member)) values[nameParts[member]] = optionalText(value, `name.${member}`);
    return;
  }
  if (value === null) return void Object.assign(values, { formatted_name: null, given_name: null, family_name: null });
  if (!isObject(value)) throw scimInvalid("invalidValue", "name must be an object");
  for (const [name, part] of Object.entries(value)) assignName(values, name.toLowerCase(), part);
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
