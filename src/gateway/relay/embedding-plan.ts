import { canBeWritten } from "./embed-batch.ts";
import { hash } from "node:crypto";
import type { Catalog } from "../domain/catalog.ts";
import type { Route } from "../domain/routing.ts";
import type { EmbeddingCache, KnownVector } from "./embedding-cache.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";

/** What of a batch is known before anything is asked. Positions are those of the inputs. */
export interface LookedUp {
  readonly known: ReadonlyMap<number, KnownVector>;
  /** equal to the input at an earlier position */
  readonly repeats: ReadonlyMap<number, number>;
  /** position → cache key of what has to come from elsewhere */
  readonly missing: ReadonlyMap<number, string>;
}

/** How a call may share vectors with others. */
export interface Sharing {
  readonly cache: EmbeddingCache;
  /** vectors from before may serve */
  readonly read: boolean;
  /** new ones may be kept */
  readonly keep: boolean;
}

/** Everything that a vector depends on but its input. Workspaces share nothing. */
export function scopeOf(
  catalog: Catalog,
  workspaceId: string,
  request: EmbeddingsRequest,
  { candidates }: Route,
): string {
  // All that may serve are of one vector space; the first of them by position stands for it, whatever was drawn.
  const offer = catalog.offers
    .get(request.model)
    ?.find(({ provider }) => candidates.some((candidate) => candidate.provider.slug === provider.slug));
  // A provider that is pointed elsewhere makes other vectors.
  const space =
    offer === undefined
      ? []
      : [offer.provider.slug, offer.provider.baseUrl, offer.model.upstreamId, offer.model.dimensions];
  const { model, dimensions, inputType, truncate, extra } = request;
  return JSON.stringify([workspaceId, model, space, dimensions, inputType, truncate, extra]);
}

export function lookUp({ items, format }: EmbeddingsRequest, scope: string, { cache, read }: Sharing): LookedUp {
  const known = new Map<number, KnownVector>();
  const repeats = new Map<number, number>();
  const missing = new Map<number, string>();
  const first = new Map<string, number>();
  items.forEach((item, position) => {
    const input = item.type === "text" ? `text ${item.text}` : JSON.stringify(item);
    const key = hash("sha256", `${scope}\n${input}`, "base64");
    const earlier = first.get(key);
    if (earlier !== undefined) return void repeats.set(position, earlier);
    first.set(key, position);
    const found = read ? cache.find(key) : null;
    if (found === null || !canBeWritten(found, format)) missing.set(position, key);
    else known.set(position, found);
  });
  return { known, repeats, missing };
}

/** Who fetches what is missing: this call, or another one that is doing so already. */
export interface Fetching {
  readonly own: readonly number[];
  readonly awaited: ReadonlyMap<number, Promise<KnownVector | null>>;
  /** hands the vector of an own position to whoever waits for it, and keeps it */
  readonly got: (position: number, known: KnownVector) => void;
  /** lets those go who wait for positions that were not got */
  readonly end: () => void;
}

/**
 * Begins to fetch. Call it when the money for it is reserved: whoever waits for another call's fetch must know that
 * this other call waits for nobody.
 */
export function beginFetching(missing: ReadonlyMap<number, string>, { cache, read, keep }: Sharing): Fetching {
  const awaited = new Map<number, Promise<KnownVector | null>>();
  const open = new Map<number, { key: string; done: (known: KnownVector | null) => void }>();
  for (const [position, key] of missing) {
    const running = read ? cache.underWay(key) : null;
    if (running === null) open.set(position, { key, done: cache.fetching(key) });
    else awaited.set(position, running);
  }
  return {
    own: [...open.keys()],
    awaited,
    got(position, known) {
      const fetch = open.get(position);
      if (fetch === undefined) return;
      open.delete(position);
      if (keep) cache.keep(fetch.key, known);
      fetch.done(known);
    },
    end() {
      for (const { done } of open.values()) done(null);
      open.clear();
    },
  };
}
