/** Areas of the public API that this gateway does not serve, by path prefix. */
const areas: readonly (readonly [RegExp, string])[] = [
  [/^\/responses\/./, "kept answers (POST /responses continues one by its previous_response_id)"],
  [/^\/images\/(edits|variations)\b/, "image edits as a form (POST /images takes input_references)"],
  [
    /^\/audio\/translations\b/,
    "translation of speech (POST /audio/transcriptions writes it down, POST /chat/completions translates the text)",
  ],
  [
    /^\/realtime\b/,
    "realtime sessions over WebSocket or WebRTC (POST /chat/completions takes and gives sound with a model that has it; POST /audio/transcriptions and POST /audio/speech do each alone)",
  ],
  [/^\/moderations\b/, "moderation by a model of its own (a guardrail's content filters check every request of a key)"],
  [
    /^\/(assistants|threads)\b/,
    "assistants and threads (POST /responses continues an answer by its previous_response_id)",
  ],
  [/^\/conversations\b/, "kept conversations (POST /responses continues an answer by its previous_response_id)"],
  [/^\/vector_stores\b/, "vector stores (POST /embeddings makes the vectors for a store of your own)"],
  [/^\/containers\b/, "containers (a provider's own code tool of POST /responses runs in one)"],
  [/^\/(fine_tuning|fine-tunes|evals|skills)\b/, "training and evaluation (ask the provider itself)"],
  [/^\/uploads\b/, "uploads in parts (POST /files takes a file as a whole)"],
  [/^\/ocr\b/, "reading of documents by a model of its own (POST /chat/completions takes files)"],
];

/** The public API's area that a path belongs to, where this gateway does not serve it; null elsewhere. @param path behind /api/v1 */
export function unservedArea(path: string): string | null {
  return areas.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
