import { deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { createTypeReader } from "./file-type.ts";

function typeOf(content: Buffer | string, pieceSize = 1_000): string | null {
  const bytes = Buffer.from(content as string);
  const reader = createTypeReader();
  for (let at = 0; at < bytes.length; at += pieceSize) reader.read(bytes.subarray(at, at + pieceSize));
  return reader.type();
}

/** An archive of one or more files (APPNOTE 4.3), empty ones unless `packed` is given. */
function zip(names: readonly string[], packed = deflateRawSync(Buffer.alloc(0))): Buffer {
  const files = names.map((name) => {
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04", "latin1");
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt16LE(name.length, 26);
    const listed = Buffer.alloc(46);
    listed.write("PK\x01\x02", "latin1");
    listed.writeUInt16LE(name.length, 28);
    return {
      local: Buffer.concat([local, Buffer.from(name), packed]),
      listed: Buffer.concat([listed, Buffer.from(name)]),
    };
  });
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  return Buffer.concat([...files.map(({ local }) => local), ...files.map(({ listed }) => listed), end]);
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const office = "application/vnd.openxmlformats-officedocument";

it.each([
  ["application/pdf", latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3")],
  ["image/png", latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
  ["image/jpeg", latin1("\xff\xd8\xff\xe0\0\x10JFIF")],
  ["image/gif", latin1("GIF89a\x01\0")],
  ["image/webp", latin1("RIFF\x24\0\0\0WEBPVP8 ")],
  ["audio/wav", latin1("RIFF\x24\0\0\0WAVEfmt ")],
  ["audio/flac", latin1("fLaC\0\0\0\x22")],
  ["audio/ogg", latin1("OggS\0\x02")],
  ["audio/mpeg", latin1("ID3\x04\0\0")],
  ["audio/mpeg", latin1("\xff\xfb\x90\x64\0\0")],
  [`${office}.wordprocessingml.document`, zip(["[Content_Types].xml", "_rels/.rels", "word/document.xml"])],
  [`${office}.spreadsheetml.sheet`, zip(["[Content_Types].xml", "xl/workbook.xml"])],
  [`${office}.presentationml.presentation`, zip(["ppt/presentation.xml", "[Content_Types].xml"])],
  ["application/json", '{"a": [1, 2]}\n'],
  ["application/json", "[]"],
  ["application/json", `[${Array.from({ length: 30_000 }, (_, at) => `{"n": ${at}}`).join(",\n")}]\n`],
  ["application/x-ndjson", '{"a": 1}\n{"a": 2}\n'],
  ["text/csv", 'name,age\n"Smith, J.",41\nDoe,7\n'],
  ["text/csv", "name;age\nDoe;7\n"],
  ["text/markdown", "# Title\n\nSome text.\n"],
  ["text/markdown", "See [the page](https://example.com).\n"],
  ["text/plain", "Hello, wörld.\nMore, of it, here.\n"],
  ["text/plain", "{ not json"],
  ["text/plain", "\uFEFFhello"],
  [null, latin1("caf\xe9 in latin-1")],
  [null, "text with a \0"],
  [null, latin1("\x7fELF\x02\x01\x01\0")],
  [null, latin1("\xff\xfeh\0i\0")],
  [null, zip(["word/document.xml"])],
  [null, zip(["[Content_Types].xml", "other/a.xml"])],
])("is %s", (type, content) => expect(typeOf(content)).toBe(type));

it("does not depend on the pieces in which a file comes, not even within a character", () => {
  const text = "# Überschrift 🙂\n".repeat(50);
  fc.assert(fc.property(fc.integer({ min: 1, max: 300 }), (size) => typeOf(text, size) === "text/markdown"));
  expect(typeOf(Buffer.from(text).subarray(0, 2))).toBe("text/plain");
  expect(typeOf(Buffer.from("ü").subarray(0, 1))).toBe(null);
});

it("unpacks nothing: an archive whose files cannot be unpacked is read like any other", () => {
  const broken = Buffer.alloc(65_536, 0xff);
  expect(() => inflateRawSync(broken)).toThrow("invalid block type");
  expect(typeOf(zip(["[Content_Types].xml", "word/document.xml"], broken))).toBe(`${office}.wordprocessingml.document`);
});

it("does bounded work over text that resembles every structure", () => {
  const hostile = [
    '"'.repeat(262_144),
    "[".repeat(262_144),
    "|-".repeat(131_072),
    "![".repeat(131_072),
    "[a](".repeat(65_536),
    '{"a":1}\n'.repeat(32_768),
    "PK\x01\x02".repeat(65_536),
  ];
  for (const part of hostile) {
    // Only whole lines are looked at.
    const content = `${part.slice(0, 60_000)}\n${part}`;
    for (const bytes of [latin1(content), latin1(`PK\x03\x04${content}`)]) {
      const parsed = vi.spyOn(JSON, "parse");
      const searched = vi.spyOn(RegExp.prototype, "test");
      const entries = vi.spyOn(Buffer.prototype, "readUInt16LE");
      typeOf(bytes, 65_536);
      const characters = (calls: readonly (readonly [text: string, ...rest: unknown[]])[]) =>
        calls.reduce((sum, [text]) => sum + text.length, 0);
      // Of a file's beginning, 64 kB, the text is searched and so are its lines; an entry of an archive's list has 46 bytes.
      expect(characters(parsed.mock.calls)).toBeLessThanOrEqual(16_384);
      expect(characters(searched.mock.calls)).toBeLessThanOrEqual(3 * 65_536);
      expect(entries.mock.calls.length).toBeLessThanOrEqual(65_536 / 46);
      vi.restoreAllMocks();
    }
  }
});
