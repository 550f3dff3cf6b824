import type { Reading } from "./request-forms.ts";
import {
  backslash,
  carriageReturn,
  closeList,
  closeObject,
  colon,
  comma,
  lineFeed,
  openList,
  openObject,
  quote,
  space,
  tab,
} from "../../../json-bytes.ts";

/** A text of a request, by its place in the request's bytes. */
export interface LocatedText {
  /** of its opening quote, or of a number */
  readonly from: number;
  readonly to: number;
  /** null: it is no text after all, because of a member that comes after it */
  as(): "text" | "json" | "file" | "loose" | "sealed" | "number" | null;
  /** whether a user says it */
  isUser(): boolean;
  /** a provider has signed it, so that it cannot be changed */
  isSigned(): boolean;
}

/** The texts of a request in their order. */
export interface RequestTexts {
  readonly texts: readonly LocatedText[];
  /** it has token ids, which are text as well */
  readonly hasTokens: boolean;
}

/** The bytes are no JSON that a call can have. */
export class NoRequest extends Error {
  override readonly name = "NoRequest";
}

/** Levels of lists and objects: more than any body may have. */
const mostLevels = 200;

/**
 * Finds the texts of a request. Of a member that is there twice, it reads both: which one counts is for others to say.
 * @throws NoRequest
 */
export function textsIn(bytes: Buffer, form: Reading): RequestTexts {
  const reader = new Reader(bytes);
  reader.value(form, noSpeaker, noObject);
  return reader;
}

/** Who says what is in an object. */
interface Speaker {
  isUser: boolean;
  /** a role was read */
  isNamed: boolean;
}

/** An object's own `type`, and whether it has a `signature`. */
interface TypeHolder {
  type: string | null;
  isSigned: boolean;
}

const noSpeaker: Speaker = { isUser: false, isNamed: true };
const noObject: TypeHolder = { type: null, isSigned: false };
const never = () => false;
const asText = () => "text" as const;
const asNumber = () => "number" as const;

function asOf(reads: Reading["reads"]): ReturnType<LocatedText["as"]> {
  if (reads === "nothing") return null;
  return reads === "json" || reads === "file" || reads === "loose" || reads === "sealed" ? reads : "text";
}

/** Digits of the shortest number that could be somebody's. */
const shortestNumber = 7;

class Reader implements RequestTexts {
  readonly texts: LocatedText[] = [];
  hasTokens = false;
  private at = 0;
  private level = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  value(reading: Reading, speaker: Speaker, holder: TypeHolder): void {
    const byte = this.next();
    if (byte === quote) return this.text(reading, whoSays(reading, speaker), holder);
    if (byte === openObject || byte === openList) {
      this.level += 1;
      if (this.level > mostLevels) throw new NoRequest();
      if (byte === openObject) this.object(reading, speaker);
      else this.list(reading, speaker, holder);
      this.level -= 1;
    } else this.scalar(reading, whoSays(reading, speaker));
  }

  private object(reading: Reading, outer: Speaker): void {
    const speaker = whoSays(reading, outer);
    const holder: TypeHolder = { ...noObject };
    this.at += 1;
    while (this.next() !== closeObject) {
      const from = this.at;
      const name = this.string();
      if (reading.reads === "data") this.add({ from, as: asText }, speaker);
      if (this.next() !== colon) throw new NoRequest();
      this.at += 1;
      const isRole = name === "role" && reading.speaker !== undefined;
      if ((isRole || name === "type" || name === "signature") && this.next() === quote) {
        const valueFrom = this.at;
        const value = this.string();
        if (name === "type") holder.type = value;
        else if (!isRole) holder.isSigned = value !== "";
        else {
          // Of two roles, that of a user counts.
          speaker.isUser = value === "user" || (speaker.isNamed && speaker.isUser);
          speaker.isNamed = true;
        }
        this.at = valueFrom;
      }
      this.value(readingOf(reading, name), speaker, holder);
      this.separator(closeObject);
    }
    this.at += 1;
  }

  private list(reading: Reading, speaker: Speaker, holder: TypeHolder): void {
    this.at += 1;
    const items = reading.items ?? reading;
    while (this.next() !== closeList) {
      this.value(items, speaker, holder);
      this.separator(closeList);
    }
    this.at += 1;
  }

  /** A comma, unless the object or list ends. */
  private separator(end: number): void {
    const byte = this.next();
    if (byte === comma) this.at += 1;
    else if (byte !== end) throw new NoRequest();
  }

  private text(reading: Reading, speaker: Speaker, holder: TypeHolder): void {
    const from = this.at;
    this.skipString();
    const { reads, ofType, signedIn } = reading;
    if (reads === "nothing") return;
    const as = reads === "texts" && ofType === undefined ? asText : () => asOf(ofType?.(holder.type) ?? reads);
    const isSigned = signedIn === undefined ? never : () => holder.isSigned && holder.type === signedIn;
    this.add({ from, as }, speaker, isSigned);
  }

  private scalar({ reads }: Reading, speaker: Speaker): void {
    const from = this.at;
    while (this.at < this.bytes.length && !endsScalar.has(this.bytes[this.at] ?? 0)) this.at += 1;
    if (this.at === from) throw new NoRequest();
    const first = this.bytes[from] ?? 0;
    if (first !== minus && !(first >= zero && first <= nine)) return;
    if (reads === "tokens") this.hasTokens = true;
    if (reads === "data" && this.at - from >= shortestNumber) this.add({ from, as: asNumber }, speaker);
  }

  private add({ from, as }: Pick<LocatedText, "from" | "as">, speaker: Speaker, isSigned = never): void {
    this.texts.push({ from, to: this.at, as, isUser: () => speaker.isUser, isSigned });
  }

  /** The next byte that is no white space, which stays the next one. */
  private next(): number {
    for (; this.at < this.bytes.length; this.at += 1) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== tab) return byte;
    }
    throw new NoRequest();
  }

  private string(): string {
    if (this.next() !== quote) throw new NoRequest();
    const from = this.at;
    this.skipString();
    return parsedString(this.bytes, from, this.at);
  }

  private skipString(): void {
    const { bytes } = this;
    for (let at = this.at + 1; ;) {
      const end = bytes.indexOf(quote, at);
      if (end === -1) throw new NoRequest();
      let slashes = 0;
      while (bytes[end - 1 - slashes] === backslash && end - 1 - slashes >= at) slashes += 1;
      if (slashes % 2 === 0) {
        this.at = end + 1;
        return;
      }
      at = end + 1;
    }
  }
}

function readingOf(reading: Reading, name: string): Reading {
  const { members, others } = reading;
  const listed = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
  return listed ?? others ?? reading;
}

function whoSays({ speaker: kind }: Reading, outer: Speaker): Speaker {
  if (kind === undefined) return outer;
  return { isUser: kind === "user", isNamed: false };
}

/** @throws NoRequest */
export function parsedString(bytes: Buffer, from: number, to: number): string {
  try {
    return JSON.parse(bytes.toString("utf8", from, to)) as string;
  } catch {
    throw new NoRequest();
  }
}

const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const endsScalar = new Set([comma, closeList, closeObject, space, tab, lineFeed, carriageReturn]);
