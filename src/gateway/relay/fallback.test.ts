import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello" }];

describe("who answers when somebody does not", () => {
  let gateway: TestGateway | undefined;
  let key = "";
  const opened = () => {
    if (gateway === undefined) throw new Error("the gateway is there within tests only");
    return gateway;
  };
  beforeAll(async () => {
    gateway = await startGateway();
    ({ key } = await makeKey(gateway));
  });
  afterAll(() => gateway?.close());
  const first = withVendor(opened, { slug: "first", talk: { id: "fb/a" }, embed: { id: "fb/embed-a" } });
  const second = withVendor(opened, { slug: "second", talk: { id: "fb/b" }, embed: { id: "fb/embed-b" } });
  const twin = withVendor(opened, { slug: "twin", talk: { id: "fb/a" }, embed: { id: "fb/embed-a" } });
  const chat = (body: object, headers: Record<string, string> = {}) =>
    opened().call("POST", "/chat/completions", { key, body: { messages, ...body }, headers });
  const generation = async (answer: { headers: Headers }) =>
    (await opened().call("GET", `/generation?id=${answer.headers.get("x-generation-id")}`, { key })).json.data;

  it.each([
    { type: "status", status: 400, code: "context_length_exceeded" } as const,
    { type: "status", status: 400, code: "content_policy_violation" } as const,
    { type: "status", status: 400, message: "tools are not supported" } as const,
    { type: "status", status: 413 } as const,
    { type: "status", status: 422 } as const,
  ])(
    "models: $status $code $message goes on to the next model, and not to another provider of the same",
    async (fault) => {
      first().fail(fault);
      twin().fail(fault);
      const answer = await chat({ models: ["fb/a", "fb/b"], provider: { order: ["first"] } });
      expect([answer.status, answer.json.model]).toEqual([200, "fb/b"]);
      expect([first().calls(), twin().calls(), second().calls()]).toEqual([1, 0, 1]);
    },
  );

  it("the calls of a session go to one provider, and sessions to both", async () => {
    const providers = new Set<string>();
    for (let session = 0; session < 12; session += 1) {
      const served = new Set<string>();
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = await chat({ model: "fb/a", session_id: `s-${session}` });
        served.add((await generation(answer)).provider_name);
      }
      expect(served.size).toBe(1);
      served.forEach((name) => providers.add(name));
    }
    expect(providers.size).toBe(2);
  });

  it("models: one that nobody offers is listed as an attempt, and alone it is 404", async () => {
    const answer = await chat({ model: "no/such", models: ["fb/b"] }, { "x-openrouter-metadata": "enabled" });
    expect([answer.status, answer.json.model]).toEqual([200, "fb/b"]);
    expect(answer.json.openrouter_metadata.attempts).toEqual([
      { provider: "none", model: "no/such", status: 404 },
      { provider: "second", model: "fb/b", status: 200 },
    ]);
    const alone = await chat({ model: "no/such" });
    expectError(alone, "not_found", /no\/such/);
    expect(alone.json.error.availability).toMatchObject({ code: "model_not_found", retryable: false });
  });

  it("the record says when each attempt began, and what was reserved by then", async () => {
    const limited = await makeKey(opened(), { limit: 5 });
    const recorded = async (as: string, path: string, body: object) => {
      const answer = await opened().call("POST", path, { key: as, body });
      expect(answer.status).toBe(200);
      const { data } = (await opened().call("GET", `/generations?id=${answer.headers.get("x-generation-id")}`)).json;
      return data[0] as CallRecord;
    };
    const provider = { order: ["first", "twin"] };
    for (const [path, body] of [
      ["/chat/completions", () => ({ messages, model: "fb/a", provider, max_tokens: 50 })],
      // not twice the same, which would come from the cache
      ["/embeddings", (input: string) => ({ input, model: "fb/embed-a", provider })],
    ] as const) {
      first().delay({ first: 30 });
      first().fail({ type: "status", status: 500 });
      const { attempts, duration_ms: duration, cost } = await recorded(limited.key, path, body("limited"));
      const [failed, answered] = attempts;
      const [began = -1, next = -1] = [failed?.started_ms, answered?.started_ms];
      expect(began).toBeGreaterThanOrEqual(0);
      expect(next).toBeGreaterThanOrEqual(began + (failed?.latency_ms ?? Infinity) - 1);
      expect(next + (answered?.latency_ms ?? Infinity)).toBeLessThanOrEqual(duration + 1);
      expect(failed?.reserved).toBeGreaterThan(0);
      expect(answered?.reserved).toBeGreaterThanOrEqual(cost);
      first().delay({});
      opened().clock.advance(3_600_000);
      const free = await recorded(key, path, body("free"));
      expect(new Set(free.attempts.map(({ reserved }) => reserved))).toEqual(new Set([0]));
      opened().clock.advance(3_600_000);
    }
  });

  it("order without fallbacks is walked to its end, and nobody else is asked", async () => {
    first().fail({ type: "status", status: 500 });
    const walked = await chat({ model: "fb/a", provider: { order: ["first", "twin"], allow_fallbacks: false } });
    expect([walked.status, walked.json.provider]).toEqual([200, "twin"]);
    const only = await chat({ model: "fb/a", provider: { order: ["first"], allow_fallbacks: false } });
    expect(only.status).toBe(502);
    expect(twin().calls()).toBe(1);
    opened().clock.advance(3_600_000);
  });

  it("a failure says how it was routed where that is asked for, in both names, and which calls came before", async () => {
    second().fail({ type: "status", status: 500 });
    const { json } = await chat({ model: "fb/b" }, { "x-openrouter-metadata": "enabled" });
    expect(json.service_metadata).toMatchObject({ requested: "fb/b", attempts: [{ provider: "second", status: 500 }] });
    expect(json.openrouter_metadata).toEqual(json.service_metadata);
    expect(json.error.metadata).toMatchObject({
      error_type: "provider_unavailable",
      previous_errors: [{ provider: "second", code: 500 }],
    });
    expect((await chat({ model: "fb/b" })).json).not.toHaveProperty("service_metadata");
    opened().clock.advance(3_600_000);
  });

  it("a provider at whose address nobody listens was sent nothing, and the call's record says so", async () => {
    const embed = { id: "fb/dead", upstream_id: "dead", type: "embedding", pricing: { prompt: "0.000001" } };
    const talk = { ...embed, id: "fb/mute", type: "chat" };
    const body = { slug: "dead", name: "Dead", kind: "openai-compatible", base_url: "http://127.0.0.1:1/v1" };
    await opened().call("POST", "/providers", { body: { ...body, models: [embed, talk] } });
    const failed = [
      await opened().call("POST", "/embeddings", { key, body: { model: "fb/dead", input: "a" } }),
      await chat({ model: "fb/mute" }),
    ];
    for (const answer of failed) {
      expectError(answer, "provider_unavailable", /^Dead could not be reached: Nothing is listening at 127/i);
      const { data } = (await opened().call("GET", `/generations?id=${answer.headers.get("x-generation-id")}`)).json;
      expect(data[0].attempts).toMatchObject([{ status: null, sent: false }]);
    }
    opened().clock.advance(3_600_000);
  });

  describe("one that gives no answer, and may bill it", () => {
    const slow = { type: "hang" } as const;
    // 100 tokens at 2,000 nano-dollars, and a prompt of about 100 bytes at 1,000.
    const body = { model: "fb/a", max_tokens: 100, provider: { order: ["first", "twin"] }, messages };
    const call = async (limit: number, path: "/chat/completions" | "/embeddings", asked: object) => {
      first().fail(slow, 1);
      const made = await makeKey(opened(), { limit });
      const answer = await opened().call("POST", path, { key: made.key, body: asked });
      const { data } = (await opened().call("GET", `/keys/${made.record.hash}`)).json;
      opened().clock.advance(3_600_000);
      return { answer, data };
    };
    const timeLimit = async (options: object) =>
      expect((await opened().call("PATCH", "/providers/first", { body: { options } })).status).toBe(200);

    afterEach(() => timeLimit({}));

    it("is charged beside the one that answers, where the limit has room for both", async () => {
      await timeLimit({ timeout_seconds: 1 });
      const { answer, data } = await call(0.01, "/chat/completions", body);
      expect([answer.status, answer.json.provider]).toEqual([200, "twin"]);
      const { cost, prompt_tokens, completion_tokens } = answer.json.usage;
      expect(data.usage).toBe(cost);
      expect(cost).toBeGreaterThan(prompt_tokens * 1e-6 + completion_tokens * 2e-6 + 100 * 2e-6);
      const id = answer.headers.get("x-generation-id");
      const [record] = (await opened().call("GET", `/generations?workspace_id=all&id=${id}`)).json.data;
      expect(record).toMatchObject({ metered_by: "upstream", prompt_tokens, completion_tokens });
      const [given, served] = record.attempts;
      expect(given.cost + prompt_tokens * 1e-6 + completion_tokens * 2e-6).toBeCloseTo(cost, 12);
      expect(served).not.toHaveProperty("cost");
      const { data: generation } = (await opened().call("GET", `/generation?id=${id}`)).json;
      expect(generation.provider_responses.map((attempt: { cost?: number }) => attempt.cost)).toEqual([
        given.cost,
        undefined,
      ]);
    });

    it("is the last one where it has not, for chats and embeddings", async () => {
      await timeLimit({ timeout_seconds: 1 });
      const chatted = await call(0.0004, "/chat/completions", body);
      expectError(chatted.answer, "timeout", /first did not answer in time/);
      expect(chatted.answer.json.error.metadata.passed_over).toMatchObject([{ provider: "twin", code: "limit" }]);
      expect(chatted.data.usage).toBeGreaterThan(200e-6);
      expect(chatted.data.usage).toBeLessThanOrEqual(0.0004);
      const input = "x".repeat(92);
      const asked = { model: "fb/embed-a", input, provider: { order: ["first", "twin"] } };
      const embedded = await call(0.00015, "/embeddings", asked);
      expectError(embedded.answer, "timeout", /first/);
      expect(embedded.data).toMatchObject({ usage: 0.0001, limit_remaining: 0.00005 });
      expect(twin().calls()).toBe(0);
    });

    it("is asked once where it bills vectors of another length, and the limit has no room for two", async () => {
      const data = [{ object: "embedding", index: 0, embedding: [1, 2, 3, 4, 5, 6, 7, 8] }];
      const eight = JSON.stringify({ object: "list", data, usage: { prompt_tokens: 46, total_tokens: 46 } });
      for (const vendor of [first(), twin()]) vendor.fail({ type: "body", body: eight });
      const made = await makeKey(opened(), { limit: 0.00011 });
      const input = Array.from({ length: 46 }, () => "z").join(" ");
      const asked = { model: "fb/embed-a", input, dimensions: 4, provider: { order: ["first", "twin"] } };
      const answer = await opened().call("POST", "/embeddings", { key: made.key, body: asked });
      expectError(answer, "provider_unavailable", /8 numbers, where 4 were asked for/);
      expect([first().calls(), twin().calls()]).toEqual([1, 0]);
      expect((await opened().call("GET", `/keys/${made.record.hash}`)).json.data.usage).toBe(0.000046);
      // Where it has, the answer's tokens are those of the one that served.
      first().fail({ type: "body", body: eight }, 1);
      twin().fail(null);
      const richer = await makeKey(opened(), { limit: 1 });
      const served = await opened().call("POST", "/embeddings", { key: richer.key, body: asked });
      const { prompt_tokens, cost } = served.json.usage;
      expect(prompt_tokens).toBeLessThan(92);
      expect(cost).toBeCloseTo((46 + prompt_tokens) * 1e-6, 12);
      opened().clock.advance(3_600_000);
    });

    it("is charged by a limit that counts it alone: an own key that hangs leaves the gateway's key to answer", async () => {
      await timeLimit({ timeout_seconds: 1 });
      const own = { provider: "first", key: "sk-own-0123456789abcdef" };
      const made = (await opened().call("POST", "/byok", { body: own })).json.data;
      const { answer, data } = await call(0.0004, "/chat/completions", { ...body, provider: { order: ["first"] } });
      await opened().call("DELETE", `/byok/${made.id}`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.usage).toMatchObject({ is_byok: false });
      expect(data).toMatchObject({ usage: answer.json.usage.cost, byok_usage: 0 });
    });

    it("is the last one where the limit was lowered meanwhile", async () => {
      // As a proxy says it that stands before the provider, so that it comes when the limit is lowered and not before.
      first().fail({ type: "status", status: 504 }, 1);
      const release = first().hold();
      const { key: caller, record } = await makeKey(opened(), { limit: 1 });
      const calling = opened().call("POST", "/chat/completions", { key: caller, body });
      await expect.poll(() => first().inFlight()).toBe(1);
      await opened().call("PATCH", `/keys/${record.hash}`, { body: { limit: 0.0004 } });
      release();
      const answer = await calling;
      expectError(answer, "timeout", /first/);
      expect(answer.json.error.metadata.passed_over).toMatchObject([{ provider: "twin", code: "limit" }]);
      const { data } = (await opened().call("GET", `/keys/${record.hash}`)).json;
      expect(data.usage).toBeLessThanOrEqual(0.0004);
      opened().clock.advance(3_600_000);
    });

    it.each([
      ["the limit was lowered", "PATCH", { limit: 0.0000001 }, /could not be reserved/],
      ["the key was deleted", "DELETE", {}, /key was deleted/],
    ] as const)("or that bills nothing: nobody is asked after %s meanwhile", async (_, method, change, why) => {
      for (const [path, asked] of [
        ["/chat/completions", body],
        ["/embeddings", { model: "fb/embed-a", input: "x".repeat(92), provider: body.provider }],
      ] as const) {
        first().fail({ type: "status", status: 500 }, 1);
        const release = first().hold();
        const { key: caller, record } = await makeKey(opened(), { limit: 1 });
        const calling = opened().call("POST", path, { key: caller, body: asked });
        await expect.poll(() => first().inFlight()).toBe(1);
        const changed = await opened().call(method, `/keys/${record.hash}`, { body: change });
        expect(changed.status).toBe(200);
        release();
        const answer = await calling;
        expectError(answer, "provider_unavailable", /first answered 500/);
        const [passed] = answer.json.error.metadata.passed_over;
        expect(passed).toMatchObject({ provider: "twin", code: "limit" });
        expect(passed.reason).toMatch(why);
        expect(twin().calls()).toBe(0);
        opened().clock.advance(3_600_000);
      }
    });

    it("is charged for its own seconds alone", async () => {
      await timeLimit({ timeout_seconds: 2 });
      first().fail(slow, 1);
      twin().fail({ type: "cut", afterBytes: 200 }, 1);
      const { key: caller, record } = await makeKey(opened(), { limit: 1 });
      const streamed = { ...body, max_tokens: 4_000, stream: true };
      const answer = await opened().call("POST", "/chat/completions", { key: caller, body: streamed });
      const id = answer.headers.get("x-generation-id");
      const [{ attempts }] = (await opened().call("GET", `/generations?workspace_id=all&id=${id}`)).json.data;
      // A prompt of about 100 bytes, 250 tokens for each second, and at most one for each byte that came.
      const most = (ms: number) => 150e-6 + ((ms / 1_000) * 250 + 200) * 2e-6;
      for (const { cost, latency_ms } of attempts) expect(cost).toBeLessThan(most(latency_ms + 1));
      const [slept, cut] = attempts;
      expect(slept.cost).toBeGreaterThan(2 * 250 * 2e-6);
      const { data } = (await opened().call("GET", `/keys/${record.hash}`)).json;
      expect(data.usage).toBeCloseTo(slept.cost + cut.cost, 12);
      opened().clock.advance(3_600_000);
    });

    it("is charged beside the one that embeds, where the limit has room for both", async () => {
      await timeLimit({ timeout_seconds: 1 });
      const asked = { model: "fb/embed-a", input: "y".repeat(92), provider: { order: ["first", "twin"] } };
      const { answer, data } = await call(0.0002, "/embeddings", asked);
      expect(answer.status, answer.text).toBe(200);
      expect(data.usage).toBe(answer.json.usage.cost);
      expect(data.usage).toBeCloseTo(0.0001 + answer.json.usage.prompt_tokens * 1e-6, 12);
    });
  });

  it.each(["fb/b:nitro", "fb/b:floor"])("%s is the model with its providers sorted", async (model) => {
    const answer = await chat({ model });
    expect([answer.status, answer.json.model]).toEqual([200, "fb/b"]);
    expect(second().requests.at(-1)?.body.model).toBe("talk");
  });

  it(":floor chooses the cheaper provider, for embeddings too; other endings are unknown models", async () => {
    const embedded = await opened().call("POST", "/embeddings", {
      key,
      body: { model: "fb/embed-b:floor", input: "a" },
    });
    expect([embedded.status, embedded.json.model]).toEqual([200, "fb/embed-b"]);
    expectError(await chat({ model: "fb/b:free" }), "not_found", /fb\/b:free/);
  });

  it("x-session-id is the session where the body names none", async () => {
    expect(await generation(await chat({ model: "fb/b" }, { "x-session-id": "s-header" }))).toMatchObject({
      session_id: "s-header",
    });
    expect(
      await generation(await chat({ model: "fb/b", session_id: "s-body" }, { "x-session-id": "s-header" })),
    ).toMatchObject({ session_id: "s-body" });
    expectIssues(await chat({ model: "fb/b" }, { "x-session-id": "x".repeat(257) }), "x-session-id");
  });
});
