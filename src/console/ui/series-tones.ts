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

/** The categories, and two for groups whose tone another one has. */
const groupTones = [
  ...categories,
  "stroke-data-6 forced-colors:stroke-[CanvasText]",
  "stroke-data-7 forced-colors:stroke-[Highlight]",
] as const;

/** A number from the text alone (FNV-1a), so that a group has the same tone tomorrow. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}

const maxRemembered = 1_000;
const remembered = new Map<string, number>();

/**
 * The classes of each group's stroke. A group keeps its tone in every chart: what it had last, or what its id leads to,
 * unless a group before it has that one. Null, all others together, is soft.
 */
export function tonesOfGroups(
  groups: readonly (string | null)[],
  memory: Map<string, number> = remembered,
): readonly string[] {
  if (memory.size > maxRemembered) memory.clear();
  const taken = new Map<number, string>();
  const own = groups.filter((group) => group !== null);
  const take = (group: string, wanted: number) => {
    let tone = wanted;
    for (let tries = 0; tries < groupTones.length && taken.has(tone); tries += 1) tone = (tone + 1) % groupTones.length;
    taken.set(tone, group);
    memory.set(group, tone);
  };
  // those that were drawn before come first, so that no newcomer moves them
  for (const group of own.filter((one) => memory.has(one))) take(group, memory.get(group) ?? 0);
  for (const group of own.filter((one) => !memory.has(one))) take(group, hashOf(group) % categories.length);
  return groups.map((group) => (group === null ? softer : (groupTones[memory.get(group) ?? 0] ?? first)));
}
