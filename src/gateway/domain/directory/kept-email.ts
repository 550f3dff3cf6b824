import type { ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimUserValues } from "../../storage/directory-tables.ts";
import { optionalText } from "./attribute-texts.ts";
import type { Comparison, ScimPath } from "./scim-path.ts";

/** Of a person's addresses one is kept: the primary one, else the one for work, else the first. */
export interface KeptEmail {
  readonly value: string;
  /** `work`, `home` or `other` */
  readonly type: string;
}

/** What an operation makes of the kept address. */
export type EmailChange = (kept: KeptEmail | null) => KeptEmail | null;

type Columns = Pick<ScimUserValues, "email" | "email_type">;

/** A person's address after these changes. @param before null: the person is new */
export function emailAfter(before: Columns | null, changes: readonly EmailChange[]): Columns {
  const { email = null, email_type = null } = before ?? {};
  let kept = email === null ? null : { value: email, type: typeOf(email_type) };
  for (const change of changes) kept = change(kept);
  return { email: kept?.value ?? null, email_type: kept?.type ?? null };
}

/**
 * Reads what an operation says about `emails`.
 * @returns null where it is about nothing that is kept
 * @throws Refusal 400 invalidValue
 */
export function readEmailChange(
  { filter, member }: ScimPath,
  { op, value }: { op: ScimOperation["op"]; value: unknown },
): EmailChange | null {
  if (member !== null && member !== "value") return null;
  if (filter !== null) return readFiltered(filter, op === "remove" ? null : value);
  const listed = readAddresses(value);
  if (op === "remove") {
    if (value === undefined || value === null) return () => null;
    return (kept) => (listed.some((each) => isSame(each.value, kept?.value)) ? null : kept);
  }
  const [first] = listed;
  if (member === "value" && first !== undefined) return (kept) => ({ value: first.value, type: kept?.type ?? "work" });
  if (op === "replace") return () => chosen(listed);
  // The kept one is shown as the primary one: only another primary one takes its place, or one for work that of another.
  return (kept) => {
    if (kept === null) return chosen(listed);
    const better = listed.find(isPrimary) ?? (kept.type === "work" ? undefined : listed.find(isForWork));
    return better === undefined ? kept : keptOf(better);
  };
}

/** @param value null: the address goes */
function readFiltered(filter: readonly Comparison[], value: unknown): EmailChange {
  const [first] = readAddresses(value);
  const type = filter.find(({ attribute }) => attribute === "type")?.value;
  const isByType = filter.every(({ attribute }) => attribute === "type" || attribute === "primary");
  return (kept) => {
    const isMeant = kept !== null && filter.every((comparison) => holds(comparison, kept));
    if (first === undefined) return isMeant ? null : kept;
    if (isMeant) return { ...kept, value: first.value };
    // Entra sets the address for work by its type, whether or not there is one.
    const isBetter = kept === null || isSame(String(type), "work");
    return isByType && isBetter ? { value: first.value, type: typeOf(type) } : kept;
  };
}

function holds({ attribute, value }: Comparison, kept: KeptEmail): boolean {
  if (attribute === "type") return isSame(String(value), kept.type);
  if (attribute === "value") return isSame(String(value), kept.value);
  return attribute === "primary" && isTrue(value);
}

interface Address extends KeptEmail {
  readonly primary: boolean;
}

const mostRead = 50;

/** A list of addresses, one of them, or its text alone. */
function readAddresses(value: unknown): Address[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value.slice(0, mostRead) : [value];
  return listed.flatMap((each) => {
    if (typeof each !== "object" || each === null) return readAddress({ value: each });
    return readAddress(Object.fromEntries(Object.entries(each).map(([name, part]) => [name.toLowerCase(), part])));
  });
}

function readAddress(parts: Readonly<Record<string, unknown>>): Address[] {
  const value = optionalText(parts["value"], "emails");
  return value === null ? [] : [{ value, type: typeOf(parts["type"]), primary: isTrue(parts["primary"]) }];
}

/** An address without a type counts as the one for work. */
function typeOf(type: unknown): string {
  if (typeof type !== "string" || type === "") return "work";
  const name = type.toLowerCase();
  return name === "work" || name === "home" ? name : "other";
}

function chosen(listed: readonly Address[]): KeptEmail | null {
  const best = listed.find(isPrimary) ?? listed.find(isForWork) ?? listed[0];
  return best === undefined ? null : keptOf(best);
}

const keptOf = ({ value, type }: Address): KeptEmail => ({ value, type });
const isPrimary = ({ primary }: Address) => primary;
const isForWork = ({ type }: Address) => type === "work";
const isTrue = (value: unknown) => value === true || (typeof value === "string" && isSame(value, "true"));
const isSame = (one: string, other: string | undefined) => one.toLowerCase() === other?.toLowerCase();
