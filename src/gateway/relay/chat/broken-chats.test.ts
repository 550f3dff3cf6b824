import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError } from "../../testing/expect-error.ts";
import { startGateway, type TestGateway } from "../../testing/gateway.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";

/** Seconds, for calls that shall take too long, at the provider `hasty`. */
const timeLimit = 1;
const messages = [{ role: "user", content: "Say hello" }];
/** Of a prompt and an answer: nano-dollars for a token are 1,000 and 2,000. */
const costOf = (prompt: number, completion: number) => (prompt * 1_000 + completion * 2_000) / 1e9;

const event = (data: object | string) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
const said = (content: string, index = 0, finish: string | null = null) => ({
  choices: [{ index, delta: { content }, finish_reason: finish }],
});
const usage = (prompt: number, completion: number) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
});
const google = (index: number, text: string, finishReason?: string) => ({
  candidates: [{ index, content: { role: "model", parts: [{ text }] }, ...(finishReason ? { finishReason } : {}) }],
});

let gateway: TestGateway;
let respond: (response: ServerResponse) => unknown = () => {};
const vendor = createServer((request, response) => {
  request.resume();
  request.once("end", () => void respond(response));
});

beforeAll(async () => {
  gateway = await startGateway({ env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(timeLimit) } });
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
  for (const [slug, more] of [
    ["acme", { options: { timeout_seconds: 60 } }],
    ["google", { kind: "gemini" as const, options: { timeout_seconds: 60 } }],
    ["hasty", {}],
    // Undici counts more than a second by the turns of the event loop: a pause of this process is not the provider's.
    ["brisk", { options: { timeout_seconds: 2 } }],
  ] as const) {
    const model = {
      id: `${slug}/talk`,
      upstream_id: "talk",
      type: "chat" as const,
      name: "Talk",
      context_length: 32_768,
      max_completion_tokens: 4_096,
      pricing: { prompt: "0.000001", completion: "0.000002" },
    };
    await makeProvider(gateway, { slug, base_url, api_key: null, enabled: true, models: [model], ...more });
  }
});

afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await gateway.close();
});

/** Asks with a new key. @returns the answer, what the key was charged, and the call's record */
async function ask(body: object, limit: number | null = 1, { model = "acme/talk" } = {}) {
  const { key, record } = await makeKey(gateway, { limit });
  const answer = await gateway.call("POST", "/chat/completions", { key, body: { model, messages, ...body } });
  const { data } = (await gateway.call("GET", `/keys/${record.hash}`)).json;
  const list = await gateway.call("GET", `/generations?workspace_id=all&api_key_hash=${record.hash}`);
  gateway.clock.advance(3_600_000);
  return { answer, charged: data.usage as number, record: list.json.data[0] };
}

const hasty = { model: "hasty/talk" };

const stream = (response: ServerResponse, ...events: (object | string)[]) => {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(events.map(event).join(""));
};
const cut = async (response: ServerResponse) => {
  await wait(20);
  response.destroy();
};

describe("a provider that pauses", () => {
  it("within its own time limit is waited for, however short the time for a caller who does not read", async () => {
    respond = async (response) => {
      stream(response, said("one"));
      await wait(timeLimit * 1_500);
      stream(response, said(" two", 0, "stop"), { choices: [], ...usage(9, 2) }, "[DONE]");
      response.end();
    };
    const { answer, record } = await ask({ stream: true });
    expect(answer.text).toMatch(/ two.*\[DONE\]/s);
    expect(record).toMatchObject({ status: 200, cancelled: false, completion_tokens: 2 });
  });

  it("for longer than its time limit: an error frame says so", async () => {
    respond = (response) => stream(response, said("one"));
    const { answer, record } = await ask({ stream: true }, 1, { model: "brisk/talk" });
    expect(answer.text).toMatch(/stopped in the middle of its answer/);
    expect(record).toMatchObject({ status: 524, cancelled: false });
  });
});

describe("a stream of several choices", () => {
  const asked = { stream: true, n: 2, max_tokens: 1_000 };
  const long = "z".repeat(500);

  it("goes on after the first of them has ended", async () => {
    respond = (response) => {
      stream(response, google(0, "A"), google(1, "B"), google(0, ".", "STOP"));
      stream(response, google(1, long));
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 503 };
      stream(response, { ...google(1, "!", "MAX_TOKENS"), usageMetadata });
      response.end();
    };
    const { answer, charged } = await ask(asked, 1, { model: "google/talk" });
    expect(answer.text).toMatch(/zzz.*"!".*\[DONE\]/s);
    expect(charged).toBeCloseTo(costOf(10, 503), 12);
  });

  it.each([
    ["ends in good order without the end of one", {}, (response: ServerResponse) => response.end()],
    ["is cut, after an early count", usage(10, 1), cut],
  ])("that %s has broken off, and a limit counts all that came", async (_, early, end) => {
    respond = (response) => {
      stream(response, { ...said("A"), ...early }, said("", 0, "stop"), said(long, 1));
      return end(response);
    };
    const { answer, charged, record } = await ask(asked);
    expect(answer.text).not.toMatch(/\[DONE\]/);
    expect(record).toMatchObject({ status: 502, metered_by: "gateway" });
    expect(charged).toBeGreaterThan(costOf(10, 500));
  });

  it("may have fewer of them than were asked for", async () => {
    respond = (response) => {
      stream(response, google(0, "A", "STOP"));
      response.end();
    };
    expect((await ask(asked, 1, { model: "google/talk" })).answer.text).toMatch(/\[DONE\]/);
  });
});

describe("a stream that gives no event", () => {
  const asked = { stream: true, max_tokens: 4_000 };
  const whole = (content: string) => ({
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  });
  const json = (response: ServerResponse, body: unknown, type = "application/json") => {
    response.writeHead(200, { "content-type": type });
    response.end(JSON.stringify(body));
  };

  it.each([1, null])("but comes whole with a count is charged by the count, with the limit %s", async (limit) => {
    respond = (response) => json(response, { ...whole("Hello"), ...usage(10, 3_000) });
    const { answer, charged } = await ask(asked, limit);
    expectError(answer, "provider_unavailable", /no stream, although one was asked for/);
    expect(charged).toBeCloseTo(costOf(10, 3_000), 12);
  });

  it("but comes whole without a count is charged as fast as an answer can be written", async () => {
    respond = async (response) => {
      await wait(500);
      json(response, whole("Hello"), "text/event-stream");
    };
    expect((await ask(asked)).charged).toBeGreaterThan(costOf(10, 2_400));
  });

  it("but breaks off within the first is charged at least a token for each byte", async () => {
    respond = async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: {"choices":[{"delta":{"content":"${"x".repeat(3_000)}`);
      await cut(response);
    };
    const { charged } = await ask(asked);
    expect(charged).toBeGreaterThan(costOf(10, 3_000));
    expect((await ask(asked, null)).charged).toBe(0);
  });

  it("that breaks off within a later one is charged for what came of it", async () => {
    respond = async (response) => {
      stream(response, said("one"));
      response.write(`data: {"choices":[{"delta":{"content":"${"x".repeat(3_000)}`);
      await cut(response);
    };
    expect((await ask(asked)).charged).toBeGreaterThan(costOf(10, 3_000));
  });

  it.each([false, true])(
    "but an error under the status 200 has refused it, and costs nothing: stream %s",
    async (is) => {
      respond = (response) => json(response, { error: { message: "Slow down", code: 429 } });
      const { answer, charged, record } = await ask({ ...asked, stream: is });
      expectError(answer, "rate_limit_exceeded", /answered 200: Slow down/);
      expect([charged, record.status]).toEqual([0, 429]);
    },
  );

  it.each([1, null])("a plain answer of no use is charged by its count, with the limit %s", async (limit) => {
    respond = (response) => json(response, { choices: [], ...usage(20, 3_500) });
    const { answer, charged } = await ask({ max_tokens: 4_000 }, limit);
    expectError(answer, "provider_unavailable", /no choices/);
    expect(charged).toBeCloseTo(costOf(20, 3_500), 12);
  });

  it.each([1, null])(
    "nor is a whole one under the status 201, charged by its count with the limit %s",
    async (limit) => {
      respond = (response) => {
        response.writeHead(201, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...whole("Hello"), ...usage(10, 900) }));
      };
      const { answer, charged } = await ask({ max_tokens: 4_000 }, limit);
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(charged).toBeCloseTo(costOf(10, 900), 12);
    },
  );

  it("without a finish reason is charged by the count that it gave, where no limit counts the call", async () => {
    respond = (response) => {
      stream(response, said("one"), { choices: [], ...usage(20, 500) });
      response.end();
    };
    const { answer, charged } = await ask(asked, null);
    expect(answer.text).toMatch(/the stream broke off/);
    expect(charged).toBeCloseTo(costOf(20, 500), 12);
  });
});

describe("an answer that never ends", () => {
  const everySoOften = (response: ServerResponse, send: () => void) => {
    const timer = setInterval(send, 100);
    response.once("close", () => clearInterval(timer));
  };
  const space = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    everySoOften(response, () => void response.write(" "));
  };
  const comments = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    everySoOften(response, () => void response.write(": PROCESSING\n\n"));
  };
  const commentsAfterAWord = (response: ServerResponse) => {
    comments(response);
    stream(response, said("one"));
  };
  const processing = (response: ServerResponse) => everySoOften(response, () => response.writeProcessing());

  it.each([
    ["white space", [false], space],
    ["102 Processing", [false, true], processing],
    ["comments in place of events", [true], comments],
    ["an event, and then comments", [true], commentsAfterAWord],
  ])("but goes on with %s: 524, and a limit counts the most that it may be", async (_, streams, send) => {
    respond = send;
    const asked = await Promise.all(streams.map((is) => ask({ stream: is, max_tokens: 4_000 }, 1, hasty)));
    for (const { answer, charged } of asked) {
      if (answer.status === 200) expect(answer.text).toMatch(/did not end in time.*"finish_reason":"error"/s);
      else expectError(answer, "timeout", /in time/);
      expect(charged).toBeGreaterThan(costOf(10, 250));
    }
  });
});

describe("what a stream says beside its content", () => {
  const text = "zqxv ".repeat(100);
  const members = [
    { refusal: text },
    { function_call: { name: "f", arguments: text } },
    { audio: { id: "a", transcript: text } },
    { audio: { id: "a", data: text } },
    { reasoning_details: [{ type: "reasoning.text", text }] },
    { images: [{ image_url: { url: `data:image/png;base64,${text}` } }] },
    { thinking: text },
  ];
  const piece = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });

  it.each(members)("is counted where it breaks off, and where it ends without a count: %j", async (delta) => {
    respond = async (response) => {
      stream(response, ...Array.from({ length: 4 }, () => piece(delta)));
      await cut(response);
    };
    const asked = { stream: true, max_tokens: 4_000 };
    expect((await ask(asked)).charged).toBeGreaterThan(costOf(0, 4 * text.length));
    respond = (response) => {
      stream(response, ...Array.from({ length: 4 }, () => piece(delta)), piece({}, "stop"), "[DONE]");
      response.end();
    };
    expect((await ask(asked)).charged).toBeGreaterThan(costOf(0, 390));
  });

  it("is counted in a whole answer", async () => {
    for (const said of [{ refusal: text }, { function_call: { name: "f", arguments: text } }]) {
      respond = (response) => {
        const message = { role: "assistant", content: null, ...said };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
      };
      expect((await ask({})).charged).toBeGreaterThan(costOf(0, 100));
    }
  });
});

describe("an error that is longer than what is read of it", () => {
  const detail = [{ msg: "Field wrong", input: "y".repeat(1_000_000) }];

  it.each([
    [400, "invalid_request"],
    [429, "rate_limit_exceeded"],
  ] as const)("is what its status says: %s", async (status, type) => {
    respond = (response) => {
      response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
      response.end(JSON.stringify({ detail }));
    };
    // Four in a row would open the provider's circuit, if they were failures of its own.
    for (const asked of [{}, { stream: true }, {}, {}]) {
      const { answer, charged } = await ask(asked);
      expectError(answer, type, /Field wrong/);
      if (status === 429) expect(answer.headers.get("retry-after")).toBe("7");
      expect(charged).toBe(0);
    }
  });
});
