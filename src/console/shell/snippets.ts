import type { ModelType } from "#contract/model-type.ts";
import { apiPath } from "../api/base.ts";
import { highlight, type CodeToken } from "../ui/code-tokens.ts";
import type { SnippetLanguage } from "../ui/CodeTabs.tsx";
import type { CalledModel } from "./first-model.ts";

/** How each language reads the key from the environment, and what takes its place when the key itself is copied. */
const variables: Record<SnippetLanguage, { name: string; literal: (key: string) => string }> = {
  curl: { name: "$GATEHOUSE_API_KEY", literal: (key) => key },
  typescript: { name: "process.env.GATEHOUSE_API_KEY", literal: (key) => `"${key}"` },
  python: { name: 'os.environ["GATEHOUSE_API_KEY"]', literal: (key) => `"${key}"` },
};

/** A first call, in one of the forms in which a type of model can be asked. */
interface FirstCall {
  readonly path: string;
  readonly says: Readonly<Record<string, unknown>>;
  /** the file that the answer is saved as; absent: it is JSON */
  readonly file?: string;
  /** what Python prints of the answer; absent: all of it */
  readonly prints?: string;
}

const greeting = "Say hello in one word.";
const messages = [{ role: "user", content: greeting }];

/** The forms in which a chat model can be asked: whichever a provider speaks, the gateway translates. */
export const chatForms = {
  chat: { path: "/chat/completions", says: { messages } },
  messages: { path: "/messages", says: { max_tokens: 100, messages } },
  responses: { path: "/responses", says: { input: greeting } },
} as const satisfies Record<string, FirstCall>;
export type ChatForm = keyof typeof chatForms;

const firstCalls: Readonly<Record<Exclude<ModelType, "transcription">, FirstCall>> = {
  embedding: {
    path: "/embeddings",
    says: { input: "container held at customs" },
    prints: `len(answer["data"][0]["embedding"]), "numbers"`,
  },
  rerank: {
    path: "/rerank",
    says: { query: "late shipment", documents: ["container held at customs", "invoice paid", "lunch at noon"] },
  },
  chat: chatForms.chat,
  speech: {
    path: "/audio/speech",
    says: { voice: "alloy", input: "Your container is held at customs.", response_format: "mp3" },
    file: "speech.mp3",
  },
  image: { path: "/images", says: { prompt: "a red gate" } },
  video: { path: "/videos", says: { prompt: "a red gate opens", duration: 4 } },
};

/** The address that other programs use for this gateway's API. */
export function gatewayBaseUrl(): string {
  return new URL(apiPath(""), location.href).href;
}

/**
 * A first call of a model in three languages. It names the environment variable, never the key.
 * @param baseUrl where the API lives, such as `https://gw.example/api/v1`
 * @param form of a chat model's call
 */
export function callSnippets(
  baseUrl: string,
  model: CalledModel,
  form: ChatForm = "chat",
): Record<SnippetLanguage, string> {
  if (model.type === "transcription") return transcriptionSnippets(`${baseUrl}/audio/transcriptions`, model.id);
  const {
    path,
    says,
    file,
    prints = "answer",
  }: FirstCall = model.type === "chat" ? chatForms[form] : firstCalls[model.type];
  const body = Object.entries({ model: model.id, ...says }).map(([name, value]) => `"${name}": ${inline(value)}`);
  const url = baseUrl + path;
  return {
    curl: curl(url, `'{${body.join(",\n       ")}}'`) + (file === undefined ? "" : ` \\\n  -o ${file}`),
    typescript: `${file === undefined ? "" : 'import { writeFile } from "node:fs/promises";\n\n'}const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer " + process.env.GATEHOUSE_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    ${body.join(",\n    ")},
  }),
});
${file === undefined ? "console.log(await response.json());" : `await writeFile("${file}", await response.bytes());`}`,
    python: `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({${body.join(",\n                     ")}}).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEHOUSE_API_KEY"],
             "Content-Type": "application/json"},
)
${
  file === undefined
    ? `with urllib.request.urlopen(request) as response:\n    answer = json.load(response)\nprint(${prints})`
    : `with urllib.request.urlopen(request) as response, open("${file}", "wb") as file:\n    file.write(response.read())`
}`,
  };
}

/** A first call with a recording of the caller's own. */
const transcriptionSnippets = (url: string, id: string): Record<SnippetLanguage, string> => ({
  curl: `curl ${url} \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -F model=${id} \\
  -F file=@speech.mp3`,
  typescript: `import { openAsBlob } from "node:fs";

const form = new FormData();
form.set("model", "${id}");
form.set("file", await openAsBlob("speech.mp3"), "speech.mp3");
const response = await fetch("${url}", {
  method: "POST",
  headers: { Authorization: "Bearer " + process.env.GATEHOUSE_API_KEY },
  body: form,
});
console.log(await response.json());`,
  python: `import base64, json, os, urllib.request

with open("speech.mp3", "rb") as file:
    audio = base64.b64encode(file.read()).decode()
request = urllib.request.Request(
    "${url}",
    data=json.dumps({"model": "${id}",
                     "input_audio": {"data": audio, "format": "mp3"}}).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEHOUSE_API_KEY"],
             "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
});

/** @param data what the shell hands to curl, quoted */
export const curl = (url: string, data: string): string => `curl ${url} \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${data}`;

/** A snippet with the key in the variable's place. Only for the clipboard. */
export function withKey(language: SnippetLanguage, snippet: string, key: string): string {
  const { name, literal } = variables[language];
  return snippet.replace(name, () => literal(key));
}

/** All three, colored, for rendering. */
export function snippetTokens(snippets: Record<SnippetLanguage, string>): Record<SnippetLanguage, CodeToken[]> {
  return {
    curl: highlight(snippets.curl, "shell"),
    typescript: highlight(snippets.typescript, "typescript"),
    python: highlight(snippets.python, "python"),
  };
}

/** JSON on one line with spaces, as people write it. */
function inline(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/([{[]) /g, "$1")
    .replace(/ ([}\]])/g, "$1");
}
