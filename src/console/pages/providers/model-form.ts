import type { ModelType } from "#contract/model-type.ts";
import type { ModelPricing, ProviderModel } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { ApiError } from "../../api/errors.ts";
import { changedMembers } from "../../form/changes.ts";
import type { FieldProblems } from "../../form/problems.ts";
import { perMillion, perToken, readPrice } from "../../token-price.ts";

const promptCachePrices = ["input_cache_read", "input_cache_write", "input_cache_write_1h"] as const;

/** Members of a price that are shown by the million tokens or characters; the rest go by the unit. */
const byMillion = ["prompt", "completion", "image_output", ...promptCachePrices, "character"] as const;
const byUnit = ["image", "request", "second", "output_image"] as const;
type PriceMember = (typeof byMillion)[number] | (typeof byUnit)[number];

/** A model as its form holds it: text as typed, empty text for what is not known. */
export interface ModelValues extends Record<PriceMember, string> {
  id: string;
  upstream_id: string;
  type: ModelType;
  name: string;
  description: string;
  context_length: string;
  dimensions: string;
  dimensions_minimum: string;
  dimensions_maximum: string;
  max_batch: string;
  input_type: string;
  query_prefix: string;
  document_prefix: string;
  revision: string;
  max_completion_tokens: string;
  input_modalities: string[];
  /** unpriced is a state of its own, not a price of 0 */
  priced: "priced" | "unpriced";
  /** a line for each quality and size with a price of its own */
  output_images: string;
  /** a line for each size of video with a price of its own */
  seconds: string;
}

export const modelLabels = {
  id: "Model id",
  upstream_id: "The provider's name for it",
  type: "Type",
  name: "Name",
  description: "Description",
  context_length: "Context length, tokens",
  dimensions: "Dimensions",
  dimensions_minimum: "Fewest dimensions",
  dimensions_maximum: "Most dimensions",
  max_batch: "Most inputs in a request",
  input_type: "Default input type",
  query_prefix: "Prefix of queries",
  document_prefix: "Prefix of documents",
  revision: "Revision",
  max_completion_tokens: "Most tokens in an answer",
  input_modalities: "Takes",
  priced: "Price",
  prompt: "Input, a million tokens",
  completion: "Output, a million tokens",
  input_cache_read: "Read from the cache, a million tokens",
  input_cache_write: "Written to the cache, a million tokens",
  input_cache_write_1h: "Written for an hour, a million tokens",
  image: "Each image",
  image_output: "Images in the answer, a million tokens",
  request: "Each request",
  character: "Text, a million characters",
  second: "Each second",
  seconds: "By size",
  output_image: "Each image made",
  output_images: "By quality and size",
};

const number = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

/** The fields for a model; without one, for a new model of this provider. */
export function modelValues(model: OfferedModel | null, provider: string): ModelValues {
  const price = model?.pricing;
  const million = (text: string | undefined) => (text === undefined ? "" : perMillion(text));
  return {
    id: model?.id ?? `${provider}/`,
    upstream_id: model?.upstream_id ?? "",
    type: model?.type ?? "embedding",
    name: model?.name ?? "",
    description: model?.description ?? "",
    context_length: number(model?.context_length),
    dimensions: number(model?.dimensions),
    dimensions_minimum: number(model?.dimensions_range?.minimum),
    dimensions_maximum: number(model?.dimensions_range?.maximum),
    max_batch: number(model?.max_batch),
    input_type: model?.input_type ?? "",
    query_prefix: model?.query_prefix ?? "",
    document_prefix: model?.document_prefix ?? "",
    revision: model?.revision ?? "",
    max_completion_tokens: number(model?.max_completion_tokens),
    input_modalities: model?.input_modalities ?? ["text"],
    priced: model?.pricing ? "priced" : "unpriced",
    prompt: million(price?.prompt),
    completion: million(price?.completion),
    input_cache_read: million(price?.input_cache_read),
    input_cache_write: million(price?.input_cache_write),
    input_cache_write_1h: million(price?.input_cache_write_1h),
    image: price?.image ?? "",
    image_output: million(price?.image_output),
    request: price?.request ?? "",
    character: million(price?.character),
    second: price?.second ?? "",
    output_image: price?.output_image ?? "",
    output_images: (price?.output_images ?? [])
      .map((one) => [one.quality, one.size, one.price].filter(Boolean).join(" "))
      .join("\n"),
    seconds: (price?.seconds ?? []).map(({ size, price: each }) => `${size} ${each}`).join("\n"),
  };
}

/** "8,192" to 8192, "" to null; anything else becomes NaN, which the contract refuses. */
const count = (text: string) => (text.trim() === "" ? null : Number(text.replace(/[\s,]/g, "")));

const textOf = (text: string) => (text === "" ? null : text);

/** The whole model as the API takes it. A member that this type of model has no use for is cleared. */
export function modelBody(values: ModelValues): ProviderModel {
  const embedding = values.type === "embedding";
  const minimum = count(values.dimensions_minimum);
  const maximum = count(values.dimensions_maximum);
  return {
    id: values.id.trim(),
    upstream_id: values.upstream_id.trim(),
    type: values.type,
    ...(values.name.trim() === "" ? {} : { name: values.name.trim() }),
    description: values.description.trim(),
    context_length: count(values.context_length),
    dimensions: embedding ? count(values.dimensions) : null,
    dimensions_range: embedding && minimum !== null && maximum !== null ? { minimum, maximum } : null,
    max_batch: embedding ? count(values.max_batch) : null,
    input_type: embedding ? textOf(values.input_type.trim()) : null,
    // White space counts: "query: " ends with it.
    query_prefix: embedding ? textOf(values.query_prefix) : null,
    document_prefix: embedding ? textOf(values.document_prefix) : null,
    revision: embedding ? textOf(values.revision.trim()) : null,
    max_completion_tokens: values.type === "chat" ? count(values.max_completion_tokens) : null,
    input_modalities: values.input_modalities as NonNullable<ProviderModel["input_modalities"]>,
    pricing: pricing(values),
  };
}

function pricing(values: ModelValues): ModelPricing | null {
  if (values.priced === "unpriced") return null;
  const price = (member: PriceMember, decimals: number) => {
    const read = readPrice(values[member], decimals);
    return "price" in read ? read.price : "0";
  };
  const optional = Object.fromEntries(
    membersOf(values)
      .filter((member) => member !== "prompt" && values[member].trim() !== "")
      .map((member) => [member, isByMillion(member) ? perToken(price(member, 12)) : price(member, 18)]),
  );
  const ofKinds =
    values.type === "image" ? linesOf(values.output_images).flatMap((line) => imagePrice(line) ?? []) : [];
  const ofSizes = values.type === "video" ? linesOf(values.seconds).flatMap((line) => secondPrice(line) ?? []) : [];
  return {
    prompt: perToken(price("prompt", 12)),
    ...optional,
    ...(ofKinds.length > 0 && { output_images: ofKinds }),
    ...(ofSizes.length > 0 && { seconds: ofSizes }),
  };
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

type OutputImagePrice = NonNullable<ModelPricing["output_images"]>[number];

/** "high 1024x1536 0.25"; null: it is something else. */
function imagePrice(line: string): OutputImagePrice | null {
  const words = line.trim().split(/\s+/);
  const read = readPrice(words.pop() ?? "", 18);
  const size = words.find((word) => /^\d/.test(word));
  const quality = words.find((word) => /^[a-z]+$/.test(word));
  const isRead = words.length === Number(size !== undefined) + Number(quality !== undefined);
  if (words.length === 0 || !isRead || "problem" in read) return null;
  return { ...(quality !== undefined && { quality }), ...(size !== undefined && { size }), price: read.price };
}

/** "1080p 0.25"; null: it is something else. */
function secondPrice(line: string): NonNullable<ModelPricing["seconds"]>[number] | null {
  const { quality, size, price } = imagePrice(line) ?? {};
  return quality !== undefined || size === undefined || price === undefined ? null : { size, price };
}

const isByMillion = (member: PriceMember) => byMillion.some((one) => one === member);

/** Vectors and scores are no output to pay for. */
export function membersOf({ type }: Pick<ModelValues, "type">): readonly PriceMember[] {
  return priceMembers[type];
}

const priceMembers: Readonly<Record<ModelType, readonly PriceMember[]>> = {
  embedding: ["prompt", "image", "request"],
  rerank: ["prompt", "request"],
  chat: ["prompt", "completion", ...promptCachePrices, "image", "image_output", "request"],
  speech: ["character", "prompt", "request"],
  transcription: ["second", "prompt", "completion", "request"],
  image: ["output_image", "prompt", "completion", "image", "request"],
  video: ["second", "request", "image"],
};

/** Members that must be filled in where a model has a price. Media have one of several. */
export const isRequired = (member: PriceMember, { type }: Pick<ModelValues, "type">): boolean =>
  member === "prompt" && !["speech", "transcription", "image", "video"].includes(type);

/** What is wrong, by field. The prices are read here, since their text has another unit than what is sent. */
export function modelProblems(values: ModelValues, taken: readonly string[]): FieldProblems {
  const problems: FieldProblems = {};
  if (taken.includes(values.id.trim())) problems["id"] = "It is already listed. Edit that one instead";
  if ((values.dimensions_minimum.trim() === "") !== (values.dimensions_maximum.trim() === ""))
    problems["dimensions_minimum"] = "Enter both bounds, or neither";
  if (values.input_modalities.length === 0) problems["input_modalities"] = "Choose at least one";
  if (values.priced === "unpriced") return problems;
  for (const member of membersOf(values)) {
    if (!isRequired(member, values) && values[member].trim() === "") continue;
    const read = readPrice(values[member], isByMillion(member) ? 12 : 18);
    if ("problem" in read) problems[member] = read.problem;
  }
  const unread = values.type === "image" && linesOf(values.output_images).find((line) => imagePrice(line) === null);
  if (typeof unread === "string") problems["output_images"] = `Write it as high 1024x1536 0.25, not ${unread.trim()}`;
  const unreadSize = values.type === "video" && linesOf(values.seconds).find((line) => secondPrice(line) === null);
  if (typeof unreadSize === "string") problems["seconds"] = `Write it as 1080p 0.25, not ${unreadSize.trim()}`;
  return problems;
}

/** One model of a list as little as it can be said: absent members of a model that is there stay as they are. */
const asListed = ({ id, upstream_id, type }: OfferedModel): ProviderModel => ({ id, upstream_id, type });

/** A provider's list with further models at its end, or with changed ones in their places. */
export function listWith(models: readonly OfferedModel[], changed: readonly ProviderModel[]): ProviderModel[] {
  const byId = new Map(changed.map((model) => [model.id, model]));
  const kept = models.map((model) => byId.get(model.id) ?? asListed(model));
  return [...kept, ...changed.filter(({ id }) => models.every((model) => model.id !== id))];
}

export function listWithout(models: readonly OfferedModel[], id: string): ProviderModel[] {
  return models.filter((model) => model.id !== id).map(asListed);
}

/** What a change of one model sends: its id, and the members that differ. */
export function modelChange(stored: OfferedModel, values: ModelValues): ProviderModel {
  const before = modelBody(modelValues(stored, ""));
  const wanted = modelBody(values);
  const { id, upstream_id, type } = wanted;
  return { ...changedMembers(before, wanted), id, upstream_id, type };
}

/** The server names a model by its place in the list; the form has only that one. */
export function ofOneModel(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.issues.length === 0) return error;
  const issues = error.issues.map(({ path, message }) => ({ path: path.replace(/^models\.\d+\./, ""), message }));
  return new ApiError(error.status, error.message, {
    metadata: { ...error.metadata, issues },
    requestId: error.requestId,
    retryAfter: error.retryAfter,
  });
}
