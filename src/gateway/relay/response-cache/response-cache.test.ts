import { beforeEach, describe, expect, it } from "vitest";
import { tidyAnswers } from "../../domain/workspaces/cached-answers.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { eventually } from "../../testing/eventually.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import {
  answering as answeringEvents,
  answeringWhole as wholeMessage,
  streamedMessage,
  wholeMessage as wholeText,
} from "../../testing/messages-answers.ts";
import { answeringWhole as wholeResponse, streamedResponse } from "../../testing/responses-answers.ts";
import { withClaude, withResponder } from "../../testing/scripted-setup.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { createResponseCache } from "./response-cache.ts";

const asked = { "x-openrouter-cache": "true" };
const messages = [{ role: "user", content: "Say hello. ".repeat(40) }];
const idOf = ({ headers }: Answer) => headers.get("x-generation-id") ?? "";
const statusOf = ({ headers }: Answer) => headers.get("x-openrouter-cache-status");

/** What an answer says, whoever asked: without ids of its own and without usage. */
function saidIn(answer: Answer): string {
  const own = answer.text.replaceAll(idOf(answer).slice(4), "…").replaceAll(/\s+/g, "");
  return own.replaceAll(/"(\w*(?:tokens|cost))":\d[\d.e-]*/g, '"$1":0');
}

describeGateway("the response cache", (gateway) => {
  const vendor = withVendor(gateway, { provider: { zdr: true } });
  const claude = withClaude(gateway);
  const responder = withResponder(gateway);
  let key = "";
  let hash = "";
  let count = 0;
  beforeEach(async () => {
    const made = await makeKey(gateway());
    key = made.key;
    hash = made.record.hash;
    for (const each of [claude(), responder()]) each.requests.length = 0;
  });
  const post = async (path: string, body: object, headers: Record<string, string> = asked, by = key) =>
    await gateway().call("POST", path, { key: by, body, headers });
  const chat = async (body: object = {}, headers: Record<string, string> = asked, by = key) =>
    await post("/chat/completions", { model: "acme/talk", messages, ...body }, headers, by);
  const calls = () => vendor().calls() + claude().requests.length + responder().requests.length;
  const usageOf = async () => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage;
  const pool = () => gateway().deps.store.pool;
  const stored = async () =>
    (await pool().query<{ sealed: Buffer; bytes: number }>("select sealed, bytes from cached_answers")).rows;

  const operations: [string, string, object, ((stream: boolean) => void)?][] = [
    ["chat", "/chat/completions", { model: "acme/talk", messages }],
    ["a text completion", "/completions", { model: "acme/talk", prompt: "Say hello" }],
    ["messages, translated", "/messages", { model: "acme/talk", max_tokens: 50, messages }],
    ["responses, translated", "/responses", { model: "acme/talk", input: "Say hello" }],
    [
      "messages, passed on",
      "/messages",
      { model: "acme/claude", max_tokens: 100, messages },
      (stream) => claude().answer(stream ? answeringEvents(streamedMessage) : wholeMessage()),
    ],
    [
      "responses, passed on",
      "/responses",
      { model: "acme/thinker", input: "Say hello. ".repeat(40) },
      (stream) => responder().answer(stream ? answeringEvents(streamedResponse) : wholeResponse()),
    ],
  ];
  const shapes = operations.flatMap(([name, path, body, answer]) => [
    { name, path, body, stream: false, answer },
    { name: `a stream of ${name}`, path, body: { ...body, stream: true }, stream: true, answer },
  ]);

  describe("gives an equal call the same answer, free", () => {
    it.each(shapes)("$name", async ({ path, body, stream, answer }) => {
      answer?.(stream);
      const before = calls();
      const first = await post(path, body);
      expect(first.status, first.text).toBe(200);
      expect([statusOf(first), first.headers.get("x-openrouter-cache-ttl")]).toEqual(["MISS", "300"]);
      const spent = await usageOf();
      const again = await post(path, body);
      expect(again.status, again.text).toBe(200);
      expect(calls()).toBe(before + 1);
      expect(statusOf(again)).toBe("HIT");
      expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
      expect(again.headers.get("x-openrouter-cache-source-id")).toBe(idOf(first));
      expect(again.headers.get("x-openrouter-cache-age")).toBe("0");
      expect(idOf(again)).not.toBe(idOf(first));
      expect(saidIn(again)).toBe(saidIn(first));
      expect(again.text).not.toMatch(/"(\w*tokens|cost)":[1-9.]/);
      expect(spent).toBeGreaterThan(0);
      expect(await usageOf()).toBe(spent);
      const [paid, free] = [await ledgerRow(gateway(), idOf(first)), await ledgerRow(gateway(), idOf(again))];
      expect(free).toMatchObject({
        status: 200,
        cost: 0n,
        byok_cost: 0n,
        prompt_tokens: 0,
        completion_tokens: 0,
        saved: paid?.cost,
        response_cache_source_id: idOf(first),
        attempts: [],
        streamed: stream,
        model: paid?.model,
        provider: paid?.provider,
        api_type: paid?.api_type,
      });
      const { data } = (await gateway().call("GET", `/generation?id=${idOf(again)}`)).json;
      expect(data).toMatchObject({ response_cache_source_id: idOf(first), total_cost: 0 });
    });

    it("chat whose usage is also where Groq has it", async () => {
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
      const body = { choices, x_groq: { id: "req_1", usage: { total_tokens: 4 } } };
      vendor().fail({ type: "body", body: JSON.stringify(body) }, 1);
      await chat({ seed: (count += 1) });
      expect((await chat({ seed: count })).json.x_groq).toEqual({ id: "req_1", usage: { total_tokens: 0 } });
    });

    it.each([
      ["embeddings, with the space of their vectors", 2],
      ["embeddings that are written as they are read", 4_500],
    ])("%s", async (_, inputs) => {
      count += 1;
      const body = {
        model: "acme/embed",
        input: Array.from({ length: inputs }, (_, at) => `text ${at % 3} of ${count}`),
      };
      const [first, again] = [await post("/embeddings", body), await post("/embeddings", body)];
      expect([statusOf(first), statusOf(again)]).toEqual(["MISS", "HIT"]);
      expect(again.json.data).toEqual(first.json.data);
      expect(again.json.usage).toMatchObject({ prompt_tokens: 0, cost: 0 });
      expect(again.headers.get("x-vector-space")).toBe(first.headers.get("x-vector-space"));
      const counted = { inputs, cached_inputs: inputs, cost: 0n };
      expect(await ledgerRow(gateway(), idOf(again))).toMatchObject(counted);
    });

    it("to as many at once as ask for it", async () => {
      await pool().query("delete from cached_answers");
      await chat({ seed: (count += 1) });
      await eventually(stored, (rows) => rows.length === 1);
      const answers = await Promise.all(Array.from({ length: 60 }, async () => await chat({ seed: count })));
      expect(new Set(answers.map(statusOf))).toEqual(new Set(["HIT"]));
      expect(new Set(answers.map(idOf)).size).toBe(60);
    });

    it("from the store, for another process, as long as it is kept", async () => {
      await chat({ seed: (count += 1) });
      await eventually(stored, (rows) => rows.length > 0);
      const other = createResponseCache(gateway().deps, 1_000_000, 60_000);
      const { rows } = await pool().query<{ workspace_id: string }>("select workspace_id from cached_answers limit 1");
      const workspaceId = rows[0]?.workspace_id ?? "";
      const known = { model: "m", provider: "p", source: "s", cost: 5n };
      const facts = { ...known, finishReason: null, inputs: 0, output: null, headers: {} };
      const storedAt = gateway().deps.now();
      const answer = { ...facts, id: "gen-1", storedAt, ttlSeconds: 10, bytes: Buffer.from("{}") };
      other.keep(workspaceId, "a name", 2, Promise.resolve(answer));
      const names = Array.from({ length: 40 }, (_, index) => `another name ${index}`);
      for (const name of names) other.keep(workspaceId, name, 2, Promise.resolve(answer));
      await other.close();
      const third = createResponseCache(gateway().deps, 1_000_000, 60_000);
      expect(await third.find(workspaceId, "a name")).toEqual(answer);
      expect(await third.find(workspaceId, "another")).toBeNull();
      // They are read some at a time, and none is taken for missing.
      const found = await Promise.all(names.map((name) => third.find(workspaceId, name)));
      expect(found).toEqual(names.map(() => answer));
      gateway().clock.advance(10_000);
      expect(await third.find(workspaceId, "a name")).toBeNull();
    });

    it("where the key's limit is spent, and counted by its rate", async () => {
      const poor = await makeKey(gateway(), { limit: 0.01, requests_per_minute: 3 });
      expect(statusOf(await chat({}, asked, poor.key))).toBe("MISS");
      const { data } = (await gateway().call("GET", `/keys/${poor.record.hash}`)).json;
      await gateway().call("PATCH", `/keys/${poor.record.hash}`, { body: { limit: data.usage } });
      expect(statusOf(await chat({}, asked, poor.key))).toBe("HIT");
      expect((await chat({ seed: 2 }, asked, poor.key)).status).toBe(402);
      expect((await chat({}, asked, poor.key)).status).toBe(429);
    });

    it("and keeps its bodies where the workspace keeps them", async () => {
      const { id } = await makeWorkspace(gateway(), {
        is_observability_io_logging_enabled: true,
        io_logging_sampling_rate: 1,
      });
      const member = await makeKey(gateway(), { workspace_id: id });
      await chat({}, asked, member.key);
      const again = await chat({}, asked, member.key);
      const { data } = (await gateway().call("GET", `/generation/content?id=${idOf(again)}`)).json;
      expect(data).toMatchObject({ input: { messages }, output: { completion: "Hello from the fake vendor." } });
    });
  });

  describe("asks the provider", () => {
    const first = async () => await chat({ seed: (count += 1) });
    const again = async (more: object = {}, headers: Record<string, string> = asked, by = key) =>
      await chat({ seed: count, ...more }, headers, by);

    it.each<[string, object, Record<string, string>]>([
      ["for another body", { temperature: 0 }, asked],
      ["for a stream where the answer was whole", { stream: true }, asked],
      ["where the caller wants a new answer", {}, { ...asked, "x-openrouter-cache-clear": "true" }],
      ["where the caller wants to know how it was routed", {}, { ...asked, "x-openrouter-metadata": "enabled" }],
    ])("%s", async (_, more, headers) => {
      await first();
      expect(statusOf(await again(more, headers))).toBe("MISS");
    });

    it.each<[string, object, Record<string, string>]>([
      ["without the header", {}, {}],
      ["where the header says false", {}, { "x-openrouter-cache": "false" }],
      ["where providers may keep nothing", { provider: { zdr: true } }, asked],
      ["where providers may not collect data", { provider: { data_collection: "deny" } }, asked],
    ])("%s, and keeps nothing", async (_, more, headers) => {
      count += 1;
      for (let times = 0; times < 2; times += 1) {
        const answer = await again(more, headers);
        expect([answer.status, statusOf(answer)], answer.text).toEqual([200, null]);
      }
      expect(vendor().calls()).toBe(2);
    });

    it("for another key of the workspace", async () => {
      await first();
      const other = await makeKey(gateway());
      expect(statusOf(await again({}, asked, other.key))).toBe("MISS");
    });

    it("once the answer is too old", async () => {
      await first();
      gateway().clock.advance(299_000);
      const late = await again();
      expect([statusOf(late), late.headers.get("x-openrouter-cache-age")]).toEqual(["HIT", "299"]);
      gateway().clock.advance(1_000);
      expect(statusOf(await again({}, { ...asked, "x-openrouter-cache-ttl": "2" }))).toBe("MISS");
      gateway().clock.advance(2_000);
      expect(statusOf(await again())).toBe("MISS");
    });

    const change = async (body: object) =>
      expect((await gateway().call("PATCH", "/providers/acme", { body })).status).toBe(200);
    const changeModel = async (id: string, members: object) => {
      const { models } = (await gateway().call("GET", "/providers/acme")).json.data;
      await change({
        models: models.map((model: { id: string }) => (model.id === id ? { ...model, ...members } : model)),
      });
    };

    it("where the one that gave the answer may not serve the call any more", async () => {
      await first();
      await change({ zdr: false, enabled: false });
      expect((await again()).status).toBe(404);
      await change({ zdr: true, enabled: true });
      expect(statusOf(await again())).toBe("HIT");
    });

    it("where the model is another one at the same provider by then", async () => {
      await first();
      await changeModel("acme/talk", { upstream_id: "talk-2" });
      expect(statusOf(await again())).toBe("MISS");
      expect(vendor().requests.at(-1)?.body.model).toBe("talk-2");
      await changeModel("acme/talk", { upstream_id: "talk" });
    });

    it("for vectors, where they would be of another space by then", async () => {
      const body = { model: "acme/embed", input: `a text ${(count += 1)}` };
      const before = await post("/embeddings", body);
      await changeModel("acme/embed", { revision: "2" });
      const after = await post("/embeddings", body);
      expect(statusOf(after)).toBe("MISS");
      expect(after.headers.get("x-vector-space")).not.toBe(before.headers.get("x-vector-space"));
      await changeModel("acme/embed", { revision: null });
    });

    it("where the answer was cleared, even if the new one is too long to be kept", async () => {
      await first();
      const message = { role: "assistant", content: "x".repeat(4_200_000) };
      vendor().fail(
        { type: "body", body: JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", message }] }) },
        1,
      );
      expect(statusOf(await again({}, { ...asked, "x-openrouter-cache-clear": "true" }))).toBe("MISS");
      expect(statusOf(await again())).toBe("MISS");
    });

    it("where the answer's usage is too long to be read in one go", async () => {
      const body = { model: "acme/claude", max_tokens: 100, messages: [{ role: "user", content: `${(count += 1)}` }] };
      const long = Array.from({ length: 40_000 }, () => 1);
      claude().answer(
        wholeMessage(wholeText.replace('"service_tier"', `"long": ${JSON.stringify(long)}, "service_tier"`)),
      );
      expect((await post("/messages", body)).status).toBe(200);
      expect(statusOf(await post("/messages", body))).toBe("MISS");
    });

    it("where the caller of a stream left before its end", async () => {
      count += 1;
      vendor().settings.words = Array.from({ length: 1_000 }, (_, index) => ` word${index}`);
      const goOn = vendor().hold(40);
      const leaver = new AbortController();
      const answer = await fetch(`${gateway().url}/api/v1/chat/completions`, {
        method: "POST",
        headers: { ...asked, authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "acme/talk", messages, seed: count, stream: true }),
        signal: leaver.signal,
      });
      await answer.body?.getReader().read();
      leaver.abort();
      await caughtUp(gateway(), key);
      goOn();
      const id = answer.headers.get("x-generation-id") ?? "";
      await eventually(
        () => ledgerRow(gateway(), id),
        (row) => row?.cancelled === true,
      );
      const again = await post("/chat/completions", { model: "acme/talk", messages, seed: count, stream: true });
      expect(statusOf(again)).toBe("MISS");
    });

    it("where the answer failed or broke off", async () => {
      count += 1;
      vendor().fail({ type: "status", status: 500 }, 1);
      expect((await again()).status).toBeGreaterThan(400);
      vendor().fail({ type: "stream-error", afterFrames: 2 }, 1);
      expect((await again({ stream: true })).text).toMatch(/"error"/);
      const choices = [{ index: 0, finish_reason: "error", message: { role: "assistant", content: "x" } }];
      vendor().fail({ type: "body", body: JSON.stringify({ choices }) }, 1);
      expect((await again()).status).toBe(200);
      vendor().fail(null);
      expect(statusOf(await again({ stream: true }))).toBe("MISS");
      expect(statusOf(await again())).toBe("MISS");
      expect(statusOf(await again())).toBe("HIT");
    });
  });

  it("400: headers that say neither, or for too short or too long", async () => {
    for (const [name, value] of [
      ["x-openrouter-cache", "yes"],
      ["x-openrouter-cache-clear", "1"],
      ["x-openrouter-cache-ttl", "0"],
      ["x-openrouter-cache-ttl", "86401"],
      ["x-openrouter-cache-ttl", "1.5"],
    ] as const)
      expectIssues(await chat({}, { ...asked, [name]: value }), name);
    expect(vendor().calls()).toBe(0);
  });

  describe("of a preset", () => {
    const preset = async (config: object) => {
      const slug = `cached-${(count += 1)}`;
      const { status, text } = await gateway().call("POST", "/presets", { body: { slug, config } });
      expect(status, text).toBe(201);
      return { model: "acme/talk", preset: slug, messages };
    };

    it("that asks for it, for as long as it says", async () => {
      const body = await preset({ cache_enabled: true, cache_ttl_seconds: 20 });
      const first = await chat(body, {});
      expect([statusOf(first), first.headers.get("x-openrouter-cache-ttl")]).toEqual(["MISS", "20"]);
      expect(Object.keys(vendor().requests.at(-1)?.body).toSorted()).toEqual(["messages", "model", "stream"]);
      expect(statusOf(await chat(body, {}))).toBe("HIT");
      expect(statusOf(await chat(body, { "x-openrouter-cache": "false" }))).toBeNull();
    });

    it("that forbids it, whatever the header says", async () => {
      const body = await preset({ cache_enabled: false });
      expect(statusOf(await chat(body))).toBeNull();
    });

    it.each(["x", 0, 86_401])("400: kept for %s seconds", async (seconds) => {
      const body = { slug: "never", config: { cache_ttl_seconds: seconds } };
      expectIssues(await gateway().call("POST", "/presets", { body }), "config.cache_ttl_seconds");
    });
  });

  it("keeps nothing of a deleted workspace", async () => {
    const { id } = await makeWorkspace(gateway());
    const member = await makeKey(gateway(), { workspace_id: id });
    await chat({}, asked, member.key);
    const left = async () =>
      (await pool().query("select from cached_answers where workspace_id = $1", [id])).rowCount ?? 0;
    await eventually(left, (rows) => rows === 1);
    await gateway().call("DELETE", `/keys/${member.record.hash}`);
    expect((await gateway().call("DELETE", `/workspaces/${id}`)).status).toBe(200);
    await tidyAnswers(gateway().deps.store, 64_000_000, gateway().deps.now());
    expect(await left()).toBe(0);
  });

  it("is sealed, and bounded by bytes and by age", async () => {
    await pool().query("delete from cached_answers");
    const secret = "a secret of its own";
    for (let each = 0; each < 4; each += 1) {
      await chat({ messages: [{ role: "user", content: `${secret} ${each}` }] });
      gateway().clock.advance(1_000);
    }
    const rows = await eventually(stored, ({ length }) => length === 4);
    for (const { sealed } of rows) expect(sealed.toString("latin1")).not.toMatch(/secret|Hello/);
    const two = rows.slice(0, 2).reduce((sum, { bytes }) => sum + bytes, 0);
    await tidyAnswers(gateway().deps.store, two + 50, gateway().deps.now());
    expect(await stored()).toHaveLength(2);
    gateway().clock.advance(300_000);
    await tidyAnswers(gateway().deps.store, two + 50, gateway().deps.now());
    expect(await stored()).toHaveLength(0);
  });
});
