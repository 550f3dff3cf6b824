import type { ModelType } from "#contract/model-type.ts";
import type { ProviderKind, ProviderOptions, ProviderPreset } from "#contract/providers.ts";
import type { ProviderModelsTable, ProvidersTable } from "../../storage/provider-tables.ts";
import type { Selectable } from "kysely";
import type { Prices } from "../ledger/price.ts";

/** A provider as calls need it: the row, its key in plain text, which is only ever sent to the provider. */
export interface CatalogProvider {
  readonly slug: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly preset: ProviderPreset;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** the stored key cannot be decrypted: it was altered, or sealed with an unknown key */
  readonly unreadable: boolean;
  readonly options: ProviderOptions;
  readonly dataCollection: "allow" | "deny";
  readonly zdr: boolean;
  readonly position: number;
  readonly row: Selectable<ProvidersTable>;
}

export interface CatalogModel {
  readonly id: string;
  readonly upstreamId: string;
  readonly type: ModelType;
  readonly name: string;
  readonly contextLength: number | null;
  readonly dimensions: number | null;
  /** null: not stated; the vendor decides about lengths up to `dimensions` */
  readonly dimensionsRange: { readonly minimum: number; readonly maximum: number } | null;
  readonly maxBatch: number | null;
  /** of all inputs of one request; null: the vendor states none */
  readonly maxBatchTokens: number | null;
  /** where a caller gives none; null: the vendor decides */
  readonly inputType: string | null;
  /** what is put before a text of such a type; null: nothing, and the vendor is told the type */
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  /** of the weights, where an admin says so */
  readonly revision: string | null;
  /** cached vectors from before are of other weights; null: no drift canary has found a change */
  readonly vectorsSince: Date | null;
  readonly maxCompletionTokens: number | null;
  readonly inputModalities: readonly string[];
  /** null: unpriced */
  readonly prices: Prices | null;
  readonly quantization: string;
  readonly supportedParameters: readonly string[] | null;
  /** its output may be used to train other models; null: not stated */
  readonly distillable: boolean | null;
  readonly row: Selectable<ProviderModelsTable>;
}

/** A model as one provider has it. */
export interface Offer {
  readonly provider: CatalogProvider;
  readonly model: CatalogModel;
}

/** A workspace's own key at a provider. `settings` is the provider with that key in place of the shared one. */
export interface ByokKey {
  readonly id: string;
  readonly settings: CatalogProvider;
  readonly isFallback: boolean;
  readonly sortOrder: number;
  readonly allowedModels: readonly string[] | null;
  readonly allowedUserIds: readonly string[] | null;
  readonly allowedKeyHashes: readonly string[] | null;
}

/** Everything that may serve calls, at one moment. Disabled providers, models and keys are not in it. */
export interface Catalog {
  /** enabled providers by position */
  readonly providers: readonly CatalogProvider[];
  /** model id → its offers, by the provider's position */
  readonly offers: ReadonlyMap<string, readonly Offer[]>;
  /** `workspace id/provider slug` → keys by sort order */
  readonly byok: ReadonlyMap<string, readonly ByokKey[]>;
}
