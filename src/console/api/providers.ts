import { listProviderSettings, type ProviderRecord } from "#contract/providers.ts";
import { query } from "./query.ts";

/** Every provider with its settings, models and health, in the order that an admin gave them. */
export const everyProvider = query(listProviderSettings, {});

/** A model as one provider offers it. */
export type OfferedModel = ProviderRecord["models"][number];

/** How many models are served without a price by everybody who serves them. */
export function unpricedModels(providers: readonly Pick<ProviderRecord, "enabled" | "models">[]): number {
  const served = providers
    .filter(({ enabled }) => enabled)
    .flatMap(({ models }) => models)
    .filter(({ enabled }) => enabled);
  const priced = new Set(served.filter(({ pricing }) => pricing !== null).map(({ id }) => id));
  return new Set(served.map(({ id }) => id).filter((id) => !priced.has(id))).size;
}
