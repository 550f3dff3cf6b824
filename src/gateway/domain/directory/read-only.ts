import { scimInvalid } from "./refusals.ts";
import type { ScimPath } from "./scim-path.ts";

/** RFC 7643 §3 and §3.1: of every resource; and §4.1.2: of a user, whose groups are changed as groups. */
const common = ["id", "meta", "schemas"];
const ofResource = { user: new Set([...common, "groups"]), group: new Set(common) };

/** A resource that a PATCH changes. */
export interface Patched {
  readonly type: keyof typeof ofResource;
  readonly id: string;
}

/**
 * RFC 7644 §3.5.2: what the gateway sets cannot be changed. Okta sends a resource's own id among what it changes.
 * @returns whether there is nothing to do: that the id is what it was
 * @throws Refusal 400 mutability
 */
export function isUnchanged({ type, id }: Patched, { attribute }: ScimPath, value: unknown): boolean {
  if (!ofResource[type].has(attribute)) return false;
  if (attribute === "id" && typeof value === "string" && value.toLowerCase() === id.toLowerCase()) return true;
  throw scimInvalid("mutability", `The ${attribute} of a ${type} cannot be changed`);
}
