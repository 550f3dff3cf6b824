import type { ProviderPreferences, SortBy } from "#contract/routing.ts";

const sorts: Readonly<Record<string, SortBy>> = { nitro: "throughput", floor: "price" };

/**
 * `acme/chat:nitro` is `acme/chat` with its providers sorted by throughput, `acme/chat:floor` by price. A model whose
 * own id ends like that takes precedence, and `provider.sort` overrides the suffix.
 * @param isKnown whether a provider here offers a model with this id
 */
export function withoutVariants<P extends ProviderPreferences>(
  models: readonly string[],
  preferences: P,
  isKnown: (id: string) => boolean,
): { models: readonly string[]; preferences: P } {
  let sort: SortBy | null = null;
  const bases = models.map((id) => {
    const at = id.lastIndexOf(":");
    const by = at === -1 || isKnown(id) ? undefined : sorts[id.slice(at + 1)];
    const base = id.slice(0, at);
    if (by === undefined || !isKnown(base)) return id;
    sort ??= by;
    return base;
  });
  if (sort === null) return { models, preferences };
  return { models: [...new Set(bases)], preferences: { ...preferences, sort: preferences.sort ?? sort } };
}
