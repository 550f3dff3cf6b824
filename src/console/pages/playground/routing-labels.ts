import type { PlaygroundSearch } from "./settings.ts";

/** The settings of routing in a few words: "any", "acme first, no data kept". */
export function routingLabel({ order, fallbacks, collect, dimensions }: PlaygroundSearch): string {
  const first = order?.split(",")[0];
  return [
    first === undefined || first === "" ? "any" : `${first} first`,
    fallbacks === false && "no fallbacks",
    collect === false && "no data kept",
    dimensions !== undefined && `${dimensions} dim`,
  ]
    .filter(Boolean)
    .join(", ");
}
