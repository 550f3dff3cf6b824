export interface MenuMove {
  /** the item to go to */
  to: number;
  /** the first letters typed so far, when that was what moved */
  letters?: string;
}

/**
 * Where a key leads in a menu (ARIA authoring practices): the arrows go round, Home and End to the ends, letters to the
 * next item that begins with them; the same letter again walks through the items it begins.
 * `at` is -1 while no item has the focus; `letters` is what was typed a moment ago. Null for keys that do not move.
 */
export function menuMove(key: string, at: number, words: readonly string[], letters: string): MenuMove | null {
  const count = words.length;
  if (count === 0) return null;
  if (key === "ArrowDown") return { to: (at + 1) % count };
  if (key === "ArrowUp") return { to: at <= 0 ? count - 1 : at - 1 };
  if (key === "Home") return { to: 0 };
  if (key === "End") return { to: count - 1 };
  if ([...key].length !== 1 || (key === " " && letters === "")) return null;
  const letter = key.toLowerCase();
  const typed = letters === letter ? letter : letters + letter;
  // a single letter looks on from the next item, more of them first at the one that is found already
  const from = typed.length === 1 ? at + 1 : Math.max(at, 0);
  for (let step = 0; step < count; step += 1) {
    const to = (from + step) % count;
    if (words[to]?.startsWith(typed)) return { to, letters: typed };
  }
  return null;
}
