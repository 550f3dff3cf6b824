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
} from "./json-bytes.ts";

/** A member of a JSON object, by its place in the object's bytes. */
export interface JsonMember {
  readonly name: string;
  /** of its name's opening quote */
  readonly from: number;
  readonly valueFrom: number;
  /** after its value */
  readonly to: number;
}

/** The members of a JSON object in its bytes. */
export interface JsonMembers {
  readonly members: readonly JsonMember[];
  /** of the closing brace */
  readonly end: number;
  /** members of all objects in it, however deep */
  readonly names: number;
}

/** Bytes, or strings, between two pauses. */
const pauseEvery = 16_384;

/**
 * Finds the members of an object in bytes that are known to be valid JSON, so that some of them can be replaced while
 * the others stay as they are. Pauses now and then.
 * @param at where the object is: at its brace, or at white space before it
 */
export function* jsonMembers(bytes: Buffer, at = 0): Generator<void, JsonMembers, void> {
  const strings = new Strings(bytes);
  const members: JsonMember[] = [];
  let names = 0;
  let depth = 0;
  let steps = 0;
  let from = -1;
  let name: string | null = null;
  let valueFrom = -1;
  let valueTo = -1;
  const close = () => {
    if (name !== null) members.push({ name, from, valueFrom, to: valueTo });
    name = null;
    valueFrom = -1;
  };
  for (let index = at; index < bytes.length; index += 1) {
    if ((steps += 1) % pauseEvery === 0) yield;
    const byte = bytes[index];
    if (byte === space || byte === lineFeed || byte === carriageReturn || byte === tab) continue;
    if (byte === quote) {
      const end = yield* strings.endOf(index);
      if (depth === 1 && name === null) {
        from = index;
        name = JSON.parse(bytes.toString("utf8", index, end)) as string;
      } else if (valueFrom === -1) valueFrom = index;
      valueTo = end;
      index = end - 1;
      continue;
    }
    if (byte === colon) {
      names += 1;
      continue;
    }
    if (depth === 1 && (byte === comma || byte === closeObject)) close();
    if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return { members, end: index, names };
    } else if (byte === openObject || byte === openList) {
      depth += 1;
      if (depth === 1) continue;
    } else if (byte === comma) continue;
    if (name !== null && valueFrom === -1) valueFrom = index;
    valueTo = index + 1;
  }
  throw new Error("the bytes hold no whole object");
}

/** Finds the ends of strings. What it has searched it does not search again: a text may be 30 MB of quotes. */
class Strings {
  private quote = -1;
  private backslash = -1;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The position after the closing quote of the string that begins at `start`. */
  *endOf(start: number): Generator<void, number, void> {
    let at = start + 1;
    for (let steps = 1; ; steps += 1) {
      if (this.quote < at) this.quote = this.near(quote, at) ?? (yield* this.next(quote, at));
      if (this.backslash < at) this.backslash = this.near(backslash, at) ?? (yield* this.next(backslash, at));
      if (this.quote <= this.backslash) return Math.min(this.quote + 1, this.bytes.length);
      at = this.backslash + 2;
      if (steps % pauseEvery === 0) yield;
    }
  }

  /** Within the next few bytes, which are searched fastest one by one. */
  private near(byte: number, from: number): number | null {
    const to = Math.min(from + nearBytes, this.bytes.length);
    for (let at = from; at < to; at += 1) if (this.bytes[at] === byte) return at;
    return null;
  }

  private *next(byte: number, from: number): Generator<void, number, void> {
    for (let at = from; at < this.bytes.length; at += searchedAtOnce) {
      const found = this.bytes.subarray(at, at + searchedAtOnce).indexOf(byte);
      if (found !== -1) return at + found;
      yield;
    }
    return Number.POSITIVE_INFINITY;
  }
}

const nearBytes = 32;
const searchedAtOnce = 1_048_576;

/** What becomes of an object's members: a new value as JSON, or null for none. */
export type MemberChanges = ReadonlyMap<string, string | null>;

/** The object's bytes with some members replaced, dropped or added at its end, and all else as it was. */
export function withMembers(bytes: Buffer, { members, end }: JsonMembers, changes: MemberChanges): Buffer[] {
  const pieces: Buffer[] = [];
  let copied = 0;
  const copyTo = (to: number) => void (to > copied && pieces.push(bytes.subarray(copied, to)));
  const left = new Map(changes);
  let kept = 0;
  members.forEach(({ name, from, valueFrom, to }, index) => {
    const change = changes.get(name);
    left.delete(name);
    if (change === undefined) kept += 1;
    else if (change !== null) {
      kept += 1;
      copyTo(valueFrom);
      pieces.push(Buffer.from(change));
      copied = to;
    } else {
      // With the comma before it, or, where nothing before it is left, with the one after it.
      const before = members[index - 1];
      const next = members[index + 1];
      copyTo(kept > 0 && before !== undefined ? Math.max(before.to, copied) : from);
      copied = kept > 0 || next === undefined ? to : next.from;
    }
  });
  copyTo(end);
  copied = end;
  for (const [name, value] of left) {
    if (value === null) continue;
    pieces.push(Buffer.from(`${kept > 0 ? "," : ""}${JSON.stringify(name)}:${value}`));
    kept += 1;
  }
  copyTo(bytes.length);
  return pieces;
}

/** The members of all objects in a parsed value: fewer than in its text where the text has one twice. */
export function* countNames(value: unknown): Generator<void, number, void> {
  let count = 0;
  const open: unknown[] = [value];
  for (let steps = 1; open.length > 0; steps += 1) {
    if (steps % 512 === 0) yield;
    const each = open.pop();
    if (typeof each !== "object" || each === null) continue;
    if (Array.isArray(each)) {
      for (const inner of each) if (typeof inner === "object") open.push(inner);
      continue;
    }
    for (const name of Object.keys(each)) {
      count += 1;
      const inner = (each as Readonly<Record<string, unknown>>)[name];
      if (typeof inner === "object") open.push(inner);
    }
  }
  return count;
}
