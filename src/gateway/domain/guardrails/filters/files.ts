import { isUtf8 } from "node:buffer";

type Read = (text: string) => string;

const scheme = /^\s*data:/i;
const mediaType = /^[\w.+/\s-]*$/;
const isBase64 = /;\s*base64\s*$/i;
const notBase64 = /[^A-Za-z0-9+/=_\s-]/;
/** Without spaces, which words have between them. */
const notBareBase64 = /[^A-Za-z0-9+/=_\r\n-]/;
/** `https://`, `gs://` … */
const address = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A member that holds a file, or says where one is: a data URL, bare base64, or an address. A file of text is read, by
 * whatever type it goes; other files and addresses are not.
 * @returns it with the file's text as `read` has it
 */
export function readFile(value: string, read: Read): string {
  const url = readDataUrl(value, read);
  if (url !== null) return url;
  if (address.test(value)) return value;
  if (notBareBase64.test(value)) return read(value);
  return readBase64(value, "", read) ?? value;
}

/** A text that may be a file: a data URL, with nothing behind it, is read like one. */
export function readLooseText(value: string, read: Read): string {
  const parts = partsOf(value);
  if (parts === null || !isBase64.test(parts.parameters) || notBase64.test(parts.content)) return read(value);
  return readDataUrl(value, read) ?? read(value);
}

/** Null: it is no data URL. */
function readDataUrl(value: string, read: Read): string | null {
  const parts = partsOf(value);
  if (parts === null) return null;
  const { type, parameters, content } = parts;
  if (isBase64.test(parameters)) {
    const instead = readBase64(content, type + parameters, read);
    return instead === null ? value : `data:${type}${inUtf8(parameters)},${instead}`;
  }
  const text = withoutEscapes(content);
  const instead = read(text);
  return instead === text ? value : `data:${type}${inUtf8(parameters)};base64,${encoded(instead)}`;
}

/** A data URL's parts (RFC 2397): what comes before the comma has none in it. Null: it is no data URL. */
function partsOf(value: string): { type: string; parameters: string; content: string } | null {
  const [start] = scheme.exec(value) ?? [];
  const comma = start === undefined ? -1 : value.indexOf(",");
  if (start === undefined || comma === -1) return null;
  const head = value.slice(start.length, comma);
  const [type = ""] = head.split(";", 1);
  if (!mediaType.test(type)) return null;
  return { type, parameters: head.slice(type.length), content: value.slice(comma + 1) };
}

/** Null: the file is as it was. */
function readBase64(content: string, type: string, read: Read): string | null {
  const text = decoded(Buffer.from(content, "base64"), type);
  if (text === null) return null;
  const instead = read(text);
  return instead === text ? null : encoded(instead);
}

const encoded = (text: string) => Buffer.from(text).toString("base64");
const inUtf8 = (parameters: string) => parameters.replaceAll(/;\s*charset=[^;]*/gi, ";charset=utf-8");

function withoutEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text that a file is; null: it is none. */
function decoded(bytes: Buffer, type: string): string | null {
  const charset = charsetOf(bytes, type);
  if (charset !== null) return new TextDecoder(charset).decode(bytes);
  // A PDF may be written in ASCII, and has its own offsets in it.
  if (bytes.subarray(0, 1_024).includes("%PDF-")) return null;
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString("utf8");
  return /^\s*text\/|[/+](?:json|xml)\b/i.test(type) ? bytes.toString("latin1") : null;
}

/** What its byte order mark or its type says; null: nothing that is known, or UTF-8. */
function charsetOf(bytes: Buffer, type: string): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const [, said = ""] = /;\s*charset=\s*"?([\w.:-]{1,40})/i.exec(type) ?? [];
  if (said === "" || /^utf-?8$/i.test(said)) return null;
  try {
    return new TextDecoder(said).encoding;
  } catch {
    return null;
  }
}
