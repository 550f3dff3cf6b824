/** What was pressed a moment ago, as the possible beginning of two keys in a row. */
export interface Pressed {
  key: string;
  /** milliseconds, by the event's clock */
  at: number;
}

export const nothingPressed: Pressed = { key: "", at: Number.NEGATIVE_INFINITY };

const sequenceMs = 1_000;

/** The name of a key press: `c`, `?`, `Escape`, and with Ctrl or ⌘ `mod+k`. */
export function pressName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">): string {
  return event.ctrlKey || event.metaKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

/**
 * Which of the shortcuts a key press calls, given what was pressed before. Two keys in a row go before one alone, and of
 * two shortcuts with the same keys the one offered last is the innermost.
 */
export function shortcutStep<S extends { keys: string }>(
  offered: readonly S[],
  before: Pressed,
  pressed: Pressed,
): { call: S | undefined; next: Pressed } {
  const inRow = pressed.at - before.at < sequenceMs ? `${before.key} ${pressed.key}` : undefined;
  const call =
    offered.findLast((shortcut) => shortcut.keys === inRow) ??
    offered.findLast((shortcut) => shortcut.keys === pressed.key);
  return { call, next: call ? nothingPressed : pressed };
}
