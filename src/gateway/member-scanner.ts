import { UnreadableJson } from "./read-json.ts";
import { backslash, closeList, closeObject, colon, comma, openList, openObject, quote } from "./json-bytes.ts";

/** A member of the outermost object, or an element of the list that is read one by one. */
export interface Found {
  readonly name: string;
  /** of an element: its index in the list */
  readonly index: number | null;
  /** as JSON */
  readonly value: Buffer;
}

interface ScanOptions {
  /** the member whose list is read element by element */
  readonly list?: string;
  /** bytes of a member's value, and of one element */
  readonly mostMember: number;
  readonly mostElement: number;
}

/** A value, or an element of the list, has more bytes than it may have. */
export class TooLongJson extends Error {
  override readonly name = "TooLongJson";
  readonly member: string;
  readonly index: number | null;

  constructor(member: string, index: number | null) {
    super("has too many bytes");
    this.member = member;
    this.index = index;
  }
}

/** What may come next outside of a value; "name" and "element" where something has to come after a comma. */
type Expected =
  | "object"
  | "name or end"
  | "name"
  | "colon"
  | "value"
  | "comma"
  | "element or end"
  | "element"
  | "comma in list"
  | "nothing";

const mostName = 1_024;

/**
 * Splits a JSON object into its members as its bytes come, without parsing their values: what is found is parsed by its
 * reader, one value at a time.
 */
export class MemberScanner {
  private readonly options: ScanOptions;
  private expected: Expected = "object";
  private name = "";
  private index = 0;
  private hasList = false;
  private position = 0;
  /** the value that is being read: its bytes from pieces before this one */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isReading = false;
  private isScalar = false;
  private inString = false;
  private escaped = false;
  private depth = 0;

  constructor(options: ScanOptions) {
    this.options = options;
  }

  /** @throws UnreadableJson, TooLongJson */
  push(piece: Buffer): Found[] {
    const found: Found[] = [];
    let start = 0;
    let at = 0;
    while (at < piece.length) {
      const byte = piece[at] ?? 0;
      if (!this.isReading) {
        if (!isBlank(byte) && this.begin(byte)) start = at;
        if (!this.isReading) at += 1;
        continue;
      }
      const end = this.endOf(byte, at);
      if (end === null) {
        at += 1;
        continue;
      }
      this.hold(piece.subarray(start, end));
      this.finish(found);
      at = Math.max(end, at);
    }
    if (this.isReading) this.hold(Buffer.from(piece.subarray(start)));
    this.position += piece.length;
    return found;
  }

  /** @throws UnreadableJson where the object is not over */
  end(): void {
    if (this.expected !== "nothing" || this.isReading) throw this.broken();
  }

  /** A byte outside of values. @returns whether a value begins at it */
  private begin(byte: number): boolean {
    const { expected } = this;
    if (expected === "object" && byte === openObject) this.expected = "name or end";
    else if (expected === "colon" && byte === colon) this.expected = "value";
    else if (expected === "comma" && byte === comma) this.expected = "name";
    else if ((expected === "comma" || expected === "name or end") && byte === closeObject) this.expected = "nothing";
    else if (expected === "comma in list" && byte === comma) this.expected = "element";
    else if ((expected === "comma in list" || expected === "element or end") && byte === closeList)
      this.expected = "comma";
    else if (expected === "value" && byte === openList && this.name === this.options.list) {
      if (this.hasList) throw new UnreadableJson(`has ${this.name} twice`);
      this.hasList = true;
      this.expected = "element or end";
    } else return this.beginValue(byte);
    return false;
  }

  private beginValue(byte: number): boolean {
    const isName = this.expected === "name" || this.expected === "name or end";
    const isValue = this.expected === "value" || this.expected === "element" || this.expected === "element or end";
    if (isName ? byte !== quote : !isValue || byte === comma || byte === colon || isClose(byte)) throw this.broken();
    this.isReading = true;
    this.isScalar = byte !== quote && !isOpen(byte);
    this.inString = this.escaped = false;
    this.depth = 0;
    return true;
  }

  /** The end of the value that is being read, behind its last byte; null: it goes on. */
  private endOf(byte: number, at: number): number | null {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (byte === backslash) this.escaped = true;
      else if (byte === quote) {
        this.inString = false;
        if (this.depth === 0) return at + 1;
      }
      return null;
    }
    if (this.isScalar) return byte === comma || isClose(byte) || isBlank(byte) ? at : null;
    if (byte === quote) this.inString = true;
    else if (isOpen(byte)) this.depth += 1;
    else if (isClose(byte)) {
      this.depth -= 1;
      if (this.depth === 0) return at + 1;
    }
    return null;
  }

  private hold(bytes: Buffer): void {
    this.held.push(bytes);
    this.heldBytes += bytes.length;
    const isElement = this.expected.startsWith("element");
    const isName = this.expected.startsWith("name");
    const most = isName ? mostName : isElement ? this.options.mostElement : this.options.mostMember;
    if (this.heldBytes > most) throw new TooLongJson(isName ? "" : this.name, isElement ? this.index : null);
  }

  private finish(found: Found[]): void {
    const value = this.held.length === 1 ? (this.held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.held);
    this.held = [];
    this.heldBytes = 0;
    this.isReading = false;
    if (this.expected.startsWith("name")) {
      this.name = this.nameIn(value);
      this.expected = "colon";
    } else if (this.expected === "value") {
      found.push({ name: this.name, index: null, value });
      this.expected = "comma";
    } else {
      found.push({ name: this.name, index: this.index, value });
      this.index += 1;
      this.expected = "comma in list";
    }
  }

  private nameIn(value: Buffer): string {
    try {
      return JSON.parse(value.toString("utf8")) as string;
    } catch {
      throw this.broken();
    }
  }

  private broken(): UnreadableJson {
    return new UnreadableJson(`is not valid JSON (near byte ${this.position})`);
  }
}

const isOpen = (byte: number) => byte === openObject || byte === openList;
const isClose = (byte: number) => byte === closeObject || byte === closeList;
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
