import { expect, it } from "vitest";
import { codeText, highlight, type CodeLanguage } from "./code-tokens.ts";

const curl = `curl https://gw.example/api/v1/embeddings \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -d '{"model": "openai/x", "input": "it costs $USD"}' # once`;
const javascript = `import OpenAI from "openai";\nconst key = process.env.GATEHOUSE_API_KEY;`;
const python = `import os\nkey = os.environ["GATEHOUSE_API_KEY"]`;

it.each(["shell", "typescript", "python", "json"] satisfies CodeLanguage[])(
  "gives back the source as %s",
  (language) => {
    const sources = [`const x = await call("a \\" b"); // end`, `{"a": [1, true, null], "b": "c"}`, `print('x') # y`];
    for (const source of [curl, "", ...sources]) expect(codeText(highlight(source, language))).toBe(source);
  },
);

it.each<[CodeLanguage, string, string, string[]]>([
  // the reader's variable is found inside a double-quoted shell string only
  ["shell", curl, "variable", ["$GATEHOUSE_API_KEY"]],
  ["shell", curl, "comment", ["# once"]],
  // the names of JSON members are told from their values
  ["json", `{ "limit": 50, "reset": "weekly" }`, "string", ["50", '"weekly"']],
  ["json", `{ "limit": 50, "reset": "weekly" }`, "keyword", ["{", "}"]],
  ["typescript", javascript, "keyword", ["import", "from", "const"]],
  ["typescript", javascript, "variable", ["process.env.GATEHOUSE_API_KEY"]],
  ["python", python, "variable", [`os.environ["GATEHOUSE_API_KEY"]`]],
])("finds in %s, %j, each %s: %j", (language, source, kind, texts) => {
  const tokens = highlight(source, language);
  expect(tokens.filter((token) => token.kind === kind).map(({ text }) => text)).toEqual(texts);
  if (kind === "comment") expect(tokens.at(-1)).toEqual({ kind, text: texts[0] });
});

it("takes an address for one string", () => {
  const first = highlight(curl, "shell").find((token) => token.kind === "string");
  expect(first?.text).toBe("https://gw.example/api/v1/embeddings");
});
