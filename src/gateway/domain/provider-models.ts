import type { Transaction } from "kysely";
import type { ModelPricing, ProviderKind, ProviderModel } from "#contract/providers.ts";
import type { Tables } from "../storage/tables.ts";
import type { ProviderModelRow } from "./provider-record.ts";
import { invalid, Refusal } from "./refusal.ts";

/**
 * The rows of a provider's model list as an admin sent it. Of a model that is there already, absent members stay.
 * @throws Refusal naming the model that cannot be as it is
 */
export function modelRows(
  provider: { slug: string; kind: ProviderKind },
  models: readonly ProviderModel[],
  before: readonly ProviderModelRow[],
  now: Date,
): ProviderModelRow[] {
  const seen = new Set<string>();
  return models.map((model, index) => {
    const at = `models.${index}`;
    if (seen.has(model.id)) throw invalid(`${at}.id`, `is listed twice: ${model.id}`);
    seen.add(model.id);
    const row = merge(
      provider.slug,
      model,
      before.find(({ id }) => id === model.id),
      index,
      now,
    );
    refuseInconsistent(row, at);
    if (provider.kind === "builtin") refuseForeign(row, before, at);
    if (provider.kind === "anthropic" && row.type === "embedding") {
      throw invalid(`${at}.type`, "must be chat: Anthropic offers no embeddings");
    }
    return row;
  });
}

function merge(
  slug: string,
  model: ProviderModel,
  old: ProviderModelRow | undefined,
  position: number,
  now: Date,
): ProviderModelRow {
  const keep = <T>(given: T | undefined, kept: T | undefined, fallback: T): T =>
    given === undefined ? (kept ?? fallback) : given;
  const range = model.dimensions_range;
  return {
    provider_slug: slug,
    id: model.id,
    upstream_id: model.upstream_id,
    type: model.type,
    name: model.name ?? old?.name ?? model.id.slice(model.id.indexOf("/") + 1),
    description: keep(model.description, old?.description, ""),
    context_length: keep(model.context_length, old?.context_length, null),
    dimensions: keep(model.dimensions, old?.dimensions, null),
    dimensions_minimum: range === undefined ? (old?.dimensions_minimum ?? null) : (range?.minimum ?? null),
    dimensions_maximum: range === undefined ? (old?.dimensions_maximum ?? null) : (range?.maximum ?? null),
    max_batch: keep(model.max_batch, old?.max_batch, null),
    max_completion_tokens: keep(model.max_completion_tokens, old?.max_completion_tokens, null),
    input_modalities: keep<string[]>(model.input_modalities, old?.input_modalities, ["text"]),
    pricing: model.pricing === undefined ? (old?.pricing ?? null) : pricingOf(model.pricing),
    quantization: keep<string | null>(model.quantization, old?.quantization, null),
    supported_parameters: keep(model.supported_parameters, old?.supported_parameters, null),
    distillable: keep(model.distillable, old?.distillable, null),
    enabled: keep(model.enabled, old?.enabled, true),
    position,
    created_at: old?.created_at ?? now,
  };
}

function pricingOf(pricing: ModelPricing | null): Record<string, string> | null {
  return pricing === null ? null : JSON.parse(JSON.stringify(pricing));
}

function refuseInconsistent(row: ProviderModelRow, at: string): void {
  const { dimensions, dimensions_minimum: minimum, dimensions_maximum: maximum } = row;
  if (minimum === null || maximum === null) return;
  if (minimum > maximum) throw invalid(`${at}.dimensions_range`, "must have a minimum that is not above its maximum");
  if (dimensions !== null && (dimensions < minimum || dimensions > maximum)) {
    throw invalid(`${at}.dimensions`, `must be within dimensions_range (${minimum} to ${maximum})`);
  }
}

/** What the program computes itself can be priced, renamed and switched off, but not made into something else. */
function refuseForeign(row: ProviderModelRow, before: readonly ProviderModelRow[], at: string): void {
  const own = before.find(({ id }) => id === row.id);
  if (!own) throw invalid(`${at}.id`, `must be one of the built-in models: ${before.map(({ id }) => id).join(", ")}`);
  for (const member of ["upstream_id", "type", "dimensions", "dimensions_minimum", "dimensions_maximum"] as const) {
    if (row[member] !== own[member])
      throw invalid(`${at}.${member}`, `cannot be changed for a built-in model: it is ${own[member]}`);
  }
}

/** One model id is one kind of model, whoever offers it. */
export async function refuseOtherType(
  trx: Transaction<Tables>,
  slug: string,
  rows: readonly ProviderModelRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const others = await trx
    .selectFrom("provider_models")
    .select(["id", "type", "provider_slug"])
    .where("provider_slug", "!=", slug)
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  for (const other of others) {
    const index = rows.findIndex(({ id, type }) => id === other.id && type !== other.type);
    if (index === -1) continue;
    throw invalid(
      `models.${index}.type`,
      `must be ${other.type}: that is what ${other.provider_slug} offers as ${other.id}`,
    );
  }
}

/** Puts `rows` in the place of a provider's models. */
export async function replaceModels(
  trx: Transaction<Tables>,
  slug: string,
  rows: readonly ProviderModelRow[],
): Promise<void> {
  await refuseOtherType(trx, slug, rows);
  await trx.deleteFrom("provider_models").where("provider_slug", "=", slug).execute();
  if (rows.length === 0) return;
  await trx
    .insertInto("provider_models")
    .values(rows.map((row) => ({ ...row, pricing: row.pricing === null ? null : JSON.stringify(row.pricing) })))
    .execute();
}

export function refuseEmptyBuiltin(kind: string, rows: readonly ProviderModelRow[]): void {
  if (kind === "builtin" && rows.length === 0) {
    throw new Refusal("invalid_request", "models must keep the built-in model; set enabled to false to switch it off", {
      issues: [{ path: "models", message: "must keep the built-in model" }],
    });
  }
}
