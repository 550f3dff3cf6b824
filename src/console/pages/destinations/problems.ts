import { configMembers, type ConfigMember, type DestinationType } from "#contract/destination-kinds.ts";
import { hostOf, wrongHeaderName, wrongHeaderValue, wrongText } from "#contract/destination-check.ts";
import { CreateDestinationBody, type DestinationRecord } from "#contract/destinations.ts";
import { secretProblem } from "../../form/secret.ts";
import { draftOf, isHeaders, maskOf, type Draft, type MemberDraft } from "./draft.ts";
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
  else {
    const [wrong] = CreateDestinationBody.shape.name.safeParse(draft.name).error?.issues ?? [];
    if (wrong) problems["name"] = `Name ${wrong.message}`;
  }
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
        typedProblem(member, value.state === "typed" ? value.text.trim() : "");
      if (wrong) problems[path] = wrong;
    }
  }
  if (draft.api_key_hashes?.length === 0) problems["api_key_hashes"] = "Choose at least one, or pick All keys";
  if (draft.sampling_rate === null) problems["sampling_rate"] = "Enter a percentage from 0.01 to 100";
  return { ...problems, ...ruleProblems(draft.filter_rules) };
}

const sendAgain = (moved: string) =>
  `${moved} now points to another host. Replace this secret, so the old one is not sent there`;

/** The title of the member that now names another host while secrets are stored; null where none does. */
export function movedHost(type: DestinationType, draft: Draft, base: DestinationRecord | null): string | null {
  if (base === null) return null;
  const before = draftOf(base);
  const moved = Object.entries(configMembers(type)).find(
    ([name, member]) =>
      member.addressesHost && leadsTo(before.config[name], member) !== leadsTo(draft.config[name], member),
  );
  return moved?.[1].title ?? null;
}

function leadsTo(value: MemberDraft | undefined, member: ConfigMember): string {
  return hostOf(typeof value === "string" && value.trim() !== "" ? value.trim() : (member.default ?? ""));
}

function textProblem(member: ConfigMember, text: string): string | null {
  if (text === "") return member.required ? `Enter the ${inSentence(member.title)}` : null;
  return typedProblem(member, text);
}

function typedProblem(member: ConfigMember, text: string): string | null {
  const wrong = text === "" ? null : wrongText(member, text);
  return wrong === null ? null : `${member.title} ${wrong}`;
}

/** "Base URL" stays, "Project id" becomes "project id". */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.slice(0, 1).toLowerCase() + title.slice(1) : title;

export const headerPath = (index: number): string => `config.headers.${index}`;

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
    else if (wrongHeaderName(name.trim())) problems[path] = `${name.trim()} ${wrongHeaderName(name.trim())}`;
    else if (names.indexOf(name.trim().toLowerCase()) !== index) problems[path] = "This header is there twice";
    else {
      const wrong = secretProblem(value, maskOf(base, "headers", name), true);
      const unfit = value.state === "typed" ? wrongHeaderValue(value.text.trim()) : null;
      if (wrong) problems[path] = wrong === "Enter the secret" ? "Enter the header's value" : wrong;
      else if (unfit) problems[path] = `The value ${unfit}`;
    }
  }
  return problems;
}
