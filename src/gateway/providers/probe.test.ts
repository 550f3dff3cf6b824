import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { addressRule } from "../domain/instance/network-guard.ts";
import { makeClock } from "../testing/clock.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { createDispatcher } from "./dispatcher.ts";
import { detect, type LocalServer, openDetection, probe } from "./probe.ts";

let vendor: FakeVendor;
beforeAll(async () => void (vendor = await startFakeVendor({ apiKey: "right" })));
afterAll(() => vendor.close());

const dispatcher = createDispatcher({ refuse: addressRule("allow", "admin") });
const settings = (apiKey: string | null) =>
  ({
    slug: "acme",
    kind: "openai-compatible",
    preset: "custom",
    baseUrl: vendor.baseUrl,
    apiKey,
    options: {},
  }) as const;

describe("probe", () => {
  it("lists the vendor's models with the right key, and says what the vendor says with a wrong one", async () => {
    expect(await probe(dispatcher, settings("right"))).toMatchObject({
      ok: true,
      status: 200,
      models: ["embed-small", "talk"],
    });
    expect(await probe(dispatcher, settings("wrong"))).toMatchObject({
      ok: false,
      status: 401,
      message: "Incorrect API key provided.",
    });
    expect(await probe(dispatcher, settings(null))).toMatchObject({ ok: false, status: 401 });
  });

  describe("of a vendor that says what it likes", () => {
    let server: Server;
    let answer: { status?: number; headers?: Record<string, string>; body: string };
    const kinds = ["openai-compatible", "anthropic", "gemini", "cohere"] as const;
    const ask = async (kind: ProviderKind, apiKey = "right") => {
      const { port } = server.address() as AddressInfo;
      return await probe(dispatcher, { ...settings(apiKey), kind, baseUrl: `http://127.0.0.1:${port}` });
    };
    beforeAll(async () => {
      server = createServer((request, response) => {
        request.resume();
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const other = { ok: false, message: "Answered with something other than a list of models", models: [] };

    it.each([
      "<html>hello</html>",
      "",
      "{}",
      "[1]",
      '"models"',
      '{"data":{},"models":{}}',
      '{"data":[1],"models":["a"]}',
      '{"error":"no"}',
    ])("does not take %s for a list of models", async (body) => {
      answer = { body };
      for (const kind of kinds) expect(await ask(kind), kind).toMatchObject(other);
    });

    it("says that a redirect is not followed", async () => {
      answer = { status: 302, headers: { location: "/elsewhere" }, body: "{}" };
      const message = expect.stringMatching(/status 302.*redirects are not followed/);
      for (const kind of kinds) expect(await ask(kind)).toMatchObject({ ok: false, status: 302, message });
    });

    it("passes over names that no model's settings take, and lists of too many values", async () => {
      answer = { body: JSON.stringify({ data: [{ id: "a" }, { id: "b".repeat(201) }, { id: "" }, { id: "c" }] }) };
      expect(await ask("openai-compatible")).toMatchObject({ ok: true, models: ["a", "c"] });
      answer = { body: "[".repeat(2_000_000) };
      expect(await ask("openai-compatible")).toMatchObject(other);
      answer = { body: `{"data":[${'{"id":"a"},'.repeat(300_000)}{"id":"a"}]}` };
      expect(await ask("openai-compatible")).toMatchObject(other);
    });

    it("blots out the key in names, also where it is written in escapes", async () => {
      const apiKey = "sk-canary-0123456789-abcdef";
      const escaped = apiKey.replaceAll(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
      answer = { body: `{"data":[{"id":"${apiKey}"},{"id":"x ${escaped}"}]}` };
      expect(await ask("openai-compatible", apiKey)).toMatchObject({ ok: true, models: ["[key]", "x [key]"] });
    });
  });

  it("has nothing to ask of the built-in provider", async () => {
    const builtin = {
      slug: "gatehouse",
      kind: "builtin",
      preset: "gatehouse",
      baseUrl: null,
      apiKey: null,
      options: {},
    } as const;
    expect(await probe(dispatcher, builtin)).toMatchObject({ ok: true, status: null, models: [] });
  });
});

describe("detect", () => {
  const at = (preset: LocalServer["preset"], baseUrl: string): LocalServer => ({ preset, baseUrl });
  const listening = async (answer: RequestListener) => {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    const close = async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
  };
  const nowhere = "http://127.0.0.1:1/v1";
  /** A busy machine may take longer to answer than a page waits. */
  const patienceMs = 60_000;

  it("offers what answers at the addresses, and nothing where nobody does", async () => {
    const open = await startFakeVendor();
    const found = { base_url: open.baseUrl, models: ["embed-small", "talk"] };
    const servers = [at("ollama", open.baseUrl), at("lm-studio", nowhere), at("vllm", open.baseUrl)];
    expect(await detect(dispatcher, servers, patienceMs)).toEqual([
      { preset: "ollama", name: "Ollama", ...found },
      { preset: "vllm", name: "vLLM", ...found },
    ]);
    await open.close();
    expect(await detect(dispatcher, [at("ollama", nowhere)])).toEqual([]);
  });

  it("looks once in ten seconds for all who ask", async () => {
    const open = await startFakeVendor();
    const clock = makeClock();
    const look = openDetection(dispatcher, clock.now, [at("vllm", open.baseUrl)], patienceMs);
    const [one, other] = await Promise.all([look(), look()]);
    expect(one).toHaveLength(1);
    expect(other).toBe(one);
    clock.advance(9_999);
    await look();
    expect(open.requests).toHaveLength(1);
    clock.advance(1);
    await look();
    expect(open.requests).toHaveLength(2);
    await open.close();
  });

  it("takes only Ollama for a model server that lists no models", async () => {
    const empty = await listening((_request, response) => void response.end('{"data":[]}'));
    const servers = [at("llama-cpp", empty.url), at("ollama", empty.url)];
    expect((await detect(dispatcher, servers, patienceMs)).map(({ preset }) => preset)).toEqual(["ollama"]);
    await empty.close();
  });

  it("gives up on one that accepts the connection and says nothing", async () => {
    const silent = await listening(() => {});
    expect(await detect(dispatcher, [at("lm-studio", silent.url)])).toEqual([]);
    await silent.close();
  });

  it("asks nobody where private networks are denied", async () => {
    let asked = 0;
    const server = await listening((_request, response) => {
      asked += 1;
      response.end('{"data":[{"id":"talk"}]}');
    });
    const strict = createDispatcher({ refuse: addressRule("deny", "admin") });
    expect(await detect(strict, [at("vllm", server.url)])).toEqual([]);
    expect(asked).toBe(0);
    expect(await detect(dispatcher, [at("vllm", server.url)], patienceMs)).toHaveLength(1);
    await strict.close();
    await server.close();
  });
});
