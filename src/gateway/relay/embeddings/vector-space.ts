import { hash } from "node:crypto";
import { localUpstreamId } from "../../domain/providers/local-model.ts";
import type { CatalogModel } from "../../domain/routing/catalog.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { builtinRevisions } from "../../providers/local/builtin.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { inputFormOf, roleOf } from "./input-type.ts";

/**
 * What is known of the space of a candidate's vectors before it answers; docs/vector-spaces.md says what makes it.
 * Vectors of one space can be compared with each other, vectors of two cannot.
 */
export interface VectorSpace {
  /** the id's beginning: model, provider, revision and preprocessing */
  readonly digest: string;
  /** of the vectors; null: neither asked for nor declared, so that the answer shows it */
  readonly length: number | null;
  /** the vendor's name of the model that is asked for */
  readonly model: string;
  /** the ids of the answers so far, by the vectors' length and the name in the answer */
  readonly ids: Map<string, string>;
}

type Endpoint = Pick<Candidate, "provider" | "model">;
type Members = Pick<EmbeddingsRequest, "dimensions" | "inputType" | "truncate" | "extra">;

/** By a model at a provider: once per change of its settings, and not per call. */
const known = new WeakMap<CatalogModel, Map<string, VectorSpace>>();
/** Callers choose the preprocessing, so what is stored of it is bounded. */
const mostKnown = 64;
const longestKey = 1_000;
/** Characters of a vendor's name for a model that tell it apart. */
const longestName = 200;

/** The space of what a candidate would answer to this request. */
export function spaceOf(candidate: Endpoint, request: Members): VectorSpace {
  const { dimensions, truncate, inputType, extra } = request;
  const plain = inputType === null && Object.keys(extra).length === 0;
  const key = `${dimensions ?? ""} ${truncate}${plain ? "" : ` ${JSON.stringify([inputType, extra])}`}`;
  let spaces = known.get(candidate.model);
  if (spaces === undefined) known.set(candidate.model, (spaces = new Map()));
  const found = spaces.get(key);
  if (found !== undefined) return found;
  const space = makeSpace(candidate, request);
  if (spaces.size >= mostKnown) spaces.clear();
  if (key.length <= longestKey) spaces.set(key, space);
  return space;
}

/** The version of what is digested. A change of it changes every id, and needs a reason that good. */
const scheme = 1;

function makeSpace(candidate: Endpoint, request: Members): VectorSpace {
  const { provider, model } = candidate;
  const { dimensions, truncate } = request;
  const isLocal = provider.kind === "builtin" && model.upstreamId === localUpstreamId;
  // Each local model has the same name inside the gateway.
  const name = isLocal ? model.id : model.upstreamId;
  const revision = (provider.kind === "builtin" ? builtinRevisions[name] : null) ?? model.revision;
  const { inputType, prefix } = inputFormOf(model, request);
  const preprocessing = isLocal ? { role: roleOf(inputType) } : preprocessingOf(candidate, { ...request, inputType });
  const members = Object.entries(preprocessing).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The gateway cuts what is too long where a vendor's dialect cannot say it, so that `truncate` counts everywhere.
  const digested = JSON.stringify([
    scheme,
    provider.kind,
    addressOf(provider.baseUrl),
    name,
    revision,
    truncate,
    prefix,
    members,
  ]);
  return {
    digest: `vs_${hash("sha256", digested, "hex").slice(0, 20)}`,
    length: dimensions ?? model.dimensions,
    model: model.upstreamId,
    ids: new Map(),
  };
}

function preprocessingOf({ provider, model }: Endpoint, { inputType, truncate, extra }: Members) {
  const dialect = adapters[provider.kind]?.embeddings;
  const call = { model: model.upstreamId, truncate, extra, ...(inputType === null ? {} : { inputType }) };
  return dialect?.preprocessing(toUpstream(provider), call) ?? {};
}

/** One address, however it is written. */
function addressOf(baseUrl: string | null): string {
  if (baseUrl === null || !URL.canParse(baseUrl)) return baseUrl ?? "";
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/**
 * The id of an answer's space.
 * @param named the vendor's own name of the model that answered, where it says so: behind an alias, its revision
 */
export function answeredId({ digest, model, ids }: VectorSpace, length: number, named: string | null): string {
  const answered = named === null || named === model ? "" : named.slice(0, longestName);
  const key = `${length} ${answered}`;
  const found = ids.get(key);
  if (found !== undefined) return found;
  const id = `${digest}-${length}${answered === "" ? "" : `-${hash("sha256", answered, "hex").slice(0, 8)}`}`;
  if (ids.size >= mostKnown) ids.clear();
  ids.set(key, id);
  return id;
}

/** Why a candidate's vectors are not of the space that the caller requires; null while they may be. */
export function otherSpace(candidate: Candidate, request: EmbeddingsRequest): string | null {
  const { requiredSpace } = request;
  if (requiredSpace === null) return null;
  const { digest, length } = spaceOf(candidate, request);
  const [wantedDigest, wantedLength = ""] = requiredSpace.split("-");
  if (digest !== wantedDigest) return `its vectors are of the space ${offered(candidate, request)}`;
  if (length === null || String(length) === wantedLength) return null;
  return `its vectors have ${length} numbers here: send dimensions ${wantedLength}`;
}

/** The spaces of all candidates, for a caller whose required one is not among them. */
export function offeredSpaces(candidates: readonly Candidate[], request: EmbeddingsRequest) {
  const offers = new Map(candidates.map((candidate) => [candidate.provider.slug, offered(candidate, request)]));
  return { required: request.requiredSpace, offered: [...offers].map(([provider, id]) => ({ provider, id })) };
}

/** An id as far as it is known before an answer. */
function offered(candidate: Candidate, request: Members): string {
  const { digest, length } = spaceOf(candidate, request);
  return length === null ? `${digest}-…` : `${digest}-${length}`;
}
