import { curl } from "../../shell/snippets.ts";
import type { SnippetLanguage } from "../../ui/CodeTabs.tsx";
import type { Message } from "./messages.ts";

export type Dialect = "chat" | "messages" | "responses";

export interface DialectRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** members of the request that this form has no place for */
  readonly dropped: readonly string[];
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  /** everything else, in the form of chat */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Where a program says nothing, Anthropic's clients want a bound of their own. */
const usualMaxTokens = 1_024;

/** The same request in each of the forms in which a conversation can be asked for. */
export function requestIn(dialect: Dialect, { model, messages, more }: ChatRequest): DialectRequest {
  if (dialect === "chat") return { path: "/chat/completions", body: { model, messages, ...more }, dropped: [] };
  const system = messages.find(({ role }) => role === "system")?.content;
  const said = messages.filter(({ role }) => role !== "system");
  const { max_tokens: most, temperature, top_p, reasoning, ...others } = more;
  const same = { ...(temperature !== undefined && { temperature }), ...(top_p !== undefined && { top_p }) };
  const dropped = Object.keys(others);
  if (dialect === "messages") {
    const { effort } = (reasoning ?? {}) as { effort?: unknown };
    return {
      path: "/messages",
      body: {
        model,
        max_tokens: most ?? usualMaxTokens,
        ...(system !== undefined && { system }),
        messages: said.map(({ role, content }) => ({ role, content: anthropicContent(content) })),
        ...same,
        ...(effort !== undefined && { output_config: { effort } }),
      },
      dropped,
    };
  }
  return {
    path: "/responses",
    body: {
      model,
      ...(system !== undefined && { instructions: system }),
      input: said.map(({ role, content }) => ({ role, content: responsesContent(content) })),
      ...(most !== undefined && { max_output_tokens: most }),
      ...same,
      ...(reasoning !== undefined && { reasoning }),
    },
    dropped,
  };
}

function anthropicContent(content: Message["content"]): unknown {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.type === "text") return part;
    const [, media_type = "", data = ""] = /^data:([^;]+);base64,(.*)$/s.exec(part.image_url.url) ?? [];
    return { type: "image", source: { type: "base64", media_type, data } };
  });
}

function responsesContent(content: Message["content"]): unknown {
  if (typeof content === "string") return content;
  return content.map((part) =>
    part.type === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", image_url: part.image_url.url },
  );
}

const quoted = (text: string) => text.replaceAll("'", String.raw`'\''`);

/** A request in three languages. The key is named by its variable. */
export function bodySnippets(url: string, body: unknown): Record<SnippetLanguage, string> {
  const json = JSON.stringify(body, null, 2);
  return {
    curl: curl(url, `'${quoted(json)}'`),
    typescript: `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer " + process.env.GATEHOUSE_API_KEY,
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
    // JSON never has three quotes in a row that are not escaped
    python: `import json, os, urllib.request

body = json.loads(r"""${json}""")
request = urllib.request.Request(
    "${url}",
    data=json.dumps(body).encode(),
    headers={"Authorization": "Bearer " + os.environ["GATEHOUSE_API_KEY"],
             "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
  };
}
