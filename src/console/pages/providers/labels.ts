import { presets } from "#contract/provider-presets.ts";
import type { ProviderRecord } from "#contract/providers.ts";

/** What a provider is, under its name. */
export function presetLabel({ kind, preset, slug }: Pick<ProviderRecord, "kind" | "preset" | "slug">): string {
  if (kind === "builtin") return "built in, runs here";
  return preset === "custom" || presets[preset].name.toLowerCase() === slug
    ? slug
    : `${presets[preset].name} · ${slug}`;
}

/** What becomes of requests at the vendor, in a few words. */
export function dataPolicy({ zdr, data_collection }: Pick<ProviderRecord, "zdr" | "data_collection">): string {
  if (zdr) return "Nothing is kept";
  return data_collection === "deny" ? "Not kept or trained on" : "May be kept";
}

/** How many models a provider serves now, and how many of them have no price. */
export function modelsOffered({ models }: Pick<ProviderRecord, "models">): { count: number; unpriced: number } {
  const enabled = models.filter((model) => model.enabled);
  return { count: enabled.length, unpriced: enabled.filter((model) => model.pricing === null).length };
}
