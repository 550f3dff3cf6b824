import type { Upstream } from "../provider.ts";

/** Google wants its key in a header of its own: https://ai.google.dev/api#authentication */
export function headers(upstream: Upstream, accept: "application/json" | "text/event-stream" = "application/json") {
  return {
    accept,
    "content-type": "application/json",
    ...(upstream.apiKey === null ? {} : { "x-goog-api-key": upstream.apiKey }),
  };
}

export function modelUrl(upstream: Upstream, model: string, method: string): string {
  return `${upstream.baseUrl}/models/${encodeURIComponent(model)}:${method}`;
}
