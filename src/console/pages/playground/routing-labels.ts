import type { PlaygroundSearch } from "./settings.ts";

/** The settings of routing in a few words: "any", "acme first, no data kept". */
export function routingLabel({ order, fallbacks, collect, space, dimensions }: PlaygroundSearch): string {
  const first = order?.split(",")[0];
  return [
    first === undefined || first === "" ? "any" : `${first} first`,
    fallbacks === false && "no fallbacks",
    collect === false && "no data kept",
    space !== undefined && "one vector space",
    dimensions !== undefined && `${dimensions} dim`,
  ]
    .filter(Boolean)
    .join(", ");
}
