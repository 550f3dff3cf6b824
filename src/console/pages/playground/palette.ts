/** The colours of the tokens as the browser has resolved them for this theme, for drawing on a canvas. */
export function colours(element: HTMLElement, names: readonly string[]): string[] {
  const before = element.style.color;
  const found = names.map((name) => {
    element.style.color = `var(--${name})`;
    return getComputedStyle(element).color;
  });
  element.style.color = before;
  return found;
}

/** The scale of the matrix as 256 colours of four bytes. */
export function scale(element: HTMLElement): Uint8ClampedArray {
  const canvas = document.createElement("canvas");
  canvas.width = 256;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return new Uint8ClampedArray(1_024);
  const gradient = context.createLinearGradient(0, 0, 256, 0);
  const stops = colours(
    element,
    Array.from({ length: 8 }, (_, index) => `seq-${index}`),
  );
  stops.forEach((colour, index) => gradient.addColorStop(index / 7, colour));
  context.fillStyle = gradient;
  context.fillRect(0, 0, 256, 1);
  return context.getImageData(0, 0, 256, 1).data;
}
