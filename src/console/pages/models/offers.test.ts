import { describe, expect, it } from "vitest";
import { model, provider } from "../../api/example-providers.ts";
import { sortBy } from "./list-order.ts";
import { dimensionsText, modelRows, servingProviders, shownRows } from "./offers.ts";
import { ModelsSearch } from "./search.ts";

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

it("the models of all providers count what an image or a request costs besides the tokens", () => {
  const priced = (slug: string, pricing: object) =>
    provider(slug, { models: [model("a/r", { pricing: { prompt: "0", ...pricing } })] });
  const [found] = modelRows([priced("one", { request: "0.5" }), priced("two", {})]);
  expect(found).toMatchObject({ image: { least: "0", most: "0" }, request: { least: "0", most: "0.5" } });
});

it("the models of all providers say that they are unpriced, which is not free, and that nobody serves them", () => {
  expect(row("b/y")).toMatchObject({ price: null, unpriced: true });
  expect(row("a/gone")).toMatchObject({ served: false, unpriced: false });
});

describe("the list", () => {
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
  ])("is filtered and ordered by %j", (search, ids) =>
    expect(
      shownRows(rows, search)
        .map(({ id }) => id)
        .join(" "),
    ).toBe(ids),
  );

  it("turns the order at the second click, and keeps out of the address defaults and what is not of its shape", () => {
    const once = sortBy({}, "context");
    expect(once).toMatchObject({ sort: "context", order: undefined });
    expect(sortBy(once, "context")).toMatchObject({ sort: "context", order: "asc" });
    expect(sortBy(once, "id")).toMatchObject({ sort: undefined, order: undefined });
    expect(ModelsSearch.parse({ q: "x", type: "song", sort: "mood" })).toEqual({ q: "x" });
  });
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
