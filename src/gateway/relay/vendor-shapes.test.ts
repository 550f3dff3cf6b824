import { HTTPClient as HTTPClient128, OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { HTTPClient, OpenRouter } from "openrouter-sdk-1-3-19";
import { describe, expect, it } from "vitest";
import { inPieces } from "../testing/chat-answers.ts";
import { exchange } from "../testing/exchange.ts";
import { fixture } from "../testing/fixture.ts";
import type { ScriptedAnswer } from "../testing/scripted-vendor.ts";
import { chatForm } from "./chat/chat-form.ts";

/** A vendor's answer, and what a caller has to read out of it. */
interface Shape {
  readonly name: string;
  readonly isStream: boolean;
  readonly answer: ScriptedAnswer;
  readonly said: { readonly text: string; readonly reasoning: string; readonly calls: readonly string[] };
}

const shapes = fixture("vendor-shapes.txt").trimEnd().split("\n\n").slice(1).map(readShape);

function readShape(block: string): Shape {
  const [name = "", ...lines] = block.split("\n");
  const valuesOf = (label: string) =>
    lines.flatMap((line) => (line.startsWith(`${label}: `) ? [line.slice(label.length + 2)] : []));
  const saidAs = (label: string): string[] => valuesOf(label).map((value) => JSON.parse(value));
  const [text = ""] = saidAs("text");
  const [reasoning = ""] = saidAs("reasoning");
  const said = { text, reasoning, calls: saidAs("call") };
  const events = valuesOf("data");
  const isStream = events.length > 0;
  const pieces = isStream ? [...events, "[DONE]"].map((data) => `data: ${data}\n\n`) : valuesOf("whole");
  const type = isStream ? "text/event-stream" : "application/json";
  return { name, isStream, said, answer: { headers: { "content-type": type }, pieces } };
}

const request = (stream: boolean) => ({
  model: "acme/talk",
  messages: [{ role: "user" as const, content: "Say hello" }],
  stream,
});

/** The official client, which is answered by the gateway's own code with what it makes of the vendor's bytes. */
const official = {
  "1.2.8": (httpClient: HTTPClient) => new (OpenRouter128 as unknown as typeof OpenRouter)({ httpClient, ...own }),
  "1.3.19": (httpClient: HTTPClient) => new OpenRouter({ httpClient, ...own }),
};
const own = { apiKey: "key", serverURL: "http://gateway.example/api/v1", retryConfig: { strategy: "none" } } as const;
const httpClients = { "1.2.8": HTTPClient128 as unknown as typeof HTTPClient, "1.3.19": HTTPClient };

async function read(version: keyof typeof official, { isStream, answer }: Shape) {
  const fetcher = async (asked: string | URL | Request) => {
    const { status, headers, text } = await exchange(chatForm, await (asked as Request).text(), answer);
    return new Response(text, { status, headers });
  };
  const client = official[version](new httpClients[version]({ fetcher }));
  const read = await client.chat.send({ chatRequest: request(isStream) });
  if ("choices" in read) {
    const message = read.choices[0]?.message;
    const calls = message?.toolCalls?.map(({ id, function: called }) => ({ id, args: called.arguments })) ?? [];
    return {
      text: typeof message?.content === "string" ? message.content : "",
      reasoning: message?.reasoning ?? "",
      calls,
    };
  }
  const said = { text: "", reasoning: "", calls: [] as { id: string; args: string }[] };
  for await (const chunk of read) {
    const delta = chunk.choices[0]?.delta;
    said.text += delta?.content ?? "";
    said.reasoning += delta?.reasoning ?? "";
    for (const call of delta?.toolCalls ?? []) {
      const known = (said.calls[call.index] ??= { id: "", args: "" });
      known.id += call.id ?? "";
      known.args += call.function?.arguments ?? "";
    }
  }
  return said;
}

describe("vendors' answers", () => {
  it("are at least 60, of at least 20 servers", () => {
    expect(shapes.length).toBeGreaterThanOrEqual(60);
    expect(new Set(shapes.map(({ name }) => name.split(/[ :]/)[0])).size).toBeGreaterThanOrEqual(20);
  });

  describe.each(["1.2.8", "1.3.19"] as const)("read by @openrouter/sdk %s", (version) => {
    it.each(shapes)("$name", async (shape) => {
      const { calls, ...said } = await read(version, shape);
      expect({ ...said, calls: calls.map(({ args }) => args) }).toEqual(shape.said);
      expect(calls.every(({ id }) => id !== "")).toBe(true);
    });
  });

  it.each(shapes.filter(({ isStream }) => isStream))("are the same cut at every byte: $name", async ({ answer }) => {
    const [whole, cut] = await Promise.all(
      [answer, inPieces(answer, 1)].map(async (each) => (await exchange(chatForm, request(true), each)).text),
    );
    const ids = /gen-[\w-]+|call_[0-9a-f]{24}/g;
    expect(cut?.replaceAll(ids, "id")).toBe(whole?.replaceAll(ids, "id"));
  });

  it.each([{ reasoning: { exclude: true } }, { include_reasoning: false }])(
    "come without reasoning for %j",
    async (wish) => {
      const thinking = shapes.filter(({ said }) => said.reasoning !== "" && said.text !== "");
      expect(new Set(thinking.map(({ isStream }) => isStream)).size).toBe(2);
      for (const { isStream, answer } of thinking) {
        const { status, text } = await exchange(chatForm, { ...request(isStream), ...wish }, answer);
        expect([status, /"reasoning(?!_tokens)/.test(text)]).toEqual([200, false]);
      }
    },
  );
});
