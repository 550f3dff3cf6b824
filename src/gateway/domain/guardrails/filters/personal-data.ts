import { isIPv6 } from "node:net";
import type { BuiltinSlug } from "#contract/guardrails.ts";
import { runsOf, type Span, spansOf } from "./span.ts";

/** Finds what a built-in filter is for. Every expression here has bounded repetitions alone, so that its time grows with the text. */
type Finder = (text: string) => Iterable<Span>;

export type PersonalData = Exclude<BuiltinSlug, "person-name" | "address" | "regex-prompt-injection">;

export const personalData: Readonly<Record<PersonalData, Finder>> = {
  email: emails,
  phone: phones,
  ssn: socialSecurityNumbers,
  "credit-card": cards,
  "ip-address": ipAddresses,
};

/** Not right after a letter or a digit, nor within a longer number or expression. */
const begins = "(?<![\\p{L}\\p{N}+]|\\p{N}[._/-])";
const ends = "(?![\\p{L}\\p{N}]|[._/-]\\p{N})";

const localCharacter = /[\p{L}\p{N}._%+'-]/u;
const mostLocal = 64;
/** As it is, and as it is in an address of the web. */
const at = /@|%40/gi;
const domain =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{1,59}|\p{L}{2,63})(?![\p{L}\p{N}])|\[(?:IPv6:)?[0-9a-f.:]{2,45}\]/iuy;

function* emails(text: string): Generator<Span, void, void> {
  for (const { index, 0: sign } of text.matchAll(at)) {
    domain.lastIndex = index + sign.length;
    if (!domain.test(text)) continue;
    const to = domain.lastIndex;
    const from = localFrom(text, index);
    if (from < index) yield { from, to };
  }
}

/** Where the name before the sign begins, which may be in quotes (RFC 5321 §4.1.2). */
function localFrom(text: string, sign: number): number {
  let from = sign;
  if (text[sign - 1] === '"') {
    const quoted = text.lastIndexOf('"', sign - 2);
    return quoted !== -1 && sign - quoted <= mostLocal && !text.slice(quoted, sign).includes("\n") ? quoted : sign;
  }
  while (from > 0 && sign - from < mostLocal && localCharacter.test(text.charAt(from - 1))) from -= 1;
  while (from < sign && /[.'-]/.test(text.charAt(from))) from += 1;
  return from;
}

/** The longest gap between two groups of a number has no more characters. */
const mostGap = 9;
/** Between two groups of a number: a mark, with blanks at both sides or at none, or blanks, or the end of a line. */
const isGap = (between: string) =>
  /^(?:[._/-]| [._/-] |[ \t]{1,2}|[ -]?\(|\)[ ._/-]?|\) - |[._/-]?[ \t]{0,2}\r?\n[ \t]{0,4})$/.test(between);
const gap = `[\\s._/-]{1,${mostGap}}`;

/** E.164 with any spacing: https://www.itu.int/rec/T-REC-E.164 */
const international = /(?<![\p{L}\p{N}+])\+ ?(?:[\s()._/-]{0,9}\d){8,15}(?!\d)/gu;
/** https://en.wikipedia.org/wiki/North_American_Numbering_Plan, with something between its parts. */
const northAmerican = new RegExp(
  `${begins}(?:1(?:${gap}|(?=\\()))?(?:\\([2-9]\\d{2}\\)[\\s._/-]{0,9}|[2-9]\\d{2}${gap})\\d{3}${gap}\\d{4}${ends}`,
  "gu",
);

function* phones(text: string): Generator<Span, void, void> {
  const known = new Set<number>();
  for (const span of spansOf(text, international)) {
    const gaps = gapsIn(text, span);
    if (!gaps.every(isGap) || !isOnLines(gaps, gaps.length > 1)) continue;
    known.add(span.to);
    yield span;
  }
  for (const span of spansOf(text, northAmerican)) {
    const gaps = gapsIn(text, span);
    if (!known.has(span.to) && gaps.every(isGap) && isOnLines(gaps, gaps.some(hasMark))) yield span;
  }
}

/** https://www.ssa.gov/employer/randomizationfaqs.html: which areas, groups and serials are never given. */
const socialSecurityNumber = new RegExp(
  `${begins}(?!000|666|9)\\d{3}${gap}(?!00)\\d{2}${gap}(?!0000)\\d{4}${ends}`,
  "gu",
);

function* socialSecurityNumbers(text: string): Generator<Span, void, void> {
  for (const span of spansOf(text, socialSecurityNumber)) {
    const gaps = gapsIn(text, span);
    // 123.45 6789 is two numbers
    const isUniform = gaps[0] === gaps[1] || !gaps.some((each) => /[./]/.test(each));
    if (isUniform && gaps.every(isGap) && isOnLines(gaps, gaps.some(hasMark))) yield span;
  }
}

const hasMark = (between: string) => /[()._/-]/.test(between);

/** What is between the groups of digits; brackets may come first. */
const gapsIn = (text: string, { from, to }: Span) =>
  text
    .slice(from, to)
    .replace(/^\+ ?/, "")
    .split(/\d+/)
    .filter((each) => each !== "" && each !== "(");

/** @param isWritten it is written as one number: otherwise numbers on several lines are a column */
function isOnLines(gaps: readonly string[], isWritten: boolean): boolean {
  const breaks = gaps.filter((each) => each.includes("\n")).length;
  return breaks === 0 || (breaks === 1 && isWritten);
}

const cardMarks = new Set(Buffer.from(" \t\r\n-._/"));
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isInCard = (code: number) => isDigit(code) || cardMarks.has(code);
/** Digits in each part of a number as it is written, when it is written in parts. */
const grouped = /^(?:\d+|4 4 4 4(?: [1-3])?|4 6 5|4 6 4|4 4 5)$/;
const issuers = /^(?:[3456]|2[2-7])/;
/** Cards of this many digits that have a code of so many, which may be right behind. */
const codes = [
  { issuer: /^(?:4|5[1-5]|2[2-7]|35|6[045])/, digits: 16, code: 3 },
  { issuer: /^3[47]/, digits: 15, code: 4 },
];
const mostDigits = 19;
/** Digits next to a card that is on several lines, such as its date and code; among more it is part of a column. */
const mostBeside = 10;

function* cards(text: string): Generator<Span, void, void> {
  for (const run of runsOf(text, isInCard, 13)) {
    for (let from = run.from; from < run.to;) {
      const to = cannotBegin.test(text.slice(Math.max(0, from - 2), from)) ? null : endOfCard(text, from, run);
      if (to !== null) yield { from, to };
      from = nextGroup(text, to ?? from, run.to);
    }
  }
}

/** What a card number does not come right after: a word, or a number's point. */
const cannotBegin = /(?:[\p{L}\p{N}]|\d\.)$/u;

/** Where the next group of digits begins. */
function nextGroup(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && isDigit(text.charCodeAt(next))) next += 1;
  while (next < end && !isDigit(text.charCodeAt(next))) next += 1;
  return next;
}

/** Groups that more groups may follow. */
const unfinished = /^(?:4|4 4|4 4 4|4 4 4 4|4 6)?$/;
const mostBreaks = 3;

/** Where the card number ends that begins here; null: none does. */
function endOfCard(text: string, from: number, run: Span): number | null {
  if (!issuers.test(text.slice(from, from + 2))) return null;
  let digits = "";
  const groups: number[] = [];
  /** as they would be without breaks of lines */
  const joined: number[] = [];
  let breaks = 0;
  for (let [at, isBreak] = [from, false]; ;) {
    let to = at;
    while (to < run.to && to - at <= mostDigits && isDigit(text.charCodeAt(to))) to += 1;
    digits += text.slice(at, to);
    if (to === at || digits.length > mostDigits) return null;
    groups.push(to - at);
    joined.push(to - at + (isBreak ? (joined.pop() ?? 0) : 0));
    if (digits.length >= 13 && (isCard(digits, groups) || (breaks > 0 && isCard(digits, joined)))) {
      if (!isContinued(text, to, groups) && (breaks === 0 || isAlone(text, { from, to }, run))) return to;
    }
    at = nextGroup(text, to, Math.min(run.to, to + mostGap));
    const between = text.slice(to, at);
    isBreak = between.includes("\n");
    breaks += Number(isBreak);
    const isOpen = [groups, isBreak ? joined.slice(0, -1) : joined].some((parts) => unfinished.test(parts.join(" ")));
    if (!isOpen || breaks > mostBreaks || !isGap(between)) return null;
  }
}

/** A letter, or what follows a number's point, unless it is as long as a card's code. */
function isContinued(text: string, at: number, groups: readonly number[]): boolean {
  const next = text.slice(at, at + 6);
  return /^\p{L}/u.test(next) || (groups.length === 1 && /^\.\d/.test(next) && !/^\.\d{3,4}(?!\d)/.test(next));
}

function isAlone(text: string, { from, to }: Span, run: Span): boolean {
  let others = 0;
  for (let at = from - 1; at >= run.from && others <= mostBeside; at -= 1)
    others += Number(isDigit(text.charCodeAt(at)));
  for (let at = to; at < run.to && others <= mostBeside; at += 1) others += Number(isDigit(text.charCodeAt(at)));
  return others <= mostBeside;
}

function isCard(digits: string, groups: readonly number[]): boolean {
  if (isNumberOfCard(digits, groups)) return true;
  return codes.some(({ issuer, digits: length, code }) => {
    if (digits.length !== length + code || !issuer.test(digits)) return false;
    return isNumberOfCard(digits.slice(0, length), [...groups.slice(0, -1), (groups.at(-1) ?? 0) - code]);
  });
}

function isNumberOfCard(digits: string, groups: readonly number[]): boolean {
  if (digits.length < 13 || digits.length > mostDigits || !issuers.test(digits)) return false;
  return grouped.test(groups.join(" ")) && isLuhn(digits);
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
const v4 = new RegExp(`(?<![\\p{L}\\p{N}.])(?:${octet}\\.){3}${octet}(?![\\p{L}\\p{N}]|\\.\\d)`, "gu");
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
