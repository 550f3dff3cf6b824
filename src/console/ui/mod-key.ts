/** A press with Ctrl, or with ⌘ where that is the key, as it is written on a button: "Ctrl K", "⌘K". */
export function withMod(key: string): string {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? `⌘${key}` : `Ctrl ${key}`;
}
