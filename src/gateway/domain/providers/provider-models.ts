import type { Transaction } from "kysely";
import type { ModelType } from "#contract/model-type.ts";
import type { ProviderKind, ProviderModel } from "#contract/providers.ts";
import type { Tables } from "../../storage/tables.ts";
import { given } from "../patch.ts";
import { modelDefaults, type ProviderModelRow } from "./record.ts";
import { invalid, Refusal } from "../refusal.ts";

/**
 * The rows of a provider's model list as an admin sent it. For a model that already exists, absent members stay.
 * @throws Refusal naming the invalid model
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
    const old = before.find(({ id }) => id === model.id);
    const row = {
      ...merged(model, old),
      provider_slug: provider.slug,
      position: index,
      created_at: old?.created_at ?? now,
    };
    refuseInconsistent(row, at);
    if (provider.kind === "builtin") refuseForeign(row, before, at);
    const without = lacking[provider.kind]?.[row.type];
    if (without !== undefined) throw invalid(`${at}.type`, without);
    return row;
  });
}

/** Types of models that a kind of provider has no dialect for. */
const lacking: Readonly<Partial<Record<ProviderKind, Partial<Record<ModelType, string>>>>> = {
  anthropic: {
    embedding: "must be chat: Anthropic offers no embeddings",
    rerank: "must be chat: Anthropic offers no rerank models",
    speech: "must be chat: Anthropic offers no speech",
    transcription: "must be chat: Anthropic offers no speech to text",
    image: "must be chat: Anthropic makes no images",
    video: "must be chat: Anthropic makes no videos",
  },
  gemini: {
    rerank: "must be embedding, chat, image or video: Gemini's API has no rerank models",
    speech: "must be embedding, chat, image or video: the gateway does not speak Gemini's dialect for speech",
    transcription: "must be embedding, chat, image or video: the gateway does not speak Gemini's dialect for speech",
  },
  cohere: {
    speech: "must be embedding, rerank or chat: Cohere offers no speech",
    transcription: "must be embedding, rerank or chat: the gateway does not speak Cohere's dialect for speech",
    image: "must be embedding, rerank or chat: Cohere makes no images",
    video: "must be embedding, rerank or chat: Cohere makes no videos",
  },
};

function merged({ dimensions_range: range, ...model }: ProviderModel, old: ProviderModelRow | undefined) {
  return {
    ...modelDefaults,
    name: model.id.slice(model.id.indexOf("/") + 1),
    ...old,
    ...given(model),
    ...(range !== undefined && {
      dimensions_minimum: range?.minimum ?? null,
      dimensions_maximum: range?.maximum ?? null,
    }),
  };
}

function refuseInconsistent(row: ProviderModelRow, at: string): void {
  const { dimensions, dimensions_minimum: minimum, dimensions_maximum: maximum } = row;
  if (minimum === null || maximum === null) return;
  if (minimum > maximum) throw invalid(`${at}.dimensions_range`, "must have a minimum that is not above its maximum");
  if (dimensions !== null && (dimensions < minimum || dimensions > maximum)) {
    throw invalid(`${at}.dimensions`, `must be within dimensions_range (${minimum} to ${maximum})`);
  }
}

/** A prefix would be counted by nobody: what a built-in model reads is known before it runs. */
const fixed = [
  "upstream_id",
  "type",
  "dimensions",
  "dimensions_minimum",
  "dimensions_maximum",
  "query_prefix",
  "document_prefix",
] as const;

/** A built-in model can be priced, renamed and disabled, but not turned into something else. */
function refuseForeign(row: ProviderModelRow, before: readonly ProviderModelRow[], at: string): void {
  const own = before.find(({ id }) => id === row.id);
  if (!own) throw invalid(`${at}.id`, `must be one of the built-in models: ${before.map(({ id }) => id).join(", ")}`);
  for (const member of fixed) {
    if (row[member] !== own[member])
      throw invalid(`${at}.${member}`, `cannot be changed for a built-in model: it is ${own[member]}`);
  }
}

/** One model id has one type, whichever provider offers it. */
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

/** Replaces a provider's models with `rows`. */
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
