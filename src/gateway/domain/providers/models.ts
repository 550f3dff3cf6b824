import type {
  ModelList,
  ModelQuery,
  ModelRecord,
  ModelSort,
  RetrievedModel,
  listModelEndpoints,
  listZdrEndpoints,
} from "#contract/models.ts";
import type { Output } from "#contract/endpoint.ts";
import type { Catalog, Offer } from "../routing/catalog.ts";
import type { Context } from "../context.ts";
import { architecture, endpointRecord, modelRecord, outputModality } from "./model-record.ts";
import { parsePrice } from "../ledger/price.ts";
import { invalid, notFound } from "../refusal.ts";
import { sql } from "kysely";
import { isNamed } from "../routing/exclusion.ts";

const dayMs = 86_400_000;

type Offers = readonly [Offer, ...Offer[]];
export interface Listed {
  offers: Offers;
  record: ModelRecord;
}

/** Every model that a provider here offers, filtered and sorted. Without `offset` and `limit` the whole list. */
export async function list(ctx: Context, query: ModelQuery): Promise<ModelList> {
  const matching = matched(ctx, query, query.output_modalities ?? "text");
  return page(sorted(ctx, matching, query.sort, await callsOf(ctx, query.sort)), query);
}

/**
 * The same in the form of Anthropic's list as well: https://docs.anthropic.com/en/api/models-list
 * @throws Refusal invalid_request for a model that is not in the list
 */
export async function listForAnthropic(ctx: Context, query: ModelQuery): Promise<ModelList> {
  const { offset: _, limit = mostListed, after_id: after, before_id: before, ...rest } = query;
  const { data, ...whole } = await list(ctx, rest);
  const indexOf = (member: "after_id" | "before_id", id: string) => {
    const index = data.findIndex((record) => record.id === id);
    if (index === -1) throw invalid(member, "must be the id of a model in the list");
    return index;
  };
  const end = before === undefined ? data.length : indexOf("before_id", before);
  const start = after === undefined ? 0 : indexOf("after_id", after) + 1;
  // Backward, a page is what comes directly before.
  const from = before === undefined ? start : Math.max(start, end - limit);
  const listed = data.slice(from, Math.min(end, from + limit)).map(forAnthropic);
  const hasMore = before === undefined ? from + limit < end : from > start;
  const [first, last] = [listed.at(0)?.id ?? null, listed.at(-1)?.id ?? null];
  return { ...whole, data: listed, has_more: hasMore, first_id: first, last_id: last };
}

/** Anthropic's own most. */
const mostListed = 1_000;

export function forAnthropic<T extends ModelRecord>(record: T): T {
  const created_at = new Date(record.created * 1_000).toISOString();
  return { ...record, type: "model", display_name: record.name, created_at };
}

function matched(ctx: Context, query: ModelQuery, output: string): Listed[] {
  return all(ctx).filter(matcher({ ...query, output_modalities: output }, ctx.now()));
}

/** How often each model was called in the last week or the last 30 days, if the order needs it. */
async function callsOf(ctx: Context, sort: ModelSort | undefined): Promise<ReadonlyMap<string, number>> {
  const days = sort === "top-weekly" ? 7 : sort === "most-popular" ? 30 : 0;
  if (days === 0) return new Map();
  const { rows } = await sql<{ model: string; calls: bigint }>`
    select model, sum(requests)::bigint as calls from usage_hourly
    where hour >= ${new Date(ctx.now().getTime() - days * dayMs)} group by model`.execute(ctx.store.db);
  return new Map(rows.map(({ model, calls }) => [model, Number(calls)]));
}

type Page = Pick<ModelQuery, "offset" | "limit">;

export function listEmbedding(ctx: Context, query: Page): ModelList {
  return page(sorted(ctx, matched(ctx, {}, "embeddings"), undefined, new Map()), query);
}

/** Image models, by id. */
export function imageOffers(ctx: Context): readonly Listed[] {
  return matched(ctx, {}, "image");
}

/** Video models, by id. */
export function videoOffers(ctx: Context): readonly Listed[] {
  return matched(ctx, {}, "video");
}

/** Models of every output type: a key may call all of them. */
export function listForUser(ctx: Context, query: Page): ModelList {
  return page(sorted(ctx, matched(ctx, {}, "all"), undefined, new Map()), query);
}

export function count(ctx: Context, query: Pick<ModelQuery, "output_modalities">): { data: { count: number } } {
  return { data: { count: matched(ctx, {}, query.output_modalities ?? "text").length } };
}

/** @throws Refusal not_found */
export function get(ctx: Context, id: string): ModelRecord {
  return modelRecord(offersOf(ctx, id), ctx);
}

/** A model in OpenAI's form, plus the public record's members. */
export function retrieve(ctx: Context, id: string): RetrievedModel {
  return { ...get(ctx, id), object: "model", owned_by: id.split("/")[0] ?? "" };
}

/** The endpoints of a model, with their measurements. */
export function endpoints(ctx: Context, id: string): Output<typeof listModelEndpoints> {
  const offers = offersOf(ctx, id);
  const { name, created, description } = modelRecord(offers, ctx);
  const now = ctx.now();
  return {
    data: {
      id,
      name,
      created,
      description,
      architecture: architecture(offers),
      endpoints: offers.map((offer) => endpointRecord(offer, ctx, now)),
    },
  };
}

export function zdrEndpoints(ctx: Context): Output<typeof listZdrEndpoints> {
  const now = ctx.now();
  const offers = [...ctx.catalog.current(ctx).offers.values()].flat().filter(({ provider }) => provider.zdr);
  return { data: offers.map((offer) => endpointRecord(offer, ctx, now)) };
}

function offersOf(ctx: Context, id: string): Offers {
  const offers = ctx.catalog.current(ctx).offers.get(id);
  if (!isSome(offers)) throw notFound(`No provider here offers the model ${id}; GET /models lists what there is`);
  return offers;
}

/** A catalog's records by id, built once: any caller may request thousands of them, as often as they like. */
const records = new WeakMap<Catalog, readonly Listed[]>();

function all(ctx: Context): readonly Listed[] {
  const catalog = ctx.catalog.current(ctx);
  const known = records.get(catalog);
  if (known) return known;
  const made = [...catalog.offers.values()]
    .filter(isSome)
    .map((offers) => ({ offers, record: modelRecord(offers, ctx) }))
    .toSorted((a, b) => (a.record.id < b.record.id ? -1 : 1));
  records.set(catalog, made);
  return made;
}

function isSome(offers: readonly Offer[] | undefined): offers is Offers {
  return offers !== undefined && offers.length > 0;
}

/** Members that describe aspects of a model that are unknown here. */
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

/** The conditions of a query on a model. */
function matcher(query: ModelQuery, now: Date): (listed: Listed) => boolean {
  if (unknown.some((member) => query[member] !== undefined)) return () => false;
  const { q, context, zdr, distillable, min_age_days, max_age_days } = query;
  const arch = items(query.arch?.toLowerCase());
  const output = items(query.output_modalities);
  const input = items(query.input_modalities);
  const parameters = items(query.supported_parameters);
  const authors = items(query.model_authors);
  const providers = items(query.providers);
  const words = q?.toLowerCase();
  // An instant from another clock may lie in the future: then the model is new.
  const daysOf = ({ created }: ModelRecord) => Math.max(0, now.getTime() / 1_000 - created) / 86_400;
  return ({ offers, record }) =>
    (output === null || output.includes("all") || output.includes(outputModality(offers[0]))) &&
    includesAll(record.architecture.input_modalities, input) &&
    includesAll(record.supported_parameters, parameters) &&
    (authors === null || authors.includes(record.id.split("/")[0] ?? "")) &&
    (providers === null || offers.some(({ provider }) => providers.some((name) => isNamed(provider, name)))) &&
    (words === undefined || record.id.toLowerCase().includes(words) || record.name.toLowerCase().includes(words)) &&
    (context === undefined || (record.context_length ?? 0) >= context) &&
    (arch === null || arch.includes(record.architecture.tokenizer.toLowerCase())) &&
    (min_age_days === undefined || daysOf(record) >= min_age_days) &&
    (max_age_days === undefined || daysOf(record) <= max_age_days) &&
    (zdr === undefined || offers.some(({ provider }) => provider.zdr)) &&
    (distillable === undefined || offers.some(({ model }) => String(model.distillable) === distillable)) &&
    within(record.pricing.prompt, query.min_price, query.max_price) &&
    within(record.pricing.completion, query.min_output_price, query.max_output_price);
}

function items(list: string | undefined): string[] | null {
  return list === undefined ? null : list.split(",").map((item) => item.trim());
}

function includesAll(has: readonly string[], wanted: readonly string[] | null): boolean {
  return wanted === null || wanted.every((item) => has.includes(item));
}

/** USD per million; null: no price. Only for comparing. */
function perMillion(price: string): number | null {
  return price === "-1" ? null : Number(parsePrice(price)) / 1e12;
}

function within(price: string, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  const usd = perMillion(price);
  return usd !== null && usd >= (least ?? 0) && usd <= (most ?? Number.POSITIVE_INFINITY);
}

function sorted(
  ctx: Context,
  listed: Listed[],
  sort: ModelSort | undefined,
  calls: ReadonlyMap<string, number>,
): Listed[] {
  if (sort === undefined) return listed;
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

/** The query of the next page: the same filters and order. */
function nextPage(query: Partial<ModelQuery>, offset: number, limit: number): string {
  const given = Object.entries({ ...query, offset, limit }).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString()}`;
}

function page(listed: readonly Listed[], query: Partial<ModelQuery>): ModelList {
  const { offset, limit } = query;
  const whole = offset === undefined && limit === undefined;
  const from = offset ?? 0;
  const size = whole ? listed.length : (limit ?? defaultPage);
  const data = listed.slice(from, from + size).map(({ record }) => record);
  const next = from + size < listed.length ? nextPage(query, from + size, size) : null;
  return { data, links: { next }, total_count: listed.length };
}
