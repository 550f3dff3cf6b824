/** Numbers in [0, 1) that are the same for the same seed: mulberry32. The pictures that depend on chance show their seed. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` of `items`, evenly spread, in their order; all of them where there are no more. */
export function spread(items: Int32Array, count: number): Int32Array {
  if (items.length <= count) return items;
  return Int32Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] ?? 0);
}
