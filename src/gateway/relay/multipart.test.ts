import { expect, it } from "vitest";
import { Refusal } from "../domain/refusal.ts";
import { takeTurns } from "../turns.ts";
import { boundaryOf, readForm } from "./multipart.ts";

const type = "multipart/form-data; boundary=b";
const read = async (body: string | Buffer, contentType = type) =>
  await readForm(Buffer.from(body as string), contentType, takeTurns("owner"));
const part = (head: string, body: string) => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);

it("reads fields and files, byte for byte, in their order", async () => {
  const form = new FormData();
  const bytes = Buffer.from([0, 13, 10, 45, 45, 0xff, 13, 10]);
  form.set("model", "acme/hear");
  form.set("file", new File([bytes], 'a "b".mp3', { type: "audio/mpeg" }));
  form.append("timestamp_granularities[]", "word");
  form.append("timestamp_granularities[]", "segment");
  form.append("empty", "");
  const request = new Request("http://gw.example", { method: "POST", body: form });
  const parts = await readForm(
    Buffer.from(await request.arrayBuffer()),
    request.headers.get("content-type") ?? "",
    takeTurns("owner"),
  );
  expect(parts.map(({ name }) => name)).toEqual([
    "model",
    "file",
    "timestamp_granularities[]",
    "timestamp_granularities[]",
    "empty",
  ]);
  expect(parts[1]?.bytes).toEqual(bytes);
  expect(parts[1]).toMatchObject({ filename: "a %22b%22.mp3", mediaType: "audio/mpeg" });
  expect(parts[0]).toMatchObject({ filename: null, mediaType: null });
  expect(parts[4]?.bytes).toHaveLength(0);
});

it("takes what other writers send: text before the first part, blanks after a boundary, names without quotes", async () => {
  const body = `hello\r\n--b \t\r\ncontent-disposition: form-data; name=model\r\n\r\nx\r\n--b--\r\nbye`;
  expect(await read(body)).toMatchObject([{ name: "model", bytes: Buffer.from("x") }]);
  const quoted = part('Content-Disposition: form-data; filename="a\\"b.wav"; name="file"', "x");
  expect(await read(`${quoted}--b--`)).toMatchObject([{ name: "file", filename: 'a"b.wav' }]);
});

it("finds a boundary across the pieces that it searches", async () => {
  for (const length of [65_530, 65_535, 65_536, 131_071]) {
    const [found] = await read(`${field("a", "x".repeat(length))}--b--`);
    expect(found?.bytes).toHaveLength(length);
  }
});

it.each([
  ["nothing", ""],
  ["no boundary", "hello"],
  ["a part that is cut off", field("a", "x").slice(0, -4)],
  ["a part without an end", field("a", "x")],
  ["a part without headers", "--b\r\n\r\nx\r\n--b--"],
  ["a part without a name", `${part("Content-Disposition: form-data", "x")}--b--`],
  ["a part of another disposition", `${part('Content-Disposition: attachment; name="a"', "x")}--b--`],
  ["text after a boundary", '--b!\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--'],
  ["headers of 9,000 bytes", `${part(`X: ${"a".repeat(9_000)}`, "x")}--b--`],
  ["65 parts", `${field("a", "x").repeat(65)}--b--`],
])("refuses %s", async (_, body) => {
  await expect(read(body)).rejects.toThrow(Refusal);
});

it("refuses a media type without a boundary, or with one that is too long", () => {
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe("a b");
  for (const wrong of [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    `multipart/form-data; boundary=${"a".repeat(71)}`,
  ]) {
    expect(() => boundaryOf(wrong)).toThrow(Refusal);
  }
});
