import { HTTPClient as HTTPClient128, OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { HTTPClient, OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { readPrices } from "../domain/ledger/price.ts";
import { largestMaximum } from "../providers/messages.ts";
import type { ChatCall, EmbeddingsCall, HttpAdapter } from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import { inPieces } from "../testing/chat-answers.ts";
import { exchange, type ExchangePartner } from "../testing/exchange.ts";
import { exchangeFiles, type ExchangeFile, scriptedAnswer } from "../testing/exchange-files.ts";
import { type CallerName, forms, plainRequest, readAs, type Said } from "../testing/read-answers.ts";
import type { ScriptedAnswer } from "../testing/scripted-vendor.ts";

const adapterOf = ({ provider }: ExchangeFile) => adapters[provider?.kind ?? "openai-compatible"] as HttpAdapter;
const upstreamOf = ({ provider }: ExchangeFile) =>
  toUpstream({
    slug: "test",
    kind: provider?.kind ?? "openai-compatible",
    preset: provider?.preset ?? "custom",
    baseUrl: provider?.baseUrl ?? "https://vendor.example/v1",
    apiKey: "test-key",
    options: provider?.options ?? {},
  });

/** USD a token; what is read from a cache is a tenth, what is written to it a quarter more. */
const prices = readPrices({
  prompt: "0.000001",
  completion: "0.000002",
  input_cache_read: "0.0000001",
  input_cache_write: "0.00000125",
});
const partnerOf = ({ provider }: ExchangeFile): ExchangePartner => ({
  ...provider,
  apiKey: "test-key",
  model: { prices },
});

const isStream = ({ stream }: ExchangeFile) => stream !== undefined;
const cases = (files: readonly ExchangeFile[]) => files.map((file) => [file.name, file] as const);
const chats = exchangeFiles.filter(({ operation = "chat" }) => operation === "chat");
const answered = chats.filter(({ reads }) => reads !== undefined && reads.failure === undefined);

/** A vendor that has the operation of the file's answer alone. */
async function ask(file: ExchangeFile, caller: CallerName, answer: ScriptedAnswer = scriptedAnswer(file)) {
  const { form = "chat", provider } = file;
  const isElsewhere = (path: string) =>
    (provider?.kind ?? "openai-compatible") === "openai-compatible" && !/responses|messages/.test(form)
      ? /\/(?:responses|messages)$/.test(path)
      : false;
  const lacking = { status: 404, pieces: ["{}"] };
  // More tokens than a prompt can have are not believed.
  const prompt = "word ".repeat(file.reads?.usage?.promptTokens ?? 1);
  return await exchange(
    forms[caller],
    { ...plainRequest(caller, prompt), stream: isStream(file) },
    ({ path }) => (isElsewhere(path) ? lacking : answer),
    partnerOf(file),
  );
}

it("are at least 260, with their source and date, of at least 40 vendors and servers", () => {
  expect(exchangeFiles.length).toBeGreaterThanOrEqual(260);
  expect(new Set(exchangeFiles.map(({ name }) => name.split(/[ :]/)[0])).size).toBeGreaterThanOrEqual(40);
  for (const { name, source, date } of exchangeFiles) expect([name, source, date]).toSatisfy(isTraceable);
});

const isTraceable = ([, source, date]: readonly string[]) =>
  (source?.length ?? 0) > 10 && /^2026-\d\d-\d\d$/.test(date ?? "");

it.each(cases(exchangeFiles.filter(({ request }) => request !== undefined)))(
  "%s: is asked with these bytes",
  (_, file) => {
    const { call, format = "float", operation = "chat", request } = file;
    const upstream = upstreamOf(file);
    const asked = call as ChatCall;
    const made =
      operation === "embeddings"
        ? adapterOf(file).embeddings?.toRequest(upstream, call as EmbeddingsCall, format)
        : adapterOf(file).chat?.toRequest(upstream, { ...asked, maxTokens: largestMaximum(asked.body) });
    expect({ ...made, body: JSON.parse(String(made?.body)) }).toEqual(request);
  },
);

it.each(cases(exchangeFiles.filter(({ asks }) => asks !== undefined)))("%s: is sent on", async (_, file) => {
  const answer = { headers: { "content-type": "application/json" }, pieces: [JSON.stringify(plainAnswer)] };
  const { sent } = await exchange(forms[file.form ?? "chat"], file.asks ?? {}, answer, partnerOf(file));
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([file.sends]);
});

const plainAnswer = { choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };

const embeddings = exchangeFiles.filter(({ operation, answer }) => operation === "embeddings" && answer !== undefined);
it.each(cases(embeddings))("%s: is read", (_, file) => {
  const { answer, call, reads } = file;
  const { model = null } = answer as { model?: string };
  const made = adapterOf(file).embeddings?.readAnswer(JSON.stringify(answer), (call as EmbeddingsCall).items.length);
  expect(made).toEqual({ model, ...reads });
});

describe.each(["chat", "messages", "responses"] as const)("a vendor's answer, read in the form of %s", (caller) => {
  it.each(cases(answered.filter(({ form = caller }) => form === caller)))("%s", async (_, file) => {
    const { finish, usage, charge, broken, reasoning_details: details, ...said } = file.reads ?? {};
    const made = await ask(file, caller);
    const read = readAs(caller, made);
    const expected = { text: "", reasoning: "", calls: [] as readonly string[], refusal: "", ...said };
    // Anthropic's form has a call's arguments as an object.
    if (caller === "messages" && !isStream(file)) expected.calls = expected.calls.map(inShort);
    // Anthropic's form has no refusal apart from the text.
    const isText = caller === "messages" && expected.refusal !== "";
    expect(textsIn(read)).toEqual(isText ? { ...expected, text: expected.refusal, refusal: "" } : expected);
    expect(read.ids.every((id) => id !== "")).toBe(true);
    expect(read.broken).toBe(broken !== undefined || (caller === "responses" && finish === "error"));
    if (caller === "chat" && finish !== undefined) expect(read.finish).toBe(finish);
    if (details !== undefined && caller === "chat") expect(read.details).toEqual(details);
    if (usage !== undefined && usage !== null) {
      expect(made.entry).toMatchObject({ promptTokens: usage.promptTokens, completionTokens: usage.completionTokens });
    }
    if (charge !== undefined) expect(Number(made.entry?.cost)).toBe(charge);
  });
});

const inShort = (json: string) => JSON.stringify(JSON.parse(json));
const textsIn = ({ text, reasoning, calls, refusal }: Said) => ({ text, reasoning, calls, refusal });

const wholes = answered.filter((file) => !isStream(file));
it.each(cases(wholes))("%s: is a stream of one piece where one was asked for", async (_, file) => {
  const callers: readonly CallerName[] = file.form === undefined ? ["chat", "messages", "responses"] : [file.form];
  for (const caller of callers) {
    const whole = await ask(file, caller);
    const streamed = await ask({ ...file, stream: [] }, caller, scriptedAnswer(file));
    expect(spaceless(readAs(caller, streamed))).toEqual(spaceless(readAs(caller, whole)));
    expect(streamed.entry?.cost).toBe(whole.entry?.cost);
  }
});

/** Arguments that are text in one form are an object in another. */
const spaceless = (said: Said) => ({ ...textsIn(said), calls: said.calls.map((each) => each.replaceAll(": ", ":")) });

const failures = chats.filter(({ reads }) => reads?.failure !== undefined);
it.each(cases(failures))("%s: fails for the right reason", (_, file) => {
  const { status = 200, headers = {}, answer, reads } = file;
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  const failure = adapterOf(file).readFailure(upstreamOf(file), { status, headers, body });
  expect(failure).toMatchObject({ mayBill: false, ...reads?.failure, status });
});

const streams = answered.filter(isStream).filter(({ form = "chat" }) => form === "chat");
it.each(cases(streams))("%s: is the same cut at every byte", async (_, file) => {
  const whole = await ask(file, "chat");
  const cut = await ask(file, "chat", inPieces(scriptedAnswer(file), 1));
  const ids = /gen-[\w-]+|call_[0-9a-f]{24}/g;
  expect(cut.text.replaceAll(ids, "id")).toBe(whole.text.replaceAll(ids, "id"));
});

/** The official client, which is answered by the gateway's own code with what it makes of the vendor's bytes. */
const own = { apiKey: "key", serverURL: "http://gateway.example/api/v1", retryConfig: { strategy: "none" } } as const;
const official = {
  "1.2.8": (httpClient: HTTPClient) => new (OpenRouter128 as unknown as typeof OpenRouter)({ httpClient, ...own }),
  "1.3.19": (httpClient: HTTPClient) => new OpenRouter({ httpClient, ...own }),
};
const httpClients = { "1.2.8": HTTPClient128 as unknown as typeof HTTPClient, "1.3.19": HTTPClient };

async function readOfficially(version: keyof typeof official, file: ExchangeFile) {
  const fetcher = async (asked: string | URL | Request) => {
    const body = await (asked as Request).text();
    const { status, headers, text } = await exchange(forms.chat, body, scriptedAnswer(file), partnerOf(file));
    return new Response(text, { status, headers });
  };
  const client = official[version](new httpClients[version]({ fetcher }));
  const messages = [{ role: "user" as const, content: "Say hello" }];
  const read = await client.chat.send({
    chatRequest: { model: "acme/talk", messages, stream: isStream(file) },
  });
  const said = { text: "", reasoning: "", calls: [] as string[] };
  if ("choices" in read) {
    const message = read.choices[0]?.message;
    if (typeof message?.content === "string") said.text = message.content;
    said.reasoning = message?.reasoning ?? "";
    said.calls = message?.toolCalls?.map(({ function: called }) => called.arguments) ?? [];
    return said;
  }
  for await (const chunk of read) {
    const delta = chunk.choices[0]?.delta;
    said.text += delta?.content ?? "";
    said.reasoning += delta?.reasoning ?? "";
    for (const call of delta?.toolCalls ?? [])
      said.calls[call.index] = (said.calls[call.index] ?? "") + (call.function?.arguments ?? "");
  }
  return said;
}

const clean = answered.filter(({ form, reads }) => form === undefined && reads?.broken === undefined);
describe.each(["1.2.8", "1.3.19"] as const)("read by @openrouter/sdk %s", (version) => {
  it.each(cases(clean))("%s", async (_, file) => {
    const { text = "", reasoning = "", calls = [] } = file.reads ?? {};
    expect(await readOfficially(version, file)).toEqual({ text, reasoning, calls });
  });
});

it.each([{ reasoning: { exclude: true } }, { include_reasoning: false }])(
  "come without reasoning for %j",
  async (wish) => {
    const thinking = answered.filter(
      ({ reads }) => reads?.reasoning !== undefined && reads.text !== undefined && (reads.broken ?? null) === null,
    );
    expect(new Set(thinking.map(isStream)).size).toBe(2);
    for (const file of thinking) {
      const body = { ...plainRequest("chat", "Say hello"), stream: isStream(file), ...wish };
      const { status, text } = await exchange(forms.chat, body, scriptedAnswer(file), partnerOf(file));
      expect([status, /"reasoning(?!_tokens)/.test(text)]).toEqual([200, false]);
    }
  },
);
