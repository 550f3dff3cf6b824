import type { Endpoint, Parsed } from "#contract/endpoint.ts";
import type { Context } from "../domain/context.ts";
import type { Catalog } from "../domain/routing/catalog.ts";
import { compressedOnce, type SendKept } from "./compress.ts";

/** Lists of models that need no credential: anyone may read them as often as they like. */
const publicLists: ReadonlySet<string> = new Set([
  "listModels",
  "listEmbeddingModels",
  "listImageModels",
  "listVideoModels",
]);

/** Whether its answers are kept, and sent compressed. */
export const isPublicList = ({ name }: Endpoint): boolean => publicLists.has(name);

/** Parts of a query whose answer changes with the time, or with the calls that are made. */
const changing = ["sort", "min_age_days", "max_age_days"];

/** Of one catalog. */
const mostKept = 16;
const kept = new WeakMap<Catalog, Map<string, SendKept>>();

/** What a list was answered with, for as long as the catalog stays as it is. */
export interface KeptList {
  readonly send: SendKept | undefined;
  keep(answer: Buffer | string): SendKept;
}

/**
 * @param form what else the answer depends on
 * @returns null where the endpoint is no such list
 */
export function keptList(endpoint: Endpoint, ctx: Context, { query }: Parsed<Endpoint>, form: string): KeptList | null {
  if (!isPublicList(endpoint)) return null;
  const asked = query as Readonly<Record<string, unknown>>;
  if (changing.some((member) => asked[member] !== undefined)) return { send: undefined, keep: compressedOnce };
  const catalog = ctx.catalog.current(ctx);
  const lists = kept.get(catalog) ?? new Map<string, SendKept>();
  kept.set(catalog, lists);
  const key = `${endpoint.name} ${form} ${JSON.stringify(query)}`;
  return {
    send: lists.get(key),
    keep(answer) {
      const send = compressedOnce(answer);
      const [oldest] = lists.size < mostKept ? [] : lists.keys();
      if (oldest !== undefined) lists.delete(oldest);
      lists.set(key, send);
      return send;
    },
  };
}
