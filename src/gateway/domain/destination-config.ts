import {
  configMembers,
  destinationKinds,
  type ConfigMember,
  type DestinationType,
} from "#contract/destination-kinds.ts";
import type { FieldIssue } from "#contract/errors.ts";
import { headerSafe, headerUnsafe } from "#contract/providers.ts";
import { Refusal } from "./refusal.ts";

/** A config as it is kept: every member by its name, `headers` as a map. Holds secrets in plain text. */
export type StoredConfig = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/**
 * A secret as it may be shown: the first and last four characters around `...`.
 * Short ones show less, so that no mask gives half of its secret away.
 */
export function maskSecret(secret: string): string {
  const shown = secret.length >= 16 ? 4 : secret.length >= 10 ? 2 : 0;
  return `${secret.slice(0, shown)}...${secret.slice(secret.length - shown)}`;
}

/** The config as an answer carries it: defaults filled in, secrets masked. */
export function maskConfig(type: DestinationType, config: StoredConfig): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(configMembers(type))) {
    const value = config[name] ?? member.default;
    if (value === undefined) continue;
    if (typeof value !== "string")
      shown[name] = Object.fromEntries(Object.entries(value).map(([header, text]) => [header, maskSecret(text)]));
    else shown[name] = member.secret ? maskSecret(value) : value;
  }
  return shown;
}

/**
 * The config after `sent` was laid over `kept` (null: a new destination).
 * Left-out members stay, `null` removes an optional one, a value equal to the mask of the kept secret stays what it was.
 * @throws Refusal (400) that lists every wrong member as `config.<name>`
 */
export function mergeConfig(
  type: DestinationType,
  sent: Record<string, unknown>,
  kept: StoredConfig | null,
): StoredConfig {
  const members = configMembers(type);
  const issues: FieldIssue[] = [];
  const merged: Record<string, string | Readonly<Record<string, string>>> = { ...kept };
  const sentAnew = new Set<string>();

  for (const [name, value] of Object.entries(sent)) {
    const path = `config.${name}`;
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member) {
      issues.push({ path, message: `is not a member of ${type}; it has ${Object.keys(members).join(", ")}` });
    } else if (value === null) {
      if (member.required) issues.push({ path, message: "is required and cannot be removed" });
      else delete merged[name];
    } else if (member.form === "headers") {
      const parsed = parseHeaders(value, merged[name], path, issues);
      if (parsed) merged[name] = parsed.headers;
      if (parsed && !parsed.keptSome) sentAnew.add(name);
    } else if (typeof value !== "string") {
      issues.push({ path, message: "must be a string" });
    } else if (member.secret && typeof merged[name] === "string" && value === maskSecret(merged[name])) {
      continue;
    } else {
      const wrong = wrongText(member, value);
      if (wrong) issues.push({ path, message: wrong });
      else merged[name] = value;
      sentAnew.add(name);
    }
  }

  for (const [name, member] of Object.entries(members))
    if (member.required && merged[name] === undefined && !issues.some((issue) => issue.path === `config.${name}`))
      issues.push({ path: `config.${name}`, message: `is required for ${destinationKinds[type].title}` });

  if (kept && issues.length === 0) issues.push(...secretsToSendAgain(members, kept, merged, sentAnew));
  if (issues.length > 0)
    throw new Refusal("invalid_request", issues.map((issue) => `${issue.path} ${issue.message}`).join("; "), {
      issues,
    });
  return merged;
}

/** A kept secret is never carried to another host: whoever moves the host has to know the secret. */
function secretsToSendAgain(
  members: Readonly<Record<string, ConfigMember>>,
  kept: StoredConfig,
  merged: StoredConfig,
  sentAnew: ReadonlySet<string>,
): FieldIssue[] {
  const moved = Object.entries(members)
    .filter(([, member]) => member.addressesHost)
    .find(([name, member]) => hostOf(kept[name] ?? member.default) !== hostOf(merged[name] ?? member.default));
  if (!moved) return [];
  return Object.entries(members)
    .filter(([name, member]) => member.secret && kept[name] !== undefined && merged[name] !== undefined)
    .filter(([name]) => !sentAnew.has(name))
    .map(([name]) => ({
      path: `config.${name}`,
      message: `has to be sent again, because config.${moved[0]} now names another host`,
    }));
}

function hostOf(value: StoredConfig[string] | undefined): string {
  if (typeof value !== "string") return "";
  const parsed = URL.canParse(value) ? new URL(value) : null;
  return parsed?.host ? `${parsed.protocol}//${parsed.host}` : value;
}

function wrongText(member: ConfigMember, value: string): string | null {
  if (value === "") return "must have at least one character";
  if (value.length > 4_096) return "must have at most 4096 characters";
  if (/[\r\n\0]/.test(value)) return "must be a single line";
  if (member.secret && /[…•]/.test(value))
    return "looks like a masked value; send the secret itself, or leave it out to keep it";
  if (member.form === "url" && !isHttpUrl(value))
    return "must be an http or https URL, such as https://collector.example.com";
  if (member.form === "host" && !isHttpUrl(value) && !isHttpUrl(`https://${value}`))
    return "must be a host name, or an http or https URL";
  if ((member.form === "url" || member.form === "host") && /^([a-z]+:\/\/)?[^/?#]*@/i.test(value))
    return "must have no user and no password in it: it is shown in the clear";
  if (member.choices && !member.choices.includes(value)) return `must be one of ${member.choices.join(", ")}`;
  if (member.pattern && !member.pattern.test.test(value)) return member.pattern.message;
  return null;
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What the HTTP client owns; a destination that set these could break or smuggle requests. */
const reservedHeaders = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "te",
  "trailer",
  "__proto__",
]);

function parseHeaders(
  value: unknown,
  kept: StoredConfig[string] | undefined,
  path: string,
  issues: FieldIssue[],
): { headers: Readonly<Record<string, string>>; keptSome: boolean } | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    issues.push({ path, message: "must be an object of header names and values" });
    return null;
  }
  const keptHeaders = typeof kept === "object" ? kept : {};
  const headers: Record<string, string> = {};
  let keptSome = false;
  for (const [name, text] of Object.entries(value)) {
    const keptText = Object.hasOwn(keptHeaders, name) ? keptHeaders[name] : undefined;
    if (!headerName.test(name) || reservedHeaders.has(name.toLowerCase()))
      issues.push({ path: `${path}.${name}`, message: "is not a header that can be set" });
    else if (typeof text !== "string" || text.length > 4_096 || !headerSafe.test(text))
      issues.push({ path: `${path}.${name}`, message: `${headerUnsafe}, of at most 4096 characters` });
    else if (keptText !== undefined && text === maskSecret(keptText)) {
      headers[name] = keptText;
      keptSome = true;
    } else headers[name] = text;
  }
  return { headers, keptSome };
}
