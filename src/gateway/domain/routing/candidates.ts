import type { ModelType } from "#contract/model-type.ts";
import type { ByokKey, Catalog, Offer } from "./catalog.ts";
import { notFound, type Refusal } from "../refusal.ts";
import { byGuardrails } from "./exclusion.ts";
import { nearestName } from "./nearest-name.ts";
import type { Candidate, CandidateHealth, PassedOver, RouteRequest } from "./routing.ts";

/** The caller, as far as a workspace's own provider keys are concerned. */
export interface ByokCaller {
  readonly workspaceId: string;
  readonly keyHash: string;
  readonly userId: string | null;
}

/** What may be served, and to whom. */
interface Wanted {
  /** in the order of preference */
  readonly modelIds: readonly string[];
  readonly type: ModelType;
  readonly caller: ByokCaller;
  /** those that cover the caller's key: what they exclude is not proposed instead */
  readonly guardrails: RouteRequest["guardrails"];
}

/**
 * Every way to serve these models: each offer with the workspace's own keys that may be used, and with the shared
 * credentials.
 * @throws Refusal not_found when the first model is unknown here, or is of another type
 */
export function candidatesOf(
  catalog: Catalog,
  wanted: Wanted,
  healthOf: (provider: string, model: string) => CandidateHealth,
): readonly Candidate[] {
  const { modelIds, type, caller } = wanted;
  const offers = modelIds.flatMap((id) => catalog.offers.get(id)?.filter(({ model }) => model.type === type) ?? []);
  if (offers.length === 0) throw unknownModel(catalog, wanted);
  return offers.flatMap((offer) => {
    const health = healthOf(offer.provider.slug, offer.model.id);
    const shared: Candidate = { ...offer, byok: null, health };
    const own = ownKeys(catalog, offer, caller).map(({ settings, id, isFallback, sortOrder }): Candidate => ({
      model: offer.model,
      provider: settings,
      byok: { id, isFallback, sortOrder },
      health,
    }));
    return [...own, shared];
  });
}

/**
 * A candidate with its provider's current credentials and options. Its model stays as it was when the call was priced.
 * @returns null when it is no longer offered to this caller, or its address or data policy is another one: nothing about
 * that was checked for this call
 */
export function currentCandidate(catalog: Catalog, candidate: Candidate, caller: ByokCaller): Candidate | null {
  const { model, provider: before, byok } = candidate;
  const offer = catalog.offers
    .get(model.id)
    ?.find((one) => one.provider.slug === before.slug && one.model.type === model.type);
  if (offer === undefined) return null;
  const provider =
    byok === null ? offer.provider : ownKeys(catalog, offer, caller).find(({ id }) => id === byok.id)?.settings;
  if (provider === undefined || provider.unreadable) return null;
  const isSame =
    provider.kind === before.kind &&
    provider.preset === before.preset &&
    provider.baseUrl === before.baseUrl &&
    provider.dataCollection === before.dataCollection &&
    provider.zdr === before.zdr;
  return isSame ? { ...candidate, provider } : null;
}

function ownKeys(catalog: Catalog, { provider, model }: Offer, caller: ByokCaller): readonly ByokKey[] {
  return ownKeysAt(catalog, provider.slug, caller).filter(
    ({ allowedModels }) => allowedModels === null || allowedModels.includes(model.id),
  );
}

/** A workspace's own keys at a provider that a caller may use, for some model or for all. */
export function ownKeysAt(catalog: Catalog, slug: string, caller: ByokCaller): readonly ByokKey[] {
  if (catalog.byok.size === 0) return [];
  const keys = catalog.byok.get(`${caller.workspaceId}/${slug}`) ?? [];
  return keys.filter(
    (key) =>
      (key.allowedKeyHashes === null || key.allowedKeyHashes.includes(caller.keyHash)) &&
      (key.allowedUserIds === null || (caller.userId !== null && key.allowedUserIds.includes(caller.userId))),
  );
}

function unknownModel(catalog: Catalog, { modelIds, type, guardrails }: Wanted): Refusal {
  const known = modelIds.find((id) => catalog.offers.has(id));
  const { kind, list } = listings[type];
  const isOffered = (id: string) =>
    (catalog.offers.get(id) ?? []).some(
      (offer) => offer.model.type === type && byGuardrails(offer, guardrails) === null,
    );
  const near = known === undefined ? nearestName(modelIds[0] ?? "", catalog.offers.keys(), isOffered) : null;
  const lists = near === null ? `; ${list} lists what there is` : `. Did you mean ${near}? ${list} lists what there is`;
  const refusal =
    known === undefined
      ? notFound(`No provider here offers the model ${modelIds.join(", ")}${lists}`)
      : notFound(`${known} is not ${kind}; ${list} lists what there is`);
  refusal.details.availability = {
    code: known === undefined ? "model_not_found" : "wrong_endpoint",
    retryable: false,
    requested_models: modelIds,
    docs_url,
  };
  return refusal;
}

/** What a type of model is called, and the listing that has it. */
const listings: Readonly<Record<ModelType, { kind: string; list: string }>> = {
  embedding: { kind: "an embedding model", list: "GET /embeddings/models" },
  rerank: { kind: "a rerank or embedding model", list: "GET /models?output_modalities=rerank,embeddings" },
  chat: { kind: "a chat model", list: "GET /models" },
  speech: { kind: "a speech model", list: "GET /models?output_modalities=speech" },
  transcription: { kind: "a transcription model", list: "GET /models?output_modalities=transcription" },
  image: { kind: "an image model", list: "GET /images/models" },
  video: { kind: "a video model", list: "GET /videos/models" },
};

const docs_url = "/api/v1/docs";

/** Every candidate was excluded: says why each one was, and what would let one through. */
export function nobodyLeft(modelIds: readonly string[], passedOver: readonly PassedOver[]): Refusal {
  const reasons = passedOver.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
  const isPrivacy = passedOver.every(
    ({ code, guardrail }) => guardrail !== undefined && code.startsWith("data_policy:"),
  );
  const refusal = notFound(`No provider of ${modelIds.join(", ")} fits the request. ${reasons}`);
  Object.assign(refusal.details, {
    passed_over: passedOver,
    availability: {
      code: isPrivacy ? "privacy_restricted" : "constraint_filtered",
      retryable: false,
      requested_models: modelIds,
      docs_url,
      affected_providers: [...new Set(passedOver.map(({ provider }) => provider))],
      excluded_by: [...new Set(passedOver.map(({ code }) => code))],
    },
  });
  return refusal;
}
