import { describe, expect, it } from "vitest";
import type { ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { dimensionsText, modelRows, servingProviders, shownRows } from "./offers.ts";
import { sortBy } from "./list-order.ts";
import { ModelsSearch } from "./search.ts";

function model(id: string, change: Partial<OfferedModel> = {}): OfferedModel {
  return {
    id,
    upstream_id: id,
    type: "embedding",
    name: id,
    description: "",
    context_length: 8192,
    dimensions: 1536,
    dimensions_range: null,
    max_batch: null,
    input_type: null,
    query_prefix: null,
    document_prefix: null,
    revision: null,
    max_completion_tokens: null,
    input_modalities: ["text"],
    pricing: { prompt: "0.00000002" },
    quantization: null,
    supported_parameters: null,
    distillable: null,
    enabled: true,
    ...change,
  };
}

function provider(slug: string, models: OfferedModel[], enabled = true): ProviderRecord {
  return {
    slug,
    name: slug.toUpperCase(),
    kind: "openai-compatible",
    preset: "custom",
    base_url: "https://api.acme.example/v1",
    api_key: null,
    data_collection: "allow",
    zdr: false,
    enabled,
    options: {},
    position: 100,
    privacy_policy_url: null,
    terms_of_service_url: null,
    status_page_url: null,
    models,
    health: {
      status: "idle",
      calls_last_30m: 0,
      error_rate_last_30m: null,
      overload_rate_last_30m: null,
      latency_p50_ms: null,
      latency_p95_ms: null,
      retry_at: null,
      last_failure: null,
      ledger: { calls: 0, failures: 0, hours: [], models: [], last_call_hour: null },
    },
    created_at: "2026-11-20T10:00:00.000Z",
    updated_at: null,
  };
}

const rows = modelRows([
  provider("off", [model("a/x", { pricing: { prompt: "1" } }), model("a/gone")], false),
  provider("one", [
    model("a/x"),
    model("b/y", { pricing: null, context_length: null, type: "chat", dimensions: null }),
  ]),
  provider("two", [model("a/x", { pricing: { prompt: "0.0000001" }, context_length: 32_000 })]),
]);
const row = (id: string) => rows.find((one) => one.id === id);
const ids = (search: ModelsSearch) => shownRows(rows, search).map(({ id }) => id);

describe("the models of all providers", () => {
  it("are one row for each id, with the range of prices among those who serve it", () => {
    expect(rows.map(({ id }) => id).toSorted()).toEqual(["a/gone", "a/x", "b/y"]);
    expect(row("a/x")).toMatchObject({ price: { least: "0.02", most: "0.1" }, context: 32_000, served: true });
    expect(row("a/x")?.offers.map((offer) => offer.provider.slug)).toEqual(["one", "two", "off"]);
  });

  it("count what an image or a request costs besides the tokens", () => {
    const priced = (request?: string) => model("a/r", { pricing: { prompt: "0", ...(request && { request }) } });
    const [found] = modelRows([provider("one", [priced("0.5")]), provider("two", [priced()])]);
    expect(found).toMatchObject({ image: { least: "0", most: "0" }, request: { least: "0", most: "0.5" } });
  });

  it("say that they are unpriced, which is not free, and that nobody serves them", () => {
    expect(row("b/y")).toMatchObject({ price: null, unpriced: true });
    expect(row("a/gone")).toMatchObject({ served: false, unpriced: false });
  });
});

describe("the list", () => {
  it("is filtered by words, type, provider and price", () => {
    expect(ids({ q: "A/ x" })).toEqual(["a/x"]);
    expect(ids({ type: "chat" })).toEqual(["b/y"]);
    expect(ids({ provider: "off" })).toEqual(["a/gone", "a/x"]);
    expect(ids({ price: "unpriced" })).toEqual(["b/y"]);
  });

  it("is ordered, with what has no figure last either way", () => {
    expect(ids({})).toEqual(["a/gone", "a/x", "b/y"]);
    expect(ids({ sort: "context" })).toEqual(["a/x", "a/gone", "b/y"]);
    expect(ids({ sort: "context", order: "asc" })).toEqual(["a/gone", "a/x", "b/y"]);
    expect(ids({ sort: "price", order: "desc" })).toEqual(["a/gone", "a/x", "b/y"]);
  });

  it("turns the order at the second click, and keeps defaults out of the address", () => {
    const once = sortBy({}, "context");
    expect(once).toMatchObject({ sort: "context", order: undefined });
    expect(sortBy(once, "context")).toMatchObject({ sort: "context", order: "asc" });
    expect(sortBy(once, "id")).toMatchObject({ sort: undefined, order: undefined });
  });

  it("drops from the address what is not of its shape", () => {
    expect(ModelsSearch.parse({ q: "x", type: "song", sort: "mood" })).toEqual({ q: "x" });
  });

  it("offers the providers to filter by", () => {
    expect(servingProviders(rows).map(({ slug }) => slug)).toEqual(["off", "one", "two"]);
  });
});

describe("a model's dimensions", () => {
  const text = (...models: OfferedModel[]) => {
    const [row] = modelRows(models.map((one, at) => provider(`p${at}`, [one])));
    return row && dimensionsText(row);
  };

  it.each([
    [null, null, "Not known"],
    [1536, null, "1,536"],
    [1536, { minimum: 1, maximum: 1536 }, "1,536, or 1 to 1,536 on request"],
    [512, { minimum: 512, maximum: 512 }, "512"],
  ])("of %j in the range %j are %j", (dimensions, range, expected) => {
    expect(text(model("acme/m", { dimensions, dimensions_range: range }))).toBe(expected);
  });

  it("are a choice where one of several providers has one", () => {
    const fixed = model("acme/m", { dimensions_range: { minimum: 1536, maximum: 1536 } });
    expect(text(fixed, model("acme/m", { dimensions_range: { minimum: 256, maximum: 1536 } }))).toBe(
      "1,536, or 256 to 1,536 on request",
    );
  });
});
