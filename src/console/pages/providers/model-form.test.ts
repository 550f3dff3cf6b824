import { describe, expect, it } from "vitest";
import { ProviderModel, UpdateProviderBody } from "#contract/providers.ts";
import { ApiError } from "../../api/errors.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { listWith, listWithout, modelBody, modelChange, modelProblems, modelValues, ofOneModel } from "./model-form.ts";
import { onlyHere } from "./only-here.ts";

const small: OfferedModel = {
  id: "acme/embed-small",
  upstream_id: "embed-small",
  type: "embedding",
  name: "Embed small",
  description: "",
  context_length: 8192,
  dimensions: 1536,
  dimensions_range: { minimum: 256, maximum: 1536 },
  max_batch: 2048,
  input_type: "document",
  query_prefix: null,
  document_prefix: "passage: ",
  revision: null,
  max_completion_tokens: null,
  input_modalities: ["text", "image"],
  pricing: { prompt: "0.00000002", image: "0.0001" },
  quantization: null,
  supported_parameters: null,
  distillable: null,
  enabled: true,
};
const values = modelValues(small, "acme");
const change = (changed: Partial<typeof values>) => {
  const { id, upstream_id, type, ...rest } = modelChange(small, { ...values, ...changed });
  return JSON.stringify(rest);
};

describe("a model in its form", () => {
  it("shows token prices by the million and unit prices as they are", () => {
    expect(values).toMatchObject({ priced: "priced", prompt: "0.02", image: "0.0001", request: "" });
  });

  it("comes back as it was", () => {
    const { quantization: _, supported_parameters: __, distillable: ___, enabled: ____, ...members } = small;
    expect(modelBody(values)).toEqual(members);
  });

  it.each([
    ["a name", { name: "Small" }, '{"name":"Small"}'],
    ["a context length with commas", { context_length: "16,384" }, '{"context_length":16384}'],
    ["a length no longer known", { max_batch: "" }, '{"max_batch":null}'],
    ["a prefix with the space at its end", { query_prefix: "query: " }, '{"query_prefix":"query: "}'],
    ["an input type that goes", { input_type: " " }, '{"input_type":null}'],
    ["a price", { prompt: "$0.10" }, '{"pricing":{"prompt":"0.0000001","image":"0.0001"}}'],
    ["the price that goes", { priced: "unpriced" as const }, '{"pricing":null}'],
    ["a range that goes", { dimensions_minimum: "", dimensions_maximum: "" }, '{"dimensions_range":null}'],
  ])("sends %s alone", (_, changed, body) => {
    expect(change(changed)).toBe(body);
  });

  it("sends nothing but its name in the list where nothing changed", () => {
    expect(modelChange(small, values)).toEqual({
      id: "acme/embed-small",
      upstream_id: "embed-small",
      type: "embedding",
    });
  });

  it("clears what a chat model has no use for", () => {
    expect(modelBody({ ...values, type: "chat", completion: "2" })).toMatchObject({
      dimensions: null,
      dimensions_range: null,
      max_batch: null,
      input_type: null,
      document_prefix: null,
      pricing: { prompt: "0.00000002", completion: "0.000002" },
    });
    expect(modelBody({ ...values, completion: "2" }).pricing).not.toHaveProperty("completion");
  });
});

describe("prices of images by quality and size", () => {
  const output_images = [
    { quality: "high", size: "1024x1536", price: "0.25" },
    { size: "2K", price: "0.1" },
    { quality: "low", price: "0.02" },
  ];
  const painter: OfferedModel = {
    ...small,
    type: "image",
    pricing: { prompt: "0", output_image: "0.04", output_images },
  };

  it("are a line each, and come back as they were", () => {
    const shown = modelValues(painter, "acme");
    expect(shown.output_images).toBe("high 1024x1536 0.25\n2K 0.1\nlow 0.02");
    expect(modelBody(shown).pricing).toEqual(painter.pricing);
    expect(ProviderModel.safeParse(modelBody(shown)).success).toBe(true);
    expect(modelBody({ ...shown, output_images: " $0.3 " }).pricing).not.toHaveProperty("output_images");
    expect(modelBody({ ...shown, output_images: "1024x1536 high $0.3\n\n" }).pricing?.output_images).toEqual([
      { quality: "high", size: "1024x1536", price: "0.3" },
    ]);
  });

  it.each(["0.25", "high", "high low 0.25", "high 1024x1536 cheap"])("are not %j", (line) => {
    const { output_images: problem } = modelProblems({ ...modelValues(painter, "acme"), output_images: line }, []);
    expect(problem).toContain(`not ${line}`);
  });
});

describe("what is wrong with a model", () => {
  it("names the fields", () => {
    const wrong = { ...values, prompt: "-1", image: "x", dimensions_maximum: "", input_modalities: [] };
    expect(Object.keys(modelProblems(wrong, [small.id])).toSorted()).toEqual([
      "dimensions_minimum",
      "id",
      "image",
      "input_modalities",
      "prompt",
    ]);
    expect(modelProblems(values, [])).toEqual({});
  });

  it("asks for a price only where there is to be one", () => {
    expect(modelProblems({ ...values, priced: "unpriced", prompt: "" }, [])).toEqual({});
    expect(modelProblems({ ...values, prompt: "" }, [])).toHaveProperty("prompt");
  });

  it("is refused by the contract where a number is none", () => {
    expect(ProviderModel.safeParse(modelBody({ ...values, dimensions: "many" })).success).toBe(false);
    expect(ProviderModel.safeParse(modelBody(values)).success).toBe(true);
  });
});

describe("the list of a provider's models", () => {
  const large = { ...small, id: "acme/embed-large", upstream_id: "embed-large" };
  const added: ProviderModel = { id: "acme/new", upstream_id: "new", type: "chat" };

  it("says of the others only what names them, so that their members stay", () => {
    const list = listWith([small, large], [added, modelChange(large, { ...modelValues(large, ""), name: "Large" })]);
    expect(list).toEqual([
      { id: "acme/embed-small", upstream_id: "embed-small", type: "embedding" },
      { id: "acme/embed-large", upstream_id: "embed-large", type: "embedding", name: "Large" },
      added,
    ]);
    expect(UpdateProviderBody.safeParse({ models: list }).success).toBe(true);
  });

  it("loses the one that is removed", () => {
    expect(listWithout([small, large], small.id).map(({ id }) => id)).toEqual([large.id]);
  });
});

it("puts the server's issues with one model of the list on its fields", () => {
  const issues = [{ path: "models.3.type", message: "must be chat" }];
  const error = ofOneModel(new ApiError(400, "no", { metadata: { error_type: "invalid_request", issues } }));
  expect(error).toMatchObject({ status: 400, issues: [{ path: "type", message: "must be chat" }] });
});

it("knows which models nobody else serves now", () => {
  const offers = (slug: string, enabled: boolean, ids: string[]) => ({
    slug,
    enabled,
    models: ids.map((id) => ({ id, enabled: true })),
  });
  const one = offers("one", true, ["a/x", "a/y", "a/z"]);
  expect(onlyHere(one, [one, offers("two", true, ["a/x"]), offers("three", false, ["a/y"])])).toEqual(["a/y", "a/z"]);
});
