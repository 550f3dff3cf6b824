import { withoutHidden } from "#contract/plain-name.ts";
import { scimSchemas } from "#contract/scim-protocol.ts";
import { scimInvalid } from "./refusals.ts";

/** One comparison of a filter: names in lower case. */
export interface Comparison {
  readonly attribute: string;
  readonly value: string | boolean | null;
}

const longestFilter = 1_000;
const mostComparisons = 5;
const comparison =
  /\s*([a-z][\w:.$-]*(?:\[[^\]"]*(?:"(?:[^"\\]|\\.)*")?\s*\](?:\.[a-z]+)?)?)\s+([a-z]+)\s+("(?:[^"\\]|\\.)*"|[^\s"()[\]]+(?=\s|$))\s*(and\b|$)/iy;

/**
 * The comparisons that all have to hold: `userName eq "ana" and active eq true`. Identity providers look resources up by
 * equality; the rest of RFC 7644's filters is refused. Text may be without quotes, as Microsoft documents it.
 * @throws Refusal 400 invalidFilter
 */
export function parseFilter(text: string): readonly Comparison[] {
  const found: Comparison[] = [];
  const read = new RegExp(comparison);
  if (text.length > longestFilter) throw unreadable();
  for (let hasMore = true; hasMore;) {
    const [, attribute = "", operator = "", value = "", rest = ""] = read.exec(text) ?? [];
    if (operator.toLowerCase() !== "eq" || found.length === mostComparisons) throw unreadable();
    found.push({ attribute: withoutSchema(attribute.toLowerCase()), value: readValue(value) });
    hasMore = rest !== "";
  }
  return found;
}

function unreadable() {
  return scimInvalid("invalidFilter", 'A filter compares with eq, such as userName eq "ana", and joins them with and');
}

function readValue(text: string): Comparison["value"] {
  const value = text.startsWith('"') ? parsed(text) : withoutQuotes(text);
  // Escapes can spell what no store takes.
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) throw unreadable();
  // As texts are stored.
  return typeof value === "string" ? withoutHidden(value) : value;
}

function withoutQuotes(text: string): Comparison["value"] {
  const word = text.toLowerCase();
  if (word === "null") return null;
  return word === "true" || word === "false" ? word === "true" : text;
}

function parsed(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw unreadable();
  }
}

/** What an operation of a PATCH is about: names in lower case. */
export interface ScimPath {
  readonly attribute: string;
  /** which elements of a list: `members[value eq "…"]` */
  readonly filter: readonly Comparison[] | null;
  readonly member: string | null;
}

const path = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/is;

/**
 * A path in a PATCH.
 * @returns null for an attribute of another schema than the resource's own, which is not kept
 * @throws Refusal 400 invalidPath
 */
export function parsePath(text: string): ScimPath | null {
  const own = withoutSchema(text.trim().toLowerCase());
  if (own.startsWith("urn:")) return null;
  // Case does not matter in names, and matters in what a filter compares with.
  const [, attribute, filter, member] = path.exec(text.trim().slice(text.trim().length - own.length)) ?? [];
  if (attribute === undefined) throw scimInvalid("invalidPath", "The path of an operation names no attribute");
  return {
    attribute: attribute.toLowerCase(),
    filter: filter === undefined ? null : parseFilter(filter),
    member: member?.toLowerCase() ?? null,
  };
}

const ownSchemas = [scimSchemas.user, scimSchemas.group].map((urn) => `${urn.toLowerCase()}:`);

function withoutSchema(name: string): string {
  const schema = ownSchemas.find((each) => name.startsWith(each));
  return schema === undefined ? name : name.slice(schema.length);
}
