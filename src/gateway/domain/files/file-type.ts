import { TextDecoder } from "node:util";
import type { FileType } from "#contract/files.ts";

/** Reads a file piece by piece, once, and says what it is. */
export interface TypeReader {
  read(piece: Buffer): void;
  /** null: nothing that is taken */
  type(): FileType | null;
}

/** Of the beginning, which shows the format, and of the end, where a ZIP archive lists its files. */
const keptBytes = 65_536;

export function createTypeReader(): TypeReader {
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isText = true;
  return {
    read(piece) {
      if (head.length < keptBytes) head = Buffer.concat([head, piece.subarray(0, keptBytes - head.length)]);
      tail = piece.length >= keptBytes ? piece.subarray(-keptBytes) : Buffer.concat([tail, piece]).subarray(-keptBytes);
      if (isText) isText = decodes(decoder, piece, true) && !piece.includes(0);
    },
    type() {
      const binary = binaryType(head, tail);
      if (binary !== null) return binary;
      return isText && decodes(decoder, Buffer.alloc(0), false) ? textType(head, tail) : null;
    },
  };
}

function decodes(decoder: TextDecoder, piece: Buffer, stream: boolean): boolean {
  try {
    decoder.decode(piece, { stream });
    return true;
  } catch {
    return false;
  }
}

const startsWith = (head: Buffer, text: string, at = 0) => head.toString("latin1", at, at + text.length) === text;

/** What each format begins with. */
const signatures: readonly (readonly [FileType, (head: Buffer) => boolean])[] = [
  ["application/pdf", (head) => startsWith(head, "%PDF-")],
  ["image/png", (head) => startsWith(head, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (head) => startsWith(head, "\xff\xd8\xff")],
  ["image/gif", (head) => startsWith(head, "GIF87a") || startsWith(head, "GIF89a")],
  ["image/webp", (head) => startsWith(head, "RIFF") && startsWith(head, "WEBP", 8)],
  ["audio/wav", (head) => startsWith(head, "RIFF") && startsWith(head, "WAVE", 8)],
  ["audio/flac", (head) => startsWith(head, "fLaC")],
  ["audio/ogg", (head) => startsWith(head, "OggS")],
  ["audio/mpeg", (head) => startsWith(head, "ID3") || isMp3Frame(head)],
];

function binaryType(head: Buffer, tail: Buffer): FileType | null {
  const found = signatures.find(([, matches]) => matches(head));
  if (found !== undefined) return found[0];
  return startsWith(head, "PK\x03\x04") ? officeType(tail) : null;
}

/** The head of a frame of MPEG layer III, with a bit rate and a sampling rate that exist (ISO 11172-3, 2.4.1.3). */
function isMp3Frame([first = 0, second = 0, third = 0]: Buffer): boolean {
  const [version, layer, rate, sampling] = [(second >> 3) & 3, (second >> 1) & 3, third >> 4, (third >> 2) & 3];
  return first === 0xff && second >> 5 === 7 && version !== 1 && layer === 1 && rate > 0 && rate < 15 && sampling !== 3;
}

const officeFolders: Readonly<Record<string, FileType>> = {
  "word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "xl/": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "ppt/": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** Of a name in an archive: no longer one says what the archive is. */
const longestName = 64;

/** By the names of its files in the archive's directory (APPNOTE 4.3.12): nothing is unpacked. */
function officeType(tail: Buffer): FileType | null {
  const entry = Buffer.from("PK\x01\x02", "latin1");
  let type: FileType | null = null;
  let hasTypes = false;
  for (let at = tail.indexOf(entry); at !== -1 && at + 46 <= tail.length; at = tail.indexOf(entry, at + 46)) {
    const name = tail.toString("latin1", at + 46, at + 46 + Math.min(tail.readUInt16LE(at + 28), longestName));
    hasTypes ||= name === "[Content_Types].xml";
    type ??= officeFolders[name.slice(0, name.indexOf("/") + 1)] ?? null;
  }
  return hasTypes ? type : null;
}

/** Of JSON: what is longer and nested to its end would take tens of milliseconds. */
const mostParsed = 16_384;
/** Lines that are looked at. */
const mostLines = 20;

function textType(head: Buffer, tail: Buffer): FileType {
  const text = head.toString("utf8").replace(/^\uFEFF/, "");
  const isWhole = head.length < keptBytes;
  const lines = text.split("\n", mostLines + 1).map((line) => line.trimEnd());
  // The last one may be cut off.
  if (!isWhole || lines.length > mostLines) lines.pop();
  const filled = lines.filter((line) => line !== "");
  if (filled.length > 1 && filled.every(isJsonObject)) return "application/x-ndjson";
  if (head.length <= mostParsed ? isJson(text) : looksLikeJson(text, tail.toString("latin1")))
    return "application/json";
  if (filled.some((line) => markdown.test(line))) return "text/markdown";
  if (isTable(filled)) return "text/csv";
  return "text/plain";
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isJsonObject = (line: string) => line.startsWith("{") && isJson(line);

/** A long one is not parsed. */
function looksLikeJson(text: string, end: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\d\-tfn])/.test(text) && /[\]}]\s*$/.test(end.slice(-256));
}

/** A heading, a fence, a table's rule, a link, or an image; no bracket is read twice. */
const markdown = /^#{1,6} \S|^(?:```|~~~)|^\|?(?: *:?-{3,}:? *\|)+|\[[^[\]]{1,200}\]\([^()[\]]{1,500}\)/;

/** At least two rows with the same number of cells, two or more (RFC 4180). */
function isTable(lines: readonly string[]): boolean {
  return [",", ";", "\t"].some((separator) => {
    const counts = new Set(lines.map((line) => cells(line, separator)));
    return lines.length > 1 && counts.size === 1 && !counts.has(1);
  });
}

function cells(line: string, separator: string): number {
  return line.replaceAll(/"(?:[^"]|"")*"/g, "").split(separator).length;
}
