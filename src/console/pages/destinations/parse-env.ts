import type { ConfigMember } from "#contract/destination-kinds.ts";

export interface PastedMember {
  title: string;
  text: string;
  secret: boolean;
}

/**
 * The members of a kind that a pasted block names: lines of an environment file (`LANGFUSE_SECRET_KEY=…`) or an object
 * of JSON. A name fits a member when it ends with it, whatever the prefix: `langfuse_secret_key` is `secretKey`.
 * Nothing is recognized in less than two assignments, which is just text.
 */
export function parseEnv(
  text: string,
  members: readonly (readonly [name: string, member: ConfigMember])[],
): Record<string, PastedMember> {
  const pairs = assignments(text);
  if (pairs.length < 2) return {};
  const found: Record<string, PastedMember> = {};
  for (const [name, member] of members) {
    if (member.form === "headers") continue;
    const wanted = plain(name);
    const [, value] =
      pairs.find(([given]) => plain(given) === wanted) ?? pairs.find(([given]) => plain(given).endsWith(wanted)) ?? [];
    if (value !== undefined && value !== "") found[name] = { title: member.title, text: value, secret: member.secret };
  }
  return found;
}

/** Letters and digits alone, so that `secret_key`, `SECRET-KEY` and `secretKey` are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

function assignments(text: string): [string, string][] {
  if (text.trim().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      return Object.entries(value as object).filter((pair): pair is [string, string] => typeof pair[1] === "string");
    } catch {
      return [];
    }
  }
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, , value] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(["']?)(.*?)\2\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
