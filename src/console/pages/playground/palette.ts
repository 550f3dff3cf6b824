/** The colors of the tokens as the browser has resolved them for this theme, for drawing on a canvas. */
export function colours(element: HTMLElement, names: readonly string[]): string[] {
  const before = element.style.color;
  const found = names.map((name) => {
    element.style.color = `var(--${name})`;
    return getComputedStyle(element).color;
  });
  element.style.color = before;
  return found;
}

/** Colors as digits, whatever notation they come in, for files that leave the page. */
export function digits(wanted: readonly string[]): string[] {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return wanted.map((colour) => {
    if (!context) return colour;
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [...channels] = context.getImageData(0, 0, 1, 1).data.subarray(0, 3);
    return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  });
}

/** The scale of the matrix as 256 colors of four bytes. */
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
