import { completionsForm } from "../relay/chat/completions-form.ts";
import type { CallerForm } from "../relay/caller-form.ts";
import type { ExchangePartner } from "./exchange.ts";
import { fixture } from "./fixture.ts";
import { forms, plainRequest } from "./read-answers.ts";

/**
 * fixtures/members.json is the one place that says what becomes of each member of a request, by the caller's dialect and
 * the provider's. members.test.ts sends each row's example to each provider and compares; the property in pairs.test.ts
 * loses nothing that is not "left out" there; docs/members.md is written from it. A new member is a new row.
 */
export interface MemberRow {
  /** the member as the caller's dialect writes it */
  readonly member: string;
  /** members of a request that have it, next to those of a plain request */
  readonly example: Readonly<Record<string, unknown>>;
  /** the same without it; absent: a plain request */
  readonly without?: Readonly<Record<string, unknown>>;
  /** what the docs add where it is changed */
  readonly words?: string;
  readonly to: Readonly<Record<ProviderName, Outcome>>;
}

/** `carried`: sent unchanged; `left out: why`; `refused: in these words`; or where it is instead, and what is there. */
export type Outcome = string | Readonly<Record<string, unknown>>;

/** Providers by their dialect; `chat` is any server of OpenAI's chat, `openai` one that refuses members it does not know. */
export const partners = {
  chat: {},
  openai: { preset: "openai", baseUrl: "https://api.openai.com/v1" },
  anthropic: { kind: "anthropic", preset: "anthropic" },
  gemini: { kind: "gemini", preset: "gemini" },
  cohere: { kind: "cohere", preset: "cohere" },
} as const satisfies Record<string, ExchangePartner>;
export type ProviderName = keyof typeof partners;

/** The callers' dialects, with a plain request of each. */
export const dialects = {
  chat: { form: forms.chat, plain: plainRequest("chat", "Hello") },
  completions: { form: completionsForm, plain: { model: "acme/talk", prompt: "Hello" } },
  messages: { form: forms.messages, plain: plainRequest("messages", "Hello") },
  responses: { form: forms.responses, plain: plainRequest("responses", "Hello") },
} as const satisfies Record<string, { form: CallerForm; plain: object }>;
export type DialectName = keyof typeof dialects;

export const members: Readonly<Record<DialectName, readonly MemberRow[]>> = JSON.parse(fixture("members.json"));

const byName = new Map(
  Object.entries(members).flatMap(([dialect, rows]) => rows.map((row) => [`${dialect}: ${row.member}`, row] as const)),
);

/** @throws Error where there is no row of that name */
export function outcomeOf(dialect: DialectName, member: string, provider: ProviderName): Outcome {
  const row = byName.get(`${dialect}: ${member}`);
  if (row === undefined) throw new Error(`no row for ${member} of ${dialect}`);
  return row.to[provider];
}

const titles: Readonly<Record<DialectName, string>> = {
  chat: "Chat completions",
  completions: "Completions, the older form",
  messages: "Anthropic's messages",
  responses: "Responses",
};
const columns: Readonly<Record<ProviderName, string>> = {
  chat: "a server of chat",
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Gemini",
  cohere: "Cohere",
};

/** docs/members.md. */
export function membersPage(): string {
  const head = [
    "# Members, by dialect",
    "",
    "What becomes of each member of a request at a provider of each dialect. This page is written from",
    "`src/gateway/testing/fixtures/members.json`, and a test holds the gateway to every row.",
    "",
    "Yes: it is sent as it came. A name: it is sent there. A dash: it is left out, for the reason given. 400: the provider is",
    "not asked, and if no other one can take the request, it is refused in these words. A server of chat is any of OpenAI's",
    "dialect; OpenAI and others that refuse members which they do not document are sent those alone. Providers that speak the",
    "caller's own dialect, OpenAI for responses and Anthropic for messages, get the caller's bytes.",
  ];
  const tables = (Object.keys(titles) as DialectName[]).flatMap((dialect) => [
    "",
    `## ${titles[dialect]}`,
    "",
    `| member | ${Object.values(columns).join(" | ")} |`,
    `| --- |${" --- |".repeat(Object.keys(columns).length)}`,
    ...members[dialect].map(line),
  ]);
  return [...head, ...tables, ""].join("\n");
}

function line({ member, words, to }: MemberRow): string {
  const cells = (Object.keys(columns) as ProviderName[]).map((provider) => cell(to[provider], words));
  return `| ${[member, ...cells].join(" | ")} |`;
}

function cell(outcome: Outcome, words: string | undefined): string {
  if (outcome === "carried") return "yes";
  if (typeof outcome === "string")
    return outcome.replace("left out: ", "– ").replace("refused: ", "400: ").replaceAll("|", "\\|");
  const paths = Object.entries(outcome).map(
    ([path, value]) => `\`${deepest(path, value).replaceAll(/\.\d+/g, "[]")}\``,
  );
  return `${[...new Set(paths)].join(", ")}${words === undefined ? "" : `: ${words}`}`;
}

/** The path of the one member that an object has, if it has one. */
function deepest(path: string, value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return path;
  const [first, second] = Object.entries(value);
  return first === undefined || second !== undefined ? path : deepest(`${path}.${first[0]}`, first[1]);
}
