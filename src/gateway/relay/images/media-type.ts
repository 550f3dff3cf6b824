/** How the base64 of each format begins. */
const beginnings: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["UklGR", "image/webp"],
  ["R0lGOD", "image/gif"],
  ["PHN2Zy", "image/svg+xml"],
  ["PD94bW", "image/svg+xml"],
];

/** The media type of an image, by its bytes in base64; null: it is none of those that models make. */
export function mediaTypeOf(base64: string): string | null {
  return beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? null;
}
