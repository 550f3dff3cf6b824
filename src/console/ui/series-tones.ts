const first = "stroke-accent forced-colors:stroke-[CanvasText]";
const softer = "stroke-accent-2 forced-colors:stroke-[GrayText]";
/** In this order neighbors differ in hue and in lightness, in both themes. */
const categories = [
  first,
  "stroke-data-2 forced-colors:stroke-[Highlight]",
  "stroke-data-4 forced-colors:stroke-[LinkText]",
  "stroke-data-3 forced-colors:stroke-[ButtonBorder]",
  "stroke-data-5 forced-colors:stroke-[VisitedText]",
] as const;

/**
 * The classes of each part's stroke in a chart of `count` parts. Two are distinguished by lightness, more by hue; the
 * last of many, which represents all others, is soft.
 */
export function seriesTones(count: number): readonly string[] {
  if (count <= 2) return [first, softer].slice(0, count);
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 && count > categories.length ? softer : (categories[index % categories.length] ?? first),
  );
}
