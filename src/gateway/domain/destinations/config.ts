import { isDeepStrictEqual } from "node:util";
import { hostOf, wrongHeaderName, wrongHeaderValue, wrongText } from "#contract/destination-check.ts";
import {
  configMembers,
  destinationKinds,
  type ConfigMember,
  type DestinationType,
} from "#contract/destination-kinds.ts";
import type { FieldIssue } from "#contract/errors.ts";
import { Refusal } from "../refusal.ts";
import { isMask, maskSecret } from "../secrets/mask.ts";

/** A config as it is stored: every member by name, `headers` as a map. Holds secrets in plain text. */
export type StoredConfig = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const masked = "is a masked value, not the secret: send the secret itself";

/** The config as returned in answers: defaults filled in, secrets masked. */
export function maskConfig(type: DestinationType, config: StoredConfig): Record<string, unknown> {
  const members = configMembers(type);
  const shown = Object.entries(withDefaults(type, config)).map(([name, value]) => {
    if (typeof value !== "string")
      return [name, Object.fromEntries(Object.entries(value).map(([header, text]) => [header, maskSecret(text)]))];
    return [name, members[name]?.secret ? maskSecret(value) : value];
  });
  return Object.fromEntries(shown);
}

/** Whether a member is an address that somebody entered: its path or query may be a token. A kind's own says nothing. */
export function isOwnAddress(member: ConfigMember | undefined, value: unknown): value is string {
  const isAddress = member?.form === "url" || member?.form === "host";
  return isAddress && typeof value === "string" && value !== member.default;
}

/** Whether two configs are equivalent once defaults are filled in. */
export function isSameConfig(type: DestinationType, a: StoredConfig, b: StoredConfig): boolean {
  return isDeepStrictEqual(withDefaults(type, a), withDefaults(type, b));
}

function withDefaults(type: DestinationType, config: StoredConfig): StoredConfig {
  const values = Object.entries(configMembers(type)).map(([name, member]) => [name, config[name] ?? member.default]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * The config after merging `sent` into `kept` (null: a new destination).
 * Absent members stay, `null` removes an optional one, and a masked value keeps the stored secret. Extra headers are
 * merged one by one.
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
      const { headers, wrong, sent } = mergeHeaders(value, merged[name], path);
      if (Object.keys(headers).length > 0) merged[name] = headers;
      else delete merged[name];
      issues.push(...wrong);
      for (const one of sent) sentAnew.add(one);
    } else if (typeof value !== "string") {
      issues.push({ path, message: "must be a string" });
    } else if (member.secret && isMask(value)) {
      if (merged[name] === undefined) issues.push({ path, message: masked });
    } else {
      const wrong = wrongText(member, value);
      if (wrong) issues.push({ path, message: wrong });
      else merged[name] = value;
      sentAnew.add(path);
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

/** A stored secret is never sent to another host: changing the host requires entering the secret again. */
function secretsToSendAgain(
  members: Readonly<Record<string, ConfigMember>>,
  kept: StoredConfig,
  merged: StoredConfig,
  sentAnew: ReadonlySet<string>,
): FieldIssue[] {
  const moved = Object.entries(members)
    .filter(([, member]) => member.addressesHost)
    .find(([name, member]) => {
      const leadsTo = (value: StoredConfig[string] = member.default ?? "") =>
        typeof value === "string" ? hostOf(value) : "";
      return leadsTo(kept[name]) !== leadsTo(merged[name]);
    });
  if (!moved) return [];
  return Object.entries(members)
    .filter(([, member]) => member.secret)
    .flatMap(([name]) => {
      const value = kept[name] === undefined ? undefined : merged[name];
      if (value === undefined) return [];
      const path = `config.${name}`;
      return typeof value === "string" ? [path] : Object.keys(value).map((header) => `${path}.${header}`);
    })
    .filter((path) => !sentAnew.has(path))
    .map((path) => ({ path, message: `has to be sent again, because config.${moved[0]} now names another host` }));
}

/**
 * The stored headers with the sent ones merged in: absent ones stay, an empty value or `null` removes one.
 * Names are case-insensitive.
 */
function mergeHeaders(value: unknown, kept: StoredConfig[string] | undefined, path: string) {
  const headers = new Map(Object.entries(typeof kept === "object" ? kept : {}));
  const wrong: FieldIssue[] = [];
  const sent: string[] = [];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) wrong.push({ path, message: "must be an object of header names and values" });
  for (const [name, text] of Object.entries(isObject ? (value as Record<string, unknown>) : {})) {
    const at = `${path}.${name}`;
    const before = [...headers.keys()].find((other) => other.toLowerCase() === name.toLowerCase());
    const wrongName = wrongHeaderName(name);
    const wrongValue = wrongHeaderValue(text);
    if (wrongName) wrong.push({ path: at, message: wrongName });
    else if (text === null || text === "") headers.delete(before ?? name);
    else if (typeof text === "string" && isMask(text)) {
      if (before === undefined) wrong.push({ path: at, message: masked });
    } else if (wrongValue) wrong.push({ path: at, message: wrongValue });
    else {
      headers.delete(before ?? name);
      headers.set(name, String(text));
      sent.push(at);
    }
  }
  return { headers: Object.fromEntries(headers), wrong, sent };
}
