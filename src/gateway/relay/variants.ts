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
    const { base, suffix } = variantIn(id, isKnown);
    const by = Object.hasOwn(sorts, suffix) ? sorts[suffix] : undefined;
    if (by === undefined) return id;
    sort ??= by;
    return base;
  });
  if (sort === null) return { models, preferences };
  return { models: [...new Set(bases)], preferences: { ...preferences, sort: preferences.sort ?? sort } };
}

interface SearchingRequest {
  readonly models: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * `acme/chat:online` is `acme/chat` with the plugin `web`, as the public API says:
 * https://openrouter.ai/docs/guides/features/plugins/web-search
 */
export function withPlugins<R extends SearchingRequest>(request: R, isKnown: (id: string) => boolean): R {
  const { models, body } = request;
  const bases = models.map((id) => {
    const { base, suffix } = variantIn(id, isKnown);
    return suffix === "online" ? base : id;
  });
  if (bases.every((id, at) => id === models[at])) return request;
  const plugins = Array.isArray(body["plugins"]) ? body["plugins"] : [];
  const isThere = plugins.some((plugin: unknown) => (plugin as { id?: unknown } | null)?.id === "web");
  return {
    ...request,
    models: [...new Set(bases)],
    body: isThere ? body : { ...body, plugins: [...plugins, { id: "web" }] },
  };
}

/** What follows a model's id, if a provider here offers it without that alone. */
function variantIn(id: string, isKnown: (id: string) => boolean): { base: string; suffix: string } {
  const at = id.lastIndexOf(":");
  const base = id.slice(0, at);
  return at === -1 || isKnown(id) || !isKnown(base) ? { base: id, suffix: "" } : { base, suffix: id.slice(at + 1) };
}
