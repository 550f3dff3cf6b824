import { isIPv6 } from "node:net";
import type { BuiltinSlug } from "#contract/guardrails.ts";
import { runsOf, type Span, spansOf } from "./span.ts";

/** Finds what a built-in filter is for. Every expression here has bounded repetitions alone, so that its time grows with the text. */
type Finder = (text: string) => Iterable<Span>;

export type PersonalData = Exclude<BuiltinSlug, "person-name" | "address" | "regex-prompt-injection">;

export const personalData: Readonly<Record<PersonalData, Finder>> = {
  email: emails,
  phone: phones,
  ssn: (text) => spansOf(text, socialSecurityNumber),
  "credit-card": cards,
  "ip-address": ipAddresses,
};

const localCharacter = /[\p{L}\p{N}._%+'-]/u;
const mostLocal = 64;
const domain =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,63})(?![\p{L}\p{N}])/uy;

function* emails(text: string): Generator<Span, void, void> {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    domain.lastIndex = at + 1;
    if (!domain.test(text)) continue;
    const to = domain.lastIndex;
    let from = at;
    while (from > 0 && at - from < mostLocal && localCharacter.test(text.charAt(from - 1))) from -= 1;
    while (from < at && /[.'-]/.test(text.charAt(from))) from += 1;
    if (from < at) yield { from, to };
  }
}

/** E.164 with any spacing: https://www.itu.int/rec/T-REC-E.164 */
const international = /(?<![\p{L}\p{N}+])\+(?:(?:[ ./-]|[ -]?\(|\)[ -]?)?\d){8,15}(?!\d)/gu;
/** https://en.wikipedia.org/wiki/North_American_Numbering_Plan, with something between its parts. */
const northAmerican = /(?<![\w+.-])(?:1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4}(?![\w-]|\.\d)/g;

function* phones(text: string): Generator<Span, void, void> {
  const ends = new Set<number>();
  for (const span of spansOf(text, international)) {
    ends.add(span.to);
    yield span;
  }
  for (const span of spansOf(text, northAmerican)) if (!ends.has(span.to)) yield span;
}

/** https://www.ssa.gov/employer/randomizationfaqs.html: which areas, groups and serials are never given. */
const socialSecurityNumber = /(?<![\w-])(?!000|666|9)\d{3}([ -])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-]|\.\d)/g;

const isInCard = (code: number) => (code >= 0x30 && code <= 0x39) || code === 0x20 || code === 0x2d;
/** Digits in each part of a number as it is written, when it is written in parts. */
const grouped = /^(?:4 4 4 4(?: [1-3])?|4 6 5|4 6 4|4 4 5)$/;
const issuers = /^(?:[3456]|2[2-7])/;
/** What a card number does not come right after: a word, or a number's point. */
const follows = /(?:\w|\d\.)$/;

function* cards(text: string): Generator<Span, void, void> {
  for (const { from: begin, to: end } of runsOf(text, isInCard, 13)) {
    for (let from = begin; from < end;) {
      const to = follows.test(text.slice(Math.max(0, from - 2), from)) ? from : endOfCard(text, from, end);
      if (to > from) yield { from, to };
      from = to > from ? to : nextPart(text, from, end);
    }
  }
}

function nextPart(text: string, at: number, end: number): number {
  for (let next = at; next < end; next += 1) if (text[next] === " " || text[next] === "-") return next + 1;
  return end;
}

/** Where the card number ends that begins here; `from` itself: none does. */
function endOfCard(text: string, from: number, end: number): number {
  let digits = "";
  let part = 0;
  const parts: number[] = [];
  for (let at = from; at <= end && digits.length <= 19; at += 1) {
    const unit = at === end ? "" : text.charAt(at);
    if (unit !== "" && unit !== " " && unit !== "-") {
      digits += unit;
      part += 1;
      continue;
    }
    if (part === 0) return from;
    parts.push(part);
    part = 0;
    if (isCard(digits, parts) && !(at === end && isContinued(text, at))) return at;
  }
  return from;
}

const isContinued = (text: string, at: number) => /^(?:\w|\.\d)/.test(text.slice(at, at + 2));

function isCard(digits: string, parts: readonly number[]): boolean {
  if (digits.length < 13 || digits.length > 19 || !issuers.test(digits)) return false;
  return (parts.length === 1 || grouped.test(parts.join(" "))) && isLuhn(digits);
}

/** https://en.wikipedia.org/wiki/Luhn_algorithm */
function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const v4 = new RegExp(`(?<![\\w.])(?:${octet}\\.){3}${octet}(?!\\w|\\.\\d)`, "g");
/** What may be an address: its parts, with one colon or two between them. */
const v6 = /(?<![\w:.])(?:[0-9A-Fa-f]{1,4})?(?:::?[0-9A-Fa-f]{1,4}){1,8}(?:::)?(?:\.\d{1,3}){0,3}(?![\w:])/g;

function* ipAddresses(text: string): Generator<Span, void, void> {
  yield* spansOf(text, v4);
  for (const span of spansOf(text, v6)) if (isAddress(text.slice(span.from, span.to))) yield span;
}

/** `a[::2]` and `std::b` have the form of an address too: a shortened one needs parts that programs seldom have. */
function isAddress(text: string): boolean {
  if (!isIPv6(text)) return false;
  if (!text.includes("::") || text === "::1") return true;
  const parts = text.split(":").filter((part) => part !== "");
  return parts.length > 2 || (parts.length === 2 && (parts[0]?.length ?? 0) > 2 && /\d/.test(text));
}
