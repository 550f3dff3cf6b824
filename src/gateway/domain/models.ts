import type {
  ModelList,
  ModelQuery,
  ModelRecord,
  ModelSort,
  listModelEndpoints,
  listZdrEndpoints,
} from "#contract/models.ts";
import type { Output } from "#contract/endpoint.ts";
import type { Offer } from "./catalog.ts";
import type { Context } from "./context.ts";
import { architecture, endpointRecord, modelRecord, outputModality } from "./model-record.ts";
import { parsePrice } from "./price.ts";
import { notFound } from "./refusal.ts";
import { sql } from "kysely";
import { isNamed } from "./routing-exclusion.ts";

const dayMs = 86_400_000;

type Offers = readonly [Offer, ...Offer[]];
interface Listed {
  offers: Offers;
  record: ModelRecord;
}

/** Every model that somebody here offers, filtered and in order. Without `offset` and `limit` the whole list. */
export async function list(ctx: Context, query: ModelQuery): Promise<ModelList> {
  const matching = all(ctx).filter((listed) => matches(listed, query, ctx.now()));
  return page(sorted(ctx, matching, query.sort, await callsOf(ctx, query.sort)), query);
}

/** How often each model was called in the last week or the last 30 days, where the order asks for it. */
async function callsOf(ctx: Context, sort: ModelSort | undefined): Promise<ReadonlyMap<string, number>> {
  const days = sort === "top-weekly" ? 7 : sort === "most-popular" ? 30 : 0;
  if (days === 0) return new Map();
  const { rows } = await sql<{ model: string; calls: bigint }>`
    select model, sum(requests)::bigint as calls from usage_hourly
    where hour >= ${new Date(ctx.now().getTime() - days * dayMs)} group by model`.execute(ctx.store.db);
  return new Map(rows.map(({ model, calls }) => [model, Number(calls)]));
}

export async function listEmbedding(ctx: Context, query: Pick<ModelQuery, "offset" | "limit">): Promise<ModelList> {
  return await list(ctx, { ...query, output_modalities: "embeddings" });
}

export function count(ctx: Context, query: Pick<ModelQuery, "output_modalities">): { data: { count: number } } {
  return { data: { count: all(ctx).filter((listed) => matches(listed, query, ctx.now())).length } };
}

/** @throws Refusal not_found */
export function get(ctx: Context, id: string): ModelRecord {
  return modelRecord(offersOf(ctx, id));
}

/** Who serves a model, with what was measured. */
export function endpoints(ctx: Context, id: string): Output<typeof listModelEndpoints> {
  const offers = offersOf(ctx, id);
  const { name, created, description } = modelRecord(offers);
  const now = ctx.now();
  return {
    data: {
      id,
      name,
      created,
      description,
      architecture: architecture(offers),
      endpoints: offers.map((offer) => endpointRecord(offer, ctx.health, now)),
    },
  };
}

export function zdrEndpoints(ctx: Context): Output<typeof listZdrEndpoints> {
  const now = ctx.now();
  const offers = [...ctx.catalog.current(ctx).offers.values()].flat().filter(({ provider }) => provider.zdr);
  return { data: offers.map((offer) => endpointRecord(offer, ctx.health, now)) };
}

function offersOf(ctx: Context, id: string): Offers {
  const offers = ctx.catalog.current(ctx).offers.get(id);
  if (!isSome(offers)) throw notFound(`No provider here offers the model ${id}; GET /models lists what there is`);
  return offers;
}

function all(ctx: Context): Listed[] {
  return [...ctx.catalog.current(ctx).offers.values()]
    .filter(isSome)
    .map((offers) => ({ offers, record: modelRecord(offers) }));
}

function isSome(offers: readonly Offer[] | undefined): offers is Offers {
  return offers !== undefined && offers.length > 0;
}

/** Members that say something of a model which nobody here knows. */
const unknown = [
  "category",
  "region",
  "min_intelligence_index",
  "max_intelligence_index",
  "min_coding_index",
  "max_coding_index",
  "min_agentic_index",
  "max_agentic_index",
  "min_tool_success_rate",
  "max_tool_success_rate",
] as const satisfies readonly (keyof ModelQuery)[];

function matches({ offers, record }: Listed, query: ModelQuery, now: Date): boolean {
  if (unknown.some((member) => query[member] !== undefined)) return false;
  const { q, context, zdr, distillable } = query;
  const arch = items(query.arch?.toLowerCase());
  const days = (now.getTime() / 1_000 - record.created) / 86_400;
  const output = items(query.output_modalities);
  const authors = items(query.model_authors);
  const providers = items(query.providers);
  const words = q?.toLowerCase();
  return (
    (output === null || output.includes("all") || output.includes(outputModality(offers[0]))) &&
    includesAll(record.architecture.input_modalities, items(query.input_modalities)) &&
    includesAll(record.supported_parameters, items(query.supported_parameters)) &&
    (authors === null || authors.includes(record.id.split("/")[0] ?? "")) &&
    (providers === null || offers.some(({ provider }) => providers.some((name) => isNamed(provider, name)))) &&
    (words === undefined || record.id.toLowerCase().includes(words) || record.name.toLowerCase().includes(words)) &&
    (context === undefined || (record.context_length ?? 0) >= context) &&
    (arch === null || arch.includes(record.architecture.tokenizer.toLowerCase())) &&
    days >= (query.min_age_days ?? 0) &&
    days <= (query.max_age_days ?? Number.POSITIVE_INFINITY) &&
    (zdr === undefined || offers.some(({ provider }) => provider.zdr)) &&
    (distillable === undefined || offers.some(({ model }) => String(model.distillable) === distillable)) &&
    within(perMillion(record.pricing.prompt), query.min_price, query.max_price) &&
    within(perMillion(record.pricing.completion), query.min_output_price, query.max_output_price)
  );
}

function items(list: string | undefined): string[] | null {
  return list === undefined ? null : list.split(",").map((item) => item.trim());
}

function includesAll(has: readonly string[], wanted: readonly string[] | null): boolean {
  return wanted === null || wanted.every((item) => has.includes(item));
}

/** USD for a million; null: no price. For comparing only. */
function perMillion(price: string): number | null {
  return price === "-1" ? null : Number(parsePrice(price)) / 1e12;
}

function within(price: number | null, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  return price !== null && price >= (least ?? 0) && price <= (most ?? Number.POSITIVE_INFINITY);
}

function sorted(
  ctx: Context,
  listed: Listed[],
  sort: ModelSort | undefined,
  calls: ReadonlyMap<string, number>,
): Listed[] {
  if (sort === undefined) return listed.toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1));
  const now = ctx.now();
  const best = (offers: Offers, figure: "latency" | "throughput") =>
    offers.flatMap(({ provider, model }) => ctx.health.of(provider.slug, model.id, now)[figure]?.p50 ?? []);
  const price = ({ record }: Listed) => perMillion(record.pricing.prompt) ?? Number.POSITIVE_INFINITY;
  const popular = ({ record }: Listed) => -(calls.get(record.id) ?? 0);
  const unrated = () => 0;
  const ranks: Record<ModelSort, (one: Listed) => number> = {
    "most-popular": popular,
    "top-weekly": popular,
    "intelligence-high-to-low": unrated,
    "coding-high-to-low": unrated,
    "agentic-high-to-low": unrated,
    "design-arena-elo-high-to-low": unrated,
    newest: ({ record }) => -record.created,
    "pricing-low-to-high": price,
    "pricing-high-to-low": (one) => (Number.isFinite(price(one)) ? -price(one) : Number.POSITIVE_INFINITY),
    "context-high-to-low": ({ record }) => -(record.context_length ?? 0),
    "throughput-high-to-low": ({ offers }) => -Math.max(0, ...best(offers, "throughput")),
    "latency-low-to-high": ({ offers }) => Math.min(Number.MAX_VALUE, ...best(offers, "latency")),
  };
  const rank = ranks[sort];
  return listed.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? (a.record.id < b.record.id ? -1 : 1) : left - right;
  });
}

const defaultPage = 500;

function page(listed: readonly Listed[], { offset, limit }: Pick<ModelQuery, "offset" | "limit">): ModelList {
  const whole = offset === undefined && limit === undefined;
  const from = offset ?? 0;
  const size = whole ? listed.length : (limit ?? defaultPage);
  const data = listed.slice(from, from + size).map(({ record }) => record);
  const next = from + size < listed.length ? `?offset=${from + size}&limit=${size}` : null;
  return { data, links: { next }, total_count: listed.length };
}
