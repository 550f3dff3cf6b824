import { describe, expect, it } from "vitest";
import { ProviderModel, UpdateProviderBody } from "#contract/providers.ts";
import { ApiError } from "../../api/errors.ts";
import { model, provider } from "../../api/example-providers.ts";
import { listWith, listWithout, modelBody, modelChange, modelProblems, modelValues, ofOneModel } from "./model-form.ts";
import { onlyHere } from "./only-here.ts";
import { pickedModel, pickProblem, proposePick } from "./picks.ts";

const small = model("acme/embed-small", {
  upstream_id: "embed-small",
  name: "Embed small",
  dimensions_range: { minimum: 256, maximum: 1536 },
  max_batch: 2048,
  input_type: "document",
  document_prefix: "passage: ",
  input_modalities: ["text", "image"],
  pricing: { prompt: "0.00000002", image: "0.0001" },
});
const values = modelValues(small, "acme");
const inList = { id: "acme/embed-small", upstream_id: "embed-small", type: "embedding" };

it("a model in its form shows token prices by the million and unit prices as they are, and comes back as it was", () => {
  expect(values).toMatchObject({ priced: "priced", prompt: "0.02", image: "0.0001", request: "" });
  const { quantization: _, supported_parameters: __, distillable: ___, enabled: ____, ...members } = small;
  expect(modelBody(values)).toEqual(members);
});

it.each<[string, Partial<typeof values>, object]>([
  ["nothing", {}, {}],
  ["a name", { name: "Small" }, { name: "Small" }],
  ["a context length with commas", { context_length: "16,384" }, { context_length: 16384 }],
  ["a length no longer known", { max_batch: "" }, { max_batch: null }],
  ["a prefix with the space at its end", { query_prefix: "query: " }, { query_prefix: "query: " }],
  ["an input type that goes", { input_type: " " }, { input_type: null }],
  ["a price", { prompt: "$0.10" }, { pricing: { prompt: "0.0000001", image: "0.0001" } }],
  ["the price that goes", { priced: "unpriced" }, { pricing: null }],
  ["a range that goes", { dimensions_minimum: "", dimensions_maximum: "" }, { dimensions_range: null }],
])("a model in its form sends %s alone, beside what names it in the list", (_, changed, body) =>
  expect(modelChange(small, { ...values, ...changed })).toStrictEqual({ ...inList, ...body }),
);

it("a model in its form clears what a chat model has no use for", () => {
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

describe("prices of images by quality and size", () => {
  const high = { quality: "high", size: "1024x1536", price: "0.25" };
  const output_images = [high, { size: "2K", price: "0.1" }, { quality: "low", price: "0.02" }];
  const pricing = { prompt: "0", output_image: "0.04", output_images };
  const shown = modelValues({ ...small, type: "image", pricing }, "acme");

  it("are a line each, and come back as they were", () => {
    expect(shown.output_images).toBe("high 1024x1536 0.25\n2K 0.1\nlow 0.02");
    expect(modelBody(shown).pricing).toEqual(pricing);
    expect(ProviderModel.safeParse(modelBody(shown)).success).toBe(true);
    const typed = (lines: string) => modelBody({ ...shown, output_images: lines }).pricing;
    expect(typed(" $0.3 ")).not.toHaveProperty("output_images");
    expect(typed("1024x1536 high $0.3\n\n")?.output_images).toEqual([{ ...high, price: "0.3" }]);
  });

  it.each(["0.25", "high", "high low 0.25", "high 1024x1536 cheap"])("are not %j", (line) =>
    expect(modelProblems({ ...shown, output_images: line }, [])["output_images"]).toContain(`not ${line}`),
  );
});

it.each<[string, Partial<typeof values>, string[], string[]]>([
  ["nothing", {}, [], []],
  [
    "a price that is none, and half a range",
    { prompt: "-1", image: "x", dimensions_maximum: "" },
    [],
    ["dimensions_minimum", "image", "prompt"],
  ],
  ["an id that is taken, and no input", { input_modalities: [] }, [small.id], ["id", "input_modalities"]],
  ["no price where there is to be none", { priced: "unpriced", prompt: "" }, [], []],
  ["no price where there is to be one", { prompt: "" }, [], ["prompt"]],
])("what is wrong with a model is named by its fields: %s", (_, more, ids, fields) =>
  expect(Object.keys(modelProblems({ ...values, ...more }, ids)).toSorted()).toEqual(fields),
);

it("what is wrong with a model is refused by the contract where a number is none", () => {
  expect(ProviderModel.safeParse(modelBody({ ...values, dimensions: "many" })).success).toBe(false);
  expect(ProviderModel.safeParse(modelBody(values)).success).toBe(true);
});

it("the list of a provider's models says of others only what names them, and loses the one that is removed", () => {
  const large = { ...small, id: "acme/embed-large", upstream_id: "embed-large" };
  const added: ProviderModel = { id: "acme/new", upstream_id: "new", type: "chat" };
  const list = listWith([small, large], [added, modelChange(large, { ...modelValues(large, ""), name: "Large" })]);
  const changed = { id: "acme/embed-large", upstream_id: "embed-large", type: "embedding", name: "Large" };
  expect(list).toEqual([inList, changed, added]);
  expect(UpdateProviderBody.safeParse({ models: list }).success).toBe(true);
  expect(listWithout([small, large], small.id).map(({ id }) => id)).toEqual([large.id]);
});

it("puts the server's issues with one model on its fields, and knows which models nobody else serves now", () => {
  const issues = [{ path: "models.3.type", message: "must be chat" }];
  const error = ofOneModel(new ApiError(400, "no", { metadata: { error_type: "invalid_request", issues } }));
  expect(error).toMatchObject({ status: 400, issues: [{ path: "type", message: "must be chat" }] });
  const of = (slug: string, enabled: boolean, ...ids: string[]) =>
    provider(slug, { enabled, models: ids.map((id) => model(id)) });
  const one = of("one", true, "a/x", "a/y", "a/z");
  expect(onlyHere(one, [one, of("two", true, "a/x"), of("three", false, "a/y")])).toEqual(["a/y", "a/z"]);
});

const acme = { slug: "acme", kind: "openai-compatible" } as const;

it.each([
  ["text-embedding-3-small", "acme/text-embedding-3-small", "embedding"],
  ["BAAI/bge-m3", "BAAI/bge-m3", "embedding"],
  ["intfloat/multilingual-e5-large", "intfloat/multilingual-e5-large", "embedding"],
  ["nomic-embed-text:latest", "acme/nomic-embed-text:latest", "embedding"],
  ["models/gemini-embedding-001", "acme/gemini-embedding-001", "embedding"],
  ["accounts/fireworks/models/llama-v3", "acme/llama-v3", "chat"],
  ["gpt-4.1", "acme/gpt-4.1", "chat"],
  ["some model (beta)", "acme/some-model-beta-", "chat"],
  ["voyage-3.5", "acme/voyage-3.5", "embedding"],
  ["gpt-4o-mini-tts", "acme/gpt-4o-mini-tts", "speech"],
  ["eleven_multilingual_v2", "acme/eleven_multilingual_v2", "speech"],
  ["hexgrad/Kokoro-82M", "hexgrad/Kokoro-82M", "speech"],
  ["whisper-large-v3-turbo", "acme/whisper-large-v3-turbo", "transcription"],
  ["gpt-4o-transcribe", "acme/gpt-4o-transcribe", "transcription"],
  ["gpt-image-1-mini", "acme/gpt-image-1-mini", "image"],
  ["black-forest-labs/FLUX.1-schnell", "black-forest-labs/FLUX.1-schnell", "image"],
  ["models/gemini-2.5-flash-image", "acme/gemini-2.5-flash-image", "image"],
])("the proposal for a vendor's name %s is %s, %s", (upstream, id, type) => {
  const pick = proposePick(upstream, acme);
  expect(pick).toMatchObject({ upstream_id: upstream, id, type });
  expect(ProviderModel.safeParse(pickedModel(pick)).success).toBe(true);
});

it("the proposal for a vendor's name is never an embedding where the vendor has none", () =>
  expect(proposePick("embed-x", { slug: "anthropic", kind: "anthropic" }).type).toBe("chat"));

it.each([
  ["http://127.0.0.1:11434/v1", "0"],
  ["http://localhost:1234/v1", "0"],
  ["http://gpu.lan:8000/v1", "0"],
  ["http://192.168.4.20:8080/v1", "0"],
  ["http://[::1]:8080/v1", "0"],
  ["https://api.openai.com/v1", ""],
  ["https://10.example.com/v1", ""],
  ["", ""],
])("the proposal at %s has a price of “%s”", (baseUrl, price) =>
  expect(proposePick("embed-small", { ...acme, baseUrl }).price).toBe(price),
);

const pick = proposePick("embed-small", acme);

it("a pick without a price is unpriced, not free, and needs an id of its own", () => {
  expect(pickedModel(pick).pricing).toBeNull();
  expect(pickedModel({ ...pick, price: "0.02" }).pricing).toEqual({ prompt: "0.00000002" });
  expect(pickedModel({ ...pick, price: "0" }).pricing).toEqual({ prompt: "0" });
  expect(pickProblem(pick, new Set(), [pick])).toBeNull();
  expect(pickProblem(pick, new Set([pick.id]), [pick])).toMatch(/listed already/);
  expect(pickProblem(pick, new Set(), [pick, { ...pick }])).toMatch(/Two of them/);
  expect(pickProblem({ ...pick, id: "no-author" }, new Set(), [])).toMatch(/author\/slug/);
  expect(pickProblem({ ...pick, price: "cheap" }, new Set(), [])).toMatch(/price/);
});
