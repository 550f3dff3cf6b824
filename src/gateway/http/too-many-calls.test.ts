import { once } from "node:events";
import { type IncomingMessage, request as send } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type Options, withGateway } from "../testing/describe-gateway.ts";
import { eventually, patience } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];
let texts = 0;

function startWith(options: Options) {
  const gateway = withGateway(options);
  const call = (key: string, path: string, body: object) => gateway().call("POST", path, { key, body });
  return {
    gateway,
    makeKeys: async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => makeKey(gateway())))).map(({ key }) => key) as [
        string,
        string,
        string,
        string,
      ],
    embed: (key: string, model = "acme/embed") => call(key, "/embeddings", { model, input: `text ${(texts += 1)}` }),
    chat: (key: string, more: object = {}) => call(key, "/chat/completions", { model: "acme/talk", messages, ...more }),
    metrics: async () => {
      const headers = { authorization: `Bearer ${gateway().managementKey}` };
      return await (await fetch(`${gateway().url}/metrics`, { headers })).text();
    },
    /** Sends the head of a call, and no body. */
    beginCall: (key: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": 100 };
      const asked = send(`${gateway().url}/api/v1/embeddings`, { method: "POST", headers });
      asked.on("error", () => {});
      asked.flushHeaders();
      return asked;
    },
  };
}

/** A refusal that came before anything was reserved, sent or put on the ledger. */
function expectTooMany(answer: Answer, message: RegExp) {
  expectError(answer, "unavailable", message);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.headers.get("x-generation-id")).toBeNull();
  expect(answer.json.error.metadata).toMatchObject({ reason: "too_many_calls", retry_after: 2 });
}

const lets: (() => void)[] = [];
const go = () => {
  for (const letGo of lets.splice(0)) letGo();
};
afterEach(go);

describe("GATEHOUSE_CALLS, where no call ends in the moment that one waits", () => {
  const { gateway, embed, makeKeys, metrics, beginCall } = startWith({ env: { GATEHOUSE_CALLS: "3" }, turnMs: 50 });
  const vendor = withVendor(gateway);
  const full = /as many model calls in flight as it can serve: try again/;

  it("503 with Retry-After, before the body is read; it costs nothing, and is counted", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const [other, third] = await makeKeys(2);
    lets.push(vendor().hold());
    const held = [embed(key), embed(other), embed(third)];
    await expect.poll(() => vendor().inFlight()).toBe(3);
    for (const refused of await Promise.all([embed(key), embed(other)])) expectTooMany(refused, full);
    const [answer] = (await once(beginCall(third), "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(503);
    expect(vendor().calls()).toBe(3);
    // everything else is served
    expect((await gateway().call("GET", "/health", { key: null })).status).toBe(200);
    const figures = await metrics();
    for (const line of [
      'gatehouse_refusals_total{reason="too_many_calls"} 3',
      "gatehouse_calls_in_flight 3",
      "gatehouse_calls_waiting 0",
    ]) {
      expect(figures).toContain(line);
    }
    const told = /"msg":"The gateway has as many model calls in flight as it can serve: try again"/g;
    expect(gateway().log().match(told)).toHaveLength(1);
    go();
    for (const each of await Promise.all(held)) expect(each.status).toBe(200);
    expect((await embed(key)).status).toBe(200);
    const query = `api_key_hash=${record.hash}`;
    const counted = await eventually(
      async () => (await gateway().call("GET", `/refused-calls?${query}`)).json.data as object[],
      ({ length }) => length > 0,
    );
    expect(counted).toMatchObject([{ reason: "too_many_calls", status: 503, count: 1 }]);
    const { usage } = (await gateway().call("GET", `/keys/${record.hash}`)).json.data;
    expect((await gateway().call("GET", `/generations?${query}`)).json.data).toHaveLength(2);
    expect(usage).toBeCloseTo(0.000002 * 2, 9);
  });
});

describe("GATEHOUSE_CALLS, where a call may wait for long", () => {
  const started = startWith({ env: { GATEHOUSE_CALLS: "3" }, turnMs: patience });
  const { gateway, embed, chat, makeKeys, metrics, beginCall } = started;
  const vendor = withVendor(gateway);

  it("200 once another has ended; streams count until they end", async () => {
    const [first, second, third, fourth] = await makeKeys(4);
    lets.push(vendor().hold());
    const streams = [chat(first, { stream: true }), chat(second, { stream: true })];
    // It ends at once when its caller leaves.
    const unsent = beginCall(third);
    await expect.poll(() => vendor().inFlight()).toBe(2);
    await expect.poll(metrics).toContain("gatehouse_calls_in_flight 3\n");
    const waiting = embed(fourth);
    await expect.poll(metrics).toContain("gatehouse_calls_waiting 1\n");
    unsent.destroy();
    await expect.poll(() => vendor().inFlight()).toBe(3);
    go();
    expect((await waiting).status).toBe(200);
    for (const stream of await Promise.all(streams)) expect(stream.text).toContain("data: [DONE]");
    await expect.poll(metrics).toContain("gatehouse_calls_in_flight 0\n");
  });

  it("forgets a caller who leaves while waiting, and a call whose body never comes", async () => {
    const [key] = await makeKeys(1);
    const calls = Array.from({ length: 4 }, () => beginCall(key));
    await expect.poll(metrics).toMatch(/^gatehouse_calls_waiting [12]$/m);
    for (const asked of calls) asked.destroy();
    expect((await embed(key)).status).toBe(200);
  });
});

/** A gateway that sends one call at a time to each of three providers, two of them of the same models. */
function withProviders(turnMs: number) {
  const started = startWith({ env: { GATEHOUSE_PROVIDER_CALLS: "1" }, turnMs });
  const { gateway } = started;
  const vendor = withVendor(gateway);
  const twin = withVendor(gateway, { slug: "twin" });
  const other = withVendor(gateway, { slug: "other", talk: { id: "other/talk" }, embed: { id: "other/embed" } });
  return {
    ...started,
    vendor,
    twin,
    hold: () => lets.push(vendor().hold(), twin().hold(), other().hold()),
    inFlight: () => [vendor().inFlight(), twin().inFlight(), other().inFlight()],
  };
}

describe("GATEHOUSE_PROVIDER_CALLS, where no call ends in the moment that one waits", () => {
  const { gateway, vendor, twin, embed, chat, makeKeys, hold, inFlight } = withProviders(50);
  const full = /have as many calls in flight as GATEHOUSE_PROVIDER_CALLS allows: try again/;

  it("goes to the model's other provider, then to the caller's next model, and is refused where none has room", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const left = async () => (await gateway().call("GET", `/keys/${record.hash}`)).json.data.limit_remaining as number;
    hold();
    const first = chat(key, { provider: { order: ["acme"] } });
    await expect.poll(inFlight).toEqual([1, 0, 0]);
    const second = chat(key, { provider: { order: ["acme"] } });
    await expect.poll(inFlight).toEqual([1, 1, 0]);
    const before = await left();
    expectTooMany(await chat(key), full);
    expectTooMany(await chat(key, { stream: true }), full);
    expectTooMany(await embed(key), full);
    expect(await left()).toBe(before);
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
    const [key] = await makeKeys(1);
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
    const [key] = await makeKeys(1);
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
});

describe("GATEHOUSE_PROVIDER_CALLS, where a call may wait for long", () => {
  const { embed, makeKeys, hold, inFlight, metrics } = withProviders(patience);

  it("lets it wait for a slot", async () => {
    const [key] = await makeKeys(1);
    hold();
    const held = [embed(key), embed(key)];
    await expect.poll(inFlight).toEqual([1, 1, 0]);
    const waiting = embed(key);
    await expect.poll(metrics).toContain("gatehouse_calls_in_flight 3\n");
    go();
    expect((await waiting).status).toBe(200);
    await Promise.all(held);
  });
});
