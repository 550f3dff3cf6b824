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

/** USD a token; null where no price is known. */
function tokenPrice(model: ModelRecord | undefined): number | null {
  const price = Number(model?.pricing.prompt ?? Number.NaN);
  return Number.isFinite(price) && price >= 0 ? price : null;
}

/** "384 dim · free": what stands beside the model that is chosen. */
export function modelFacts(model: ModelRecord): string {
  return [dimensionsOf(model), priceOf(model)].filter(Boolean).join(" · ");
}

function dimensionsOf({ dimensions }: ModelRecord): string {
  return dimensions ? `${formatCount(dimensions.default)} dim` : "";
}

function contextOf({ context_length }: ModelRecord): string {
  return context_length === null ? "context unknown" : `${formatCount(context_length)} tokens`;
}

function priceOf(model: ModelRecord): string {
  const price = tokenPrice(model);
  if (price === null) return "unpriced";
  const image = model.pricing.image ?? "0";
  const each = Number(image) > 0 ? ` + ${formatPrice(image)}/image` : "";
  if (price === 0) return each === "" ? "free" : each.slice(3);
  return `${formatPrice(perMillion(model.pricing.prompt))}/M${each}`;
}

/** The built-in model for what is put in: the one that sees pictures where some may be. */
export function builtInModel(mode: Mode): string {
  return mode === "multimodal" ? "gatehouse/lexical-visual" : "gatehouse/lexical";
}

/** What is asked where nobody chose: the built-in model, else the first that takes what is put in. */
export function defaultModel(list: readonly ModelRecord[], mode: Mode): string | undefined {
  const own = list.find(({ id }) => id === builtInModel(mode));
  const seeing = mode === "multimodal" ? list.find(takesImages) : undefined;
  return (own ?? seeing ?? list[0])?.id;
}
