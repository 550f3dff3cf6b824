import { describe, expect, it } from "vitest";
import { countTokens } from "../../providers/local/lexical.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello to me" }];

/** The frames of a stream: comments left out, data parsed. */
function framesOf(text: string): (Record<string, unknown> | "[DONE]")[] {
  return text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => (frame === "data: [DONE]" ? "[DONE]" : JSON.parse(frame.slice(6))));
}

describeGateway("chat", (gateway) => {
  const vendor = withVendor(gateway);
  const chat = async (body: object, key?: string) =>
    await gateway().call("POST", "/chat/completions", {
      key: key ?? (await makeKey(gateway())).key,
      body: { model: "acme/talk", messages, ...body },
    });

  describe("createChatCompletion", () => {
    it("200: the vendor's answer under the gateway's id and model, with what it cost", async () => {
      const answer = await chat({ temperature: 0.5, surprise: { kept: true } });
      expect(answer.status).toBe(200);
      const id = answer.headers.get("x-generation-id");
      expect(answer.json).toMatchObject({
        id,
        object: "chat.completion",
        model: "acme/talk",
        system_fingerprint: "fp_fake",
        choices: [
          { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello from the fake vendor." } },
        ],
        usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10, cost: 0.000016, is_byok: false },
      });
      expect(vendor().requests.at(-1)?.body).toMatchObject({
        model: "talk",
        messages,
        temperature: 0.5,
        surprise: { kept: true },
      });
      expect(await ledgerRow(gateway(), id)).toMatchObject({
        api_type: "completions",
        provider: "acme",
        cost: 16_000n,
        prompt_tokens: 4,
        completion_tokens: 6,
        metered_by: "upstream",
        finish_reason: "stop",
        upstream_id: "chatcmpl-fake",
      });
    });

    it("asks the workspace's default model where the call names none", async () => {
      const { id } = await makeWorkspace(gateway());
      const { key } = await makeKey(gateway(), { workspace_id: id });
      expectIssues(await chat({ model: undefined }, key), "model");
      await gateway().call("PATCH", `/workspaces/${id}`, { body: { default_text_model: "acme/talk" } });
      expect((await chat({ model: undefined }, key)).json).toMatchObject({ model: "acme/talk" });
    });

    it("does not pass on what is the gateway's own", async () => {
      await chat({
        provider: { allow_fallbacks: true },
        models: ["acme/talk"],
        session_id: "s",
        trace: { trace_id: "t" },
      });
      const { body } = vendor().requests.at(-1) ?? {};
      expect(Object.keys(body).toSorted()).toEqual(["messages", "model", "stream"]);
    });

    it("stores attribution, user, session and trace", async () => {
      const { key } = await makeKey(gateway());
      const answer = await gateway().call("POST", "/chat/completions", {
        key,
        body: { model: "acme/talk", messages, user: "u-1", session_id: "s-1", trace: { trace_id: "t-1" } },
        headers: { "http-referer": "https://app.example", "x-title": "App" },
      });
      expect(await ledgerRow(gateway(), answer.headers.get("x-generation-id"))).toMatchObject({
        http_referer: "https://app.example",
        app_title: "App",
        external_user: "u-1",
        session_id: "s-1",
        trace: { trace_id: "t-1" },
      });
    });

    it("counts by itself, and says so, when the vendor's usage is missing or nonsense", async () => {
      for (const usage of ["absent", "negative", "text"] as const) {
        vendor().settings.usage = usage;
        const answer = await chat({});
        expect(answer.status).toBe(200);
        expect(answer.json.usage.completion_tokens).toBeGreaterThan(0);
        expect(answer.json.usage.cost).toBeGreaterThan(0);
        expect(await ledgerRow(gateway(), answer.headers.get("x-generation-id"))).toMatchObject({
          metered_by: "gateway",
        });
      }
    });

    it("counts the beginning of a long answer, which stands for the rest", async () => {
      const text = "some words to be counted ".repeat(24_000);
      const choices = [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }];
      vendor().fail({ type: "body", body: JSON.stringify({ id: "u", choices }), contentType: "application/json" }, 1);
      const answer = await chat({});
      expect(answer.json.choices[0].message.content).toBe(text);
      const counted = (countTokens(text.slice(0, 262_144)) * text.length) / 262_144;
      expect(answer.json.usage.completion_tokens).toBe(Math.ceil(counted));
    });

    it("200: the older role function, no bound on the answer, and a user of any length", async () => {
      const conversation = [...messages, { role: "function", name: "weather", content: "sunny" }];
      const user = "u".repeat(1_000);
      const answer = await chat({ messages: conversation, max_tokens: 0, user });
      expect(answer.status).toBe(200);
      const sent = vendor().requests.at(-1)?.body as Record<string, unknown>;
      expect(sent).toMatchObject({ messages: conversation, user });
      expect(sent).not.toHaveProperty("max_tokens");
      const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
      expect(row).toMatchObject({ external_user: user.slice(0, 255) });
    });

    it("400: bad members are named", async () => {
      expectIssues(await chat({ messages: [] }), "messages");
      expectIssues(await chat({ messages: [{ role: "robot", content: "x" }] }), "messages.0.role");
      expectIssues(await chat({ max_tokens: -1 }), "max_tokens");
      expectIssues(await chat({ provider: { nonsense: 1 } }), "provider.nonsense");
      expectIssues(await chat({ model: undefined }), "model");
    });

    it("402: says which max_tokens would fit", async () => {
      const { key } = await makeKey(gateway(), { limit: 0.001 });
      const answer = await chat({ max_tokens: 1_000 }, key);
      expectError(answer, "payment_required", /limit/);
      const { fits, remaining, limit_kind } = answer.json.error.metadata;
      expect({ remaining, limit_kind }).toEqual({ remaining: 0.001, limit_kind: "key" });
      expect((await chat({ max_tokens: fits.max_tokens }, key)).status).toBe(200);
      expect(
        (await chat({ max_tokens: fits.max_tokens + 1 }, (await makeKey(gateway(), { limit: 0.001 })).key)).status,
      ).toBe(402);
    });

    it("404: an embedding model is no chat model", async () => {
      expectError(await chat({ model: "acme/embed" }), "not_found", /not a chat model/);
    });

    it.each([
      [{ type: "status", status: 500 } as const, "provider_unavailable"],
      [{ type: "status", status: 503 } as const, "provider_busy"],
      [{ type: "status", status: 529 } as const, "provider_overloaded"],
      [{ type: "status", status: 408 } as const, "request_timeout"],
      [{ type: "status", status: 422 } as const, "unprocessable"],
      [{ type: "status", status: 400, code: "content_filter" } as const, "content_policy_violation"],
      [{ type: "status", status: 401 } as const, "provider_unavailable"],
      [{ type: "reset" } as const, "provider_unavailable"],
      [{ type: "cut", afterBytes: 20 } as const, "provider_unavailable"],
      [{ type: "short" } as const, "provider_unavailable"],
      [{ type: "body", body: "<html>" } as const, "provider_unavailable"],
      [{ type: "body", body: '{"choices":1}' } as const, "provider_unavailable"],
      [{ type: "body", body: '{"choices":[]}' } as const, "provider_unavailable"],
      [{ type: "body", body: '{"choices":[{}]}' } as const, "provider_unavailable"],
      [{ type: "body", body: '{"choices":[{"message":null}]}' } as const, "provider_unavailable"],
      [{ type: "body", body: `{"choices":${"[".repeat(9_000)}${"]".repeat(9_000)}}` } as const, "provider_unavailable"],
      [{ type: "status", status: 400, code: "context_length_exceeded" } as const, "context_length_exceeded"],
    ])("%j is %s, and costs nothing", async (fault, type) => {
      vendor().fail(fault);
      const { key, record } = await makeKey(gateway());
      const answer = await chat({}, key);
      expectError(answer, type as "provider_unavailable", /acme/);
      expect(answer.json.error.metadata.previous_errors).toHaveLength(1);
      expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBe(0);
    });

    it.each([
      { type: "reset" } as const,
      { type: "cut", afterBytes: 20 } as const,
      { type: "short" } as const,
      { type: "body", body: "<html>" } as const,
      { type: "body", body: '{"choices":[]}' } as const,
    ])("%j: a limit counts the prompt, and all that may have been written by then", async (fault) => {
      vendor().fail(fault);
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      const answer = await chat({ max_tokens: 100 }, key);
      expectError(answer, "provider_unavailable", /acme/);
      const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
      const prompt = Buffer.byteLength(JSON.stringify({ messages })) * 1e-6;
      expect(data.usage).toBeGreaterThan(prompt);
      expect(data.usage).toBeLessThan(prompt + 50e-6 + 100 * 2e-6);
      expect(data.limit_remaining).toBeCloseTo(1 - data.usage, 12);
      expect(answer.json.error.metadata.previous_errors).toMatchObject([{ provider: "acme", cost: data.usage }]);
    });

    it("400: what is nested too deep, wherever it stands, before anything is reserved or sent", async () => {
      const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      for (const body of [
        { trace: { deep: 0 } },
        { vendor_member: { deep: 0 } },
        { messages: [{ role: "user", content: "hi", deep: 0 }] },
        { messages: [{ role: "assistant", content: null, tool_calls: [{ deep: 0 }] }] },
      ]) {
        const raw = JSON.stringify({ model: "acme/talk", messages, ...body }).replace('"deep":0', `"deep":${deep}`);
        const answer = await gateway().call("POST", "/chat/completions", { key, raw });
        expectError(answer, "invalid_request", /nested deeper than 100 levels/);
      }
      expect(vendor().calls()).toBe(0);
      expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data).toMatchObject({ limit_remaining: 1 });
    });

    it("fills in the members of a choice that a vendor leaves out", async () => {
      vendor().fail({ type: "body", body: '{"created":"now","choices":[{"message":{"content":"hi"}}]}' });
      expect((await chat({})).json).toMatchObject({
        created: expect.any(Number),
        choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: null }],
      });
    });

    it("400: a prompt that is too long for all who serve the model", async () => {
      const messages = [{ role: "user", content: "word ".repeat(60_000) }];
      expectError(
        await chat({ messages }),
        "context_length_exceeded",
        /^messages are too long for acme\/talk: its context is 32768/,
      );
      expect(vendor().calls()).toBe(0);
    });

    it("429: with the vendor's Retry-After", async () => {
      vendor().fail({ type: "status", status: 429, retryAfter: "7" });
      const answer = await chat({});
      expectError(answer, "rate_limit_exceeded", /acme/);
      expect(answer.headers.get("retry-after")).toBe("7");
    });
  });

  describe("as a stream", () => {
    it("passes the chunks on, then usage with the cost, then [DONE]; the row is there before the last of them", async () => {
      const answer = await chat({ stream: true });
      expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
      const frames = framesOf(answer.text);
      expect(frames.at(-1)).toBe("[DONE]");
      const id = answer.headers.get("x-generation-id");
      const chunks = frames.filter((frame) => frame !== "[DONE]");
      expect(chunks.every((chunk) => chunk["id"] === id && chunk["model"] === "acme/talk")).toBe(true);
      expect(chunks.every((chunk) => chunk["object"] === "chat.completion.chunk")).toBe(true);
      expect(chunks.at(-1)).toMatchObject({
        choices: [],
        usage: { prompt_tokens: 4, completion_tokens: 6, cost: 0.000016 },
      });
      // oxlint-disable-next-line typescript/no-explicit-any -- the shape is what is tested
      const said = chunks.map((chunk) => (chunk as any).choices[0]?.delta.content ?? "").join("");
      expect(said).toBe("Hello from the fake vendor.");
      expect(await ledgerRow(gateway(), id)).toMatchObject({
        streamed: true,
        cost: 16_000n,
        status: 200,
        cancelled: false,
      });
    });

    it("an error before the first chunk is an ordinary error", async () => {
      vendor().fail({ type: "status", status: 500 });
      expectError(await chat({ stream: true }), "provider_unavailable", /acme/);
      vendor().fail({ type: "stream-error", afterFrames: 0 });
      expectError(await chat({ stream: true }), "provider_unavailable", /acme/);
    });

    it.each([
      [529, 529, "provider_overloaded"],
      [429, 429, "rate_limit_exceeded"],
      ["overloaded_error", 529, "provider_overloaded"],
      [null, 502, "provider_unavailable"],
    ])("an error in mid-stream with the code %j is %i, and the vendor was reached", async (code, status, type) => {
      vendor().fail({ type: "stream-error", afterFrames: 2, ...(code === null ? {} : { code }) });
      const last = framesOf((await chat({ stream: true })).text).at(-1);
      expect(last).toMatchObject({
        error: { code: status, message: expect.stringMatching(/^acme broke off: /), metadata: { error_type: type } },
      });
    });

    it("an error in mid-stream is a chunk of its own, and what came before it is charged", async () => {
      vendor().fail({ type: "stream-error", afterFrames: 3 });
      const answer = await chat({ stream: true });
      expect(answer.status).toBe(200);
      const last = framesOf(answer.text).at(-1);
      expect(last).toMatchObject({
        error: {
          code: 502,
          message: expect.stringContaining("acme"),
          metadata: { error_type: "provider_unavailable" },
        },
        choices: [{ finish_reason: "error" }],
      });
      const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
      expect(row).toMatchObject({
        status: 502,
        error_type: "provider_unavailable",
        metered_by: "gateway",
        finish_reason: "error",
      });
      expect(row?.completion_tokens).toBeGreaterThan(0);
    });

    it("a stream that is cut off is an error in mid-stream", async () => {
      vendor().fail({ type: "cut", afterBytes: 500 });
      const answer = await chat({ stream: true });
      expect(framesOf(answer.text).at(-1)).toMatchObject({ error: { code: 502 } });
    });

    it("a stream that cannot be recorded ends with an error in mid-stream", async () => {
      const { db } = gateway().deps.store;
      await db.schema.alterTable("ledger").renameTo("ledger_away").execute();
      try {
        const answer = await chat({ stream: true });
        expect(answer.status).toBe(200);
        const frames = framesOf(answer.text);
        expect(frames.at(-1)).toMatchObject({ error: { code: 500 }, choices: [{ finish_reason: "error" }] });
        expect(answer.text).not.toContain("[DONE]");
      } finally {
        await db.schema.alterTable("ledger_away").renameTo("ledger").execute();
      }
    });

    it("counts by itself when the vendor sends no usage", async () => {
      vendor().settings.usage = "absent";
      const answer = await chat({ stream: true });
      expect(framesOf(answer.text).at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 6 } });
      expect(await ledgerRow(gateway(), answer.headers.get("x-generation-id"))).toMatchObject({
        metered_by: "gateway",
      });
    });

    it("a caller who leaves pays what the vendor counts at the end of its stream", async () => {
      vendor().settings.words = Array.from({ length: 1_000 }, (_, index) => ` word${index}`);
      const goOn = vendor().hold(40);
      const { key } = await makeKey(gateway());
      const leaving = new AbortController();
      const response = await fetch(`${gateway().url}/api/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "acme/talk", messages, stream: true }),
        signal: leaving.signal,
      });
      const reader = response.body?.getReader();
      for (let read = 0; read < 2_000;) read += (await reader?.read())?.value?.length ?? 0;
      leaving.abort();
      await caughtUp(gateway(), key);
      goOn();
      const id = response.headers.get("x-generation-id");
      const row = await eventually(
        () => ledgerRow(gateway(), id),
        (found) => found !== undefined,
      );
      expect(row).toMatchObject({
        status: 499,
        cancelled: true,
        streamed: true,
        metered_by: "upstream",
        completion_tokens: 1_000,
      });
      expect(vendor().abandoned()).toBe(0);
    });
  });
});
