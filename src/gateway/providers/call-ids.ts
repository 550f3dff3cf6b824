import { createHash } from "node:crypto";

/**
 * The id of a call in the form that a vendor takes, where it refuses others: the call's own, or nine letters and digits
 * derived from it, which are the same for the call and for its result.
 */
export function callIdIn(form: RegExp, id: string): string {
  if (form.test(id)) return id;
  const hash = createHash("sha256").update(id).digest("base64");
  return hash.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 9);
}
