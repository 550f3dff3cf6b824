import { expect, it } from "vitest";
import { codeText } from "../../ui/code-tokens.ts";
import { snippet, snippetTokens, snippetWithKey } from "./snippets.ts";

const base = "https://gw.example/api/v1";
const languages = ["curl", "typescript", "python"] as const;

it.each(languages)("%s names the variable, and holds the key only on its way to the clipboard", (language) => {
  expect(snippet(language, base)).toContain("GATEWAY_API_KEY");
  const real = snippetWithKey(language, base, "sk-gh-v1-x$&y");
  expect(real).toContain("Bearer ");
  expect(real).toContain("sk-gh-v1-x$&y");
  expect(real).not.toContain("GATEWAY_API_KEY");
});

it.each(languages)("%s calls this gateway with the built-in model, and is rendered as it is copied", (language) => {
  const text = codeText(snippetTokens(base)[language]);
  expect(text).toBe(snippet(language, base));
  expect(text).toContain(`${base}/embeddings`);
  expect(text).toContain("gatehouse/lexical");
});

it.each(languages)("%s colours the variable", (language) => {
  expect(snippetTokens(base)[language].some((token) => token.kind === "variable")).toBe(true);
});

it("writes a curl call that a shell takes as it is", () => {
  expect(snippet("curl", base).split("\n")).toEqual([
    `curl ${base}/embeddings \\`,
    '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"model": "gatehouse/lexical",`,
    `       "input": "container held at customs"}'`,
  ]);
});
