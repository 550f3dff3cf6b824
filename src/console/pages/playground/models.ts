import type { ModelRecord } from "#contract/models.ts";
import { formatCount } from "../../format.ts";
import { formatPrice, perMillion } from "../../token-price.ts";
import type { ComboOption } from "../../ui/listbox.ts";
import type { State } from "./playground.ts";

type Mode = State["mode"];

/** Embedding models as choices, with what decides between them; those that cannot take the input stay, with the reason. */
export function modelOptions(models: readonly ModelRecord[], needsImages: boolean): ComboOption[] {
  return models.map((model) => ({
    value: model.id,
    label: model.id,
    detail: [dimensionsOf(model), contextOf(model), priceOf(model), takesImages(model) ? "images" : ""]
      .filter(Boolean)
      .join(" · "),
    keywords: model.name,
    disabledReason: needsImages && !takesImages(model) ? "It takes text, not images" : undefined,
  }));
}

export function takesImages(model: ModelRecord): boolean {
  return model.architecture.input_modalities.includes("image");
}

/** "384 dim · free": shown next to the chosen model. */
export function modelFacts(model: ModelRecord): string {
  return [dimensionsOf(model), priceOf(model)].filter(Boolean).join(" · ");
}

function dimensionsOf({ dimensions }: ModelRecord): string {
  return dimensions ? `${formatCount(dimensions.default)} dim` : "";
}

function contextOf({ context_length }: ModelRecord): string {
  return context_length === null ? "context unknown" : `${formatCount(context_length)} tokens`;
}

/** No provider of the model has a price for what is put in: the list writes that as -1. */
export const isUnpriced = ({ pricing }: Pick<ModelRecord, "pricing">): boolean => !(Number(pricing.prompt) >= 0);

/** A model's prices in words: "$0.02/M", "free" or "unpriced". */
export function priceOf({ pricing }: ModelRecord): string {
  const { prompt, image = "0", request = "0" } = pricing;
  if (isUnpriced({ pricing })) return "unpriced";
  const parts = [
    Number(prompt) > 0 && `${formatPrice(perMillion(prompt))}/M`,
    Number(image) > 0 && `${formatPrice(image)}/image`,
    Number(request) > 0 && `${formatPrice(request)}/request`,
  ];
  return parts.filter(Boolean).join(" + ") || "free";
}

/** The built-in model for what is put in: the one that sees pictures where some may be, else the one of meaning. */
export function builtInModel(mode: Mode): string {
  return mode === "multimodal" ? "gatehouse/lexical-visual" : "gatehouse/semantic-en";
}

/** The default model: the built-in one, or else the first that accepts the input. */
export function defaultModel(list: readonly ModelRecord[], mode: Mode): string | undefined {
  const own = list.find(({ id }) => id === builtInModel(mode));
  const seeing = mode === "multimodal" ? list.find(takesImages) : undefined;
  // The semantic model is optional; wording is compared without any package.
  const wording = list.find(({ id }) => id === "gatehouse/lexical");
  return (own ?? seeing ?? wording ?? list[0])?.id;
}

/** What lies close together in a model's vectors, as far as that is known of it, as a sentence. */
export function closenessSentence(model: string): string {
  if (model === "gatehouse/semantic-en") return "English texts that mean the same lie close together.";
  if (model === "gatehouse/lexical") return "Texts that share words lie close together, whatever they mean.";
  if (model === "gatehouse/lexical-visual")
    return "Texts that share words and images that look alike lie close together, whatever they mean.";
  return "What this model finds alike lies close together.";
}

/**
 * The model that reranks unless another is chosen: one that is made for it, else the built-in one of meaning, else any
 * but the one that made the vectors, which would keep the order that there is; that one where there is no other.
 * @param own what made the vectors
 */
export function defaultReranker(
  rerankers: readonly ModelRecord[],
  embedders: readonly ModelRecord[],
  own: string,
): ModelRecord | undefined {
  const embedder = (id: string) => embedders.find((model) => model.id === id);
  const others = embedders.filter(({ id }) => id !== own);
  const built = own === "gatehouse/semantic-en" ? undefined : embedder("gatehouse/semantic-en");
  return rerankers[0] ?? built ?? others[0] ?? embedder(own);
}
