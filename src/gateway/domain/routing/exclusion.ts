import type { CatalogProvider } from "./catalog.ts";
import { excludedBy } from "../guardrails/effective.ts";
import { isFree, parsePrice, unitPrice } from "../ledger/price.ts";
import type { Candidate, ExclusionCode, RouteRequest } from "./routing.ts";

/** Why a candidate is excluded, as a code and a sentence, and the id of the guardrail that does; null: it is not. */
export type Exclusion = readonly [ExclusionCode, string, string?] | null;

/** `OpenAI`, `openai` and `open-ai` all name the provider whose slug is `openai`. */
export function isNamed(provider: Pick<CatalogProvider, "slug" | "name">, name: string): boolean {
  const wanted = fold(name);
  return wanted === fold(provider.slug) || wanted === fold(provider.name);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Reasons to exclude a candidate by itself: the caller's preferences, and what it cannot do. */
export function exclude(candidate: Candidate, request: RouteRequest): Exclusion {
  const { provider, model } = candidate;
  const { preferences } = request;
  const { order } = preferences;
  if (provider.unreadable) return ["credentials", "its stored credentials cannot be decrypted"];
  const guarded = byGuardrails(candidate, request.guardrails);
  if (guarded !== null) return guarded;
  if (preferences.only && !preferences.only.some((name) => isNamed(provider, name)))
    return ["allowed_providers", "only does not name it"];
  // Providers not named in `order` are fallbacks.
  if (preferences.allow_fallbacks === false && order?.length && !order.some((name) => isNamed(provider, name)))
    return ["fallbacks_disabled", "order does not name it, and allow_fallbacks is false"];
  if (preferences.ignore?.some((name) => isNamed(provider, name))) return ["ignored_providers", "ignore names it"];
  if (preferences.data_collection === "deny" && provider.dataCollection !== "deny") {
    return ["data_policy:training", "it may collect request data, and data_collection is deny"];
  }
  if (preferences.zdr === true && !provider.zdr) return ["data_policy:zdr", "it is not known to keep nothing (zdr)"];
  if (preferences.enforce_distillable_text === true && model.type === "chat" && model.distillable !== true) {
    return ["distillable_text", "its texts are not known to be free for training"];
  }
  if (preferences.quantizations && !preferences.quantizations.some((name) => name === model.quantization)) {
    return ["quantization", `its quantization is ${model.quantization}`];
  }
  const unfit = request.unfit?.(candidate) ?? null;
  if (unfit !== null) return ["capability", unfit];
  return (
    overPriced(candidate, request) ??
    tooSmall(candidate, request) ??
    missingParameter(candidate, request) ??
    ofOtherSpace(candidate, request)
  );
}

/** What the guardrails that cover a key have against a model at a provider. */
export function byGuardrails(
  { provider, model }: Pick<Candidate, "provider" | "model">,
  guardrails: RouteRequest["guardrails"],
): Exclusion {
  if (guardrails.length === 0) return null;
  const found = excludedBy(guardrails, {
    modelId: model.id,
    isFree: isFree(model.prices),
    isProvider: (name) => isNamed(provider, name),
    keepsNothing: provider.zdr,
    collects: provider.dataCollection !== "deny",
  });
  return found === null ? null : [found.code, found.reason, found.guardrail.id];
}

function ofOtherSpace(candidate: Candidate, { otherSpace }: RouteRequest): Exclusion {
  const reason = otherSpace?.(candidate) ?? null;
  return reason === null ? null : ["vector_space", reason];
}

const perMillion = 1_000_000n;
/** Beyond any possible price: effectively no bound. */
const noPrice = 1e9;

function overPriced({ model }: Candidate, { preferences, media }: RouteRequest): Exclusion {
  for (const [member, given] of Object.entries(preferences.max_price ?? {})) {
    if (given === undefined || given === null || member === "audio") continue;
    if (typeof given === "number" && given >= noPrice) continue;
    if (model.prices === null) return ["max_price", "it has no price"];
    const kind = member as "prompt" | "completion" | "image" | "request";
    const isMade = kind === "image" && media?.unit === "image";
    const price = isMade ? unitPrice(model.prices, media) : model.prices[kind];
    const asked = price * (kind === "prompt" || kind === "completion" ? perMillion : 1n);
    if (asked > parsePrice(toDecimal(given))) return ["max_price", `its ${kind} price is over max_price.${kind}`];
  }
  return null;
}

/** JSON numbers may be written as `1e-7`; prices are decimal text. */
function toDecimal(price: string | number): string {
  return typeof price === "string" ? price : price.toFixed(18);
}

function tooSmall({ model }: Candidate, { type, dimensions, promptTokens }: RouteRequest): Exclusion {
  if (type === "chat" && model.contextLength !== null && promptTokens > model.contextLength) {
    return ["context_length", `its context is ${model.contextLength} tokens, the prompt has about ${promptTokens}`];
  }
  if (dimensions === null || model.dimensions === null) return null;
  // Without a stated range the vendor decides; but no vendor makes a vector longer than the model's own.
  const { minimum, maximum } = model.dimensionsRange ?? { minimum: 1, maximum: model.dimensions };
  if (dimensions === model.dimensions || (dimensions >= minimum && dimensions <= maximum)) return null;
  return ["dimensions", `its vectors have ${minimum} to ${maximum} dimensions, not ${dimensions}`];
}

function missingParameter(candidate: Candidate, { preferences, parameters, takes = states }: RouteRequest): Exclusion {
  if (preferences.require_parameters !== true) return null;
  const missing = parameters.filter((parameter) => !takes(candidate, parameter));
  return missing.length === 0 ? null : ["require_parameters", `it does not take ${missing.join(", ")}`];
}

/** Whether a model's row lists a parameter; a row that lists none may take all. */
export function states({ model }: Candidate, parameter: string): boolean {
  return model.supportedParameters === null || model.supportedParameters.includes(parameter);
}
