import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startOnStore } from "./testing/describe-gateway.ts";
import { eventually } from "./testing/eventually.ts";
import { type FakeSink, startFakeSink } from "./testing/fake-sink.ts";
import type { Answer, TestGateway } from "./testing/gateway.ts";
import { makeKey, makeWorkspace } from "./testing/factories.ts";
import { withVendor } from "./testing/vendor-setup.ts";

type Line = Record<string, unknown> & { level: number; msg: string };

let gateway: TestGateway;
let sink: FakeSink;
beforeAll(async () => {
  // The minute in which repeats are counted ends when the gateway is closed, however long the tests take.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  gateway = await startOnStore({ env: { GATEHOUSE_ACCESS_LOG: "on" } });
  sink = await startFakeSink();
});
afterAll(async () => {
  await gateway.close();
  await sink.close();
  vi.useRealTimers();
});

const lines = (message: string): Line[] =>
  gateway
    .log()
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line)
    .filter(({ msg }) => msg === message);
const told = async (message: string) => await expect.poll(() => lines(message)).toHaveLength(1);
const readiness = async (expected: object) =>
  await expect.poll(async () => await (await fetch(`${gateway.url}/readyz`)).json()).toEqual(expected);
const idOf = (answer: Answer) => answer.headers.get("x-request-id");
/** The access log's line of a request. */
const lineOf = (answer: Answer) =>
  eventually(
    () => lines("answered").find(({ level, reqId }) => level === 30 && reqId === idOf(answer)),
    (line) => line !== undefined,
  );

const prompt = "a prompt that nobody may read";
const embed = (key: string) =>
  gateway.call("POST", "/embeddings", { key, body: { model: "acme/embed", input: prompt } });
const talk = (key: string) =>
  gateway.call("POST", "/chat/completions", {
    key,
    body: { model: "acme/talk", messages: [{ role: "user", content: prompt }] },
  });

describe("the log", () => {
  const vendor = withVendor(() => gateway);

  it("has a line for each answered request where GATEHOUSE_ACCESS_LOG asks for it", async () => {
    const { key, record } = await makeKey(gateway);
    const answer = await talk(key);
    expect(await lineOf(answer)).toMatchObject({
      operation: "sendChatCompletionRequest",
      key: record.hash.slice(0, 12),
      model: "acme/talk",
      provider: "acme",
      status: 200,
      ms: expect.any(Number),
      cost_usd: answer.json.usage.cost,
    });
    const refused = await embed("sk-gh-v1-nonsense");
    expect(await lineOf(refused)).toMatchObject({
      status: 401,
      key: null,
    });
  });

  it("has a line for a request that no endpoint was asked for", async () => {
    const nowhere = await gateway.call("GET", "/nowhere");
    expect(await lineOf(nowhere)).toMatchObject({ status: 404, operation: null });
    for (const [headers, status] of [
      [{ host: "evil.example" }, 403],
      [{}, 400],
    ] as const) {
      const asked = request(`${gateway.url}/api/v1/models`, { headers, setHost: false }).end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      answer.resume();
      const id = answer.headers["x-request-id"];
      const ofRequest = () => lines("answered").filter(({ level, reqId }) => level === 30 && reqId === id);
      await expect.poll(ofRequest).toMatchObject([{ status }]);
    }
  });

  it("has a line for a request whose caller left before it was answered", async () => {
    const { key, record } = await makeKey(gateway);
    const letGo = vendor().hold();
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "acme/talk", messages: [{ role: "user", content: prompt }] });
    const left = fetch(`${gateway.url}/api/v1/chat/completions`, {
      method: "POST",
      headers,
      body,
      signal: leaving.signal,
    });
    await expect.poll(() => vendor().inFlight()).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
    const ofKey = () => lines("answered").filter((line) => line["key"] === record.hash.slice(0, 12));
    await expect
      .poll(ofKey)
      .toMatchObject([{ level: 30, operation: "sendChatCompletionRequest", status: 499, ms: expect.any(Number) }]);
    letGo();
  });

  it("has the first failure of a provider, and each state of its circuit, in one line", async () => {
    const { key } = await makeKey(gateway);
    vendor().fail({ type: "status", status: 500, message: `sk-vendor-0123456789abcdef ${prompt}` });
    const first = await talk(key);
    expect(lines("a provider failed a call")).toMatchObject([
      { level: 40, reqId: idOf(first), provider: "acme", model: "acme/talk", status: 500 },
    ]);
    await talk(key);
    await talk(key);
    const opened = "a provider's circuit is open: its calls are held back";
    expect(lines(opened)).toMatchObject([{ level: 40, provider: "acme", model: "acme/talk" }]);
    await readiness({ status: "degraded", reasons: ["provider_unavailable"] });

    vendor().fail(null);
    gateway.clock.advance(120_000);
    expect((await talk(key)).status).toBe(200);
    expect(lines("a provider's circuit is half-open: one call finds out")).toHaveLength(1);
    expect(lines("a provider's circuit is closed")).toHaveLength(1);
    expect(lines(opened)).toHaveLength(1);
    await readiness({ status: "ready" });
  });

  it("has the first refusal of a key", async () => {
    const { key, record } = await makeKey(gateway, { limit: 0 });
    const first = await talk(key);
    expect(first.status).toBe(402);
    for (let more = 0; more < 4; more += 1) await talk(key);
    const refusals = lines("a request was refused").filter((line) => line["key"] === record.hash.slice(0, 12));
    expect(refusals).toMatchObject([{ level: 40, reqId: idOf(first), error_type: "payment_required", status: 402 }]);
  });

  it("has a destination that fails, recovers, gives a call up, and is taken over", async () => {
    const workspace = await makeWorkspace(gateway);
    const { key } = await makeKey(gateway, { workspace_id: workspace.id });
    const body = { name: "Sink", type: "webhook", config: { url: sink.url }, workspace_id: workspace.id };
    const made = await gateway.call("POST", "/observability/destinations", { body });
    const destination = made.json.data.id as string;

    sink.behave(() => ({ status: 503, body: prompt }));
    await embed(key);
    await told("a destination fails");
    expect(lines("a destination fails")).toMatchObject([{ level: 40, destination, status: 503 }]);
    await readiness({ status: "degraded", reasons: ["destination_failing"] });
    sink.behave(null);
    await told("a destination accepts events again");

    sink.behave(() => ({ status: 503 }));
    const dead = (await embed(key)).json.id as string;
    await embed(key);
    sink.behave(({ text }) => (text.includes(dead) ? { status: 400, body: prompt } : null));
    await told("an event was given up and is a dead letter");
    expect(lines("an event was given up and is a dead letter")).toMatchObject([
      { level: 40, destination, generation: dead, status: 400 },
    ]);

    const set = (enabled: boolean) =>
      gateway.call("PATCH", `/observability/destinations/${destination}`, { body: { enabled } });
    await set(false);
    const { pool } = gateway.deps.store;
    await expect.poll(async () => (await pool.query("select owner from forwarding")).rows).toEqual([{ owner: null }]);
    // As a process leaves it that ended without a word.
    await pool.query("update forwarding set owner = gen_random_uuid(), owned_until = clock_timestamp()");
    await set(true);
    await told("forwarding was taken over");
  });

  it("has what followed within a minute in one line, and no secret", async () => {
    await gateway.close();
    expect(lines("a provider failed a call, repeated")).toMatchObject([{ times: 2, status: 500 }]);
    expect(lines("a request was refused, repeated")).toMatchObject([{ times: 4, error_type: "payment_required" }]);
    expect(lines("stopped")).toEqual([]);
    expect(gateway.log()).not.toMatch(/a prompt that|sk-vendor|sk-gh-v1|"level":50/);
    expect(gateway.log()).not.toContain(gateway.managementKey);
    gateway = await startOnStore();
  });
});
