import { describe, expect, it } from "vitest";
import { model, provider } from "../../api/example-providers.ts";
import { costAgain, csvRow, lengthsOf, memoryOf, timeAgain, vectorsMade } from "./change-plan.ts";
import { sortBy } from "./list-order.ts";
import { dimensionsText, modelRows, servingProviders, shownRows, type ModelRow, type Offer } from "./offers.ts";
import { ModelsSearch, PlanSearch } from "./search.ts";

const chat = model("b/y", { pricing: null, context_length: null, type: "chat", dimensions: null });
const dear = model("a/x", { pricing: { prompt: "0.0000001" }, context_length: 32_000 });
const rows = modelRows([
  provider("off", { enabled: false, models: [model("a/x", { pricing: { prompt: "1" } }), model("a/gone")] }),
  provider("one", { models: [model("a/x"), chat] }),
  provider("two", { models: [dear] }),
]);
const row = (id: string) => rows.find((one) => one.id === id);

it("the models of all providers are one row for each id, with the range of prices among those who serve it", () => {
  expect(rows.map(({ id }) => id).toSorted()).toEqual(["a/gone", "a/x", "b/y"]);
  expect(row("a/x")).toMatchObject({ price: { least: "0.02", most: "0.1" }, context: 32_000, served: true });
  expect(row("a/x")?.offers.map((offer) => offer.provider.slug)).toEqual(["one", "two", "off"]);
  expect(servingProviders(rows).map(({ slug }) => slug)).toEqual(["off", "one", "two"]);
});

it("the models of all providers say what each call costs, that they are unpriced, and that nobody serves them", () => {
  const priced = (slug: string, pricing: object) =>
    provider(slug, { models: [model("a/r", { pricing: { prompt: "0", ...pricing } })] });
  const [found] = modelRows([priced("one", { request: "0.5" }), priced("two", {})]);
  expect(found).toMatchObject({ image: { least: "0", most: "0" }, request: { least: "0", most: "0.5" } });
  expect(row("b/y")).toMatchObject({ price: null, unpriced: true });
  expect(row("a/gone")).toMatchObject({ served: false, unpriced: false });
});

it.each<[ModelsSearch, string]>([
  [{ q: "A/ x" }, "a/x"],
  [{ type: "chat" }, "b/y"],
  [{ provider: "off" }, "a/gone a/x"],
  [{ price: "unpriced" }, "b/y"],
  // what has no figure is last either way
  [{}, "a/gone a/x b/y"],
  [{ sort: "context" }, "a/x a/gone b/y"],
  [{ sort: "context", order: "asc" }, "a/gone a/x b/y"],
  [{ sort: "price", order: "desc" }, "a/gone a/x b/y"],
])("the list is filtered and ordered by %j", (search, ids) =>
  expect(
    shownRows(rows, search)
      .map(({ id }) => id)
      .join(" "),
  ).toBe(ids),
);

it("the list turns the order at the second click, and keeps out of the address defaults and what is not of its shape", () => {
  const once = sortBy({}, "context");
  expect(once).toMatchObject({ sort: "context", order: undefined });
  expect(sortBy(once, "context")).toMatchObject({ sort: "context", order: "asc" });
  expect(sortBy(once, "id")).toMatchObject({ sort: undefined, order: undefined });
  expect(ModelsSearch.parse({ q: "x", type: "song", sort: "mood" })).toEqual({ q: "x" });
});

it.each([
  [null, [null], "Not known"],
  [1536, [null], "1,536"],
  [1536, [{ minimum: 1, maximum: 1536 }], "1,536, or 1 to 1,536 on request"],
  [512, [{ minimum: 512, maximum: 512 }], "512"],
  // a choice where one of several providers has one
  [1536, [1536, 256].map((minimum) => ({ minimum, maximum: 1536 })), "1,536, or 256 to 1,536 on request"],
])("the dimensions of a model of %j with the ranges %j are said", (dimensions, ranges, text) => {
  const [found] = modelRows(
    ranges.map((dimensions_range, at) =>
      provider(`p${at}`, { models: [model("acme/m", { dimensions, dimensions_range })] }),
    ),
  );
  expect(found && dimensionsText(found)).toBe(text);
});

const sample = { looked: 10_000, calls: 4, inputs: 10, prompt_tokens: 1000, duration_ms: 800 };
const price = { least: "0.02", most: "0.1" };

describe("a plan to change the model", () => {
  it("costs the tokens, and each request where providers charge for it", () => {
    const used = { requests: 30, prompt_tokens: 2_500_000 };
    expect(costAgain(used, { price, request: null })).toEqual({ least: 0.05, most: 0.25 });
    const found = costAgain(used, { price, request: { least: "0", most: "0.001" } });
    expect(found).toEqual({ least: expect.closeTo(0.05, 12), most: expect.closeTo(0.28, 12) });
    expect(costAgain(used, { price: null, request: null })).toBeNull();
  });

  it("takes as long and makes as many vectors as the sampled calls did for as many tokens", () => {
    const unused = { ...sample, prompt_tokens: 0 };
    expect([timeAgain(5000, sample, 1), timeAgain(5000, sample, 8)]).toEqual([4000, 500]);
    const empty = { ...unused, calls: 0, duration_ms: 0 };
    expect([timeAgain(5000, empty, 1), timeAgain(5000, unused, 1)]).toEqual([null, null]);
    expect([vectorsMade(7, sample), vectorsMade(7, { ...sample, calls: 0 })]).toEqual([18, null]);
  });

  const offer = (dimensions_range: Offer["model"]["dimensions_range"], on = true) =>
    ({ on, model: { dimensions_range } }) as Offer;
  it.each([
    [1536, [offer({ minimum: 200, maximum: 1536 })], [1536, 1024, 512, 256]],
    [768, [offer(null), offer({ minimum: 1, maximum: 768 }, false)], [768]],
    [null, [], []],
  ])("of %j dimensions weighs the lengths that can be asked for, longest first", (dimensions, offers, lengths) => {
    expect(lengthsOf({ dimensions, offers })).toEqual(lengths);
    expect(memoryOf(1_000_000, 256)).toBe(1.024e9);
  });

  it("is written to a file key by key, and drops from the address what it does not know", () => {
    const figures = { usage: 0.5, byok_usage: 0.25, requests: 2, prompt_tokens: 1_000_000 };
    const key = { key_hash: "ab", name: null, workspace_id: "w", ...figures };
    expect(csvRow(key, undefined)).toEqual([null, "ab", "w", 1_000_000, 2, 0.75, null, null]);
    expect(csvRow(key, { price, request: null } as ModelRow).slice(-2)).toEqual([0.02, 0.1]);
    expect(PlanSearch.parse({ to: "a/b", last: "7", vectors: 0, calls: 2000 })).toEqual({ to: "a/b" });
  });
});
