import { scimBounds, type ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimGroupValues } from "../../storage/directory-tables.ts";
import { scimInvalid } from "./refusals.ts";
import { parsePath, type ScimPath } from "./scim-path.ts";
import { isUuid } from "../uuid.ts";

/** What a request changes of a group. However many operations it has, each member is in it once. */
export interface GroupChange {
  readonly values: Partial<ScimGroupValues>;
  /** whether it ends all memberships but those in `added` */
  isWhole: boolean;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

const longest = 255;
const notKept = new Set(["schemas", "id", "meta"]);

/** What a resource says of a group. @throws Refusal 400 */
export function readGroup(resource: Readonly<Record<string, unknown>>): GroupChange {
  const change = noChange();
  assignAll(change, resource, "replace");
  return change;
}

/** @throws Refusal 400 invalidPath for an attribute that no group has, invalidValue, noTarget */
export function patchGroup(operations: readonly ScimOperation[]): GroupChange {
  const change = noChange();
  for (const { op, path, value } of operations) {
    if (path != null) {
      const at = parsePath(path);
      if (at !== null) assign(change, at, { op, value });
    } else if (op === "remove") {
      throw scimInvalid("noTarget", "An operation that removes needs a path");
    } else {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw scimInvalid("invalidValue", "Without a path, the value must hold attributes");
      }
      assignAll(change, value as Record<string, unknown>, op);
    }
  }
  return change;
}

const noChange = (): GroupChange => ({ values: {}, isWhole: false, added: new Set(), removed: new Set() });

type Op = ScimOperation["op"];

function assignAll(change: GroupChange, resource: Readonly<Record<string, unknown>>, op: Op): void {
  for (const [name, value] of Object.entries(resource)) {
    const at = parsePath(name);
    if (at !== null) assign(change, at, { op, value });
  }
}

function assign(change: GroupChange, at: ScimPath, { op, value }: { op: Op; value: unknown }): void {
  const sent = op === "remove" && at.attribute !== "members" ? null : value;
  if (at.attribute === "displayname") change.values.display_name = text(sent, "displayName");
  else if (at.attribute === "externalid")
    change.values.external_id = sent === null || sent === "" ? null : text(sent, "externalId");
  else if (at.attribute === "members") assignMembers(change, at, { op, value });
  else if (!notKept.has(at.attribute)) throw scimInvalid("invalidPath", "A group has no attribute of this name");
}

function assignMembers(change: GroupChange, at: ScimPath, { op, value }: { op: Op; value: unknown }): void {
  if (at.member !== null) throw scimInvalid("invalidPath", "Members have no attributes that can be changed here");
  if (at.filter !== null) {
    if (op !== "remove") throw scimInvalid("invalidPath", "Members are added and replaced by the path members");
    const [only] = at.filter;
    if (at.filter.length !== 1 || only?.attribute !== "value" || typeof only.value !== "string") {
      throw scimInvalid("invalidPath", 'A member is removed by members[value eq "…"] with its id');
    }
    return take(change, ids(only.value), "remove");
  }
  if (op === "add") return take(change, ids(value), "add");
  if (op === "remove" && value !== undefined && value !== null) return take(change, ids(value), "remove");
  change.isWhole = true;
  change.added.clear();
  change.removed.clear();
  if (op === "replace") take(change, ids(value ?? []), "add");
}

function take(change: GroupChange, members: readonly string[], op: "add" | "remove"): void {
  const [into, from] = op === "add" ? [change.added, change.removed] : [change.removed, change.added];
  for (const id of members) {
    from.delete(id);
    into.add(id);
  }
  if (into.size > scimBounds.membersOfGroup) throw tooMany();
}

/** A list of `{value}`, one of them, or ids alone. */
function ids(value: unknown): string[] {
  const listed: unknown[] = Array.isArray(value) ? value : [value];
  if (listed.length > scimBounds.membersOfGroup) throw tooMany();
  return listed.map((each) => {
    const id: unknown = typeof each === "object" && each !== null && "value" in each ? each.value : each;
    if (isUuid(id)) return id.toLowerCase();
    throw scimInvalid("invalidValue", "The value of a member must be a user's id");
  });
}

function tooMany() {
  return scimInvalid("invalidValue", `A group has at most ${scimBounds.membersOfGroup} members`);
}

function text(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "" && value.length <= longest) return value;
  throw scimInvalid("invalidValue", `${name} must be text of 1 to ${longest} characters`);
}
