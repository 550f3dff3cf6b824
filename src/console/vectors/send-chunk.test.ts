import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { sendChunk } from "./send-chunk.ts";

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
