import { apiPath } from "../../api/base.ts";
import { highlight } from "../../ui/code-tokens.ts";
import type { CodeToken } from "../../ui/code-tokens.ts";

export type Language = "curl" | "typescript" | "python";

/** The built-in model needs no provider, so the snippet runs on a fresh install. */
const model = "gatehouse/lexical";
const input = "container held at customs";

/** How each language reads the key from the environment, and what takes its place when the key itself is copied. */
const variables: Record<Language, { name: string; literal: (key: string) => string }> = {
  curl: { name: "$GATEWAY_API_KEY", literal: (key) => key },
  typescript: { name: "process.env.GATEWAY_API_KEY", literal: (key) => `"${key}"` },
  python: { name: 'os.environ["GATEWAY_API_KEY"]', literal: (key) => `"${key}"` },
};

/**
 * A first call in one language. It names the environment variable, never the key.
 * @param baseUrl where the API lives, such as `https://gw.example/api/v1`
 */
export function snippet(language: Language, baseUrl: string): string {
  return { curl, typescript, python }[language](baseUrl);
}

/** The same with the key in the variable's place. Only for the clipboard. */
export function snippetWithKey(language: Language, baseUrl: string, key: string): string {
  const { name, literal } = variables[language];
  return snippet(language, baseUrl).replace(name, () => literal(key));
}

/** All three, coloured, for rendering. */
export function snippetTokens(baseUrl: string): Record<Language, CodeToken[]> {
  return {
    curl: highlight(curl(baseUrl), "shell"),
    typescript: highlight(typescript(baseUrl), "typescript"),
    python: highlight(python(baseUrl), "python"),
  };
}

/** The address that other programs use for this gateway's API. */
export function gatewayBaseUrl(): string {
  return new URL(apiPath(""), location.href).href;
}

function curl(baseUrl: string): string {
  return `curl ${baseUrl}/embeddings \\
  -H "Authorization: Bearer $GATEWAY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}",
       "input": "${input}"}'`;
}

function typescript(baseUrl: string): string {
  return `const response = await fetch("${baseUrl}/embeddings", {
  method: "POST",
  headers: {
    Authorization: "Bearer " + process.env.GATEWAY_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: "${model}",
    input: "${input}",
  }),
});
const { data } = await response.json();`;
}

function python(baseUrl: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${baseUrl}/embeddings",
    data=json.dumps({"model": "${model}",
                     "input": "${input}"}).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEWAY_API_KEY"],
             "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    data = json.load(response)["data"]`;
}
