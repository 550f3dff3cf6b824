import { isUtf8 } from "node:buffer";

type Read = (text: string) => string;

const scheme = /^\s*data:/i;
const mediaType = /^[\w.+/\s-]*$/;
const isBase64 = /;\s*base64\s*$/i;
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

/**
 * A text that may be a file: a data URL whose bytes are those of a picture, of sound and the like is one, and any other is
 * read as the text that it is besides what it holds. Words are base64 as well.
 */
export function readLooseText(value: string, read: Read): string {
  const parts = partsOf(value);
  if (parts === null || !isBase64.test(parts.parameters)) return read(value);
  const { content, type, parameters } = parts;
  if (!notBareBase64.test(content) && isBinary(Buffer.from(content, "base64"), type + parameters)) return value;
  const asFile = readDataUrl(value, read);
  return asFile === null || asFile === value ? read(value) : asFile;
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
  for (const text of textsOf(Buffer.from(content, "base64"), type)) {
    const instead = read(text);
    if (instead !== text) return encoded(instead);
  }
  return null;
}

const encoded = (text: string) => Buffer.from(text).toString("base64");
const inUtf8 = (parameters: string) => parameters.replaceAll(/;\s*charset=[^;]*/gi, ";charset=utf-8");

/** Percent escapes as decoders read them that leave a broken one as it is. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll("%", ""), "hex");
    return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  });
}

/** Types that say that a file is text. */
const textType = /^\s*text\/|[/+](?:x-)?(?:json|xml|csv|yaml|javascript|ndjson|sql|toml)\b/i;

/** Types whose files nobody reads as text. */
const mediumType = /^\s*(?:image|audio|video|font)\//i;

/** What files of other kinds begin with, as latin-1; a file that is UTF-8 throughout is text all the same. */
const signatures = [
  "\x89PNG",
  "\xff\xd8\xff",
  "GIF8",
  "BM",
  "II*",
  "MM\0*",
  "RIFF",
  "fLaC",
  "OggS",
  "ID3",
  "FORM",
  "caff",
  "#!AMR",
  "PK\x03\x04",
  "\x1f\x8b",
  "\x1aE\xdf\xa3",
  "\xd0\xcf\x11\xe0",
];

function isSigned(head: string): boolean {
  // The head of a frame of MPEG audio, and that of a file of ISO 14496-12.
  const isFrame = head.startsWith("\xff") && head.charCodeAt(1) >= 0xe0;
  return isFrame || head.startsWith("ftyp", 4) || signatures.some((signature) => head.startsWith(signature));
}

/** Whether bytes are those of a picture, of sound, of a PDF and the like, and no type calls them text. */
function isBinary(bytes: Buffer, type: string): boolean {
  if (textType.test(type)) return false;
  const head = bytes.toString("latin1", 0, 12);
  // A PDF may be written in ASCII, and has its own offsets in it.
  if (head.startsWith("%PDF-")) return true;
  return (mediumType.test(type) || isSigned(head)) && (!isUtf8(bytes) || bytes.includes(0));
}

/**
 * The texts that a file may be, by each way in which a model's vendor may read its bytes: as its mark or its type says, as
 * UTF-8, else as latin-1, and as UTF-16 where it has zeros. None: it is no text.
 */
function textsOf(bytes: Buffer, type: string): Set<string> {
  if (isBinary(bytes, type)) return new Set();
  const charset = charsetOf(bytes, type);
  const charsets = [
    ...(charset === null ? [] : [charset]),
    isUtf8(bytes) ? "utf-8" : "latin1",
    ...(bytes.includes(0) ? ["utf-16le", "utf-16be"] : []),
  ];
  return new Set(charsets.map((name) => new TextDecoder(name).decode(bytes)));
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
