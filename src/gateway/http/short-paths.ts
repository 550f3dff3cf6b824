import type { IncomingMessage } from "node:http";
import { basePath as apiPath } from "#contract/api.ts";

/** Whose clients use a path: they expect that API's own shape where it differs from the public API's. */
export type Family = { readonly name: "openai" } | { readonly name: "cohere"; readonly version: "1" | "2" };

const families = new WeakMap<IncomingMessage, Family>();

/**
 * Clients that put `/v1` behind their base URL themselves can be given the gateway's address. Of Cohere's second version
 * only rerank has the public API's form.
 * @returns the path of the API's own
 */
export function fromShortPath(request: IncomingMessage, url: string): string {
  if (/^\/v1(?=[/?]|$)/.test(url)) {
    if (/^\/v1\/rerank(?=\?|$)/.test(url)) families.set(request, { name: "cohere", version: "1" });
    // Anthropic's records of files are the public API's.
    if (/^\/v1\/files(?=[/?]|$)/.test(url) && request.headers["anthropic-version"] === undefined)
      families.set(request, { name: "openai" });
    return `/api${url}`;
  }
  // The public API's guides have batches here.
  if (/^\/api\/beta\/batches(?=[/?]|$)/.test(url)) return url.replace("/api/beta", apiPath);
  if (!/^\/v2\/rerank(?=\?|$)/.test(url)) return url;
  families.set(request, { name: "cohere", version: "2" });
  return url.replace("/v2", apiPath);
}

/** Null: the public API's. */
export const familyOf = (request: IncomingMessage): Family | null => families.get(request) ?? null;
