import { configMembers } from "#contract/destination-kinds.ts";
import type { ConfigMember, DestinationType } from "#contract/destination-kinds.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { secretProblem } from "../../form/secret.ts";
import { draftOf, isHeaders, maskOf } from "./draft.ts";
import type { Draft, MemberDraft } from "./draft.ts";
import { ruleProblems } from "./rules.ts";

/** What is wrong, by the API's path of the member: `config.baseUrl`, `api_key_hashes`. */
export type Problems = Readonly<Record<string, string>>;

/**
 * What can be told without the gateway. What only it can tell (a pattern that does not compile, a name that is taken)
 * comes back from it with the same paths.
 * @param base null for a new destination
 */
export function draftProblems(type: DestinationType, draft: Draft, base: DestinationRecord | null): Problems {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === "") problems["name"] = "Enter a name";
  else if (draft.name.trim().length > 255) problems["name"] = "Use at most 255 characters";
  const moved = movedHost(type, draft, base);
  for (const [name, member] of Object.entries(configMembers(type))) {
    const value = draft.config[name] ?? "";
    const path = `config.${name}`;
    if (typeof value === "string") {
      const wrong = textProblem(member, value.trim());
      if (wrong) problems[path] = wrong;
    } else if (isHeaders(value)) {
      Object.assign(problems, headerProblems(value, base, moved));
    } else {
      const wrong =
        (value.state === "kept" && moved !== null ? sendAgain(moved) : null) ??
        secretProblem(value, maskOf(base, name), member.required) ??
        patternProblem(member, value.state === "typed" ? value.text.trim() : "");
      if (wrong) problems[path] = wrong;
    }
  }
  if (draft.api_key_hashes?.length === 0) problems["api_key_hashes"] = "Choose at least one, or pick All keys";
  if (draft.sampling_rate === null) problems["sampling_rate"] = "Enter a percentage from 0.01 to 100";
  return { ...problems, ...ruleProblems(draft.filter_rules) };
}

const sendAgain = (moved: string) =>
  `${moved} leads to another host now. Replace this secret, so that the old one is not sent there`;

/** The title of the member that now names another host while secrets are stored; null where none does. */
export function movedHost(type: DestinationType, draft: Draft, base: DestinationRecord | null): string | null {
  if (base === null) return null;
  const before = draftOf(base);
  const moved = Object.entries(configMembers(type)).find(
    ([name, member]) =>
      member.addressesHost && hostOf(before.config[name], member) !== hostOf(draft.config[name], member),
  );
  return moved?.[1].title ?? null;
}

function hostOf(value: MemberDraft | undefined, member: ConfigMember): string {
  const text = typeof value === "string" && value.trim() !== "" ? value.trim() : (member.default ?? "");
  if (!URL.canParse(text)) return text;
  const { host, protocol } = new URL(text);
  return host === "" ? text : `${protocol}//${host}`;
}

function textProblem(member: ConfigMember, text: string): string | null {
  if (text === "") return member.required ? `Enter the ${inSentence(member.title)}` : null;
  if (member.form === "url" && !isHttpUrl(text))
    return "Enter an http or https address, such as https://collector.example.com";
  if (member.form === "host" && !isHttpUrl(text) && !isHttpUrl(`https://${text}`))
    return "Enter a host name, or an http or https address";
  return patternProblem(member, text);
}

function patternProblem(member: ConfigMember, text: string): string | null {
  if (text === "" || !member.pattern || member.pattern.test.test(text)) return null;
  return `${member.title} ${member.pattern.message}`;
}

/** "Base URL" stays, "Project id" becomes "project id". */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.slice(0, 1).toLowerCase() + title.slice(1) : title;

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && hostname !== "";
}

export const headerPath = (index: number): string => `config.headers.${index}`;

/** The characters of a header's name: RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function headerProblems(
  headers: Extract<MemberDraft, readonly unknown[]>,
  base: DestinationRecord | null,
  moved: string | null,
): Record<string, string> {
  const problems: Record<string, string> = {};
  const names = headers.map(({ name, value }) => (value.state === "removed" ? "" : name.trim().toLowerCase()));
  for (const [index, { name, value }] of headers.entries()) {
    if (value.state === "removed") continue;
    const path = headerPath(index);
    if (value.state === "kept" && moved !== null) problems[path] = sendAgain(moved);
    else if (name.trim() === "") problems[path] = "Enter the header's name";
    else if (!token.test(name.trim())) problems[path] = "A header's name has letters, digits and hyphens";
    else if (names.indexOf(name.trim().toLowerCase()) !== index) problems[path] = "This header is there twice";
    else {
      const wrong = secretProblem(value, maskOf(base, "headers", name), true);
      if (wrong) problems[path] = wrong === "Enter the secret" ? "Enter the header's value" : wrong;
    }
  }
  return problems;
}
