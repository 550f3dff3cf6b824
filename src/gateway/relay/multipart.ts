import { invalid } from "../domain/refusal.ts";
import type { Turn } from "../turns.ts";

/** One part of a form. Its bytes are those of the body, not copied. */
export interface FormPart {
  readonly name: string;
  /** null: a field, not a file */
  readonly filename: string | null;
  /** lowercase, without parameters; null: not given */
  readonly mediaType: string | null;
  readonly bytes: Buffer;
}

/** Parts of one form. */
export const mostParts = 64;
/** Bytes of one part's headers. */
export const mostHeaderBytes = 8_192;
/** Bytes that are searched in one go. */
const searchedAtOnce = 65_536;

/** The boundary of a form's parts (RFC 2046, 5.1.1), from its media type. @throws Refusal invalid_request */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;,"]{1,70}))(?=\s*(?:;|$))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("", "The form's Content-Type must name a boundary of 1 to 70 characters");
  return boundary;
}

const lineEnd = Buffer.from("\r\n");
const blankLine = Buffer.from("\r\n\r\n");

/**
 * The parts of a form (RFC 7578), in their order.
 * @throws Refusal invalid_request that says what is wrong with it, and never repeats what it holds
 */
export async function readForm(body: Buffer, contentType: string, turn: Turn): Promise<FormPart[]> {
  const first = Buffer.from(`--${boundaryOf(contentType)}`, "latin1");
  const between = Buffer.concat([lineEnd, first]);
  const parts: FormPart[] = [];
  turn.begin();
  const start = body.subarray(0, first.length).equals(first) ? 0 : await indexOf(body, between, 0, turn);
  if (start === -1) throw malformed("has no part");
  let at = start === 0 ? first.length : start + between.length;
  for (;;) {
    // The last boundary; what comes after it is nobody's.
    if (body[at] === dash && body[at + 1] === dash) return parts;
    const line = body.indexOf(lineEnd, at);
    if (line === -1 || line - at > mostHeaderBytes || !isBlank(body.subarray(at, line))) throw malformed("is cut off");
    if (parts.length === mostParts) throw malformed(`has more than ${mostParts} parts`);
    const headEnd = body.subarray(0, line + mostHeaderBytes).indexOf(blankLine, line);
    if (headEnd === -1)
      throw malformed(`has a part without headers, or with more than ${mostHeaderBytes} bytes of them`);
    const from = headEnd + blankLine.length;
    const to = await indexOf(body, between, headEnd + lineEnd.length, turn);
    if (to === -1) throw malformed("is cut off");
    parts.push({
      ...readHead(body.subarray(line, headEnd).toString("utf8")),
      bytes: body.subarray(Math.min(from, to), to),
    });
    at = to + between.length;
  }
}

const dash = 0x2d;
export const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x20 || byte === 0x09);

export const malformed = (what: string) => invalid("", `The form ${what}: send multipart/form-data as RFC 7578 has it`);

export function readHead(head: string): Omit<FormPart, "bytes"> {
  const disposition = /\r\ncontent-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/i.exec(head)?.[1] ?? "";
  const name = parameterOf(disposition, "name");
  if (name === null) throw malformed("has a part without a name");
  const type = /\r\ncontent-type:[ \t]*([^\r\n;]{1,200})/i.exec(head)?.[1]?.trim().toLowerCase() ?? null;
  return { name, filename: parameterOf(disposition, "filename"), mediaType: type };
}

/** Browsers write quotes and line ends in names as percent escapes and leave backslashes, others escape both by one. */
function parameterOf(disposition: string, name: "name" | "filename"): string | null {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(["\\])/g, "$1") ?? plain ?? null;
}

/** Where `wanted` is, searched in pieces: what is repeated in the body must not make the search long. */
async function indexOf(body: Buffer, wanted: Buffer, from: number, turn: Turn): Promise<number> {
  for (let at = from; at < body.length; at += searchedAtOnce) {
    const found = body.subarray(at, at + searchedAtOnce + wanted.length - 1).indexOf(wanted);
    if (found !== -1) return at + found;
    if (turn.isOver()) await turn.next();
  }
  return -1;
}
