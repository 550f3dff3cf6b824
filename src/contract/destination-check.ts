import type { ConfigMember } from "./destination-kinds.ts";
import type { FilterField, FilterOperator, FilterRule } from "./destinations.ts";
import { headerSafe, headerUnsafe } from "./header-text.ts";

/**
 * Rules for a destination's settings beyond their shape. The gateway refuses by these rules, and the console shows the
 * same messages before it sends. Every message continues a sentence that begins with the member's name.
 */

// URL is the same in Node.js and browsers; the contract is compiled with the types of neither.
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): { protocol: string; host: string; hostname: string };
};

const mostCharacters = 4_096;

/** What is wrong with the text of a config member; null: nothing is. */
export function wrongText(member: ConfigMember, text: string): string | null {
  if (text === "") return "must have at least one character";
  if (text.length > mostCharacters) return `must have at most ${mostCharacters} characters`;
  if (/[\r\n\0]/.test(text)) return "must be a single line";
  if (member.inHeader === true && !headerSafe.test(text)) return headerUnsafe;
  if (member.form === "url" && !isHttpUrl(text))
    return "must be an http or https URL, such as https://collector.example.com";
  if (member.form === "host" && !isHttpUrl(text) && !isHttpUrl(`https://${text}`))
    return "must be a host name, or an http or https URL";
  if ((member.form === "url" || member.form === "host") && /^([a-z]+:\/\/)?[^/?#]*@/i.test(text))
    return "must have no user and no password in it: it is shown in the clear";
  if (member.choices && !member.choices.includes(text)) return `must be one of ${member.choices.join(", ")}`;
  if (member.pattern && !member.pattern.test.test(text)) return member.pattern.message;
  return null;
}

export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && hostname !== "";
}

/** The origin that a secret is bound to: scheme, host and port; a text that is not an address is returned as it is. */
export function hostOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, host } = new URL(text);
  return host === "" ? text : `${protocol}//${host}`;
}

/** The characters of a header's name: RFC 9110 §5.6.2. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Headers that the HTTP client sets or refuses: one of these could smuggle a request, or make every delivery fail. */
const reservedHeaders = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "upgrade",
  "te",
  "trailer",
  "__proto__",
]);

export function wrongHeaderName(name: string): string | null {
  const fits = headerName.test(name) && !reservedHeaders.has(name.toLowerCase());
  return fits ? null : "is not a header that can be set";
}

export function wrongHeaderValue(text: unknown): string | null {
  const fits = typeof text === "string" && text.length <= mostCharacters && headerSafe.test(text);
  return fits ? null : `${headerUnsafe}, of at most ${mostCharacters} characters`;
}

const numberFields: ReadonlySet<string> = new Set<FilterField>([
  "total_cost",
  "total_tokens",
  "prompt_tokens",
  "completion_tokens",
]);

export const isNumberField = (field: string): boolean => numberFields.has(field);

/** True for exists and not_exists, which take no value. */
export const takesNoValue = (operator: unknown): boolean => operator === "exists" || operator === "not_exists";

const textOperators: readonly FilterOperator[] = [
  "equals",
  "not_equals",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "regex",
  "exists",
  "not_exists",
];
const numberOperators: readonly FilterOperator[] = [
  "equals",
  "not_equals",
  "gt",
  "gte",
  "lt",
  "lte",
  "exists",
  "not_exists",
];

/** The operators that make sense for a field, in the order in which they are offered. */
export function operatorsOf(field: string): readonly FilterOperator[] {
  return isNumberField(field) ? numberOperators : textOperators;
}

/** What is wrong with a rule; the gateway, which runs the patterns, checks whether they compile. */
export function wrongRule({
  field,
  operator,
  value,
}: FilterRule): { member: "operator" | "value"; message: string } | null {
  if (takesNoValue(operator)) return null;
  if (value === undefined) return { member: "value", message: `is required for ${operator}` };
  const isNumber = isNumberField(field);
  if (!operatorsOf(field).includes(operator)) {
    const use = isNumber
      ? "a number: use equals, not_equals, gt, gte, lt or lte"
      : "a text: use equals, contains, starts_with, ends_with or regex";
    return { member: "operator", message: `does not fit ${field}, ${use}` };
  }
  if (isNumber && (value === "" || !Number.isFinite(Number(value))))
    return { member: "value", message: "must be a number" };
  return null;
}
