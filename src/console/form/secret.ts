import { hostOf, isHttpUrl } from "#contract/destination-check.ts";

/**
 * What to do with a stored secret.
 * - `kept`: nothing; only its mask is shown
 * - `typed`: `text` replaces it (or is the first one)
 * - `removed`: it is deleted
 */
export interface SecretDraft {
  state: "kept" | "typed" | "removed";
  text: string;
}

/** Where a form begins: the stored secret is kept, and where there is none one may be typed. */
export function secretDraft(mask: string | null): SecretDraft {
  return { state: mask === null ? "typed" : "kept", text: "" };
}

/** The member of a PATCH: undefined leaves it out (which keeps what is stored), null removes it. A mask is never sent. */
export function secretMember({ state, text }: SecretDraft): string | null | undefined {
  if (state === "kept") return undefined;
  if (state === "removed") return null;
  return text.trim() === "" ? undefined : text.trim();
}

/**
 * What is wrong with a secret, or null.
 * @param mask of the stored one; null where there is none
 */
export function secretProblem({ state, text }: SecretDraft, mask: string | null, required = false): string | null {
  const typed = text.trim();
  if (state !== "typed") return null;
  if (typed === "" && mask !== null) return "Enter the new secret, or keep the current one";
  if (typed === "") return required ? "Enter the secret" : null;
  if (typed === mask || /[…•]/.test(typed) || /^\*+$/.test(typed) || /^.{0,4}(?:\.{3}|\*{3,}).{0,4}$/.test(typed))
    return "That looks like the masked value. Enter the whole secret";
  return null;
}

/** True if two URLs differ in scheme, host or port: a stored secret must not be sent to another one. */
export function leadsElsewhere(before: string | null, after: string): boolean {
  // an invalid URL is the URL field's problem
  return before !== null && isHttpUrl(after) && hostOf(before) !== hostOf(after);
}

/**
 * The secret in a pasted line of an environment file, or null where the text is not one: `OPENAI_API_KEY="sk-…"`.
 */
export function pastedAssignment(text: string): { name: string; value: string } | null {
  const [, name, , value] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]{2,})\s*=\s*(["']?)([^\s"']+)\2\s*$/.exec(text) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}
