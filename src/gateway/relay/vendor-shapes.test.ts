import { OpenRouter as OpenRouter128 } from "openrouter-sdk-1-2-8";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { makeKey } from "../testing/factories.ts";
import { type VendorShape, vendorShapes } from "../testing/vendor-shapes.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const official: [string, typeof OpenRouter][] = [
  ["1.2.8", OpenRouter128 as unknown as typeof OpenRouter],
  ["1.3.19", OpenRouter],
];

interface Read {
  text: string;
  reasoning: string;
  calls: Map<number, { id: string; arguments: string }>;
}

describe("vendors' answers, read by the official client", () => {
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
  const vendor = withVendor(opened);

  async function read(Client: typeof OpenRouter, { stream, whole }: VendorShape): Promise<Read> {
    const body = stream
      ? [...stream.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("")
      : JSON.stringify(whole);
    vendor().fail({ type: "body", body, contentType: stream ? "text/event-stream" : "application/json" }, 1);
    const client = new Client({ apiKey: key, serverURL: `${opened().url}/api/v1`, retryConfig: { strategy: "none" } });
    const messages = [{ role: "user" as const, content: "Say hello" }];
    const answer = await client.chat.send({
      chatRequest: { model: "acme/talk", messages, stream: stream !== undefined },
    });
    const said: Read = { text: "", reasoning: "", calls: new Map() };
    if ("choices" in answer) {
      const message = answer.choices[0]?.message;
      said.text = typeof message?.content === "string" ? message.content : "";
      said.reasoning = message?.reasoning ?? "";
      message?.toolCalls?.forEach((call, index) =>
        said.calls.set(index, { id: call.id, arguments: call.function.arguments }),
      );
      return said;
    }
    for await (const chunk of answer) {
      const delta = chunk.choices[0]?.delta;
      said.text += delta?.content ?? "";
      said.reasoning += delta?.reasoning ?? "";
      for (const call of delta?.toolCalls ?? []) {
        const known = said.calls.get(call.index) ?? { id: "", arguments: "" };
        said.calls.set(call.index, {
          id: known.id + (call.id ?? ""),
          arguments: known.arguments + (call.function?.arguments ?? ""),
        });
      }
    }
    return said;
  }

  it.each([{ reasoning: { exclude: true } }, { include_reasoning: false }])(
    "come without reasoning for %j",
    async (wish) => {
      const reads = vendorShapes.filter(({ reasoning, text }) => reasoning && text);
      for (const { stream, whole } of [reads.find((shape) => shape.stream), reads.find((shape) => shape.whole)].flatMap(
        (shape) => shape ?? [],
      )) {
        const body = stream
          ? stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
          : JSON.stringify(whole);
        vendor().fail({ type: "body", body, contentType: stream ? "text/event-stream" : "application/json" }, 1);
        const messages = [{ role: "user", content: "Say hello" }];
        const request = { model: "acme/talk", messages, stream: stream !== undefined, ...wish };
        const { status, text } = await opened().call("POST", "/chat/completions", { key, body: request });
        expect(status).toBe(200);
        expect(text).not.toContain("reasoning");
      }
    },
  );

  it("are at least 60, of at least 20 servers", () => {
    expect(vendorShapes.length).toBeGreaterThanOrEqual(60);
    expect(new Set(vendorShapes.map(({ name }) => name.split(/[ :]/)[0])).size).toBeGreaterThanOrEqual(20);
  });

  describe.each(official)("@openrouter/sdk %s", (_, Client) => {
    it.each(vendorShapes)("$name ($source)", async (shape) => {
      const said = await read(Client, shape);
      expect(said.text).toBe(shape.text ?? "");
      expect(said.reasoning).toBe(shape.reasoning ?? "");
      const calls = [...said.calls.values()];
      expect(calls.map((call) => call.arguments)).toEqual(shape.calls ?? []);
      expect(calls.every(({ id }) => id !== "")).toBe(true);
    });
  });
});
