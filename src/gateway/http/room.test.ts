import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CreateProviderBody } from "#contract/providers.ts";
import { withGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { takeTurns } from "../turns.ts";

const mb = 1_048_576;
/** All providers' answers may hold 16 MB together, of which a key alone may hold half. */
const gateway = withGateway({ answerBytes: 16 * mb });

/** Answers whose end the vendor has yet to send, and how each ends. */
const open: { response: ServerResponse; end: string }[] = [];
/** What the vendor has sent of each stream that has no end, in events of 64 kB. */
const poured = new Map<ServerResponse, number>();
let answerBytes = 10;
const vectors = 20;
const dimensions = 1_536;

function pour(response: ServerResponse): void {
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(65_536) } }] })}\n\n`;
  let taken = true;
  while (taken && !response.destroyed) {
    taken = response.write(event);
    poured.set(response, (poured.get(response) ?? 0) + event.length);
  }
  response.once("drain", () => pour(response));
}

/** Sends an answer, but for its end. */
const vendor = createServer((request, response) => {
  request.resume();
  const send = (type: string, begin: string, end: string) => {
    response.writeHead(200, { "content-type": type });
    response.write(begin);
    open.push({ response, end });
  };
  request.on("end", () => {
    const url = request.url ?? "";
    const filling = "x".repeat(answerBytes);
    if (url.startsWith("/endless/")) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      pour(response);
    } else if (url.startsWith("/long/")) {
      const begin = `data: {"choices":[{"index":0,"delta":{"content":"${filling}`;
      send("text/event-stream", begin, '"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    } else if (url.endsWith("/embeddings")) {
      const embedding = Array.from({ length: dimensions }, () => 0.0123456789);
      const data = Array.from({ length: vectors }, (_, index) => ({ object: "embedding", index, embedding }));
      const begin = `{"object":"list","model":"embed","data":${JSON.stringify(data)}`;
      send("application/json", begin, ',"usage":{"prompt_tokens":20,"total_tokens":20}}');
    } else {
      const message = `"message":{"role":"assistant","content":"${filling}`;
      const begin = `{"id":"a","object":"chat.completion","created":1,"model":"talk","choices":[{"index":0,${message}`;
      const usage = '"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}';
      send("application/json", begin, `"},"finish_reason":"stop"}],${usage}`);
    }
  });
});
const finish = () => {
  for (const { response, end } of open.splice(0)) response.end(end);
};

beforeAll(async () => {
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const models: CreateProviderBody["models"] = [
    {
      id: "acme/talk",
      upstream_id: "talk",
      type: "chat",
      input_modalities: ["text", "image"],
      pricing: { prompt: "0.000001", completion: "0" },
    },
    { id: "acme/embed", upstream_id: "embed", type: "embedding", dimensions, pricing: { prompt: "0.000001" } },
  ];
  const streams = (slug: string): CreateProviderBody["models"] => [
    { id: `${slug}/talk`, upstream_id: "talk", type: "chat", pricing: { prompt: "0", completion: "0" } },
  ];
  for (const slug of ["acme", "long", "endless"]) {
    const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/${slug}`;
    await makeProvider(gateway(), { slug, base_url, models: slug === "acme" ? models : streams(slug) });
  }
});
afterAll(() => {
  vendor.closeAllConnections();
  vendor.close();
});

const messages = [{ role: "user", content: "Hello" }];
const talk = { model: "acme/talk", messages, max_tokens: 10 };
const chat = (key: string, body: object = talk, headers: Record<string, string> = {}) =>
  gateway().call("POST", "/chat/completions", { key, body, headers });
const embed = (key: string) =>
  gateway().call("POST", "/embeddings", { key, body: { model: "gatehouse/lexical", input: "a" } });
const until = async (reached: () => boolean | Promise<boolean>) => {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 10));
};
/** Begins a call with a body of this length, of which nothing is sent yet. */
function begin(key: string, length = 32 * mb): Socket {
  const { hostname, port } = new URL(gateway().url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `POST /api/v1/chat/completions HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return socket;
}
const firstAnswer = async (sockets: readonly Socket[]) =>
  String((await Promise.race(sockets.map((socket) => once(socket, "data"))))[0]);

describe("the room for bodies", () => {
  it("leaves half to others while one key holds what it may, and is given back when callers leave", async () => {
    const [greedy, other] = [await makeKey(gateway()), await makeKey(gateway())];
    // Three take all that one key may hold.
    const sockets = Array.from({ length: 4 }, () => begin(greedy.key));
    expect(await firstAnswer(sockets)).toMatch(/^HTTP\/1\.1 503 /);
    const refused = await embed(greedy.key);
    expectError(refused, "unavailable", /holds as many request bodies as it has room for: try again/);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await embed(other.key)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await embed(greedy.key)).status === 200);
  });

  it("is not taken by callers who left while their keys were looked up", async () => {
    const keys = [await makeKey(gateway()), await makeKey(gateway()), await makeKey(gateway())];
    const { app, deps } = gateway();
    const read = deps.credentials.read.bind(deps.credentials);
    const found = Promise.withResolvers<void>();
    const looking = vi.spyOn(deps.credentials, "read").mockImplementation(async (...parameters) => {
      await found.promise;
      return await read(...parameters);
    });
    let left = 0;
    const watch = (_: unknown, response: ServerResponse) => void response.once("close", () => (left += 1));
    app.server.on("request", watch);
    // Three for each key would take more than all the room there is.
    const sockets = [...keys, ...keys, ...keys].map(({ key }) => begin(key));
    await until(() => looking.mock.calls.length === sockets.length);
    for (const socket of sockets) socket.destroy();
    await until(() => left === sockets.length);
    app.server.off("request", watch);
    found.resolve();
    looking.mockRestore();
    for (const { key } of keys) expect((await embed(key)).status).toBe(200);
  });

  it("is held for callers who left until the provider is done with them", async () => {
    const { key } = await makeKey(gateway());
    const image = `data:image/png;base64,${"A".repeat(31_000_000)}`;
    const content = [{ type: "image_url", image_url: { url: image } }];
    const body = JSON.stringify({ ...talk, messages: [{ role: "user", content }] });
    for (const number of [1, 2]) {
      const socket = begin(key, body.length);
      socket.write(body);
      await until(() => open.length === number);
      socket.destroy();
    }
    // Two that left and one that is being sent: there is no room for a fourth.
    const sending = [begin(key, body.length), begin(key, body.length)];
    expect(await firstAnswer(sending)).toMatch(/^HTTP\/1\.1 503 /);
    for (const socket of sending) socket.destroy();
    finish();
    // Three again, and nothing else, once the provider's ends have been read.
    let again: Socket[] = [];
    await until(async () => {
      for (const socket of again) socket.destroy();
      again = Array.from({ length: 3 }, () => begin(key));
      let refused = 0;
      for (const socket of again) socket.once("data", () => (refused += 1));
      await until(async () => refused > 0 || (await embed(key)).status === 503);
      return refused === 0;
    });
    for (const socket of again) socket.destroy();
    await until(async () => (await embed(key)).status === 200);
  });
});

describe("the room for providers' answers", () => {
  it("refuses the answer that it does not hold, charges it, leaves half to others, and is given back", async () => {
    const [greedy, other] = [await makeKey(gateway()), await makeKey(gateway())];
    answerBytes = 2.75 * mb;
    const statuses: number[] = [];
    const calls = Array.from({ length: 3 }, async () => {
      const answer = await chat(greedy.key);
      statuses.push(answer.status);
      return answer;
    });
    await until(() => statuses.length > 0 && open.length === 3);
    expect(statuses).toEqual([503]);
    answerBytes = 10;
    const others = chat(other.key);
    await until(() => open.length === 4);
    finish();
    expect((await others).status).toBe(200);
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 503]);
    const [refused] = answers.filter(({ status }) => status === 503);
    if (refused === undefined) throw new Error("none was refused");
    expectError(refused, "unavailable", /holds as many answers of providers as it has room for/);
    const id = refused.headers.get("x-generation-id");
    const { data } = (await gateway().call("GET", `/generation?id=${id}`, { key: greedy.key })).json;
    expect(data.total_cost).toBeGreaterThan(0);

    answerBytes = 2.75 * mb;
    const again = [chat(greedy.key), chat(greedy.key)];
    await until(() => open.length === 2);
    finish();
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is taken by answers of the response cache too, which cost nothing where there is none", async () => {
    const { key, record } = await makeKey(gateway());
    const cached = async () => await chat(key, talk, { "x-openrouter-cache": "true" });
    const usage = async () => (await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage as number;
    answerBytes = 240_000;
    const first = cached();
    await until(() => open.length === 1);
    finish();
    expect((await first).status).toBe(200);
    const holding: Promise<unknown>[] = [];
    for (const megabytes of [2.75, 2.75, 2.375]) {
      answerBytes = megabytes * mb;
      holding.push(chat(key));
      await until(() => open.length === holding.length);
    }
    const before = await usage();
    await until(async () => (await cached()).status === 503);
    expect(await usage()).toBe(before);
    expect(open).toHaveLength(holding.length);
    finish();
    await Promise.all(holding);
    await until(async () => (await cached()).headers.get("x-openrouter-cache-status") === "HIT");
  });

  it("counts events that grow long to what a key may hold, and gives it back", async () => {
    const { key } = await makeKey(gateway());
    const stream = async () => (await chat(key, { model: "long/talk", stream: true, messages })).text;
    answerBytes = 0.94 * mb;
    // Eight events fit into what one key may hold, and a ninth does not.
    const texts: string[] = [];
    const calls = Array.from({ length: 9 }, async () => texts.push(await stream()));
    await until(() => open.length === 9 && texts.length > 0);
    finish();
    await Promise.all(calls);
    // as an error, or as a stream's last event where the wait was long
    const refused = texts.filter((text) => text.includes("holds as many answers of providers as it has room for"));
    expect(refused.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes("[DONE]"))).toHaveLength(9 - refused.length);

    const again = [stream(), stream()];
    await until(() => open.length === 2);
    finish();
    for (const text of await Promise.all(again)) expect(text).toContain("[DONE]");
  });

  it("is not needed for streams that nobody reads: their vendors have to wait", async () => {
    const { key } = await makeKey(gateway());
    const served: Socket[] = [];
    gateway().app.server.on("connection", (socket) => served.push(socket));
    const body = JSON.stringify({ model: "endless/talk", stream: true, messages });
    const callers = Array.from({ length: 20 }, () => begin(key, body.length).pause());
    for (const caller of callers) caller.write(body);
    let before = -1;
    const all = () => [...poured.values()].reduce((sum, bytes) => sum + bytes, 0);
    let unchanged = 0;
    await until(async () => {
      unchanged = poured.size === callers.length && all() === before ? unchanged + 1 : 0;
      before = all();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return unchanged === 10;
    });
    // The process holds next to nothing of them; the rest is in the buffers of the system's connections.
    const held = served.reduce((sum, socket) => sum + socket.writableLength, 0);
    expect(held).toBeLessThan(callers.length * 524_288);
    for (const caller of callers) caller.destroy();
    await until(() => [...poured.keys()].every((response) => response.closed));
  });
});

describe("a provider's answer, while as much work is waiting as may wait", () => {
  /** Fills the queue of work, until it is told to stop. */
  function fillQueue() {
    let isOn = true;
    const again = async (owner: string) => {
      const turn = takeTurns(owner);
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the function below ends it
      while (isOn) await turn.next();
    };
    const ended = Promise.all(Array.from({ length: 4_000 }, (_, index) => again(`owner ${index % 4}`)));
    return async () => {
      isOn = false;
      await ended;
    };
  }
  const inputs = (word: string) => Array.from({ length: vectors }, (_, at) => `${word} ${at}`);

  it.each([
    ["/chat/completions", talk],
    ["/embeddings", { model: "acme/embed", input: inputs("text") }],
    ["/embeddings", { model: "acme/embed", encoding_format: "base64", input: inputs("more") }],
  ])("is read, paid and sent on: %s", async (path, body) => {
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    answerBytes = mb;
    const asked = gateway().call("POST", path, { key, body });
    await until(() => open.length === 1);
    const empty = fillQueue();
    finish();
    const answer = await asked;
    await empty();
    expect([answer.status, answer.json.usage?.cost > 0]).toEqual([200, true]);
    const refused = await gateway().call("GET", `/refused-calls?workspace_id=all&api_key_hash=${record.hash}`);
    expect(refused.json.data).toEqual([]);
  });
});
