import { addressRule } from "../domain/instance/network-guard.ts";
import { invalid } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing/routing.ts";
import { isObject } from "../providers/answer.ts";
import { imageAddressProblem, longestAddress } from "../providers/images.ts";
import { imageAddress } from "../providers/messages.ts";
import type { EmbeddingItem } from "../providers/provider.ts";
import type { RelayDeps } from "./deps.ts";

/** An address that a caller names, and where it is in the request. */
export interface NamedAddress {
  readonly path: string;
  readonly url: string;
}

type Judge = Pick<RelayDeps, "callerAddress" | "resolve">;

/**
 * Images may be given by address, which either this program or the vendor will fetch, and the vendor may be on the same
 * network as this program. So an address that leads into a private network goes no further.
 * @returns the addresses, so that `refusePrivateNames` can check the names in them
 * @throws Refusal invalid_request naming the image
 */
export function refuseInputImages(
  { callerAddress }: Judge,
  { items, extra }: { readonly items: readonly EmbeddingItem[]; readonly extra: Readonly<Record<string, unknown>> },
): NamedAddress[] {
  // Some vendors take images in messages here too.
  const named = addressesIn(extra);
  items.forEach((item, index) => {
    if (item.type !== "block") return;
    item.parts.forEach((part, at) => {
      if (part.type !== "image_url") return;
      named.push({ path: `input.${index}.content.${at}.image_url.url`, url: part.image_url.url });
    });
  });
  for (const address of named) refuse(address, callerAddress);
  return named;
}

/** Members that a model reads and that are never fetched; messages, tools and schemas are searched part by part. */
const read = new Set(["messages", "tools", "response_format", "metadata", "user", "trace", "stop"]);
/** A function's parameters are a JSON schema, whose addresses are names, unless it refers to them. */
const ownTools = new Set<unknown>(["function", "custom"]);

/**
 * The same for a chat request: vendors accept addresses in many members, so all of them are searched.
 * @param named those of a request that came in another dialect
 */
export function refuseMessageImages(
  { callerAddress }: Judge,
  body: Readonly<Record<string, unknown>>,
  named: readonly NamedAddress[] = addressesIn(body),
): readonly NamedAddress[] {
  for (const address of named) refuse(address, callerAddress);
  return named;
}

function addressesIn(body: Readonly<Record<string, unknown>>): NamedAddress[] {
  const named: NamedAddress[] = [];
  collectMessages(body["messages"], named);
  return [...named, ...addressesBeside(body, read)];
}

/**
 * The addresses in a request's tools, in the schema of its answer, and in all members that are not listed.
 * @param read members that are not fetched, or are searched part by part
 */
export function addressesBeside(
  body: Readonly<Record<string, unknown>>,
  read: ReadonlySet<string>,
  schema = "response_format",
): NamedAddress[] {
  const named: NamedAddress[] = [];
  // A tool that the vendor runs may be at an address.
  [body["tools"]].flat().forEach((tool: unknown, index) => {
    if (isObject(tool) && !ownTools.has(tool["type"])) collect(tool, `tools.${index}`, named);
    else collectReferences(tool, `tools.${index}`, named);
  });
  collectReferences(body[schema], schema, named);
  for (const [member, value] of Object.entries(body)) if (!read.has(member)) collect(value, member, named);
  return named;
}

function collectMessages(messages: unknown, named: NamedAddress[]): void {
  if (!Array.isArray(messages)) return;
  messages.forEach((message: unknown, index) => {
    if (!isObject(message)) return;
    for (const [member, value] of Object.entries(message)) {
      const path = `messages.${index}.${member}`;
      if (member !== "content") collect(value, path, named);
      else if (Array.isArray(value)) value.forEach((part, at) => collectPart(part, `${path}.${at}`, named));
    }
  });
}

function collectPart(part: unknown, path: string, named: NamedAddress[]): void {
  if (!isObject(part)) return;
  // An invalid address is refused here, not when it is fetched.
  if (part["type"] === "image_url") named.push({ path: `${path}.image_url.url`, url: imageAddress(part) });
  for (const [member, value] of Object.entries(part)) {
    if (member === "text" || (member === "image_url" && part["type"] === "image_url" && typeof value === "string"))
      continue;
    collect(value, `${path}.${member}`, named);
  }
}

/** Whole values that are addresses; addresses within a text are never followed. */
export function collect(value: unknown, path: string, named: NamedAddress[]): void {
  if (typeof value === "string") {
    const url = asParsed(value);
    if (isAddressed(url)) named.push({ path, url });
  } else if (typeof value === "object" && value !== null) {
    for (const [member, each] of Object.entries(value)) collect(each, `${path}.${member}`, named);
  }
}

/** Those among members that a vendor may fetch instead of what they usually are, such as a voice. */
export function addressesOf(members: Readonly<Record<string, unknown>>): NamedAddress[] {
  const named: NamedAddress[] = [];
  for (const [path, value] of Object.entries(members)) collect(value, path, named);
  return named;
}

/**
 * The schemas that a schema refers to by their addresses. What it calls itself is where a reference without a host is
 * looked up, and only a name where there is none.
 */
function collectReferences(schema: unknown, at: string, named: NamedAddress[]): void {
  const bases: NamedAddress[] = [];
  let isRelative = false;
  (function visit(value: unknown, path: string): void {
    if (typeof value !== "object" || value === null) return;
    for (const [member, each] of Object.entries(value)) {
      if (typeof each !== "string") visit(each, `${path}.${member}`);
      else if (member === "$id" || member === "id") collect(each, `${path}.${member}`, bases);
      else if (member === "$ref" || member === "$dynamicRef") {
        collect(each, `${path}.${member}`, named);
        isRelative ||= !each.startsWith("#");
      }
    }
  })(schema, at);
  if (isRelative) named.push(...bases);
}

/** Without what a parser of URLs passes over: spaces and controls around it, tabs and line ends within (WHATWG URL, 4.4). */
function asParsed(text: string): string {
  const from = text.search(/[^\s\p{Cc}]/u);
  return from < 0
    ? ""
    : text
        .slice(from, from + longestAddress + 1)
        .replaceAll(/[\t\n\r]/g, "")
        .trimEnd();
}

/** Special schemes need no slashes, and an address may begin with its host alone. */
function isAddressed(text: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:[\\/]{2}|(?:https?|wss?|ftp|file):\S|[\\/]{2}[^\s\\/])/i.test(text.slice(0, 64));
}

function refuse({ path, url }: NamedAddress, callerAddress: Judge["callerAddress"]): void {
  const problem = imageAddressProblem(url, callerAddress);
  if (problem !== null) throw invalid(path, problem);
}

/** Names that no public resolver knows. */
const internal = /^[^.]+$|\.(local|localhost|localdomain|internal|intranet|lan|corp|home|svc|arpa)$/;
const anyPrivate = addressRule("deny", "caller");

/**
 * A name may lead into a private network just as an address may. What a public vendor finds under a public name is its
 * own concern; a vendor in a private network only receives public names.
 * @throws Refusal invalid_request naming the image
 */
export async function refusePrivateNames(
  judge: Judge,
  named: readonly NamedAddress[],
  candidates: readonly Candidate[],
): Promise<void> {
  const names = named.flatMap(({ path, url }) => {
    const host = hostOf(url);
    return host === null || isAddress(host) ? [] : [{ path, host }];
  });
  if (names.length === 0) return;
  const vendors = new Set(candidates.flatMap(({ provider }) => hostOf(provider.baseUrl ?? "") ?? []));
  const inside = await Promise.all(
    [...vendors].map(async (host) => (await privateAt(judge, host, anyPrivate)) !== null),
  );
  const nearby = inside.includes(true);
  const known = new Map<string, Promise<string | null>>();
  for (const { path, host } of names) {
    if (!nearby && !internal.test(host)) continue;
    const found = known.get(host) ?? privateAt(judge, host, judge.callerAddress);
    known.set(host, found);
    const reason = await found;
    if (reason !== null) throw invalid(path, `must not lead into a private network: ${host}: ${reason}`);
  }
}

/** Why a host is not a public one; null when all its addresses are. */
async function privateAt({ resolve }: Judge, host: string, rule: Judge["callerAddress"]): Promise<string | null> {
  if (isAddress(host)) return rule(host);
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return "it has no address";
  return addresses.map(rule).find((reason) => reason !== null) ?? null;
}

/** The host of an http address in a resolver's form; null for any other address. */
function hostOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  return parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

function isAddress(host: string): boolean {
  return /^[\d.]+$|:/.test(host);
}
