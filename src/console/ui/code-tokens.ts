/** `keyword` also covers punctuation that steps back; `variable` is the reader's own part, in brass. */
export type CodeKind = "plain" | "string" | "keyword" | "variable" | "comment";

export interface CodeToken {
  kind: CodeKind;
  text: string;
}

export type CodeLanguage = "shell" | "typescript" | "python" | "json";

interface Rules {
  pattern: RegExp;
  kinds: Record<string, CodeKind>;
}

const variable = String.raw`(?<variable>\$\{?[A-Z][A-Z0-9_]*\}?|process\.env\.[A-Z0-9_]+|os\.environ\["[A-Z0-9_]+"\])`;
const quoted = String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\`(?:[^\`\\]|\\.)*\`)`;
const literal = String.raw`(?<literal>\b(?:true|false|null|True|False|None|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b)`;

const kinds: Record<string, CodeKind> = {
  comment: "comment",
  variable: "variable",
  string: "string",
  literal: "string",
  keyword: "keyword",
};

function rules(...parts: string[]): Rules {
  return { pattern: new RegExp(parts.join("|"), "gs"), kinds };
}

const languages: Record<CodeLanguage, Rules> = {
  shell: rules(
    String.raw`(?<comment>(?<=^|\s)#[^\n]*)`,
    variable,
    quoted,
    String.raw`(?<literal>https?:\/\/[^\s"'\\]+)`,
  ),
  typescript: rules(
    String.raw`(?<comment>\/\/[^\n]*)`,
    variable,
    quoted,
    literal,
    String.raw`(?<keyword>\b(?:import|from|const|let|await|async|new|return|for|of|export|function)\b)`,
  ),
  python: rules(
    String.raw`(?<comment>#[^\n]*)`,
    variable,
    quoted,
    literal,
    String.raw`(?<keyword>\b(?:import|from|as|with|for|in|def|return|print)\b)`,
  ),
  json: rules(String.raw`(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))`, quoted, literal, String.raw`(?<keyword>[{}[\]])`),
};

/** Cuts source into tokens, good enough for the snippets that the console itself writes; the texts joined are the source. */
export function highlight(source: string, language: CodeLanguage): CodeToken[] {
  const { pattern } = languages[language];
  const tokens: CodeToken[] = [];
  let from = 0;
  function push(kind: CodeKind, text: string) {
    if (!text) return;
    const last = tokens.at(-1);
    if (last?.kind === kind) last.text += text;
    else tokens.push({ kind, text });
  }
  for (const match of source.matchAll(pattern)) {
    push("plain", source.slice(from, match.index));
    const group = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
    const kind = kinds[group] ?? "plain";
    if (kind === "string") pushString(match[0], push);
    else push(kind, match[0]);
    from = match.index + match[0].length;
  }
  push("plain", source.slice(from));
  return tokens;
}

/** A variable inside a string keeps its own color: "Bearer $GATEHOUSE_API_KEY". */
function pushString(text: string, push: (kind: CodeKind, text: string) => void) {
  if (text.startsWith("'")) return push("string", text);
  for (const part of text.split(/(\$\{?[A-Z][A-Z0-9_]*\}?)/)) {
    push(/^\$\{?[A-Z]/.test(part) ? "variable" : "string", part);
  }
}

/** The source that tokens were cut from. */
export function codeText(tokens: readonly CodeToken[]): string {
  return tokens.map((token) => token.text).join("");
}
