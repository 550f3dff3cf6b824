import { createHash } from "node:crypto";
import type { ApiType } from "#contract/api-type.ts";
import type { ProviderPreferences } from "#contract/routing.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import { takeTurns, type Turn } from "../../turns.ts";
import type { Headers } from "../sent.ts";
import { reasoningHeader } from "../chat/answer-form.ts";
import type { RelayDeps } from "../deps.ts";
import type { CallContext } from "../record.ts";
import type { CachedAnswer } from "./response-cache.ts";
import { cacheWish } from "./wish.ts";

/** How a call uses the response cache. */
export interface Caching {
  /** of all that its answer is made of */
  readonly name: string;
  readonly ttlSeconds: number;
  /** the answer of an equal call; null: there is none */
  readonly found: CachedAnswer | null;
}

interface RoutedCall {
  readonly context: CallContext;
  readonly route: Route;
  readonly apiType: ApiType;
  readonly models: readonly string[];
  readonly stream: boolean;
  readonly preferences: ProviderPreferences;
  /** what the answer depends on besides the body: the caller's headers of its dialect */
  readonly headers: Headers;
}

/** Whether the caller wants to be told how the call was routed, which is a part of the answer. */
const reporting = "x-openrouter-metadata";

/**
 * What the response cache has for a call that could be sent now to the provider that gave the answer. Null: the call
 * does not use the cache. @throws Refusal invalid_request
 */
export async function cachingOf(deps: RelayDeps, routed: RoutedCall): Promise<Caching | null> {
  const { context, route, apiType, models, stream, preferences, headers } = routed;
  const { call, workspaceId } = context;
  const wish = cacheWish(call, preferences);
  if (wish === null || !deps.responseCache.isOn) return null;
  const body = await digest(call.body, takeTurns(call.credential.hash));
  const asked = [reporting, reasoningHeader].map((name) => call.headers[name] ?? null);
  const depends = [call.credential.hash, apiType, models, stream, headers, ...asked, body];
  const name = JSON.stringify(depends);
  if (wish.clear) await deps.responseCache.forget(workspaceId, name);
  const found = wish.clear ? null : await deps.responseCache.find(workspaceId, name);
  const isOffered = found !== null && route.candidates.some((candidate) => sourceOf(candidate) === found.source);
  return { name, ttlSeconds: wish.ttlSeconds, found: isOffered ? found : null };
}

/** What gave an answer: with another address, model, revision or preprocessing it might give another one. */
export function sourceOf({ provider, model }: Pick<Candidate, "provider" | "model">): string {
  const { slug, kind, baseUrl, options } = provider;
  const { id, upstreamId, revision, inputType, queryPrefix, documentPrefix } = model;
  return JSON.stringify([
    slug,
    kind,
    baseUrl,
    options,
    id,
    upstreamId,
    revision,
    inputType,
    queryPrefix,
    documentPrefix,
  ]);
}

const hashedAtOnce = 1_048_576;

async function digest(bytes: Buffer, turn: Turn): Promise<string> {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes.length; from += hashedAtOnce) {
    hash.update(bytes.subarray(from, from + hashedAtOnce));
    if (turn.isOver()) await turn.next();
  }
  return hash.digest("base64");
}

/** What an answer that was not in the cache says of it. */
export function missed(caching: Caching | null): Headers {
  if (caching === null) return {};
  return { "x-openrouter-cache-status": "MISS", "x-openrouter-cache-ttl": String(caching.ttlSeconds) };
}
