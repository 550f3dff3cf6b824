import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withGateway } from "../testing/describe-gateway.ts";
import { patience } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";
import type { Answer, TestGateway } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];
let texts = 0;

function callsOf(gateway: () => TestGateway) {
  const call = (key: string, path: string, body: object) => gateway().call("POST", path, { key, body });
  return {
    embed: (key: string, model = "acme/embed") => call(key, "/embeddings", { model, input: `text ${(texts += 1)}` }),
    chat: (key: string, more: object = {}) => call(key, "/chat/completions", { model: "acme/talk", messages, ...more }),
  };
}

/** A refusal that came before anything was reserved, sent or put on the ledger. */
function expectTooMany(answer: Answer, message: RegExp) {
  expectError(answer, "unavailable", message);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.headers.get("x-generation-id")).toBeNull();
  expect(answer.json.error.metadata).toMatchObject({ reason: "too_many_calls", retry_after: 2 });
}

describe("GATEHOUSE_CALLS", () => {
  const gateway = withGateway({ env: { GATEHOUSE_CALLS: "3" } });
  const vendor = withVendor(gateway);
  const { embed, chat } = callsOf(gateway);
  let letGo = () => {};
  afterEach(() => letGo());
  const full = /as many model calls in flight as it can serve: try again/;
  const metrics = async () => {
    const headers = { authorization: `Bearer ${gateway().managementKey}` };
    return await (await fetch(`${gateway().url}/metrics`, { headers })).text();
  };
  /** Sends the head of a call, and no body. */
  function beginCall(key: string) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": 100 };
    const asked = send(`${gateway().url}/api/v1/embeddings`, { method: "POST", headers });
    asked.on("error", () => {});
    asked.flushHeaders();
    return asked;
  }

  it("503 with Retry-After where one too many waits in vain; it costs nothing, and is counted", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const others = await Promise.all([makeKey(gateway()), makeKey(gateway())]);
    letGo = vendor().hold();
    const held = [embed(key), embed(others[0].key), embed(others[1].key)];
    await expect.poll(() => vendor().inFlight()).toBe(3);
    const [refused, another] = await Promise.all([embed(key), embed(others[0].key)]);
    expectTooMany(refused, full);
    expectTooMany(another, full);
    expect(vendor().calls()).toBe(3);
    // everything else is served
    expect((await gateway().call("GET", "/health", { key: null })).status).toBe(200);
    const figures = await metrics();
    for (const line of [
      'gatehouse_refusals_total{reason="too_many_calls"} 2',
      "gatehouse_calls_in_flight 3",
      "gatehouse_calls_waiting 0",
    ]) {
      expect(figures).toContain(line);
    }
    expect(
      gateway()
        .log()
        .match(/"msg":"The gateway has as many model calls in flight as it can serve: try again"/g),
    ).toHaveLength(1);
    letGo();
    for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
    expect((await embed(key)).status).toBe(200);
    await vi.waitFor(
      async () => {
        const { data } = (await gateway().call("GET", `/refused-calls?api_key_hash=${record.hash}`)).json;
        expect(data).toMatchObject([{ reason: "too_many_calls", status: 503, count: 1 }]);
      },
      { timeout: patience, interval: 100 },
    );
    const { usage } = (await gateway().call("GET", `/keys/${record.hash}`)).json.data;
    const ofOne = (await gateway().call("GET", `/generations?api_key_hash=${record.hash}`)).json.data;
    expect(ofOne).toHaveLength(2);
    expect(usage).toBeCloseTo(0.000002 * 2, 9);
  });

  it("503 before the body is read: it need not even be sent", async () => {
    const keys = await Promise.all([makeKey(gateway()), makeKey(gateway()), makeKey(gateway())]);
    letGo = vendor().hold();
    const held = keys.map(({ key }) => embed(key));
    await expect.poll(() => vendor().inFlight()).toBe(3);
    const [answer] = (await once(beginCall(keys[0]?.key ?? ""), "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(503);
    letGo();
    await Promise.all(held);
  });

  it("200 for a call that waited, once another has ended; streams count until they end", async () => {
    const keys = await Promise.all([makeKey(gateway()), makeKey(gateway()), makeKey(gateway()), makeKey(gateway())]);
    const [first, second, third, fourth] = keys.map(({ key }) => key);
    letGo = vendor().hold();
    const streams = [chat(first ?? "", { stream: true }), chat(second ?? "", { stream: true })];
    // It ends at once when its caller leaves, however slow the machine is: a call waits for a second.
    const unsent = beginCall(third ?? "");
    await expect.poll(() => vendor().inFlight()).toBe(2);
    await expect.poll(metrics).toContain("gatehouse_calls_in_flight 3\n");
    expectTooMany(await embed(first ?? ""), full);
    const arrived = once(gateway().app.server, "request");
    const waiting = embed(fourth ?? "");
    await arrived;
    await wait(50);
    unsent.destroy();
    await expect.poll(() => vendor().inFlight()).toBe(3);
    letGo();
    expect((await waiting).status).toBe(200);
    for (const stream of await Promise.all(streams)) expect(stream.text).toContain("data: [DONE]");
    await expect.poll(metrics).toContain("gatehouse_calls_in_flight 0\n");
  });

  it("forgets a caller who leaves while waiting, and a call whose body never comes", async () => {
    const { key } = await makeKey(gateway());
    const cut = () =>
      new Promise<void>((resolve) => {
        const asked = beginCall(key);
        asked.on("error", () => resolve());
        setTimeout(() => asked.destroy(), 50);
      });
    await Promise.all([cut(), cut(), cut(), cut()]);
    await expect.poll(async () => (await embed(key)).status).toBe(200);
  });
});

describe("GATEHOUSE_PROVIDER_CALLS", () => {
  const gateway = withGateway({ env: { GATEHOUSE_PROVIDER_CALLS: "1" } });
  const vendor = withVendor(gateway);
  const twin = withVendor(gateway, { slug: "twin" });
  const other = withVendor(gateway, { slug: "other", talk: { id: "other/talk" }, embed: { id: "other/embed" } });
  const { embed, chat } = callsOf(gateway);
  const lets: (() => void)[] = [];
  afterEach(() => {
    for (const letGo of lets.splice(0)) letGo();
  });
  const hold = () => lets.push(vendor().hold(), twin().hold(), other().hold());
  const inFlight = () => [vendor().inFlight(), twin().inFlight(), other().inFlight()];
  const go = () => {
    for (const letGo of lets.splice(0)) letGo();
  };
  const full = /have as many calls in flight as GATEHOUSE_PROVIDER_CALLS allows: try again/;

  it("goes to the model's other provider, then to the caller's next model, and is refused where none has room", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    hold();
    const first = chat(key, { provider: { order: ["acme"] } });
    await expect.poll(inFlight).toEqual([1, 0, 0]);
    const second = chat(key, { provider: { order: ["acme"] } });
    await expect.poll(inFlight).toEqual([1, 1, 0]);
    const before = (await gateway().call("GET", `/keys/${record.hash}`)).json.data;
    expectTooMany(await chat(key), full);
    expectTooMany(await chat(key, { stream: true }), full);
    expectTooMany(await embed(key), full);
    expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.limit_remaining).toBe(
      before.limit_remaining,
    );
    const third = chat(key, { models: ["acme/talk", "other/talk"] });
    await expect.poll(inFlight).toEqual([1, 1, 1]);
    go();
    expect((await Promise.all([first, second, third])).map(({ status, json }) => [status, json.model])).toEqual([
      [200, "acme/talk"],
      [200, "acme/talk"],
      [200, "other/talk"],
    ]);
    // all slots are free again, a stream's and a batch's too
    expect((await chat(key, { stream: true, provider: { only: ["acme"] } })).text).toContain("[DONE]");
    expect((await embed(key)).status).toBe(200);
    expect((await chat(key, { provider: { only: ["acme"] } })).status).toBe(200);
  });

  it("gives the slot back where the provider fails, and passes over a full one on the way to the next", async () => {
    const { key } = await makeKey(gateway());
    lets.push(twin().hold());
    const held = chat(key, { provider: { only: ["twin"] } });
    await expect.poll(inFlight).toEqual([0, 1, 0]);
    vendor().fail({ type: "status", status: 500 }, 2);
    const failed = await chat(key, { provider: { order: ["acme"] } });
    expectError(failed, "provider_unavailable", /acme answered 500/);
    expect(failed.json.error.metadata.passed_over).toMatchObject([{ provider: "twin", code: "busy" }]);
    expect((await embed(key)).status).toBe(502);
    expect((await chat(key)).status).toBe(200);
    expect((await embed(key)).status).toBe(200);
    go();
    expect((await held).status).toBe(200);
  });

  it("needs no provider's slot for what the cache has, or a built-in model makes", async () => {
    const { key } = await makeKey(gateway());
    const body = { model: "acme/embed", input: "the same text" };
    expect((await gateway().call("POST", "/embeddings", { key, body })).status).toBe(200);
    hold();
    const held = [embed(key), embed(key)];
    await expect.poll(inFlight).toEqual([1, 1, 0]);
    expect((await gateway().call("POST", "/embeddings", { key, body })).status).toBe(200);
    expect((await embed(key, "gatehouse/lexical")).status).toBe(200);
    go();
    await Promise.all(held);
  });

  it("lets a call wait a moment for a slot", async () => {
    const { key } = await makeKey(gateway());
    hold();
    const held = [embed(key), embed(key)];
    await expect.poll(inFlight).toEqual([1, 1, 0]);
    const waiting = embed(key);
    await wait(100);
    go();
    expect((await waiting).status).toBe(200);
    await Promise.all(held);
  });
});
