import type { ModelType } from "#contract/model-type.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import type { OfferedModel } from "../../api/providers.ts";
import { formatCount } from "../../format.ts";
import { comparePrices, perMillion } from "../../token-price.ts";
import { defaultOrder } from "./list-order.ts";
import type { ModelOrder, ModelsSearch } from "./search.ts";

/** A model as one provider serves it. */
export interface Offer {
  provider: ProviderRecord;
  model: OfferedModel;
  /** both the provider and the model at it are switched on */
  on: boolean;
}

/** The least and the most among those who serve a model. */
export interface PriceSpan {
  least: string;
  most: string;
}

/** One model id with everybody who serves it; those switched on first, in the order of the providers. */
export interface ModelRow {
  id: string;
  name: string;
  type: ModelType;
  context: number | null;
  dimensions: number | null;
  modalities: readonly string[];
  offers: readonly Offer[];
  /** somebody serves it now */
  served: boolean;
  /** USD per million input tokens, lowest and highest among its providers; null: no provider has a price */
  price: PriceSpan | null;
  /** USD for each image and each request besides */
  image: PriceSpan | null;
  request: PriceSpan | null;
  /** the same for a million characters that are spoken */
  character: PriceSpan | null;
  /** and for each second that is heard, or filmed in whichever size */
  second: PriceSpan | null;
  /** and for each image that is made, whatever its quality and size */
  output_image: PriceSpan | null;
  /** some of those who serve it have no price */
  unpriced: boolean;
}

/** All models of all providers, by id. What is switched off everywhere is in it, and says so. */
export function modelRows(providers: readonly ProviderRecord[]): ModelRow[] {
  const offers = providers.flatMap((provider) =>
    provider.models.map((model): Offer => ({ provider, model, on: provider.enabled && model.enabled })),
  );
  return [...Map.groupBy(offers, ({ model }) => model.id)].map(([id, found]) => modelRow(id, found));
}

function modelRow(id: string, offers: readonly Offer[]): ModelRow {
  const sorted = offers.toSorted((a, b) => Number(b.on) - Number(a.on));
  const served = sorted.filter(({ on }) => on);
  const counted = served.length > 0 ? served : sorted;
  const [first] = counted;
  const priced = counted.flatMap(({ model }) => model.pricing ?? []);
  return {
    id,
    name: first?.model.name ?? id,
    type: first?.model.type ?? "embedding",
    context: longest(counted.map(({ model }) => model.context_length)),
    dimensions: first?.model.dimensions ?? null,
    modalities: [...new Set(counted.flatMap(({ model }) => model.input_modalities))],
    offers: sorted,
    served: served.length > 0,
    price: spanOf(priced.map(({ prompt }) => perMillion(prompt))),
    image: spanOf(priced.map(({ image = "0" }) => image)),
    request: spanOf(priced.map(({ request = "0" }) => request)),
    second: spanOf(
      priced.flatMap(({ second = "0", seconds = [] }) =>
        seconds.length === 0 ? [second] : seconds.map(({ price }) => price),
      ),
    ),
    output_image: spanOf(
      priced.flatMap(({ output_image = "0", output_images = [] }) =>
        output_images.length === 0 ? [output_image] : output_images.map(({ price }) => price),
      ),
    ),
    character: spanOf(priced.map(({ character = "0" }) => perMillion(character))),
    unpriced: counted.some(({ model }) => model.pricing === null),
  };
}

/** How many numbers a vector has, and how many it can have: a range of one number is no choice. */
export function dimensionsText({ dimensions, offers }: Pick<ModelRow, "dimensions" | "offers">): string {
  if (dimensions === null) return "Not known";
  const text = formatCount(dimensions);
  const range = offers
    .flatMap(({ on, model }) => (on ? (model.dimensions_range ?? []) : []))
    .find(({ minimum, maximum }) => minimum < maximum);
  return range ? `${text}, or ${formatCount(range.minimum)} to ${formatCount(range.maximum)} on request` : text;
}

function spanOf(prices: readonly string[]): PriceSpan | null {
  const sorted = prices.toSorted(comparePrices);
  const [least, most] = [sorted[0], sorted.at(-1)];
  return least === undefined || most === undefined ? null : { least, most };
}

function longest(lengths: readonly (number | null)[]): number | null {
  const known = lengths.filter((length) => length !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The rows that pass the filters, in the requested order; rows without a figure come last either way. */
export function shownRows(rows: readonly ModelRow[], search: ModelsSearch): ModelRow[] {
  const words = (search.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const sort = search.sort ?? "id";
  const sign = (search.order ?? defaultOrder(sort)) === "asc" ? 1 : -1;
  return rows
    .filter(
      (row) =>
        words.every((word) => `${row.id} ${row.name}`.toLowerCase().includes(word)) &&
        (search.type === undefined || row.type === search.type) &&
        (search.provider === undefined || row.offers.some(({ provider }) => provider.slug === search.provider)) &&
        (search.price === undefined || row.unpriced),
    )
    .toSorted((a, b) => compare(a, b, sort, sign) || byId(a, b));
}

const byId = (a: ModelRow, b: ModelRow) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

function compare(a: ModelRow, b: ModelRow, sort: ModelOrder, sign: 1 | -1): number {
  if (sort === "id") return sign * byId(a, b);
  if (sort === "price") {
    if (a.price === null || b.price === null) return Number(a.price === null) - Number(b.price === null);
    return sign * comparePrices(a.price.least, b.price.least);
  }
  const [left, right] = [a[sort], b[sort]];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return sign * (left - right);
}

/** The slugs of the providers that the lists offer to filter by. */
export function servingProviders(rows: readonly ModelRow[]): { slug: string; name: string }[] {
  const names = new Map(rows.flatMap(({ offers }) => offers.map(({ provider }) => [provider.slug, provider.name])));
  return [...names].map(([slug, name]) => ({ slug, name })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
