import { closeList, openList, quote } from "../../json-bytes.ts";

/**
 * A vector's JSON in fewer bytes, and back to the same bytes: the digits of a list as half a byte each, base64 as what
 * it stands for. What is written in any other way stays as it is.
 */
export function packVector(json: Buffer): Buffer {
  if (json[0] === quote) return packBase64(json) ?? asItIs(json);
  return packList(json) ?? asItIs(json);
}

/** @throws RangeError for what no vector was packed to */
export function unpackVector(packed: Buffer): Buffer {
  const kind = packed[0];
  const content = packed.subarray(1);
  if (kind === kinds.plain) return content;
  if (kind === kinds.base64) return Buffer.from(`"${content.toString("base64")}"`, "latin1");
  if (kind === kinds.even) return unpackList(content, content.length * 2);
  if (kind === kinds.odd) return unpackList(content, content.length * 2 - 1);
  throw new RangeError("not a packed vector");
}

const kinds = { plain: 0, base64: 1, even: 2, odd: 3 } as const;

const asItIs = (json: Buffer) => Buffer.concat([Buffer.of(kinds.plain), json]);

/** All that a list of numbers is usually written with. */
const alphabet = "0123456789.-+e, ";
const notInList = 16;
const codes = new Uint8Array(256).fill(notInList);
const characters = Buffer.from(alphabet, "latin1");
characters.forEach((character, code) => {
  codes[character] = code;
});

function packList(json: Buffer): Buffer | null {
  if (json[0] !== openList || json.at(-1) !== closeList) return null;
  const length = json.length - 2;
  const packed = Buffer.alloc(1 + Math.ceil(length / 2));
  packed[0] = length % 2 === 0 ? kinds.even : kinds.odd;
  for (let index = 0; index < length; index += 1) {
    const code = codes[json[index + 1] ?? 0] ?? notInList;
    if (code === notInList) return null;
    const at = 1 + (index >> 1);
    packed[at] = index % 2 === 0 ? code << 4 : (packed[at] ?? 0) | code;
  }
  return packed;
}

function unpackList(content: Buffer, length: number): Buffer {
  const json = Buffer.alloc(length + 2);
  json[0] = openList;
  for (let index = 0; index < length; index += 1) {
    const pair = content[index >> 1] ?? 0;
    json[index + 1] = characters[index % 2 === 0 ? pair >> 4 : pair & 15] ?? 0;
  }
  json[length + 1] = closeList;
  return json;
}

function packBase64(json: Buffer): Buffer | null {
  const text = json.toString("latin1", 1, json.length - 1);
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? Buffer.concat([Buffer.of(kinds.base64), bytes]) : null;
}
