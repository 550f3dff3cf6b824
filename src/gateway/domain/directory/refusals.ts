import type { ScimType } from "#contract/scim-protocol.ts";
import { notFound, Refusal } from "../refusal.ts";

/** A 400 that says what is wrong in SCIM's words, and never repeats what was sent. */
export function scimInvalid(scimType: ScimType, message: string): Refusal {
  return new Refusal("invalid_request", message, { scimType });
}

export function notUnique(message: string): Refusal {
  return new Refusal("conflict", message, { scimType: "uniqueness" satisfies ScimType });
}

export const unknownToken = () => new Refusal("authentication", "This SCIM token is not known here, or was deleted");
export const noSuchUser = () => notFound("There is no user with this id");
export const noSuchGroup = () => notFound("There is no group with this id");

/** Organizations of the public API have ids; here there is one, without a row of its own. */
export const organizationId = "gatehouse";
