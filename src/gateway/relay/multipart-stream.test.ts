import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { streamForm } from "./multipart-stream.ts";

const type = "multipart/form-data; boundary=b";

async function read(body: Buffer, pieceSize: number): Promise<[string, string | null, string][]> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += pieceSize) pieces.push(body.subarray(at, at + pieceSize));
  const parts: [string, string | null, string][] = [];
  for await (const { name, filename, content } of streamForm(Readable.from(pieces), type)) {
    const read: Buffer[] = [];
    for await (const piece of content) read.push(piece);
    parts.push([name, filename, Buffer.concat(read).toString("latin1")]);
  }
  return parts;
}

const form = (...parts: readonly (readonly [string, string])[]) =>
  Buffer.from(
    `${parts.map(([head, content]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join("")}--b--\r\n`,
    "latin1",
  );

it("reads what was written, in whatever pieces it comes", async () => {
  const contents = fc.array(fc.string({ unit: fc.constantFrom("-", "b", "\r", "\n", "\0", "ÿ"), maxLength: 40 }), {
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(contents, fc.integer({ min: 1, max: 50 }), async (texts, size) => {
      fc.pre(texts.every((text) => !`\r\n${text}\r\n`.includes("\r\n--b")));
      const written = texts.map((text) => ['name="file"; filename="a"', text] as const);
      expect(await read(form(...written), size)).toEqual(texts.map((text) => ["file", "a", text]));
    }),
  );
});

it("passes over what is not asked for", async () => {
  const body = form(['name="purpose"', "assistants"], ['name="file"; filename="a \\"b\\".pdf"', "%PDF-"]);
  const names: string[] = [];
  for await (const { name, filename } of streamForm(Readable.from([body]), type)) names.push(`${name} ${filename}`);
  expect(names).toEqual(["purpose null", 'file a "b".pdf']);
});

it.each([
  ["nothing", "", "has no part"],
  ["no boundary", "x".repeat(20_000), "has no part"],
  ["a cut off part", '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc', "is cut off"],
  ["a cut off boundary", '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--b', "is cut off"],
  ["a part without a name", "--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--", "without a name"],
  ["endless headers", `--b\r\nx: ${"y".repeat(10_000)}`, "without headers"],
  ["too many parts", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(65), "more than 64 parts"],
])("refuses %s", async (_, body, message) => {
  await expect(read(Buffer.from(body), 1_000)).rejects.toThrow(message);
});
