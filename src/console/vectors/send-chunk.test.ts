import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { sendChunk } from "./send-chunk.ts";

const metadata = { provider_name: "Acme", previous_errors: [{ cost: 0.25 }, {}, { cost: 0.5 }] };
const server = createServer((request, response) => {
  const error = {
    code: 524,
    message: "late",
    ...(request.url === "/charged" && { metadata }),
    ...(request.url === "/unfit" && { metadata, availability: { code: "constraint_filtered", retryable: false } }),
  };
  response.writeHead(524, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}).listen(0, "127.0.0.1");
afterAll(() => server.close());

function send(path: string) {
  const { port } = server.address() as AddressInfo;
  const job = { run: 1, url: `http://127.0.0.1:${port}${path}`, headers: {}, body: {} };
  const items = [{ input: "a", tokens: 1, inputType: null }];
  return sendChunk({ ...job, items }, { items: [0], inputType: null }, new AbortController().signal);
}

it("reads from a refusal why no provider could serve the call", async () => {
  expect(await send("/unfit")).toMatchObject({ refused: { reason: "constraint_filtered", provider: "Acme" } });
  expect(await send("/free")).toMatchObject({ refused: { reason: null } });
});

it("reads from a refusal what was charged for providers that did not answer", async () => {
  expect(await send("/charged")).toMatchObject({ refused: { status: 524, provider: "Acme", cost: 0.75 } });
  expect(await send("/free")).toMatchObject({ refused: { status: 524, cost: null } });
});
