import { apiPath } from "../../api/base.ts";
import { highlight } from "../../ui/code-tokens.ts";
import type { CodeToken } from "../../ui/code-tokens.ts";
import type { SnippetLanguage } from "../../ui/CodeTabs.tsx";
import type { ModelRow } from "./offers.ts";

/** The address that other programs use for this gateway's API. */
export function gatewayBaseUrl(): string {
  return new URL(apiPath(""), location.href).href;
}

/**
 * A call of this model in three languages, coloured. The key is the name of a variable.
 * @param baseUrl where the API lives, such as `https://gw.example/api/v1`
 */
export function modelSnippets(
  model: Pick<ModelRow, "id" | "type">,
  baseUrl: string,
): Record<SnippetLanguage, CodeToken[]> {
  const { url, body } = callOf(model, baseUrl);
  return {
    curl: highlight(curl(url, body), "shell"),
    typescript: highlight(typescript(url, body), "typescript"),
    python: highlight(python(url, body), "python"),
  };
}

function callOf({ id, type }: Pick<ModelRow, "id" | "type">, baseUrl: string) {
  if (type === "embedding") {
    return { url: `${baseUrl}/embeddings`, body: { model: id, input: "container held at customs" } };
  }
  return {
    url: `${baseUrl}/chat/completions`,
    body: { model: id, messages: [{ role: "user", content: "Say hello in one word." }] },
  };
}

/** JSON on one line with spaces, as people write it. */
function inline(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/([{[]) /g, "$1")
    .replace(/ ([}\]])/g, "$1");
}

function members(body: Record<string, unknown>, indent: string): string {
  return Object.entries(body)
    .map(([name, value]) => `${indent}"${name}": ${inline(value)}`)
    .join(",\n");
}

function curl(url: string, body: Record<string, unknown>): string {
  return `curl ${url} \\
  -H "Authorization: Bearer $GATEWAY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
${members(body, "    ")}
  }'`;
}

function typescript(url: string, body: Record<string, unknown>): string {
  return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer " + process.env.GATEWAY_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
${members(body, "    ")},
  }),
});
const answer = await response.json();`;
}

function python(url: string, body: Record<string, unknown>): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({
${members(body, "        ")},
    }).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEWAY_API_KEY"],
             "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)`;
}
