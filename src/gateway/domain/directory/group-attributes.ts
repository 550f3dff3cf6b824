import { scimBounds, type ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimGroupValues } from "../../storage/directory-tables.ts";
import { optionalText, requiredText } from "./attribute-texts.ts";
import { isUnchanged, type Patched } from "./read-only.ts";
import { scimInvalid } from "./refusals.ts";
import { type Comparison, parsePath, type ScimPath } from "./scim-path.ts";
import { isUuid } from "../uuid.ts";

/** What a request changes of a group. However many operations it has, each member is in it once. */
export interface GroupChange {
  readonly values: Partial<ScimGroupValues>;
  /** whether it ends all memberships but those in `added` */
  isWhole: boolean;
  readonly added: Set<string>;
  readonly removed: Set<string>;
}

const notKept = new Set(["schemas", "id", "meta"]);

/** What a resource says of a group. @throws Refusal 400 */
export function* readGroup(resource: Readonly<Record<string, unknown>>): Generator<void, GroupChange, void> {
  const change = noChange();
  yield* assignAll(change, resource, { op: "replace", own: null });
  return change;
}

/** @throws Refusal 400 invalidPath for an attribute that no group has, invalidValue, noTarget, mutability */
export function* patchGroup(id: string, operations: readonly ScimOperation[]): Generator<void, GroupChange, void> {
  const own: Patched = { type: "group", id };
  const change = noChange();
  for (const { op, path, value } of operations) {
    yield;
    if (path != null) {
      const at = parsePath(path);
      if (at !== null && !isUnchanged(own, at, op === "remove" ? null : value))
        yield* assign(change, at, { op, value });
    } else if (op === "remove") {
      throw scimInvalid("noTarget", "An operation that removes needs a path");
    } else {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw scimInvalid("invalidValue", "Without a path, the value must hold attributes");
      }
      yield* assignAll(change, value as Record<string, unknown>, { op, own });
    }
  }
  return change;
}

const noChange = (): GroupChange => ({ values: {}, isWhole: false, added: new Set(), removed: new Set() });

type Op = ScimOperation["op"];
type Steps = Generator<void, void, void>;

/** @param own what is patched; null: a whole resource is sent, whose read-only attributes are ignored (RFC 7644 §3.5.1) */
function* assignAll(
  change: GroupChange,
  resource: Readonly<Record<string, unknown>>,
  { op, own }: { readonly op: Op; readonly own: Patched | null },
): Steps {
  for (const [name, value] of Object.entries(resource)) {
    yield;
    const at = parsePath(name);
    if (at !== null && !(own !== null && isUnchanged(own, at, value))) yield* assign(change, at, { op, value });
  }
}

function* assign(change: GroupChange, at: ScimPath, { op, value }: { op: Op; value: unknown }): Steps {
  const sent = op === "remove" ? null : value;
  if (at.attribute === "displayname") change.values.display_name = requiredText(sent, "displayName");
  else if (at.attribute === "externalid") change.values.external_id = optionalText(sent, "externalId");
  else if (at.attribute === "members") yield* assignMembers(change, at, { op, value });
  else if (!notKept.has(at.attribute)) throw scimInvalid("invalidPath", "A group has no attribute of this name");
}

function* assignMembers(change: GroupChange, at: ScimPath, { op, value }: { op: Op; value: unknown }): Steps {
  if (at.member !== null) throw scimInvalid("invalidPath", "Members have no attributes that can be changed here");
  if (at.filter !== null) {
    if (op !== "remove") throw scimInvalid("invalidPath", "Members are added and replaced by the path members");
    // Some directories add that it is a user: members[value eq "…" and type eq "User"].
    const isUser = ({ attribute, value }: Comparison) => attribute === "type" && /^user$/i.test(String(value));
    const [only, ...others] = at.filter.filter((comparison) => !isUser(comparison));
    if (others.length > 0 || only?.attribute !== "value" || typeof only.value !== "string") {
      throw scimInvalid("invalidPath", 'A member is removed by members[value eq "…"] with its id');
    }
    return yield* take(change, only.value, "remove");
  }
  if (op === "add") return yield* take(change, value, "add");
  if (op === "remove" && value !== undefined && value !== null) return yield* take(change, value, "remove");
  change.isWhole = true;
  change.added.clear();
  change.removed.clear();
  if (op === "replace") yield* take(change, value ?? [], "add");
}

/** Members that are read in one go. */
const readAtOnce = 500;

/** @param members a list of `{value}`, one of them, or ids alone */
function* take(change: GroupChange, members: unknown, op: "add" | "remove"): Steps {
  const listed: unknown[] = Array.isArray(members) ? members : [members];
  if (listed.length > scimBounds.membersOfGroup) throw tooMany();
  const [into, from] = op === "add" ? [change.added, change.removed] : [change.removed, change.added];
  for (const [at, each] of listed.entries()) {
    if (at % readAtOnce === 0) yield;
    const id = idOf(each);
    from.delete(id);
    into.add(id);
  }
  if (into.size > scimBounds.membersOfGroup) throw tooMany();
}

function idOf(member: unknown): string {
  const id: unknown = typeof member === "object" && member !== null && "value" in member ? member.value : member;
  if (isUuid(id)) return id.toLowerCase();
  throw scimInvalid("invalidValue", "The value of a member must be a user's id");
}

function tooMany() {
  return scimInvalid("invalidValue", `A group has at most ${scimBounds.membersOfGroup} members`);
}
