import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMemoryBudget, roomIn } from "../memory-budget.ts";
import { inlineImages } from "./images.ts";

const image = Buffer.alloc(300_000, 7);
const asked: string[] = [];
const server = createServer(({ url = "" }, response) => {
  asked.push(url);
  response.writeHead(200, { "content-type": "image/png" }).end(image);
});
const dispatcher = new Agent();

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  await dispatcher.close();
  server.close();
});

it("an image that a request names many times is fetched once, and takes room in each place", async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const part = (path: string) => ({ type: "image_url" as const, image_url: { url: origin + path } });
  const items = ["/a", "/a", "/b"].map((path) => ({ type: "block" as const, parts: [part(path), part("/a")] }));
  const inline = `data:image/png;base64,${image.toString("base64")}`;
  const inlined = async (mostBytes: number) => {
    const budget = createMemoryBudget(mostBytes);
    const room = roomIn(budget, "key");
    return await inlineImages(dispatcher, items, { signal: new AbortController().signal, room });
  };
  const places = (await inlined(10_000_000)).flatMap((item) => (item.type === "block" ? item.parts : []));
  expect(places).toEqual(Array.from({ length: 6 }, () => ({ type: "image_url", image_url: { url: inline } })));
  expect(asked).toEqual(["/a", "/b"]);
  await expect(inlined(8 * inline.length)).rejects.toThrow("has room for");
});
