import { describe, expect, it } from "vitest";
import { readFile, readLooseText } from "./files.ts";

/** As a filter that redacts would: the text with its matches marked. */
const read = (text: string) => text.replaceAll(/falcon/gi, "[X]");
const base64 = (bytes: string | Buffer) => Buffer.from(bytes as string).toString("base64");
const url = (type: string, bytes: string | Buffer) => `data:${type};base64,${base64(bytes)}`;
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(text, "utf16le");
/** What a filter left of a data URL. */
const left = (value: string) => Buffer.from(value.slice(value.indexOf(",") + 1), "base64").toString("utf8");

describe("a text that may be a file", () => {
  it.each([
    "data:image/png;base64,say falcon",
    "data:;base64,falcon",
    "data:image/png;base64,iVBORw0KGgo falcon",
    "data:text/plain;base64,ZmFsY29-falcon",
    "data: falcon, thanks",
    `data:application/octet-stream;base64,GIF89a falcon`,
  ])("is read as it stands: %s", (value) => {
    expect(readLooseText(value, read)).toBe(read(value));
  });

  it("is read as the file of text that it holds", () => {
    expect(left(readLooseText(url("image/png", "a falcon"), read))).toBe("a [X]");
  });

  it("is none where its bytes are those of a picture", () => {
    const picture = url("image/png", latin1("\x89PNG\r\n\x1a\n\0\xff falcon"));
    expect(readLooseText(picture, read)).toBe(picture);
  });
});

describe("a file", () => {
  it.each([
    ["%PDF- behind its beginning", url("text/plain", "note %PDF- : falcon")],
    ["%PDF- at its beginning, called text", url("text/markdown", "%PDF- falcon")],
    ["a byte that is no UTF-8, called csv", url("application/csv", latin1("caf\xe9 falcon"))],
    ["the same, of no known type", url("application/octet-stream", latin1("caf\xe9 falcon"))],
    ["the same, as bare base64", base64(latin1("caf\xe9 falcon"))],
    ["UTF-16 without a mark", url("text/plain", utf16("a falcon"))],
    ["big-endian UTF-16 without a mark", url("text/plain", utf16("a falcon").swap16())],
    ["a zero in it", url("application/octet-stream", "a\0falcon")],
    ["a charset that is not its own", url("text/plain;charset=utf-16le", "a falcon")],
    ["an unknown charset", url("text/plain;charset=klingon", "a falcon")],
    ["a broken escape", "data:text/plain,fal%63on%zz"],
    ["an escape that is no UTF-8", "data:text/plain,caf%E9 fal%63on"],
    ["text behind the sign of a picture", url("image/gif", "GIF89a falcon")],
  ])("is read that has %s", (_, value) => {
    const written = readFile(value, read);
    expect(written).not.toBe(value);
    expect(left(written.includes(",") ? written : `,${written}`)).toContain("[X]");
  });

  it.each([
    ["a picture", latin1("\xff\xd8\xff\xe0 falcon"), "image/jpeg"],
    ["a PDF", "%PDF-1.4 falcon", "application/pdf"],
    ["an archive", latin1("PK\x03\x04\0\xff falcon"), "application/zip"],
    ["a film", latin1("\0\0\0\x18ftypmp42\xff falcon"), "video/mp4"],
  ])("is not read that is %s", (_, bytes, type) => {
    expect(readFile(url(type, bytes), read)).toBe(url(type, bytes));
  });
});
