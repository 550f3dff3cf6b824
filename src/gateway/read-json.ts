import { isUtf8 } from "node:buffer";
import type { Turn } from "./turns.ts";
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

/** Why a body is not read: it is not JSON, or it contains more than is accepted. */
export class UnreadableJson extends Error {
  override readonly name = "UnreadableJson";
}

/** Nesting levels of lists and objects. Tools' schemas have about ten. */
export const mostLevels = 100;
/** Members of one object. */
const mostMembers = 10_000;
/** Elements of one list: growing it copies all of it at once. */
const mostElements = 2_000_000;
/** Size of everything but long strings: a conversation of a million tokens. */
const usualBesideLongStrings = 5 * 1_048_576;
/** The most that is parsed at once. A longer string counts as long. */
const pieceLength = 65_536;
/** A number, or white space: apart from strings, nothing between two commas is longer. */
const longestGap = 65_536;
/** Of a member. */
const longestName = 1_048_576;
/**
 * Characters of a string that is not plain ASCII, and of one with escapes: the engine may take two bytes for each of
 * them, and puts all of them in new memory at once.
 */
export const longestText = 16_777_216;

/** Whether JSON of this size is parsed in one go. */
export const isShortJson = (bytes: Buffer) => bytes.length <= pieceLength;

/**
 * Parses JSON of any size. Errors in short and long texts are reported by the same reader.
 * @param mostValues lists, objects, and what is in them, that a long one may hold
 * @throws UnreadableJson
 */
export async function readJson(bytes: Buffer, turn: Turn, mostValues: number): Promise<unknown> {
  if (!isShortJson(bytes) || !isUtf8(bytes)) return await readJsonInTurns(bytes, turn, mostValues);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return await readJsonInTurns(bytes, turn, mostValues);
  }
  if (isTooDeep(value)) throw tooDeep();
  return value;
}

function tooDeep(): UnreadableJson {
  return new UnreadableJson(`is nested deeper than ${mostLevels} levels`);
}

/** Whether a value is nested too deep to be written back: JSON is read in a loop, but written recursively. */
export function isTooDeep(value: unknown): boolean {
  let layer: readonly unknown[] = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > mostLevels) return true;
    const next: unknown[] = [];
    for (const each of layer) {
      if (typeof each !== "object" || each === null) continue;
      for (const inner of Array.isArray(each) ? each : Object.values(each)) {
        if (typeof inner === "object" && inner !== null) next.push(inner);
      }
    }
    layer = next;
  }
  return false;
}

interface ReadOptions {
  /** bytes of one piece; for tests */
  readonly most?: number;
  readonly mostBesideLongStrings?: number;
}

/** A list or an object that is not closed yet. What is complete of it is parsed in pieces that are large enough. */
class Frame {
  /** where the unparsed part begins */
  run: number;
  /** where the current element or member begins */
  entry: number;
  /** what was parsed of it; null while all of it can still be parsed together with its neighbors */
  value: unknown[] | Record<string, unknown> | null = null;
  /** a separately parsed element ends here: a comma or the end has to follow */
  complete = false;
  /** in an object: the name of the current member has been read */
  named = false;
  members = 0;

  readonly start: number;
  readonly list: boolean;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, start: number, list: boolean) {
    this.bytes = bytes;
    this.start = start;
    this.list = list;
    this.run = this.entry = start + 1;
  }

  /** From now on it is parsed apart from its neighbors. */
  open(): unknown[] | Record<string, unknown> {
    return (this.value ??= this.list ? [] : {});
  }

  /** Adds the current element or member, whose value was parsed separately. */
  add(value: unknown, { from, to }: Span): void {
    const target = this.open();
    if (this.run < this.entry) this.flush(this.entry - 1);
    const lead = this.bytes.toString("utf8", this.entry, from);
    if (Array.isArray(target)) {
      if (lead.trim() !== "") throw broken(from);
      target.push(value);
    } else {
      const [name] = Object.keys(parse(`{${lead}null}`, this.entry) as object);
      if (name === undefined) throw broken(from);
      put(target, name, value);
    }
    this.complete = true;
    this.run = this.entry = to;
  }

  /** Parses the text between `run` and `end`: whole entries with commas between them. */
  flush(end: number): void {
    const text = this.bytes.toString("utf8", this.run, end);
    if (Array.isArray(this.value)) {
      const piece = parse(`[${text}]`, this.run) as unknown[];
      if (piece.length === 0) throw broken(end);
      for (const each of piece) this.value.push(each);
    } else if (this.value !== null) {
      const piece = parse(`{${text}}`, this.run) as Record<string, unknown>;
      const names = Object.keys(piece);
      if (names.length === 0) throw broken(end);
      for (const name of names) put(this.value, name, piece[name]);
    }
    this.run = end;
  }
}

/** Bytes of a text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses JSON of any size without blocking the thread: piece by piece, counting as it goes, so that too much depth or
 * too many values are refused before they take memory.
 * @param mostValues lists, objects, and what is in them
 * @throws UnreadableJson
 */
export async function readJsonInTurns(
  bytes: Buffer,
  turn: Turn,
  mostValues: number,
  { most = pieceLength, mostBesideLongStrings = usualBesideLongStrings }: ReadOptions = {},
): Promise<unknown> {
  turn.begin();
  await checkUtf8(bytes, turn);
  const root = new Frame(bytes, -1, true);
  const frames: Frame[] = [root];
  let frame = root;
  let values = 0;
  let besideLong = bytes.length;
  const longStrings = new Map<number, LongString>();
  let gap = 0;
  let at = 0;
  let checkAt = checkEvery;
  while (at < bytes.length) {
    if (at >= checkAt) {
      checkAt = at + checkEvery;
      if (turn.isOver()) await turn.next();
    }
    const byte = bytes[at];
    if (byte === quote) {
      if (frame.complete) throw broken(at);
      const end = quickEndOfString(bytes, at) ?? (await endOfString(bytes, at, turn));
      const isName = !frame.list && !frame.named;
      if (isName && end - at > longestName) throw new UnreadableJson(`has a name of more than ${longestName} bytes`);
      if (!isName && end - at > most) {
        besideLong -= end - at;
        const latest = longStrings.get(end - at);
        const isSame = latest !== undefined && bytes.compare(bytes, latest.from, latest.to, at, end) === 0;
        const text = isSame ? latest.text : await readLongString(bytes, { from: at + 1, to: end - 1 }, turn, most);
        longStrings.set(end - at, { from: at, to: end, text });
        frame.add(text, { from: at, to: end });
      }
      at = gap = end;
      continue;
    }
    if (byte === openList || byte === openObject) {
      if (frame.complete) throw broken(at);
      if (frames.length > mostLevels) throw tooDeep();
      values += 1;
      frame = new Frame(bytes, at, byte === openList);
      frames.push(frame);
      gap = at;
    } else if (byte === closeList || byte === closeObject) {
      if (frames.length === 1 || frame.list !== (byte === closeList)) throw broken(at);
      frames.pop();
      const parent = frames.at(-1) ?? root;
      if (frame.value !== null || at - frame.start > most) {
        const isBegun = frame.value !== null;
        const value = frame.open();
        if (isBegun ? !frame.complete : !isBlank(bytes, frame.run, at)) frame.flush(at);
        parent.add(value, { from: frame.start, to: at + 1 });
        if (turn.isOver()) await turn.next();
      }
      frame = parent;
      gap = at;
    } else if (byte === comma) {
      if (frames.length === 1) throw broken(at);
      values += 1;
      frame.members += 1;
      if (!frame.list && frame.members >= mostMembers) {
        throw new UnreadableJson(`has an object of more than ${mostMembers} members`);
      }
      if (frame.list && frame.members >= mostElements) {
        throw new UnreadableJson(`has a list of more than ${mostElements} elements`);
      }
      if (frame.complete) frame.run = at + 1;
      else if (at - frame.run > most) {
        frame.open();
        frame.flush(at);
        frame.run = at + 1;
        if (turn.isOver()) await turn.next();
      }
      frame.complete = frame.named = false;
      frame.entry = at + 1;
      gap = at;
    } else if (byte === colon) {
      if (frame.complete) throw broken(at);
      frame.named = true;
      gap = at;
    } else if (byte !== space && byte !== lineFeed && byte !== carriageReturn && byte !== tab) {
      if (frame.complete) throw broken(at);
    }
    if (values > mostValues) throw new UnreadableJson(`holds more than ${mostValues} values`);
    if (at - gap > longestGap) throw new UnreadableJson(`has more than ${longestGap} characters without a value`);
    at += 1;
  }
  if (frames.length > 1) throw broken(bytes.length);
  if (besideLong > mostBesideLongStrings) {
    const megabytes = mostBesideLongStrings / 1_048_576;
    throw new UnreadableJson(`has more than ${megabytes} MB apart from its images and other strings of over 64 kB`);
  }
  if (Array.isArray(root.value)) return root.value[0];
  return parse(bytes.toString("utf8"), 0);
}

/** Bytes between two checks of the clock. */
const checkEvery = 16_384;
const utf8Piece = 1_048_576;

async function checkUtf8(bytes: Buffer, turn: Turn): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const to = startOfCharacter(bytes, from + utf8Piece, from);
    if (!isUtf8(bytes.subarray(from, to))) throw new UnreadableJson("is not valid UTF-8");
    from = to;
    if (turn.isOver()) await turn.next();
  }
}

/** The last position up to `at` where a character begins. */
function startOfCharacter(bytes: Buffer, at: number, least: number): number {
  if (at >= bytes.length) return bytes.length;
  let start = at;
  while (start > least + 1 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** Escaped quotes of a string, or backslashes in a row, beyond which it is read in turns. */
const mostEscaped = 64;

/** The position after the closing quote of the string at `start`; null if it has too many escapes for one go. */
function quickEndOfString(bytes: Buffer, start: number): number | null {
  let at = start;
  for (let quotes = 0; quotes < mostEscaped; quotes += 1) {
    at = bytes.indexOf(quote, at + 1);
    if (at === -1) throw broken(bytes.length);
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) {
      slashes += 1;
      if (slashes > mostEscaped) return null;
    }
    if (slashes % 2 === 0) return at + 1;
  }
  return null;
}

/** The same for any string, byte by byte. */
async function endOfString(bytes: Buffer, start: number, turn: Turn): Promise<number> {
  for (let at = start + 1; at < bytes.length;) {
    const checkAt = Math.min(at + checkEvery, bytes.length);
    while (at < checkAt) {
      const byte = bytes[at];
      at += byte === backslash ? 2 : 1;
      if (byte === quote) return at;
    }
    if (turn.isOver()) await turn.next();
  }
  throw broken(bytes.length);
}

/** The latest of its length: a request that has the same file many times takes the memory of one. */
interface LongString extends Span {
  readonly text: string;
}

async function readLongString(bytes: Buffer, { from, to }: Span, turn: Turn, most: number): Promise<string> {
  const pieces: string[] = [];
  const length = Math.max(most, leastPiece);
  let characters = 0;
  for (let start = from; start < to;) {
    const end = to - start <= length ? to : beforeEscape(bytes, startOfCharacter(bytes, start + length, start), start);
    const piece = parse(`"${bytes.toString("utf8", start, end)}"`, start) as string;
    pieces.push(piece);
    characters += piece.length;
    if (characters > longestText && characters < end - from) {
      throw new UnreadableJson(`has a text of more than ${longestText} characters`);
    }
    start = end;
    if (turn.isOver()) await turn.next();
  }
  return pieces.join("");
}

const longestEscape = 6;
/** Large enough for a character and an escape. */
const leastPiece = 16;

/** `at`, or the start of the escape that it would cut in two. `start` never cuts one. */
function beforeEscape(bytes: Buffer, at: number, start: number): number {
  for (let slash = at - 1; slash > start && slash > at - longestEscape; slash -= 1) {
    if (bytes[slash] !== backslash) continue;
    let before = slash;
    while (before > start && bytes[before - 1] === backslash) before -= 1;
    const begins = (slash - before) % 2 === 0;
    if (!begins) return at;
    const length = bytes[slash + 1] === 0x75 ? longestEscape : 2;
    return slash + length > at ? slash : at;
  }
  return at;
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return bytes.toString("latin1", from, to).trim() === "";
}

/** As JSON.parse makes them: `__proto__` is a member like any other. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else target[name] = value;
}

function parse(text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message quotes the text around the error, which may be a secret: only the position is kept.
    const within = /position (\d+)/.exec(String(error))?.[1];
    throw broken(at + Math.max(0, Buffer.byteLength(text.slice(0, Number(within ?? 0))) - (at === 0 ? 0 : 1)));
  }
}

function broken(at: number): UnreadableJson {
  return new UnreadableJson(`is not valid JSON (at byte ${at})`);
}
