import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ErrorType, errorStatus, publicErrorType } from "#contract/errors.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { caughtUp } from "../testing/caught-up.ts";
import { chunk, streamedChat, wholeChat } from "../testing/chat-answers.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { ledgerRow } from "../testing/ledger-calls.ts";
import { streamedMessage, wholeMessage } from "../testing/messages-answers.ts";
import { streamedResponse, wholeResponse } from "../testing/responses-answers.ts";
import { vendorsKey } from "../testing/scripted-setup.ts";
import { wave } from "../testing/wave.ts";

/** Seconds. More than one, so that a pause of this process is not taken for the vendor's. */
const upstreamTimeout = 2;
const words = "Say hello. ".repeat(40);
const done = "data: [DONE]\n\n";
const sound = Buffer.from([0xff, 0xf3, 0x00, 0x80]);
const png = "iVBORw0KGgo=";
const vendorsId = "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654";
const sse = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** What a vendor answers at a path, how far a stream has come when it breaks, and answers that are of no use. */
interface Right {
  readonly type?: string;
  readonly whole: string | Buffer;
  readonly stream?: readonly string[];
  readonly begun?: number;
  readonly useless: readonly (readonly [name: string, body: string, type?: string])[];
}

const deep = `${"[".repeat(9_000)}${"]".repeat(9_000)}`;
const scores = (...all: object[]) => JSON.stringify({ results: all });
const failed = { status: "failed", error: { code: "server_error", message: "It broke" }, output: [] };
const items = JSON.stringify({ object: "response", output: Array.from({ length: 5_000 }, () => ({})) });
const chatStream = streamedChat(chunk({ content: "Hel" }), chunk({ content: "lo" }), chunk({}, "stop")).pieces;

const right: Readonly<Record<string, Right>> = {
  "/chat/completions": {
    whole: String(wholeChat({ content: "Hello" }).pieces[0]),
    stream: chatStream as string[],
    begun: 2,
    useless: [
      ["no list of choices", '{"choices":1}'],
      ["no choices", '{"choices":[]}'],
      ["an empty choice", '{"choices":[{}]}'],
      ["no message", '{"choices":[{"message":null}]}'],
      ["9,000 levels", `{"choices":${deep}}`],
    ],
  },
  "/messages": {
    whole: wholeMessage,
    stream: streamedMessage,
    begun: 9,
    useless: [["no message", '{"type":"message","usage":{"input_tokens":1,"output_tokens":1}}']],
  },
  "/responses": {
    whole: wholeResponse,
    stream: streamedResponse,
    begun: 11,
    useless: [
      ["no output", '{"object":"response","usage":{"input_tokens":1,"output_tokens":1}}'],
      ["a failure", JSON.stringify({ ...JSON.parse(wholeResponse), ...failed })],
      ["work that is not finished", wholeResponse.replace('"status": "completed",', '"status": "queued",')],
      ["5,000 items", items],
    ],
  },
  "/embeddings": {
    whole: JSON.stringify({ data: [{ index: 0, embedding: [1, 0, 0, 0] }], usage: { prompt_tokens: 5 } }),
    useless: [
      ["no vectors", '{"data":[]}'],
      ["no vector", '{"data":[{"embedding":"!!"}]}'],
    ],
  },
  "/rerank": {
    whole: `{"results":[{"index":0,"relevance_score":1},{"index":1,"relevance_score":0}],"usage":{"total_tokens":9}}`,
    useless: [
      ["a list alone", "[]"],
      ["a document that there is not", scores({ index: 3, relevance_score: 1 })],
      ["a document twice", scores({ index: 0, relevance_score: 1 }, { index: 0, relevance_score: 1 })],
      ["a score that is a text", scores({ index: 0, relevance_score: "high" })],
      ["9,000 levels", `{"results":${deep}}`],
    ],
  },
  "/images/generations": {
    whole: JSON.stringify({ created: 1_700_000_000, data: [{ b64_json: png }] }),
    stream: [
      sse({ type: "image_generation.partial_image", partial_image_index: 0, b64_json: png }),
      sse({ type: "image_generation.completed", b64_json: png, created_at: 1_700_000_000 }),
    ],
    begun: 1,
    useless: [
      ["no images", '{"created":1,"data":[]}'],
      ["an image without bytes", '{"data":[{"b64_json":""}]}'],
      ["an address in a private network", '{"data":[{"url":"http://127.0.0.1:9/a.png"}]}'],
    ],
  },
  "/audio/speech": {
    type: "audio/mpeg",
    whole: sound,
    useless: [
      ["no audio", ""],
      ["JSON in place of audio", '{"audio":"aGk="}', "application/json"],
      ["events in place of audio", "data: {}\n\n", "text/event-stream"],
    ],
  },
  "/audio/transcriptions": {
    whole: JSON.stringify({ text: "The gate is red.", usage: { type: "duration", seconds: 3 } }),
    useless: [["no text", '{"words":[]}']],
  },
};
const rightAt = (path: string) => Object.entries(right).find(([end]) => path.endsWith(end))?.[1] ?? right["/messages"];

interface Operation {
  readonly path: string;
  /** the vendor's path */
  readonly at: keyof typeof right;
  readonly body: (text: string) => object;
  /** of its providers' slugs */
  readonly suffix?: string;
  /** the most that a call may cost, nano-dollars; absent: it depends on how long it takes */
  readonly most?: bigint;
}

const chats = "/chat/completions";
const say = (model: string) => (content: string) => ({ model, max_tokens: 100, messages: [{ role: "user", content }] });
const enter = (model: string) => (input: string) => ({ model, max_output_tokens: 100, input });
const documents = ["a door", "a gate"];
const input_audio = { data: wave(3).toString("base64"), format: "wav" };
const tokens = (...texts: string[]) => texts.reduce((sum, { length }) => sum + BigInt(length + 8) * 1_000n, 0n);
const operations: Readonly<Record<string, Operation>> = {
  chat: { path: chats, at: chats, body: say("x/talk") },
  completions: { path: "/completions", at: chats, body: (prompt) => ({ model: "x/talk", max_tokens: 100, prompt }) },
  messages: { path: "/messages", at: "/messages", suffix: "-claude", body: say("x/claude") },
  "messages, translated": { path: "/messages", at: chats, body: say("x/talk") },
  responses: { path: "/responses", at: "/responses", suffix: "-openai", body: enter("x/thinker") },
  "responses, translated": { path: "/responses", at: chats, body: enter("x/talk") },
  embeddings: {
    path: "/embeddings",
    at: "/embeddings",
    body: (input) => ({ model: "x/embed", input }),
    most: tokens(words),
  },
  rerank: {
    path: "/rerank",
    at: "/rerank",
    body: (query) => ({ model: "x/rank", query, documents }),
    most: tokens(words, words, ...documents),
  },
  images: {
    path: "/images",
    at: "/images/generations",
    suffix: "-openai",
    body: (prompt) => ({ model: "x/painter", prompt }),
    most: 40_000_000n,
  },
  speech: {
    path: "/audio/speech",
    at: "/audio/speech",
    body: (input) => ({ model: "x/voice", input, voice: "alloy" }),
    most: BigInt(words.length) * 1_000n,
  },
  transcriptions: {
    path: "/audio/transcriptions",
    at: "/audio/transcriptions",
    body: (prompt) => ({ model: "x/ear", input_audio, prompt }),
    most: 4_002n,
  },
};
type Cell = readonly [name: string, operation: Operation, stream: boolean];
const all: readonly Cell[] = Object.entries(operations).flatMap(([name, operation]): Cell[] => [
  [name, operation, false],
  ...(right[operation.at]?.stream === undefined ? [] : ([[`${name}, streamed`, operation, true]] as const)),
]);
const streams = all.filter(([, , stream]) => stream);

/** What Anthropic's dialect makes of an error: https://docs.anthropic.com/en/api/errors */
const claudes: Partial<Record<ErrorType, readonly [status: number, type: string]>> = {
  invalid_request: [400, "invalid_request_error"],
  context_length_exceeded: [400, "invalid_request_error"],
  content_policy_violation: [400, "invalid_request_error"],
  request_timeout: [408, "timeout_error"],
  payload_too_large: [413, "request_too_large"],
  unprocessable: [422, "invalid_request_error"],
  rate_limit_exceeded: [429, "rate_limit_error"],
  provider_unavailable: [502, "api_error"],
  provider_busy: [503, "overloaded_error"],
  timeout: [504, "timeout_error"],
  provider_overloaded: [529, "overloaded_error"],
};

type Fault = (
  response: ServerResponse,
  right: { type: string; pieces: readonly (string | Buffer)[]; begun: number },
) => void;

/** A refusal in OpenAI's form, which repeats the gateway's key. */
const refuse =
  (status: number, code: string | null): Fault =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after": "7" });
    response.end(status === 204 ? "" : JSON.stringify({ error: { message: `No, ${vendorsKey}`, type: "x", code } }));
  };
const answer =
  (body: string | Buffer, type: string, status = 200): Fault =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(body);
const reset: Fault = (response) => response.destroy();
const hang: Fault = () => {};
/** The first half of the bytes, and then the end of the connection, or of the answer. */
const half =
  (end: (response: ServerResponse) => void): Fault =>
  (response, { type, pieces }) => {
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
    response.strictContentLength = false;
    response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    response.write(bytes.subarray(0, Math.min(20, bytes.length / 2)), () => end(response));
  };
/** The beginning of a stream, and then something else. */
const begun =
  (next: (response: ServerResponse) => void): Fault =>
  (response, { type, pieces, begun: count }) => {
    response.writeHead(200, { "content-type": type });
    response.write(Buffer.concat(pieces.slice(0, count).map((piece) => Buffer.from(piece as string))), () =>
      next(response),
    );
  };
const thenSay = (frame: string) => begun((response) => void response.end(frame));

const refusals: readonly (readonly [status: number, code: string | null, type: ErrorType])[] = [
  [400, null, "invalid_request"],
  [400, "context_length_exceeded", "context_length_exceeded"],
  [400, "content_filter", "content_policy_violation"],
  [413, null, "payload_too_large"],
  [422, null, "unprocessable"],
  [301, null, "provider_unavailable"],
  [401, "invalid_api_key", "provider_unavailable"],
  [408, null, "request_timeout"],
  [429, null, "rate_limit_exceeded"],
  [500, null, "provider_unavailable"],
  [503, null, "provider_busy"],
  [529, null, "provider_overloaded"],
];

/** After which the vendor may have done the work: a limit counts the most that it may bill. */
const text = ["what is no JSON", answer("<html>", "text/html"), "provider_unavailable"] as const;
const unanswered: readonly (readonly [name: string, Fault, ErrorType])[] = [
  ["204", refuse(204, null), "provider_unavailable"],
  ["504, of a proxy that gave up", refuse(504, null), "timeout"],
  ["524, of a proxy that gave up", refuse(524, null), "timeout"],
  ["a connection that is reset", reset, "provider_unavailable"],
  text,
];
/** Of speech it is passed on as it comes. */
const halves: typeof unanswered = [
  ["an answer that is cut", half((response) => response.destroy()), "provider_unavailable"],
  ["an answer that ends before its length", half((response) => response.socket?.end()), "provider_unavailable"],
];

describeGateway(
  "a vendor's fault",
  (gateway) => {
    let fault: Fault = hang;
    let asked: string[] = [];
    let vendor: Server;
    const keys = { limited: "", unlimited: "" };
    const hashes = { limited: "", unlimited: "" };

    beforeAll(async () => {
      vendor = createServer((request, response) => {
        void buffer(request).then((bytes) => {
          const path = request.url ?? "";
          const { type = "application/json", whole, stream, begun: count = 0 } = rightAt(path) as Right;
          const isStream = stream !== undefined && bytes.includes('"stream":true');
          const made = isStream
            ? { type: "text/event-stream", pieces: stream, begun: count }
            : { type, pieces: [whole], begun: 1 };
          asked.push(path.split("/")[1] ?? "");
          const silent = Object.keys(silences).find((each) => bytes.includes(`${each} `));
          if (path.startsWith("/second"))
            answer(Buffer.concat(made.pieces.map((each) => Buffer.from(each as string))), made.type)(response, made);
          else (silent === undefined ? fault : silences[silent]?.[0])?.(response, made);
        });
      });
      await new Promise<void>((resolve) => void vendor.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
      const priced = (pricing: object) => ({
        upstream_id: "u",
        context_length: 200_000,
        pricing: { prompt: "0.000001", ...pricing },
      });
      const talks = { type: "chat" as const, max_completion_tokens: 8_192, ...priced({ completion: "0.000002" }) };
      for (const slug of ["first", "second"]) {
        const at = (suffix: string) => ({
          slug: slug + suffix,
          base_url: `${url}/${slug}${suffix}/v1`,
          api_key: vendorsKey,
        });
        const embed = { id: "x/embed", type: "embedding" as const, ...priced({}), dimensions: 4 };
        await makeProvider(gateway(), {
          ...at(""),
          models: [
            { id: "x/talk", ...talks },
            embed,
            { id: "x/rank", type: "rerank", ...priced({}) },
            { id: "x/voice", type: "speech", ...priced({ prompt: "0", character: "0.000001" }) },
            { id: "x/ear", type: "transcription", ...priced({ prompt: "0", second: "0.000001" }) },
          ],
        });
        const painter = { id: "x/painter", type: "image" as const, ...priced({ prompt: "0", output_image: "0.04" }) };
        await makeProvider(gateway(), {
          ...at("-openai"),
          preset: "openai",
          models: [{ id: "x/thinker", ...talks }, painter],
        });
        const claude = { kind: "anthropic", preset: "anthropic" } as const;
        await makeProvider(gateway(), { ...at("-claude"), ...claude, models: [{ id: "x/claude", ...talks }] });
      }
      for (const kind of ["limited", "unlimited"] as const) {
        const made = await makeKey(gateway(), { limit: kind === "limited" ? 1_000 : null });
        [keys[kind], hashes[kind]] = [made.key, made.record.hash];
      }
    });
    afterAll(() => {
      vendor.closeAllConnections();
      vendor.close();
    });

    const bodyOf = ({ body, suffix = "" }: Operation, stream: boolean, order: string[], text = words) => {
      const slugs = order.map((slug) => slug + suffix);
      return { ...body(text), ...(stream && { stream }), provider: { only: slugs, order: slugs } };
    };
    /** Calls at the providers that are named; where there are two, after the first has rested. */
    async function call(operation: Operation, stream: boolean, order: string[], key: keyof typeof keys = "limited") {
      if (order.length > 1) gateway().clock.advance(3_600_000);
      asked = [];
      // Embeddings would come from the cache otherwise.
      const headers = { "cache-control": "no-store" };
      const body = bodyOf(operation, stream, order);
      const given = await gateway().call("POST", operation.path, { key: keys[key], body, headers });
      expect(given.text).not.toContain(vendorsKey);
      const row = await ledgerRow(gateway(), given.headers.get("x-generation-id"));
      return { answer: given, row, asked: asked.map((slug) => slug.split("-")[0]) };
    }

    /** Expects the error in the envelope of its operation. */
    function expectFailure({ path }: Operation, given: Answer, type: ErrorType): void {
      if (path !== "/messages") return expectError(given, type, /first/);
      const [status, name] = claudes[type] ?? [];
      expect([given.status, given.json.type, given.json.error.type]).toEqual([status, "error", name]);
      expect(given.json.error.message).toMatch(/first/);
      expect(given.json.request_id).toBe(given.headers.get("x-generation-id"));
    }
    const statusOf = ({ path }: Operation, type: ErrorType) =>
      path === "/messages" ? claudes[type]?.[0] : errorStatus[type];

    /** Of the prompt of a conversation, and of it with all that may have been written: nano-dollars. */
    const [leastBilled, mostBilled] = [160_000n, 1_100_000n];
    /** Expects the row of a call that failed, and that a limit counted the most, or no less than the prompt. */
    function expectBilled(
      operation: Operation,
      row: Awaited<ReturnType<typeof ledgerRow>>,
      type: ErrorType,
      least = leastBilled,
    ): void {
      expect(row).toMatchObject({ status: statusOf(operation, type), error_type: type });
      if (operation.most !== undefined) return expect(row?.cost).toBe(operation.most);
      expect(row?.cost).toBeGreaterThan(least);
      expect(row?.cost).toBeLessThan(mostBilled);
    }

    const expectNext = (
      { answer: given, row, asked: order }: Awaited<ReturnType<typeof call>>,
      { suffix = "" }: Operation,
    ) => {
      expect(given.status, given.text).toBe(200);
      expect(order).toEqual(["first", "second"]);
      expect(row?.attempts.map(({ provider, error }) => [provider, error === null])).toEqual([
        [`first${suffix}`, false],
        [`second${suffix}`, true],
      ]);
    };

    describe.each(all)("%s", (_, operation, stream) => {
      it.each(refusals)("%i %s is %s, and costs nothing", async (status, code, type) => {
        fault = refuse(status, code);
        const { answer: given, row } = await call(operation, stream, ["first"]);
        expectFailure(operation, given, type);
        if (status === 429) expect(given.headers.get("retry-after")).toBe("7");
        expect(row).toMatchObject({ status: statusOf(operation, type), error_type: type, cost: 0n });
      });

      it("after a refusal that another provider may not have, the next one is asked", async () => {
        fault = refuse(503, null);
        expectNext(await call(operation, stream, ["first", "second"]), operation);
        fault = refuse(400, null);
        const { answer: given, asked: order } = await call(operation, stream, ["first", "second"]);
        expectFailure(operation, given, "invalid_request");
        expect(order).toEqual(["first"]);
      });

      const useless = stream ? [] : (right[operation.at]?.useless ?? []);
      const answered: typeof unanswered = useless.map(([name, body, type = "application/json"]) => [
        name,
        answer(body, body === "" ? "audio/mpeg" : type),
        "provider_unavailable",
      ]);
      const ofSpeech = operation.at === "/audio/speech";
      it.each([...unanswered, ...(ofSpeech ? [] : halves), ...answered])(
        "%s: a limit counts what may be billed",
        async (_name, made, type) => {
          fault = made;
          const { answer: given, row } = await call(operation, stream, ["first"]);
          expectFailure(operation, given, type);
          // An answer that says what it used is charged by that.
          const isCounted = useless.some(([name, body]) => name === _name && body.includes('"usage"'));
          expectBilled(operation, row, type, isCounted ? 0n : leastBilled);
          const attempt = { provider: expect.stringMatching(/^first/), cost: Number(row?.cost) / 1e9 };
          expect(row?.attempts).toMatchObject([attempt]);
          if (operation.path !== "/messages") {
            expect(given.json.error.metadata.previous_errors).toMatchObject([attempt]);
          }
        },
      );

      it("after an answer of no use the next provider is asked, and where no limit counts the call it is free", async () => {
        const [, made, type] = answered[0] ?? text;
        fault = made;
        expectNext(await call(operation, stream, ["first", "second"]), operation);
        fault = reset;
        const { answer: given, row } = await call(operation, stream, ["first"], "unlimited");
        expectFailure(operation, given, type);
        expect(row?.cost).toBe(0n);
      });

      it("an error with the status 200 is that error, and costs nothing", async () => {
        fault = answer(JSON.stringify({ error: { message: "Slow down", code: 429 } }), "application/json");
        const { answer: given, row } = await call(operation, stream, ["first"]);
        expectFailure(operation, given, "rate_limit_exceeded");
        expect(row).toMatchObject({ error_type: "rate_limit_exceeded", cost: 0n });
      });
    });

    // oxlint-disable-next-line typescript/no-explicit-any -- events of every form
    const eventsIn = (text: string): any[] =>
      [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));

    /** Expects that a stream ends with the error, in the form of its operation, and says no other end. */
    function expectBrokenOff({ path }: Operation, given: Answer, type: ErrorType, message: RegExp): void {
      expect(given.status, given.text).toBe(200);
      const events = eventsIn(given.text);
      const last = events.at(-1);
      const id = given.headers.get("x-generation-id");
      if (path === "/messages") {
        const error = {
          type: claudes[type]?.[1],
          message: expect.stringMatching(message),
          error_type: publicErrorType(type),
        };
        expect(events.filter((event) => event.type === "error")).toEqual([{ type: "error", error, request_id: id }]);
        expect(given.text).toMatch(/event: error\ndata: .*\n\n$/);
        expect(given.text).not.toContain("message_stop");
      } else if (path === "/responses") {
        // The vendor's own, if it has said it.
        const own = given.text.includes(vendorsId) ? vendorsId : `resp_${id?.slice(4)}`;
        const error = { message: expect.stringMatching(message) };
        const response = { id: own, status: "failed", error, error_type: publicErrorType(type) };
        expect(events.filter((event) => event.type === "response.failed")).toMatchObject([{ response }]);
        expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
        expect(given.text).not.toContain("response.completed");
        expect(given.text.endsWith(done)).toBe(true);
      } else if (path === "/images") {
        expect(last).toMatchObject({ type: "error", error: { message: expect.stringMatching(message) } });
      } else {
        const error = { code: errorStatus[type], message: expect.stringMatching(message) };
        expect(last).toMatchObject({ error, choices: [{ finish_reason: "error" }] });
        expect(last.error.metadata.error_type).toBe(publicErrorType(type));
        expect(given.text).not.toContain("[DONE]");
      }
    }

    /** Signs of life that are no answer, and how it fails. */
    const every100Ms = (response: ServerResponse, send: () => void) => {
      const timer = setInterval(send, 100);
      response.once("close", () => clearInterval(timer));
    };
    const endless =
      (type: string, piece: string): Fault =>
      (response) => {
        response.writeHead(200, { "content-type": type });
        every100Ms(response, () => void response.write(piece));
      };
    const comments = (response: ServerResponse) => every100Ms(response, () => void response.write(": PROCESSING\n\n"));
    const silences: Readonly<Record<string, readonly [Fault, wholes: boolean, streams: boolean]>> = {
      "silence-of-all": [hang, true, true],
      "silence-in-headers": [(response) => every100Ms(response, () => response.writeProcessing()), true, true],
      "silence-in-body": [endless("application/json", " "), true, false],
      "silence-in-events": [endless("text/event-stream", ": PROCESSING\n\n"), false, true],
      "silence-after-an-event": [begun(() => {}), false, true],
      "silence-after-an-event-but-for-comments": [begun(comments), false, true],
    };

    it("silence, however it is drawn out: 524, or 504 in Anthropic's dialect, and a limit counts the most", async () => {
      const cells = Object.entries(silences).flatMap(([silence, [, wholes, inStreams]]) =>
        all.filter(([, , stream]) => (stream ? inStreams : wholes)).map((cell) => [silence, ...cell] as const),
      );
      gateway().clock.advance(3_600_000);
      const ended = cells.map(async ([silence, name, operation, stream]) => {
        // Of the same length as in other calls, so that it costs as much.
        const body = bodyOf(operation, stream, ["first"], `${silence} `.padEnd(words.length, "."));
        const headers = { "cache-control": "no-store" };
        const given = await gateway().call("POST", operation.path, { key: keys.limited, body, headers });
        return { named: `${silence}: ${name}`, operation, given };
      });
      for (const { named, operation, given } of await Promise.all(ended)) {
        const row = await ledgerRow(gateway(), given.headers.get("x-generation-id"));
        try {
          // A caller who has waited for ten seconds is shown that the call is alive: its answer has begun.
          if (given.status === 200) expectBrokenOff(operation, given, "timeout", /first/);
          else expectFailure(operation, given, "timeout");
          if (/after-an-event/.test(named)) expect(given.status).toBe(200);
          expectBilled(operation, row, "timeout");
        } catch (error) {
          throw new Error(named, { cause: error });
        }
      }
    });

    describe("in the middle of a stream", () => {
      describe.each(streams)("%s", (_, operation) => {
        it.each<[string, Fault]>([
          ["that breaks off", begun((response) => response.destroy())],
          ["that ends without its end", begun((response) => void response.end())],
          ["with an event that is no JSON", thenSay("data: {oops\n\n")],
        ])("%s ends with the error, and what came is charged", async (_name, made) => {
          fault = made;
          const { answer: given, row } = await call(operation, true, ["first", "second"]);
          expectBrokenOff(operation, given, "provider_unavailable", /first/);
          expectBilled(operation, row, "provider_unavailable");
          expect(row).toMatchObject({ streamed: true, cancelled: false });
        });
      });

      const error = (code: unknown) => sse({ error: { message: "It broke", type: "server_error", code } });
      const inEvent = (type: string, members: object) =>
        `event: ${type}\n${sse({ type, sequence_number: 11, ...members })}`;
      const claudesError = { type: "overloaded_error", message: "It broke" };
      const failedWith = (code: string) => ({
        response: { id: "r", status: "failed", error: { code, message: "It broke" } },
      });
      it.each<[string, string, ErrorType]>([
        ["chat", error(529), "provider_overloaded"],
        ["chat", error(429), "rate_limit_exceeded"],
        ["chat", error("overloaded_error"), "provider_overloaded"],
        ["chat", error(null), "provider_unavailable"],
        ["completions", error(null), "provider_unavailable"],
        ["messages", inEvent("error", { error: claudesError }), "provider_overloaded"],
        ["messages, translated", error(529), "provider_overloaded"],
        ["responses", inEvent("response.failed", failedWith("rate_limit_exceeded")), "rate_limit_exceeded"],
        ["responses", inEvent("error", { code: "server_error", message: "It broke" }), "provider_unavailable"],
        [
          "responses",
          inEvent("error", { error: { code: "context_length_exceeded", message: "It broke" } }),
          "context_length_exceeded",
        ],
        ["responses, translated", error(429), "rate_limit_exceeded"],
        ["images", sse({ type: "error", error: { message: "It broke", code: 400 } }), "invalid_request"],
      ])("%s: the vendor's error %j is %s, in the gateway's words", async (name, frame, type) => {
        const operation = operations[name] as Operation;
        fault = thenSay(frame);
        const { answer: given, row } = await call(operation, true, ["first"]);
        expectBrokenOff(operation, given, type, /It broke/);
        expect(row).toMatchObject({ status: statusOf(operation, type), error_type: type });
        // What was refused was not drawn; what was said is charged.
        if (name === "images") expect(row?.cost).toBe(0n);
        else expect(row?.cost).toBeGreaterThan(100_000n);
        // As the first event it is an answer like any other.
        fault = answer(frame, "text/event-stream");
        const first = await call(operation, true, ["first"]);
        expectFailure(operation, first.answer, type);
        if (!["invalid_request", "context_length_exceeded"].includes(type)) {
          expectNext(await call(operation, true, ["first", "second"]), operation);
        }
      });

      it("an event of 17 MB ends a stream with the error", async () => {
        fault = thenSay(`data: {"a":"${"x".repeat(17 * 1_048_576)}"}\n\n`);
        const { answer: given } = await call(operations["chat"] as Operation, true, ["first"]);
        expectBrokenOff(operations["chat"] as Operation, given, "provider_unavailable", /longer than 16 MB/);
      });

      it("5,000 calls of tools are more than an answer may have", async () => {
        const calls = Array.from({ length: 5_000 }, (_, index) =>
          chunk({ tool_calls: [{ index, function: { name: "f" } }] }),
        );
        fault = thenSay(calls.join(""));
        const operation = operations["responses, translated"] as Operation;
        expectBrokenOff(operation, (await call(operation, true, ["first"])).answer, "provider_unavailable", /items/);
      });

      it.each([
        ["breaks off", begun((response) => response.destroy()), "provider_unavailable"],
        ["falls silent", begun(() => {}), "timeout"],
      ] as const)("speech that %s is cut, and charged", async (_, made, type) => {
        fault = made;
        gateway().clock.advance(3_600_000);
        const speech = operations["speech"] as Operation;
        const given = await fetch(`${gateway().url}/api/v1/audio/speech`, {
          method: "POST",
          headers: { authorization: `Bearer ${keys.limited}`, "content-type": "application/json" },
          body: JSON.stringify(bodyOf(speech, false, ["first"])),
        });
        await expect(given.arrayBuffer()).rejects.toThrow("terminated");
        const row = await eventually(
          () => ledgerRow(gateway(), given.headers.get("x-generation-id")),
          (entry) => entry !== undefined,
        );
        expectBilled(speech, row, type);
      });
    });

    it.each(["chat", "messages", "responses"])("%s: a caller who leaves pays what the vendor counts", async (name) => {
      const operation = operations[name] as Operation;
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
      fault = (response, made) => {
        response.writeHead(200, { "content-type": made.type });
        response.write(made.pieces.slice(0, made.begun).join(""));
        void until.then(() => response.end(made.pieces.slice(made.begun).join("")));
      };
      gateway().clock.advance(3_600_000);
      const leaving = new AbortController();
      const given = await fetch(`${gateway().url}/api/v1${operation.path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(bodyOf(operation, true, ["first"])),
        signal: leaving.signal,
      });
      await given.body?.getReader().read();
      leaving.abort();
      await caughtUp(gateway(), key);
      goOn();
      const [row] = await eventually(
        async () => await ledgerRows(gateway().deps.store.db).selectAll().where("key_hash", "=", record.hash).execute(),
        (rows) => rows.length > 0,
      );
      expect(row).toMatchObject({ status: 499, cancelled: true, streamed: true, metered_by: "upstream" });
      expect(row?.prompt_tokens).toBe(name === "chat" ? 100 : 160);
      expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBeGreaterThan(0);
    });

    it("what was reserved is charged or released, and nothing else", async () => {
      const { data } = (await gateway().call("GET", `/keys/${hashes.limited}`)).json;
      const rows = await ledgerRows(gateway().deps.store.db)
        .select("cost")
        .where("key_hash", "=", hashes.limited)
        .execute();
      const sum = rows.reduce((all, { cost }) => all + cost, 0n);
      expect(data.usage).toBeCloseTo(Number(sum) / 1e9, 9);
      expect(data.limit_remaining).toBeCloseTo(1_000 - data.usage, 9);
    });
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);
