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
export function tokenPrice(model: ModelRecord | undefined): number | null {
  const price = Number(model?.pricing.prompt ?? Number.NaN);
  return Number.isFinite(price) && price >= 0 ? price : null;
}

/** USD for a call, whatever is in it. */
export function requestPrice(model: ModelRecord | undefined): number {
  return Math.max(0, Number(model?.pricing.request ?? 0) || 0);
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
  return price === 0 ? "free" : `${formatPrice(perMillion(model.pricing.prompt))}/M`;
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
