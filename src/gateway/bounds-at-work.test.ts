import { describe, expect, it } from "vitest";
import { vastInputs } from "./testing/chat-vendor.ts";
import { directoryBursts, directoryRequests } from "./testing/directory-requests.ts";
import { filteredRequests, type HostileRequest } from "./testing/hostile-requests.ts";
import { api, beyondBounds, boundMs, exitCode, measure, vendorUrl, withMeteredGateway } from "./testing/turn-bounds.ts";

withMeteredGateway();

describe("while a vendor answers 32 MB, or streams an event of 15 MB", () => {
  const isStream = (model: string) => model.includes("stream-");
  const chat = (model: string) =>
    JSON.stringify({ model, messages: [{ role: "user", content: "a" }], stream: isStream(model) });
  const enter = (model: string) => JSON.stringify({ model, input: "a", stream: isStream(model) });
  const paint = (model: string) => JSON.stringify({ model, prompt: "a", stream: isStream(model) });
  // Other texts for each format: what is known already would not be asked for again.
  const embed = (format: string) => {
    const input = Array.from({ length: vastInputs }, (_, at) => `${format} ${at}`);
    return JSON.stringify({ model: "vast/text-embed", input, encoding_format: format });
  };
  const rows: Readonly<Record<string, readonly (readonly [name: string, body: string])[]>> = {
    "/chat/completions": [
      ["one text", chat("vast/text")],
      ["many values", chat("vast/values")],
      ["4.8 million strings with an escape", chat("vast/strings")],
      ["an event of one text", chat("vast/stream-text")],
      ["an event of wide characters", chat("vast/stream-wide")],
      ["an event of many values", chat("vast/stream-values")],
      ["an event of a tool's arguments", chat("vast/stream-arguments")],
      ["an event of many lines", chat("vast/stream-lines")],
      ["4,000 pieces of 1,000 tool calls", chat("vast/stream-calls")],
      ["4,000 ends of one choice", chat("vast/stream-choices")],
    ],
    "/messages": [
      ["passed on", chat("vast/claude")],
      ["an event that is passed on", chat("stream-vast/claude")],
      ["translated", chat("vast/text")],
      ["an event translated", chat("vast/stream-text")],
      ["a tool's arguments translated", chat("vast/stream-arguments")],
      ["many pieces translated", chat("vast/stream-calls")],
    ],
    "/responses": [
      ["passed on", enter("vast/thinker")],
      ["an event passed on", enter("stream-vast/thinker")],
      ["translated", enter("vast/text")],
      ["an event translated", enter("vast/stream-text")],
      ["a tool's arguments", enter("vast/stream-arguments")],
      ["many pieces translated", enter("vast/stream-calls")],
      ["many values translated", enter("vast/values")],
    ],
    "/images": [
      ["four of 10 MB", paint("vast/painter")],
      ["an event of one", paint("stream-vast/painter")],
    ],
    "/embeddings": [
      ["floats as they came", embed("float")],
      ["floats turned into base64", embed("base64")],
    ],
  };
  const requests: HostileRequest[] = Object.entries(rows).flatMap(([path, list]) =>
    list.map(([name, body]) => ({ name, method: "POST", as: "ordinary", path: `/api/v1${path}`, body: () => body })),
  );
  it(`the gateway's thread is never held for more than ${boundMs} ms, and the answer goes out`, async () => {
    await measure(requests[0] as HostileRequest);
    expect(await beyondBounds(requests, (status) => status === 200)).toEqual([]);
  });
});

describe("while content filters read a request", () => {
  it(`the gateway's thread is never held for more than ${boundMs} ms, and answers no 500`, async () => {
    expect(await beyondBounds(filteredRequests, (status) => status < 500 || status === 503)).toEqual([]);
    expect(exitCode()).toBeNull();
  });
});

describe("while an identity provider pushes 20,000 people", () => {
  it(`the gateway's thread is never held for more than ${boundMs} ms, and each request is taken`, async () => {
    expect(await beyondBounds(directoryRequests, (status) => status >= 200 && status < 300)).toEqual([]);
  });
  it(`nor for more than ${boundMs} ms by hostile ones, and answers no 500`, async () => {
    expect(await beyondBounds(directoryBursts, (status) => status < 500 || status === 503)).toEqual([]);
    expect(exitCode()).toBeNull();
  });
});

describe("while a catalog of 9,500 models is read and changed", () => {
  const models = (slug: string) =>
    Array.from({ length: 1_900 }, (_, at) => ({
      id: `${slug}/model-${at}`,
      upstream_id: `model-${at}`,
      type: slug === "large-0" ? "image" : "chat",
      name: `Model ${at}`,
      description: "A model of a vendor whose list is long. ".repeat(5),
      pricing: { prompt: "0.000001", completion: "0.000002" },
      supported_parameters: ["temperature", "top_p", "stop", "seed", "tools", "tool_choice"],
    }));
  const slugs = Array.from({ length: 5 }, (_, at) => `large-${at}`);
  const read = { method: "GET", as: "management" } as const;
  const requests: HostileRequest[] = [
    { ...read, name: "all providers", path: "/api/v1/provider-settings" },
    { ...read, name: "one provider", path: "/api/v1/providers/large-1" },
    { ...read, name: "all models", path: "/api/v1/models" },
    { ...read, name: "all image models", path: "/api/v1/images/models" },
    { ...read, name: "a model among them", path: "/api/v1/models/large-4/model-1899/endpoints" },
    {
      ...read,
      method: "PATCH",
      name: "one provider is renamed",
      path: "/api/v1/providers/large-1",
      body: () => JSON.stringify({ name: `Large ${performance.now()}` }),
    },
  ];
  it(`the gateway's thread is never held for more than ${boundMs} ms`, async () => {
    for (const slug of slugs) {
      const made = { slug, name: slug, kind: "openai-compatible", base_url: vendorUrl(), models: models(slug) };
      expect(await api("POST", "/providers", made)).toMatchObject({ data: { slug } });
    }
    expect(await beyondBounds(requests, (status) => status === 200)).toEqual([]);
  });
});
