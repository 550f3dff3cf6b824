import { describe, expect, it } from "vitest";
import { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import { readPrices } from "../../domain/ledger/price.ts";
import { exchange } from "../../testing/exchange.ts";
import { fixture } from "../../testing/fixture.ts";
import { json } from "../../testing/scripted-vendor.ts";
import { chatForm } from "./chat-form.ts";

/** What a vendor reports, and bills for it. */
interface Bill {
  readonly name: string;
  readonly vendor: string;
  readonly model: string;
  readonly prices: Readonly<Record<string, number>>;
  /** nano-dollars */
  readonly bill: bigint;
  readonly charged: bigint;
  readonly answer: Readonly<Record<string, unknown>>;
}

const bills = fixture("vendor-bills.txt").trimEnd().split("\n\n").slice(1).map(readBill);

function readBill(block: string): Bill {
  const [name = "", ...lines] = block.split("\n");
  const valueOf = (label: string) => lines.find((line) => line.startsWith(`${label}: `))?.slice(label.length + 2);
  const [vendor = "", model = ""] = name.split(":")[0]?.split(" ") ?? [];
  const bill = nanoUsd(valueOf("bill") ?? "");
  const above = valueOf("above");
  const [prices, answer] = [valueOf("prices"), valueOf("answer")].map((value) => JSON.parse(value ?? ""));
  return { name, vendor, model, prices, bill, charged: above === undefined ? bill : nanoUsd(above), answer };
}

/** A sum of products, in millionths of a dollar. */
function nanoUsd(sum: string): bigint {
  const products = sum
    .split(" + ")
    .map((product) => product.split(" * ").reduce((all, factor) => all * Number(factor), 1));
  return BigInt(Math.ceil(Number((products.reduce((all, each) => all + each, 0) * 1_000).toFixed(3))));
}

/** A plain answer of each dialect. */
const said: Readonly<Record<string, object>> = {
  gemini: { candidates: [{ content: { parts: [{ text: "x" }], role: "model" }, finishReason: "STOP" }] },
  anthropic: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "x" }],
    stop_reason: "end_turn",
  },
  cohere: {
    id: "c",
    finish_reason: "COMPLETE",
    message: { role: "assistant", content: [{ type: "text", text: "x" }] },
  },
};
const inChat = { choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }] };

async function charge({ vendor, model, prices, answer }: Bill, more: object = {}, limit?: number) {
  const perToken = Object.fromEntries(
    Object.entries(prices).map(([name, price]) => [name, (price / 1e6).toFixed(12)] as const),
  );
  const pricing = readPrices({ prompt: "0", ...perToken });
  const usage = Object(answer["usage"] ?? answer["usageMetadata"]);
  const read = [
    "prompt_tokens",
    "promptTokenCount",
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
  ];
  const length = read.reduce((sum, name) => sum + Number(usage[name] ?? 0), 1_000);
  const body = { model: "acme/talk", messages: [{ role: "user", content: "x".repeat(length) }], ...more };
  return await exchange(chatForm, body, json({ ...(said[vendor] ?? inChat), ...answer }), {
    kind: ProviderKind.safeParse(vendor).data ?? "openai-compatible",
    preset: ProviderPreset.parse(vendor),
    model: { upstreamId: model, prices: pricing, contextLength: 2_000_000, maxCompletionTokens: 64_000 },
    ...(limit !== undefined && { limit }),
  });
}

describe("what a vendor bills is what is charged", () => {
  it.each(bills)("$name", async (each) => {
    const { entry, refusal } = await charge(each);
    expect(refusal).toBeNull();
    expect(entry?.cost).toBe(each.charged);
    expect(each.charged).toBeGreaterThanOrEqual(each.bill);
  });

  it.each([
    [
      /gpt-5\.4: a long/,
      "Charged 2 times the price of input and 1.5 times that of output for a prompt of more than 271999 tokens",
    ],
    [/gpt-4\.1: priority/, "Charged 1.75 times the price for the tier priority"],
    [/flex/, "Charged the full price for the tier flex, which the vendor bills below it"],
    [/flash: sound/, "Charged 3.34 times the price of input for sound"],
    [/fee that is not/, "Charged the dearest published fee for a request, 0.012 USD"],
    [/what it bills/, "Charged what the vendor says it bills"],
    [/gpt-5\.4: cached/, undefined],
  ])("and the call's record says why it is not the model's price: %s", async (name, rate) => {
    const found = bills.find((each) => name.test(each.name));
    expect(found && (await charge(found)).entry?.attempts.at(-1)?.rate).toBe(rate);
  });

  it("by the model's id where the vendor's name of it is a deployment's", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    const body = { model: "acme/gpt-5.5", messages: [{ role: "user", content: "x".repeat(100) }] };
    const answer = json({ ...inChat, usage, service_tier: "priority" });
    const { entry } = await exchange(chatForm, body, answer, {
      model: { id: "acme/gpt-5.5", upstreamId: "production" },
    });
    expect(entry?.cost).toBe((5n * (100n * 1_000n + 10n * 2_000n)) / 2n);
  });

  it("of a stream, whose chunks say the tier", async () => {
    const events = [
      { ...inChat, choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop" }], service_tier: "priority" },
      { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } },
    ];
    const pieces = [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`);
    const body = { model: "acme/talk", messages: [{ role: "user", content: "x".repeat(100) }], stream: true };
    const answer = { headers: { "content-type": "text/event-stream" }, pieces };
    const { entry } = await exchange(chatForm, body, answer, { model: { upstreamId: "gpt-5.4" } });
    expect(entry?.cost).toBe(2n * (100n * 1_000n + 10n * 2_000n));
  });

  it.each([
    [
      "before",
      [
        { prompt_tokens: 0, completion_tokens: 0 },
        { prompt_tokens: 100, completion_tokens: 10 },
      ],
    ],
    [
      "after",
      [
        { prompt_tokens: 100, completion_tokens: 10 },
        { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      ],
    ],
  ])("of a stream with zeros %s its count", async (_, usages) => {
    const end = { ...inChat, choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop" }] };
    const events = [end, ...usages.map((usage) => ({ choices: [], usage }))].map((event) => JSON.stringify(event));
    const pieces = [...events, "[DONE]"].map((data) => `data: ${data}\n\n`);
    const body = { model: "acme/talk", messages: [{ role: "user", content: "x".repeat(100) }], stream: true };
    const { entry } = await exchange(chatForm, body, { headers: { "content-type": "text/event-stream" }, pieces });
    expect(entry).toMatchObject({ promptTokens: 100, completionTokens: 10, meteredBy: "upstream" });
  });

  it("reserves the tier of a project unless the request names another", async () => {
    const bill = bills.find(({ name }) => name.includes("gpt-4.1"));
    const asked = { max_tokens: 10_000 };
    const plain = { ...asked, service_tier: "default" };
    // 2,200 bytes at most, and 10,000 tokens: 0.0844 USD at the price, 0.1477 USD in the tier
    expect(bill && (await charge(bill, asked, 0.1)).status).toBe(402);
    expect(bill && (await charge(bill, plain, 0.1)).status).toBe(200);
  });

  // What has no bound is refused, or asked for: sound, another tier, searches; what a router adds is nowhere published.
  it.each(bills.filter(({ name }) => !/sound|fast|searches|openrouter/.test(name)))(
    "and reserved before it is sent: $name",
    async (each) => {
      const short = await charge(each, { max_tokens: 10_000 }, Number(each.bill) / 1e9 - 1e-9);
      expect([short.status, short.sent]).toEqual([402, []]);
    },
  );
});
