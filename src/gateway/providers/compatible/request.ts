import type { Upstream } from "../provider.ts";

/** Address of one operation: `…/embeddings`, or with Azure's dated API `…/openai/deployments/{model}/embeddings`. */
export function operationUrl(upstream: Upstream, operation: string, model?: string): string {
  const { deploymentPaths, query } = upstream.options;
  const path =
    deploymentPaths && model !== undefined
      ? `/openai/deployments/${encodeURIComponent(model)}/${operation}`
      : `/${operation}`;
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : "";
  return `${upstream.baseUrl}${path}${search}`;
}

export function headers(
  upstream: Upstream,
  accept: "application/json" | "text/event-stream" | "*/*" = "application/json",
) {
  const { name, prefix } = upstream.options.keyHeader ?? { name: "authorization", prefix: "Bearer " };
  return {
    accept,
    "content-type": "application/json",
    ...(upstream.apiKey === null ? {} : { [name]: `${prefix}${upstream.apiKey}` }),
  };
}
