import { boundaryOf, type FormPart, isBlank, malformed, mostHeaderBytes, mostParts, readHead } from "./multipart.ts";

/** A part of a form that is read as it comes: its content is there once, until the next part is asked for. */
export interface StreamedPart extends Omit<FormPart, "bytes"> {
  readonly content: AsyncGenerator<Buffer, void, void>;
}

/**
 * The parts of a form (RFC 7578), in their order, however large they are.
 * @throws Refusal invalid_request that says what is wrong with it, and never repeats what it holds
 */
export async function* streamForm(
  body: AsyncIterable<Buffer>,
  contentType: string,
): AsyncGenerator<StreamedPart, void, void> {
  const boundary = Buffer.from(`\r\n--${boundaryOf(contentType)}`, "latin1");
  // A line end belongs to each boundary; the first one may have none before it.
  const reader = new FormReader(body, Buffer.from("\r\n"));
  const before = await reader.until(boundary, mostHeaderBytes);
  if (before === null) throw malformed("has no part");
  for (let count = 0; ; count += 1) {
    const line = await reader.until(lineEnd, mostHeaderBytes, { orDashes: true });
    // The last boundary; what comes after it is nobody's.
    if (line === "dashes") return await reader.drain();
    if (line === null || !isBlank(line)) throw malformed("is cut off");
    if (count === mostParts) throw malformed(`has more than ${mostParts} parts`);
    const head = await reader.until(blankLine, mostHeaderBytes);
    if (head === null)
      throw malformed(`has a part without headers, or with more than ${mostHeaderBytes} bytes of them`);
    const content = reader.pieces(boundary);
    yield { ...readHead(`\r\n${head.toString("utf8")}`), content };
    // What was not read of it.
    for (let piece = await content.next(); piece.done !== true; piece = await content.next());
  }
}

const lineEnd = Buffer.from("\r\n");
const blankLine = Buffer.from("\r\n\r\n");

class FormReader {
  private held: Buffer;
  private readonly rest: AsyncIterator<Buffer>;

  constructor(body: AsyncIterable<Buffer>, held: Buffer) {
    this.rest = body[Symbol.asyncIterator]();
    this.held = held;
  }

  /** What is before `wanted`, which is passed as well; null: it is not among the next bytes. */
  async until(wanted: Buffer, most: number): Promise<Buffer | null>;
  async until(wanted: Buffer, most: number, orDashes: { orDashes: true }): Promise<Buffer | "dashes" | null>;
  async until(wanted: Buffer, most: number, { orDashes = false } = {}): Promise<Buffer | "dashes" | null> {
    for (;;) {
      if (orDashes && this.held.subarray(0, 2).equals(dashes)) return "dashes";
      const at = this.held.indexOf(wanted);
      if (at > most) return null;
      if (at !== -1) {
        const found = this.held.subarray(0, at);
        this.held = this.held.subarray(at + wanted.length);
        return found;
      }
      if (this.held.length > most + wanted.length || !(await this.more())) return null;
    }
  }

  /** What is before the boundary, as it comes. @throws Refusal where there is none */
  async *pieces(boundary: Buffer): AsyncGenerator<Buffer, void, void> {
    for (;;) {
      const at = this.held.indexOf(boundary);
      if (at !== -1) {
        if (at > 0) yield this.held.subarray(0, at);
        this.held = this.held.subarray(at + boundary.length);
        return;
      }
      // The end may be the boundary's beginning.
      const sure = this.held.length - boundary.length + 1;
      if (sure > 0) {
        yield this.held.subarray(0, sure);
        this.held = this.held.subarray(sure);
      }
      if (!(await this.more())) throw malformed("is cut off");
    }
  }

  /** A request is answered on its connection once all of it was read. */
  async drain(): Promise<void> {
    let drained = 0;
    while (drained < mostHeaderBytes && (await this.more())) {
      drained += this.held.length;
      this.held = Buffer.alloc(0);
    }
  }

  private async more(): Promise<boolean> {
    const next = await this.rest.next();
    if (next.done === true) return false;
    this.held = this.held.length === 0 ? next.value : Buffer.concat([this.held, next.value]);
    return true;
  }
}

const dashes = Buffer.from("--");
