/** What two fingers do to the map; positions are on the canvas. */
interface Gestures {
  pan: (x: number, y: number) => void;
  /** @param x from the middle */
  enlarge: (by: number, x: number, y: number) => void;
}

/**
 * Two fingers move and enlarge the map. One finger is left to the browser, which scrolls the page with it: a map that
 * takes half of a phone must not hold it.
 */
export function watchPinch(canvas: HTMLElement, { pan, enlarge }: Gestures): () => void {
  let before: { x: number; y: number; apart: number } | null = null;
  const fingers = ({ touches: [a, b] }: TouchEvent) => {
    if (!a || !b) return null;
    const box = canvas.getBoundingClientRect();
    return {
      x: (a.clientX + b.clientX) / 2 - box.left - box.width / 2,
      y: (a.clientY + b.clientY) / 2 - box.top - box.height / 2,
      apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
    };
  };
  function onTouch(event: TouchEvent): void {
    const now = fingers(event);
    if (now && event.cancelable) event.preventDefault();
    if (now && before) {
      pan(now.x - before.x, now.y - before.y);
      enlarge(now.apart / before.apart, now.x, now.y);
    }
    before = now;
  }
  const kinds = ["touchstart", "touchmove", "touchend", "touchcancel"] as const;
  for (const kind of kinds) canvas.addEventListener(kind, onTouch, { passive: false });
  return () => {
    for (const kind of kinds) canvas.removeEventListener(kind, onTouch);
  };
}
