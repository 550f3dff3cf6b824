/** The languages of the snippets, in the order of their tabs. */
export const languages = ["curl", "typescript", "python"] as const;
export type Language = (typeof languages)[number];

export interface SnippetToken {
  kind: "plain" | "string" | "keyword" | "variable" | "comment";
  text: string;
  /** what takes this token's place when the real key is copied; `{key}` stands for it */
  withKey?: string;
}

/** The built-in model needs no provider, so the snippet runs on a fresh install. */
const model = "gatehouse/lexical";
const input = "container held at customs";

const plain = (text: string): SnippetToken => ({ kind: "plain", text });
const string = (text: string): SnippetToken => ({ kind: "string", text });
const keyword = (text: string): SnippetToken => ({ kind: "keyword", text });
const secret = (text: string, withKey: string): SnippetToken => ({ kind: "variable", text, withKey });

/**
 * A first call in one language, as tokens. Rendered, it names the environment variable; the key itself is only ever put
 * in by {@link snippetText} on its way to the clipboard.
 * @param baseUrl where the API lives, such as `https://gw.example/api/v1`
 */
export function snippet(language: Language, baseUrl: string): SnippetToken[] {
  return { curl, typescript, python }[language](baseUrl);
}

/** The snippet's text; with a key, the text that works as it is. */
export function snippetText(tokens: readonly SnippetToken[], key?: string): string {
  return tokens
    .map((token) => (key === undefined ? token.text : (token.withKey?.replace("{key}", () => key) ?? token.text)))
    .join("");
}

function curl(baseUrl: string): SnippetToken[] {
  return [
    plain("curl "),
    string(`${baseUrl}/embeddings`),
    plain(" \\\n  -H "),
    string('"Authorization: Bearer '),
    secret("$GATEWAY_API_KEY", "{key}"),
    string('"'),
    plain(" \\\n  -H "),
    string('"Content-Type: application/json"'),
    plain(" \\\n  -d "),
    string(`'{"model": "${model}",\n       "input": "${input}"}'`),
  ];
}

function typescript(baseUrl: string): SnippetToken[] {
  return [
    keyword("const"),
    plain(" response = "),
    keyword("await"),
    plain(" fetch("),
    string(`"${baseUrl}/embeddings"`),
    plain(", {\n  method: "),
    string('"POST"'),
    plain(",\n  headers: {\n    Authorization: "),
    string("`Bearer ${"),
    secret("process.env.GATEWAY_API_KEY", '"{key}"'),
    string("}`"),
    plain(",\n    "),
    string('"Content-Type"'),
    plain(": "),
    string('"application/json"'),
    plain(",\n  },\n  body: JSON.stringify({\n    model: "),
    string(`"${model}"`),
    plain(",\n    input: "),
    string(`"${input}"`),
    plain(",\n  }),\n});\n"),
    keyword("const"),
    plain(" { data } = "),
    keyword("await"),
    plain(" response.json();"),
  ];
}

function python(baseUrl: string): SnippetToken[] {
  return [
    keyword("import"),
    plain(" json, os, urllib.request\n\nrequest = urllib.request.Request(\n    "),
    string(`"${baseUrl}/embeddings"`),
    plain(",\n    data=json.dumps({"),
    string('"model"'),
    plain(": "),
    string(`"${model}"`),
    plain(",\n                     "),
    string('"input"'),
    plain(": "),
    string(`"${input}"`),
    plain("}).encode(),\n    headers={"),
    string('"Authorization"'),
    plain(": "),
    string('"Bearer "'),
    plain(" + "),
    secret('os.environ["GATEWAY_API_KEY"]', '"{key}"'),
    plain(",\n             "),
    string('"Content-Type"'),
    plain(": "),
    string('"application/json"'),
    plain("},\n)\n"),
    keyword("with"),
    plain(" urllib.request.urlopen(request) "),
    keyword("as"),
    plain(" response:\n    data = json.load(response)["),
    string('"data"'),
    plain("]"),
  ];
}
