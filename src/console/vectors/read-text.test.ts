import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, afterAll } from "vitest";
import { partsOf, withoutEach } from "./leave-one-out.ts";
import { makeRate } from "./rate.ts";
import { readText } from "./read-text.ts";
import { sendChunk } from "./send-chunk.ts";

const read = (bytes: Uint8Array | Buffer) => readText(new File([new Uint8Array(bytes)], "texts.txt"));

it("a file's text is read as UTF-8, and as UTF-16 by its mark", async () => {
  expect(await read(Buffer.from("café\n日本"))).toBe("café\n日本");
  const utf16 = Buffer.from("\uFEFFcafé", "utf16le");
  expect([await read(utf16), await read(Buffer.from(utf16).swap16())]).toEqual(["café", "café"]);
});

const refusal = "texts.txt is not UTF-8 text. Save it as UTF-8";
it.each([
  ["Latin-1", Buffer.from("café über", "latin1"), refusal],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), refusal],
  ["half of a character", Buffer.from([0x61, 0xc3]), refusal],
  ["UTF-16 without a mark", Buffer.from("plain", "utf16le"), refusal],
  ["empty", Buffer.alloc(0), "texts.txt is empty."],
])("a file is refused with the way out if %s", (_, bytes, words) => expect(read(bytes)).rejects.toThrow(words));

it("the rate of a run is of the last ten seconds, and begins anew after a pause", () => {
  const rate = makeRate();
  const at = (seconds: number, done: number, state: "running" | "paused" = "running") =>
    rate({ state, done }, seconds * 1_000);
  expect([at(0, 0), at(1, 512)]).toEqual([null, 512]);
  expect(at(9, 1_000)).toBeCloseTo(111.1, 1);
  // at 12 s what was told at 0 and at 1 s is too old: (1,612 - 1,000) rows in 3 s
  expect(at(12, 1_612)).toBe(204);
  at(13, 1_700, "paused");
  expect([at(60, 1_700), at(62, 1_760)]).toEqual([null, 30]);
});

it("one part at a time is left out of a text: a sentence, or a word where there is one sentence", () => {
  expect(partsOf("It is late. The dock is closed.")).toEqual(["It is late. ", "The dock is closed."]);
  expect(partsOf("held at customs")).toEqual(["held ", "at ", "customs"]);
  // the whole text is kept however long it is
  const text = "word ".repeat(100).trim();
  expect([partsOf(text).length, partsOf(text).join("")]).toEqual([40, text]);
  expect(withoutEach(["a ", "b ", "c"]).map((without) => without.text)).toEqual(["b c", "a c", "a b"]);
  expect(withoutEach(["only"])).toEqual([]);
});

const metadata = { provider_name: "Acme", previous_errors: [{ cost: 0.25 }, {}, { cost: 0.5 }] };
const availability = { code: "constraint_filtered", retryable: false };
const more: Record<string, object> = { "/charged": { metadata }, "/unfit": { metadata, availability } };
const server = createServer(({ url = "" }, response) => {
  const error = { code: 524, message: "late", ...more[url] };
  response.writeHead(524, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}).listen(0, "127.0.0.1");
afterAll(() => server.close());

it.each([
  ["/unfit", { reason: "constraint_filtered", provider: "Acme" }],
  ["/charged", { status: 524, reason: null, provider: "Acme", cost: 0.75 }],
  ["/free", { status: 524, reason: null, cost: null }],
])(
  "reads from the refusal %s why no provider served the call, and what was charged all the same",
  async (path, refused) => {
    const { port } = server.address() as AddressInfo;
    const items = [{ input: "a", tokens: 1, inputType: null }];
    const job = { run: 1, url: `http://127.0.0.1:${port}${path}`, headers: {}, body: {}, items };
    const sent = sendChunk(job, { items: [0], inputType: null }, new AbortController().signal);
    expect(await sent).toMatchObject({ refused });
  },
);
