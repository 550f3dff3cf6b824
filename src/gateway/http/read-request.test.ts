import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { createMemoryBudget } from "../memory-budget.ts";
import { readRequestBody, takeStreamedBody } from "./read-request.ts";

const request = () =>
  ({ routeOptions: { bodyLimit: 1_000 }, headers: {}, ip: "::1", isOver: false }) as unknown as FastifyRequest;

function failing(error: Error): IncomingMessage {
  const stream = new Readable({ read() {} });
  stream.push("a");
  queueMicrotask(() => stream.destroy(error));
  return stream as IncomingMessage;
}

const withCode = (code: string) => Object.assign(new Error("aborted"), { code });

it.each(["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"])("takes %s for a caller who left", async (code) => {
  const read = readRequestBody(request(), failing(withCode(code)), createMemoryBudget(1_000_000));
  await expect(read).rejects.toMatchObject({ name: "AbortError" });
});

it("does not take a fault of its own for one", async () => {
  const fault = new RangeError("a defect");
  const read = readRequestBody(request(), failing(fault), createMemoryBudget(1_000_000));
  await expect(read).rejects.toBe(fault);
});

it("says that it takes no compressed ones", async () => {
  const compressed = { ...request(), headers: { "content-encoding": "gzip" } } as unknown as FastifyRequest;
  const read = readRequestBody(compressed, Readable.from([]) as IncomingMessage, createMemoryBudget(1_000_000));
  await expect(read).rejects.toMatchObject({
    type: "invalid_request",
    message: expect.stringContaining("without Content-Encoding"),
  });
});

it("gives its room back once, however often it is told to", async () => {
  const budget = createMemoryBudget(100);
  const sent = { ...request(), headers: { "content-length": "40" } } as unknown as FastifyRequest;
  await readRequestBody(sent, Readable.from([Buffer.alloc(40)]) as IncomingMessage, budget);
  sent.giveBack?.();
  sent.giveBack?.();
  expect([budget.take("one", 50), budget.take("two", 26), budget.take("two", 25)]).toEqual([true, false, true]);
});

it("leaves room for a caller's other bodies, however many are read as they come", async () => {
  const budget = createMemoryBudget(1_000);
  const upload = () => takeStreamedBody(request(), Readable.from([]) as IncomingMessage, budget, 100);
  for (let open = 0; open < 5; open += 1) upload();
  expect(upload).toThrow("as many request bodies as it has room for");
  const call = { ...request(), headers: { "content-length": "250" } } as unknown as FastifyRequest;
  const body = await readRequestBody(call, Readable.from([Buffer.alloc(250)]) as IncomingMessage, budget);
  expect(body).toHaveLength(250);
});
