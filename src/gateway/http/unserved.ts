/** Areas of the public API that this gateway does not serve, by path prefix. */
const areas: readonly (readonly [RegExp, string])[] = [
  [/^\/responses\/./, "kept answers (POST /responses continues one by its previous_response_id)"],
  [/^\/images\/(edits|variations)\b/, "image edits as a form (POST /images takes input_references)"],
  [/^\/audio\/translations\b/, "translation of speech (it is no part of this API)"],
];

/** The public API's area that a path belongs to, where this gateway does not serve it; null elsewhere. @param path behind /api/v1 */
export function unservedArea(path: string): string | null {
  return areas.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
