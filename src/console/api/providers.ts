import { listProviderSettings } from "#contract/providers.ts";
import type { ProviderRecord } from "#contract/providers.ts";
import { query } from "./query.ts";

/** Every provider with its settings, models and health, in the order that an admin gave them. */
export const everyProvider = query(listProviderSettings);

/** A model as one provider offers it. */
export type OfferedModel = ProviderRecord["models"][number];
