import { createHash, hash } from "node:crypto";
import type { Catalog } from "../../domain/routing/catalog.ts";
import type { Route } from "../../domain/routing/routing.ts";
import type { EmbeddingItem, EncodingFormat } from "../../providers/provider.ts";
import type { EmbeddingCachePolicy } from "../../domain/workspaces/stored-vectors.ts";
import { forEachInTurns, runInTurns, type Turn } from "../../turns.ts";
import type { EmbeddingCache, KnownVector } from "./cache.ts";
import type { DurableCache } from "./durable-cache.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { spaceOf } from "./vector-space.ts";
import { formatOf, jsonOf } from "./vectors.ts";

/** What is known about a call before any request is made. Positions are those of the inputs. */
export interface Lookup {
  readonly sharing: Sharing;
  readonly known: ReadonlyMap<number, KnownVector>;
  /** equal to the input at an earlier position */
  readonly repeats: ReadonlyMap<number, number>;
  /** position → cache key of the vectors that have to be fetched */
  readonly missing: ReadonlyMap<number, string>;
}

/** How a call may share vectors with others. */
export interface Sharing {
  readonly cache: EmbeddingCache;
  /** earlier vectors may serve */
  readonly read: boolean;
  /** new ones may be stored */
  readonly keep: boolean;
  /** the workspace's durable cache; null: it has none, or this call must leave nothing in it */
  readonly durable: { readonly cache: DurableCache; readonly policy: EmbeddingCachePolicy } | null;
}

/** Everything that a vector depends on apart from its input. Workspaces share nothing. */
export function scopeOf(
  catalog: Catalog,
  workspaceId: string,
  request: EmbeddingsRequest,
  { candidates }: Route,
): string {
  // All candidates share one vector space; the first of them by position represents it, whatever was drawn.
  const offer = catalog.offers
    .get(request.model)
    ?.find(({ provider }) => candidates.some((candidate) => candidate.provider.slug === provider.slug));
  const { model, dimensions, inputType, truncate, extra } = request;
  const space = offer === undefined ? null : spaceOf(offer, request);
  const since = offer?.model.vectorsSince ?? null;
  const from = [offer?.provider.slug, space?.digest, space?.length, ...(since === null ? [] : [since])];
  return JSON.stringify([workspaceId, model, from, dimensions, inputType, truncate, extra]);
}

/** @param scopeAt the scope of the input at a position */
export async function lookUp(
  request: EmbeddingsRequest,
  scopeAt: (position: number) => string,
  sharing: Sharing,
  turn: Turn,
): Promise<Lookup> {
  const { items } = request;
  const known = new Map<number, KnownVector>();
  const repeats = new Map<number, number>();
  const missing = new Map<number, string>();
  const first = new Map<string, number>();
  turn.begin();
  for (const [position, item] of items.entries()) {
    const scope = scopeAt(position);
    const texts = textsOf(item);
    const key = texts.some((text) => text.length > pieceLength)
      ? await runInTurns(keyOfLong(scope, item, texts), turn)
      : hash("sha256", `${scope}\n${item.type === "text" ? `text ${item.text}` : JSON.stringify(item)}`, "base64");
    if (turn.isOver()) await turn.next();
    const earlier = first.get(key);
    if (earlier !== undefined) {
      repeats.set(position, earlier);
      continue;
    }
    first.set(key, position);
    const found = sharing.read ? findKept(sharing.cache, key, request) : null;
    if (found === null) missing.set(position, key);
    else known.set(position, found);
  }
  await addStored({ sharing, known, repeats, missing }, request, turn);
  return { sharing, known, repeats, missing };
}

/** What the cache has, as the call wants it. */
function findKept(cache: EmbeddingCache, key: string, request: EmbeddingsRequest): KnownVector | null {
  const kept = cache.find(key);
  return kept === null || isOfOtherSpace(kept, request) ? null : writtenAs(kept, request.format);
}

interface Growing extends Lookup {
  readonly known: Map<number, KnownVector>;
  readonly missing: Map<number, string>;
}

/** What the durable cache has of the missing vectors; from then on it is in memory as well. */
async function addStored({ sharing, known, missing }: Growing, request: EmbeddingsRequest, turn: Turn): Promise<void> {
  const { cache, durable, read } = sharing;
  if (durable === null || !read) return;
  const asked = new Map<string, [position: number, key: string]>();
  for (const [position, key] of missing) {
    if (isLasting(request.items[position])) asked.set(durableName(request, key), [position, key]);
  }
  if (asked.size === 0) return;
  const found = await durable.cache.find(durable.policy, [...asked.keys()], turn);
  await forEachInTurns([...found], turn, ([name, vector]) => {
    const wanted = asked.get(name);
    if (wanted === undefined || isOfOtherSpace(vector, request)) return;
    const [position, key] = wanted;
    known.set(position, { ...vector, isStored: true });
    missing.delete(position);
    cache.keep(key, vector);
  });
}

/** The format belongs to it: converted numbers would not be the bytes that the provider sent. */
function durableName({ format }: EmbeddingsRequest, key: string): string {
  return `${format} ${key}`;
}

/** Whether an input is the same tomorrow: what an address leads to may change. */
function isLasting(item: EmbeddingItem | undefined): boolean {
  if (item === undefined) return false;
  if (item.type !== "block") return true;
  return item.parts.every((part) => part.type === "text" || part.image_url.url.startsWith("data:"));
}

/** Whether a provider of another space made it than the caller requires: a fallback's vectors are cached as well. */
export function isOfOtherSpace({ space }: KnownVector, { requiredSpace }: EmbeddingsRequest): boolean {
  return requiredSpace !== null && space !== requiredSpace;
}

/** A cached vector in the requested format; null if it cannot be converted: its bytes were passed on unparsed. */
function writtenAs(known: KnownVector, format: EncodingFormat): KnownVector | null {
  if (formatOf(known.json) === format) return known;
  try {
    return { ...known, json: Buffer.from(jsonOf(known, format), "latin1") };
  } catch {
    return null;
  }
}

/** Characters hashed at once. An image may have thirty million. */
const pieceLength = 262_144;

function textsOf(item: EmbeddingItem): readonly string[] {
  if (item.type === "text") return [item.text];
  if (item.type === "tokens") return [];
  return item.parts.map((part) => (part.type === "text" ? part.text : part.image_url.url));
}

/** The lengths go first, so that no two inputs give the same byte sequence. */
function* keyOfLong(scope: string, item: EmbeddingItem, texts: readonly string[]): Generator<void, string> {
  const kinds = item.type === "block" ? item.parts.map(({ type }) => type) : item.type;
  const head = JSON.stringify([scope, kinds, texts.map((text) => text.length)]);
  const digest = createHash("sha256").update(`long ${head}`);
  for (const text of texts) {
    for (let at = 0; at < text.length; at += pieceLength) {
      digest.update(text.slice(at, at + pieceLength), "utf16le");
      yield;
    }
  }
  return digest.digest("base64");
}

/** Receives each new vector, so that other calls may have it. */
export type OnVector = (position: number, known: KnownVector) => void;

/** Which call fetches a missing vector: this one, or another one that is already doing so. */
export interface Fetching {
  readonly own: readonly number[];
  readonly awaited: ReadonlyMap<number, Promise<KnownVector | null>>;
  /**
   * gives the vector at one of this call's positions to the calls waiting for it, and caches it; null: it is not shared
   */
  readonly onVector: OnVector | null;
  /** releases the calls that wait for positions whose vectors did not arrive */
  readonly end: () => void;
}

/**
 * Starts fetching. Call it when the money is reserved: a call that waits for another's fetch must be able to rely on
 * the other one not waiting itself.
 */
export function beginFetching(
  { missing, sharing: { cache, read, keep, durable } }: Lookup,
  request: EmbeddingsRequest,
): Fetching {
  const awaited = new Map<number, Promise<KnownVector | null>>();
  if (!read && !keep) return { own: [...missing.keys()], awaited, onVector: null, end: () => {} };
  const open = new Map<number, { key: string; done: (known: KnownVector | null) => void }>();
  for (const [position, key] of missing) {
    const running = read ? cache.underWay(key) : null;
    // Another call may have fetched it while this one waited for its reservation.
    const kept = read && running === null ? findKept(cache, key, request) : null;
    if (running !== null) awaited.set(position, running);
    else if (kept !== null) awaited.set(position, Promise.resolve(kept));
    else open.set(position, { key, done: cache.fetching(key) });
  }
  return {
    own: [...open.keys()],
    awaited,
    onVector(position, known) {
      const fetch = open.get(position);
      if (fetch === undefined) return;
      open.delete(position);
      if (keep) cache.keep(fetch.key, known);
      if (keep && durable !== null && isLasting(request.items[position]))
        durable.cache.keep(durable.policy, durableName(request, fetch.key), known);
      fetch.done(known);
    },
    end() {
      for (const { done } of open.values()) done(null);
      open.clear();
    },
  };
}
