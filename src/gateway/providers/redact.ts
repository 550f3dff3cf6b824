import type { Upstream, UpstreamFailure } from "./provider.ts";

/** The replacement for a key that a vendor repeats. */
export const blot = "[key]";
/** Shorter ones are not secrets but words, such as `ollama`, which an answer may well contain. */
const shortestKey = 16;
/** This much of a key's beginning or end gives it away if a vendor repeats a part of it. */
export const telling = 12;
const longestMessage = 500;

/**
 * The text of a vendor's bytes, with its key redacted. Everything that a vendor sends passes through here before
 * anything is read from it: error answers, whole answers, lists of models.
 */
export function vendorText(upstream: Upstream, bytes: Buffer): string {
  return withoutKey(upstream, bytes.toString("utf8"));
}

/** The same for existing text, such as the data of a stream's event. */
export function withoutKey(upstream: Upstream, text: string): string {
  const forms = formsOf(upstream);
  if (forms.length === 0) return text;
  const plain = isDisguised(text) ? withoutDisguise(text) : text;
  let clean = plain;
  for (const { form, short } of forms) {
    if (clean.includes(form)) clean = clean.replaceAll(form, blot);
    if (clean.includes(short.start) || clean.includes(short.end)) clean = withoutParts(clean, form, short);
  }
  return clean === plain ? text : clean;
}

/**
 * Redacts the key in a parsed answer's strings and names, in place; pauses now and then, so that the thread can serve
 * others.
 */
export function* cleanParsed(
  upstream: Upstream,
  bytes: Buffer,
  parsed: unknown,
): Generator<void, { parsed: unknown; isRedacted: boolean }, void> {
  if (!(yield* mayRepeatKey(upstream, bytes))) return { parsed, isRedacted: false };
  const found = { isRedacted: false };
  return { parsed: yield* cleanValue(upstream, parsed, found), ...found };
}

/** Whether bytes that are passed on unparsed contain the key, or may contain it in escapes. */
export function holdsKey({ apiKey }: Upstream, bytes: Buffer): boolean {
  if (apiKey === null || apiKey.length < shortestKey) return false;
  return bytes.includes(apiKey.slice(0, telling)) || bytes.includes(escapeOfAscii);
}

/** JSON's escape of the characters that keys consist of. */
const escapeOfAscii = "\\u00";
/** What a text contains that may write a key in another way: JSON's escapes, HTML's entities, signs without a width. */
const disguises = [escapeOfAscii, "\\/", "\\u20", "\\ufeff", "\\uFEFF", "&#", "&amp;#"].concat([
  ..."\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff",
]);
const isDisguised = (text: string | Buffer) => disguises.some((each) => text.includes(each));

/**
 * Text with JSON's unnecessary escapes undone, however deep they are in texts within texts, with HTML's entities undone
 * and without signs that have no width: a key reads the same with them. Required escapes stay, so that JSON is still
 * JSON.
 */
function withoutDisguise(text: string): string {
  return text
    .replace(/\\{1,8}(?:u00([2-7][0-9a-f])|\/)/gi, (whole, code: string | undefined) =>
      code === undefined ? "/" : written(Number.parseInt(code, 16), whole),
    )
    .replace(
      /&(?:amp;){0,3}#(?:x0{0,6}([0-9a-f]{1,4})|0{0,6}([0-9]{1,5}));?/gi,
      (whole, hex?: string, decimal?: string) =>
        written(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole),
    )
    .replace(/\\{1,8}u(?:00ad|034f|180e|200[b-f]|206[0-4]|feff)/gi, "")
    .replace(/\u034f|[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]/g, "");
}

/** The character of a code, where it may be written as it is in JSON. */
function written(code: number, whole: string): string {
  const character = String.fromCharCode(code);
  return code < 0x20 || character === '"' || character === "\\" ? whole : character;
}

/** Bytes and characters scanned in one go. */
const pieceLength = 65_536;
const valuesAtOnce = 64;

function* mayRepeatKey(upstream: Upstream, bytes: Buffer): Generator<void, boolean, void> {
  const forms = formsOf(upstream);
  if (forms.length === 0) return false;
  for (let from = 0; from < bytes.length; from += pieceLength) {
    const piece = bytes.subarray(from, from + pieceLength + telling);
    if (isDisguised(piece)) return true;
    if (forms.some(({ short: { start, end } }) => piece.includes(start) || piece.includes(end))) return true;
    yield;
  }
  return false;
}

function* cleanValue(
  upstream: Upstream,
  value: unknown,
  found: { isRedacted: boolean },
): Generator<void, unknown, void> {
  if (typeof value === "string") {
    const clean = yield* cleanText(upstream, value);
    found.isRedacted ||= clean !== value;
    return clean;
  }
  if (typeof value !== "object" || value === null) return value;
  const holder = value as Record<string, unknown>;
  let count = 0;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if ((count += 1) % valuesAtOnce === 0) yield;
    const inner = holder[name];
    if (typeof inner === "string" || typeof inner === "object") {
      const clean = yield* cleanValue(upstream, inner, found);
      if (clean !== inner) holder[name] = clean;
    }
    if (typeof name !== "string") continue;
    const cleanName = yield* cleanText(upstream, name);
    if (cleanName === name) continue;
    found.isRedacted = true;
    holder[cleanName] = holder[name];
    delete holder[name];
  }
  return value;
}

/**
 * Cuts a long text without cutting a key in two; if keys are too close together for that, the text around the cut is
 * dropped.
 */
function* cleanText(upstream: Upstream, text: string): Generator<void, string, void> {
  if (text.length <= pieceLength) return withoutKey(upstream, text);
  const around = Math.max(...formsOf(upstream).map(({ form }) => form.length)) * longestEscape;
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    yield;
    let cut = from + pieceLength;
    const isCutting = () => {
      const near = text.slice(Math.max(from, cut - around), cut + around);
      return withoutKey(upstream, near) !== near;
    };
    for (let tries = 0; tries < 8 && isCutting(); tries += 1) cut += around;
    if (cut >= text.length || !isCutting()) {
      pieces.push(withoutKey(upstream, text.slice(from, cut)));
      from = cut;
    } else {
      pieces.push(withoutKey(upstream, text.slice(from, Math.max(from, cut - around))), blot);
      from = cut + around;
    }
  }
  return pieces.join("");
}

/** Of one character, in a text within a text or as an entity of an entity. */
const longestEscape = 12;

/** A vendor's message for people: without the key, however short it is, and cut to size. */
export function withoutSecrets(upstream: Upstream, text: string): string {
  const clean = upstream.apiKey ? withoutKey(upstream, text).replaceAll(upstream.apiKey, blot) : text;
  return clean.length > longestMessage ? `${clean.slice(0, longestMessage)}…` : clean;
}

/** A failure that was read out of a stream. */
export function cleanFailure(upstream: Upstream, failed: UpstreamFailure): UpstreamFailure {
  const { message, code } = failed;
  return {
    ...failed,
    message: withoutSecrets(upstream, message),
    code: code === null ? null : withoutSecrets(upstream, code),
  };
}

interface Form {
  readonly form: string;
  readonly short: { readonly start: string; readonly end: string };
}

const known = new WeakMap<Upstream, readonly Form[]>();

/** How a key may be written; empty for one that is too short to be a secret. */
export function formsOf(upstream: Upstream): readonly Form[] {
  const made = known.get(upstream) ?? makeForms(upstream.apiKey);
  known.set(upstream, made);
  return made;
}

/** The key itself, in URL encoding, and in base64 at any offset of the encoded text. */
function makeForms(apiKey: string | null): readonly Form[] {
  if (apiKey === null || apiKey.length < shortestKey) return [];
  const encoded = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(apiKey)]);
    // A base64 letter shared with the neighboring text depends on it.
    const from = before === 0 ? 0 : before + 1;
    const to = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString("base64").slice(from, to), bytes.toString("base64url").slice(from, to)];
  });
  const forms = new Set([apiKey, encodeURIComponent(apiKey), ...encoded]);
  return [...forms].map((form) => ({ form, short: { start: form.slice(0, telling), end: form.slice(-telling) } }));
}

/** Redacts where the key begins and breaks off, and where only its end appears. */
function withoutParts(text: string, form: string, { start, end }: Form["short"]): string {
  const rest = form.slice(telling);
  const [head = "", ...begun] = text.split(start);
  const ended = [head, ...begun.map((piece) => piece.slice(shared(piece, rest, 0)))].join(blot).split(end);
  const before = form.slice(0, -telling);
  const tail = ended.pop() ?? "";
  return [...ended.map((piece) => piece.slice(0, piece.length - shared(piece, before, 1))), tail].join(blot);
}

/** How many characters two texts share at their beginnings (0) or their ends (1). */
export function shared(one: string, other: string, side: 0 | 1): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (
    count < most &&
    (side === 0 ? one[count] === other[count] : one[one.length - 1 - count] === other[other.length - 1 - count])
  )
    count += 1;
  return count;
}
