import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectError } from "../testing/expect-error.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { takeTurns } from "../turns.ts";

let gateway: TestGateway;
/** Answers whose end the vendor has yet to send. */
const open: ServerResponse[] = [];
/** Of those that end otherwise than a chat. */
const ends = new WeakMap<ServerResponse, string>();
let answerBytes = 10;

const vectors = 20;
const dimensions = 1_536;

/** Sends an answer, but for its end. */
const vendor = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "application/json" });
    if (request.url?.endsWith("/embeddings") === true) {
      const embedding = Array.from({ length: dimensions }, () => 0.0123456789);
      const data = Array.from({ length: vectors }, (_, index) => ({ object: "embedding", index, embedding }));
      response.write(`{"object":"list","model":"embed","data":${JSON.stringify(data)}`);
      ends.set(response, ',"usage":{"prompt_tokens":20,"total_tokens":20}}');
      open.push(response);
      return;
    }
    response.write('{"id":"a","object":"chat.completion","created":1,"model":"talk","choices":[{"index":0,"message":');
    response.write('{"role":"assistant","content":"');
    response.write(Buffer.alloc(answerBytes, "x"));
    open.push(response);
  });
});
const end = '"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}';
const finish = () => {
  for (const response of open.splice(0)) response.end(ends.get(response) ?? end);
};

beforeAll(async () => {
  gateway = await startGateway();
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
  await makeProvider(gateway, {
    slug: "acme",
    name: "Acme",
    base_url: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    api_key: null,
    enabled: true,
    models: [
      {
        id: "acme/talk",
        upstream_id: "talk",
        type: "chat",
        name: "Talk",
        input_modalities: ["text", "image"],
        pricing: { prompt: "0.000001", completion: "0" },
      },
      {
        id: "acme/embed",
        upstream_id: "embed",
        type: "embedding",
        name: "Embed",
        dimensions,
        pricing: { prompt: "0.000001" },
      },
    ],
  });
});

afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await gateway.close();
});

const chat = (key: string) =>
  gateway.call("POST", "/chat/completions", {
    key,
    body: { model: "acme/talk", messages: [{ role: "user", content: "Hello" }], max_tokens: 10 },
  });
const embed = (key: string) =>
  gateway.call("POST", "/embeddings", { key, body: { model: "gatehouse/lexical", input: "a" } });

const until = async (reached: () => boolean | Promise<boolean>) => {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe("the room for bodies", () => {
  it("leaves half to others while one key holds what it may, and is given back when callers leave", async () => {
    const [greedy, other] = [await makeKey(gateway), await makeKey(gateway)];
    const { hostname, port } = new URL(gateway.url);
    const head = [
      "POST /api/v1/chat/completions HTTP/1.1",
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${greedy.key}`,
      "Content-Type: application/json",
      `Content-Length: ${32 * 1_048_576}`,
    ];
    // Three take all that one key may hold.
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname));
    for (const socket of sockets) {
      socket.on("error", () => {});
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
    }
    const [told] = (await Promise.race(sockets.map((socket) => once(socket, "data")))) as [Buffer];
    expect(told.toString()).toMatch(/^HTTP\/1\.1 503 /);
    const refused = await embed(greedy.key);
    expectError(refused, "unavailable", /holds as many request bodies as it has room for: try again/);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await embed(other.key)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await embed(greedy.key)).status === 200);
  });

  it("is not taken by callers who left while their keys were looked up", async () => {
    const keys = [await makeKey(gateway), await makeKey(gateway), await makeKey(gateway)];
    const { hostname, port } = new URL(gateway.url);
    const { pool } = gateway.deps.store;
    const here = new Set<ServerResponse>();
    let left = 0;
    const watch = (_: unknown, response: ServerResponse) => {
      here.add(response);
      response.once("close", () => (left += 1));
    };
    gateway.app.server.on("request", watch);
    // The store's only connection: no key can be looked up.
    const held = await pool.connect();
    // Three for each key would take more than all the room there is.
    const sockets = [...keys, ...keys, ...keys].map(({ key }) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      const head = [
        "POST /api/v1/chat/completions HTTP/1.1",
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${32 * 1_048_576}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
      return socket;
    });
    // Each key is looked up once, for all three.
    await until(() => here.size === sockets.length && pool.waitingCount >= keys.length);
    for (const socket of sockets) socket.destroy();
    await until(() => left === sockets.length);
    gateway.app.server.off("request", watch);
    held.release();
    for (const { key } of keys) expect((await embed(key)).status).toBe(200);
  });
});

describe("the room for bodies of callers who left", () => {
  it("is held until the provider is done with them", async () => {
    const { key } = await makeKey(gateway);
    const { hostname, port } = new URL(gateway.url);
    const post = (length: number) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      const head = [
        "POST /api/v1/chat/completions HTTP/1.1",
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${length}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      return socket;
    };
    const image = `data:image/png;base64,${"A".repeat(31_000_000)}`;
    const content = [{ type: "image_url", image_url: { url: image } }];
    const body = JSON.stringify({ model: "acme/talk", max_tokens: 10, messages: [{ role: "user", content }] });
    for (const number of [1, 2]) {
      const socket = post(body.length);
      socket.write(body);
      await until(() => open.length === number);
      socket.destroy();
    }
    // Two that left and one that is being sent: there is no room for a fourth.
    const sending = [post(body.length), post(body.length)];
    const [told] = (await Promise.race(sending.map((socket) => once(socket, "data")))) as [Buffer];
    expect(told.toString()).toMatch(/^HTTP\/1\.1 503 /);
    for (const socket of sending) socket.destroy();
    finish();
    // Three again, and nothing else, once the provider's ends have been read.
    let again: Socket[] = [];
    await until(async () => {
      for (const socket of again) socket.destroy();
      again = Array.from({ length: 3 }, () => post(32 * 1_048_576));
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
    const [greedy, other] = [await makeKey(gateway), await makeKey(gateway)];
    answerBytes = 44 * 1_048_576;
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
    const { data } = (await gateway.call("GET", `/generation?id=${id}`, { key: greedy.key })).json;
    expect(data.total_cost).toBeGreaterThan(0);

    answerBytes = 44 * 1_048_576;
    const again = [chat(greedy.key), chat(greedy.key)];
    await until(() => open.length === 2);
    finish();
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is taken by answers of the response cache too, which cost nothing where there is none", async () => {
    const { key, record } = await makeKey(gateway);
    const cached = async () =>
      await gateway.call("POST", "/chat/completions", {
        key,
        headers: { "x-openrouter-cache": "true" },
        body: { model: "acme/talk", messages: [{ role: "user", content: "Hello again" }], max_tokens: 10 },
      });
    answerBytes = 3_900_000;
    const first = cached();
    await until(() => open.length === 1);
    finish();
    expect((await first).status).toBe(200);
    const holding: Promise<unknown>[] = [];
    for (const megabytes of [44, 44, 38]) {
      answerBytes = megabytes * 1_048_576;
      holding.push(chat(key));
      await until(() => open.length === holding.length);
    }
    const { usage } = (await gateway.call("GET", `/keys/${record.hash}`)).json.data;
    await until(async () => (await cached()).status === 503);
    expect((await gateway.call("GET", `/keys/${record.hash}`)).json.data.usage).toBe(usage);
    expect(open).toHaveLength(holding.length);
    finish();
    await Promise.all(holding);
    await until(async () => (await cached()).headers.get("x-openrouter-cache-status") === "HIT");
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

  it.each([
    ["chat", { model: "acme/talk", messages: [{ role: "user", content: "Hello" }], max_tokens: 10 }],
    ["embeddings", { model: "acme/embed", input: Array.from({ length: vectors }, (_, at) => `text ${at}`) }],
    [
      "embeddings",
      {
        model: "acme/embed",
        encoding_format: "base64",
        input: Array.from({ length: vectors }, (_, at) => `more ${at}`),
      },
    ],
  ])("is read, paid and sent on: %s", async (kind, body) => {
    const { key, record } = await makeKey(gateway, { limit: 1 });
    answerBytes = 1_048_576;
    const asked = gateway.call("POST", kind === "chat" ? "/chat/completions" : "/embeddings", { key, body });
    await until(() => open.length === 1);
    const empty = fillQueue();
    finish();
    const answer = await asked;
    await empty();
    expect([answer.status, answer.json.usage?.cost > 0]).toEqual([200, true]);
    const refused = await gateway.call("GET", `/refused-calls?workspace_id=all&api_key_hash=${record.hash}`);
    expect(refused.json.data).toEqual([]);
  });
});
