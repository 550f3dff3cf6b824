/** When a letter last went into a field, by the events' clock; null: none did, or the person left the field. */
export type Typed = number | null;

const restMs = 1_000;

/** What leaves a field on purpose: whatever is pressed next is meant for the page. */
const leaves = new Set(["Tab", "Enter", "Escape"]);

interface Press {
  key: string;
  at: number;
  /** a field had the focus */
  inField: boolean;
}

/**
 * Whether a key press is the rest of a word: the letters before it went into a field, which has lost the focus though the
 * person did nothing to leave it, such as when a render put another one in its place. A pause ends the word.
 */
export function typingStep(before: Typed, { key, at, inField }: Press): { typed: Typed; isRest: boolean } {
  if (leaves.has(key)) return { typed: null, isRest: false };
  if (inField) return { typed: at, isRest: false };
  const isRest = before !== null && at - before < restMs;
  return { typed: isRest ? at : null, isRest };
}
