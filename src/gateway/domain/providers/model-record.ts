import { basePath as apiPath } from "#contract/api.ts";
import type { EndpointRecord, ModelRecord } from "#contract/models.ts";
import type { Offer } from "../routing/catalog.ts";
import type { Deps } from "../context.ts";
import type { HealthBoard } from "../routing/health.ts";
import type { Percentiles } from "../routing/health-window.ts";

type Architecture = ModelRecord["architecture"];

/**
 * The public record of a model, from the providers that offer it: the first one (by position) names it, the first with
 * a price prices it, and the longest context counts.
 */
export function modelRecord(
  offers: readonly [Offer, ...Offer[]],
  known: Dialects & Pick<Deps, "basePath">,
): ModelRecord {
  const [{ model }] = offers;
  const priced = offers.find((offer) => offer.model.prices !== null) ?? offers[0];
  const contextLength = longest(offers.map((offer) => offer.model.contextLength));
  return {
    id: model.id,
    canonical_slug: model.id,
    name: model.name,
    created: Math.floor(Math.min(...offers.map((offer) => offer.model.row.created_at.getTime())) / 1_000),
    description: model.row.description,
    context_length: contextLength,
    architecture: architecture(offers),
    pricing: pricing(priced),
    top_provider: {
      context_length: model.contextLength,
      max_completion_tokens: model.maxCompletionTokens,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: unite(offers.map((offer) => parametersOf(offer, known))),
    supported_voices: null,
    default_parameters: null,
    hugging_face_id: null,
    links: { details: `${known.basePath}${apiPath}/models/${model.id}/endpoints` },
    ...(model.type === "embedding" ? { dimensions: dimensions(model) } : {}),
  };
}

/** What dialects take of calls. */
type Dialects = Pick<Deps, "chatParametersOf" | "imageAbilityOf">;

/** The parameters that a model's row states, else those that reach it. */
function parametersOf({ provider, model }: Offer, known: Dialects): readonly string[] {
  if (model.supportedParameters !== null) return model.supportedParameters;
  if (model.type === "image") return known.imageAbilityOf(provider, model.upstreamId).parameters;
  return model.type === "chat" ? known.chatParametersOf(provider) : [];
}

/** One offer in the endpoints listing. */
export function endpointRecord(
  { provider, model }: Offer,
  known: Dialects & { readonly health: HealthBoard },
  now: Date,
): EndpointRecord {
  const { health } = known;
  const parameters = parametersOf({ provider, model }, known);
  const seen = health.of(provider.slug, model.id, now);
  const uptime = (lastMs: number) => health.uptime(provider.slug, model.id, lastMs, now);
  const takesTools = parameters.includes("tool_choice");
  return {
    name: `${provider.name} | ${model.id}`,
    model_id: model.id,
    model_name: model.name,
    provider_name: provider.name,
    tag: provider.slug,
    context_length: model.contextLength ?? 0,
    max_completion_tokens: model.maxCompletionTokens,
    max_prompt_tokens: null,
    pricing: pricing({ provider, model }),
    quantization: model.row.quantization,
    status: seen.state === "down" ? -2 : 0,
    supported_parameters: [...parameters],
    supports_implicit_caching: false,
    supports_tool_choice: { auto: takesTools, function: takesTools, none: takesTools, required: takesTools },
    uptime_last_5m: uptime(300_000),
    uptime_last_30m: uptime(1_800_000),
    uptime_last_1d: uptime(86_400_000),
    latency_last_30m: scaled(seen.latency, 1_000),
    throughput_last_30m: scaled(seen.throughput, 1),
  };
}

export function architecture(offers: readonly [Offer, ...Offer[]]): Architecture {
  const input = unite(offers.map((offer) => offer.model.inputModalities));
  const output = outputModality(offers[0]);
  return {
    modality: `${input.join("+")}->${output}`,
    input_modalities: input,
    output_modalities: [output],
    tokenizer: "Other",
    instruct_type: null,
  };
}

export function outputModality({
  model,
}: Offer): "embeddings" | "rerank" | "text" | "speech" | "transcription" | "image" | "video" {
  return outputs[model.type];
}

const outputs = {
  embedding: "embeddings",
  rerank: "rerank",
  chat: "text",
  speech: "speech",
  transcription: "transcription",
  image: "image",
  video: "video",
} as const;

function pricing({ model }: Offer): ModelRecord["pricing"] {
  const known = model.row.pricing;
  if (known === null) return { prompt: "-1", completion: "-1" };
  return { ...known, completion: known.completion ?? "0" };
}

function dimensions(model: Offer["model"]): ModelRecord["dimensions"] {
  if (model.dimensions === null) return null;
  const range = model.dimensionsRange ?? { minimum: 1, maximum: model.dimensions };
  return { default: model.dimensions, ...range };
}

function scaled(percentiles: Percentiles | null, factor: number): EndpointRecord["latency_last_30m"] {
  if (percentiles === null) return null;
  const { p50, p75, p90, p99 } = percentiles;
  return { p50: p50 * factor, p75: p75 * factor, p90: p90 * factor, p99: p99 * factor };
}

function longest(lengths: readonly (number | null)[]): number | null {
  const known = lengths.filter((length) => length !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function unite(lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())];
}
