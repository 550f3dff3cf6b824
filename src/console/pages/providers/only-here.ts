import type { ProviderRecord } from "#contract/providers.ts";

type Serving = Pick<ProviderRecord, "slug" | "enabled"> & {
  models: readonly Pick<ProviderRecord["models"][number], "id" | "enabled">[];
};

/** The ids of models that only this provider serves now. */
export function onlyHere(provider: Serving, all: readonly Serving[]): string[] {
  const elsewhere = new Set(all.filter((one) => one.slug !== provider.slug).flatMap(served));
  return served(provider).filter((id) => !elsewhere.has(id));
}

function served({ enabled, models }: Serving): string[] {
  return enabled ? models.filter((model) => model.enabled).map(({ id }) => id) : [];
}
