import { describe, expect, it } from "vitest";
import type { ModelPricing } from "#contract/providers.ts";
import { readPrices } from "../ledger/price.ts";
import type { CatalogModel, CatalogProvider, Offer } from "../routing/catalog.ts";
import { createHealthBoard } from "../routing/health.ts";
import { endpointRecord, modelRecord } from "./model-record.ts";

interface Made extends Partial<Omit<CatalogModel, "row" | "prices">> {
  slug?: string;
  pricing?: ModelPricing | null;
  created?: string;
  description?: string;
}

/** A model as a provider has it; what a test does not look at is plain. */
function offer({
  slug = "a",
  pricing = null,
  created = "2026-11-20T00:00:00Z",
  description = "",
  ...model
}: Made): Offer {
  const row: Partial<CatalogModel["row"]> = { pricing, created_at: new Date(created), description, quantization: null };
  const plain: Partial<CatalogModel> = {
    id: "acme/one",
    type: "chat",
    name: "One",
    contextLength: null,
    dimensions: null,
    dimensionsRange: null,
    maxCompletionTokens: null,
    inputModalities: ["text"],
    quantization: "unknown",
    supportedParameters: null,
  };
  return {
    provider: { slug, name: slug.toUpperCase() } as CatalogProvider,
    model: { ...plain, prices: readPrices(pricing), ...model, row } as CatalogModel,
  };
}

/** What each provider's dialect passes on. */
const dialects: Record<string, readonly string[]> = { a: ["seed", "tools"], b: ["tools", "tool_choice"] };
const known = ({ slug }: { slug: string }) => dialects[slug] ?? [];
const imageAbilityOf = () => ({ parameters: ["n", "quality"], streams: false });
const abilities = { chatParametersOf: known, imageAbilityOf };
const record = (...made: [Made, ...Made[]]) =>
  modelRecord(made.map(offer) as [Offer, ...Offer[]], { ...abilities, basePath: "/gate" });

describe("a model that several providers offer", () => {
  it("is named and described by the first of them, and as old as the oldest", () => {
    const first = { name: "One", description: "first", created: "2026-11-20T00:00:00.999Z" };
    const second = { name: "Uno", description: "second", created: "2026-11-19T00:00:00.999Z" };
    expect(record(first, second)).toMatchObject({
      id: "acme/one",
      name: "One",
      description: "first",
      created: Date.parse("2026-11-19T00:00:00Z") / 1_000,
      links: { details: "/gate/api/v1/models/acme/one/endpoints" },
    });
    expect(record(second, first)).toMatchObject({ name: "Uno", description: "second" });
  });

  it("has the price of the first that has one, and -1 where none has", () => {
    const [cheap, dear] = [{ prompt: "0.1" }, { prompt: "0.3", completion: "0.4", request: "1" }];
    expect(record({}, { pricing: dear }, { pricing: cheap }).pricing).toEqual(dear);
    expect(record({}, { pricing: cheap }, { pricing: dear }).pricing).toEqual({ prompt: "0.1", completion: "0" });
    expect(record({}, {}).pricing).toEqual({ prompt: "-1", completion: "-1" });
    // a price of nothing is a price
    expect(record({ pricing: { prompt: "0" } }, { pricing: dear }).pricing).toEqual({ prompt: "0", completion: "0" });
  });

  it("has the longest context of any, and that of the first as its top provider's", () => {
    const first = { contextLength: 8_000, maxCompletionTokens: 100 };
    const made = record(first, { contextLength: null }, { contextLength: 32_000 });
    expect(made.context_length).toBe(32_000);
    expect(made.top_provider).toEqual({ context_length: 8_000, max_completion_tokens: 100, is_moderated: false });
    expect(record({}, {}).context_length).toBeNull();
  });

  it("takes what any of them takes, each once: as a row states it, else as the provider's dialect passes it on", () => {
    const made = record({ inputModalities: ["text"] }, { slug: "b", inputModalities: ["text", "image"] });
    expect(made.supported_parameters).toEqual(["seed", "tools", "tool_choice"]);
    expect(made.architecture).toMatchObject({
      modality: "text+image->text",
      input_modalities: ["text", "image"],
      output_modalities: ["text"],
    });
    const stated = record({ supportedParameters: [] }, { slug: "b", supportedParameters: ["stop"] });
    expect(stated.supported_parameters).toEqual(["stop"]);
    expect(record({ type: "embedding" }).supported_parameters).toEqual([]);
  });

  it("has dimensions if it makes vectors: a stated range, else up to its own length", () => {
    const dimensions = (made: Made) => record({ type: "embedding", ...made }).dimensions;
    expect(dimensions({ dimensions: 512 })).toEqual({ default: 512, minimum: 1, maximum: 512 });
    const dimensionsRange = { minimum: 8, maximum: 1_024 };
    expect(dimensions({ dimensions: 512, dimensionsRange })).toEqual({ default: 512, ...dimensionsRange });
    expect(dimensions({})).toBeNull();
    expect(record({})).not.toHaveProperty("dimensions");
    expect(record({ type: "embedding" }).architecture.modality).toBe("text->embeddings");
  });
});

describe("one provider's endpoint of a model", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const endpoint = (made: Made, health = createHealthBoard()) =>
    endpointRecord(offer(made), { health, ...abilities }, now);

  it("has this provider's own price, context and parameters", () => {
    expect(endpoint({ slug: "b", contextLength: 4_000, pricing: { prompt: "2" } })).toMatchObject({
      name: "B | acme/one",
      tag: "b",
      provider_name: "B",
      context_length: 4_000,
      pricing: { prompt: "2", completion: "0" },
      supported_parameters: ["tools", "tool_choice"],
      supports_tool_choice: { auto: true, function: true, none: true, required: true },
    });
    const bare = { context_length: 0, pricing: { prompt: "-1" }, supports_tool_choice: { auto: false } };
    expect(endpoint({})).toMatchObject(bare);
  });

  it("has no measurements before there were calls, and after them the share that succeeded", () => {
    const health = createHealthBoard();
    const uptime = { uptime_last_5m: null, uptime_last_30m: null, uptime_last_1d: null };
    const measured = { latency_last_30m: null, throughput_last_30m: null };
    expect(endpoint({}, health)).toMatchObject({ status: 0, ...uptime, ...measured });
    const failure = { reason: "server", message: "no", status: 500, retryAfterSeconds: null };
    const end = (minutesAgo: number, failed: boolean) => {
      const at = new Date(now.getTime() - minutesAgo * 60_000);
      health.begin("a", "acme/one", at);
      const outcome = { failure: failed ? failure : null, latencyMs: 250, tokensPerSecond: 40, byok: false };
      health.end("a", "acme/one", outcome, at);
    };
    for (const failed of [true, false, false, false]) end(20, failed);
    end(1, true);
    end(1, false);
    const shares = { uptime_last_5m: 50, uptime_last_30m: expect.closeTo(66.67, 1) };
    expect(endpoint({}, health)).toMatchObject({ status: 0, ...shares });
    for (let failures = 0; failures < 3; failures += 1) end(0, true);
    expect(endpoint({}, health).status).toBe(-2);
    // another provider's calls say nothing about this one's
    expect(endpoint({ slug: "b" }, health)).toMatchObject({ status: 0, uptime_last_5m: null });
  });
});
