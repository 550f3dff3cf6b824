import { expect, it } from "vitest";
import { languages, snippet, snippetText } from "./snippets.ts";

const base = "https://gw.example/api/v1";

it.each(languages)("%s names the variable, and holds the key only on its way to the clipboard", (language) => {
  const tokens = snippet(language, base);
  expect(snippetText(tokens)).toContain("GATEWAY_API_KEY");
  const real = snippetText(tokens, "sk-gh-v1-x$&y");
  expect(real).toContain("sk-gh-v1-x$&y");
  expect(real).not.toContain("GATEWAY_API_KEY");
  expect(JSON.stringify(tokens)).not.toContain("sk-gh-v1");
});

it.each(languages)("%s calls this gateway with the built-in model", (language) => {
  const text = snippetText(snippet(language, base));
  expect(text).toContain(`${base}/embeddings`);
  expect(text).toContain("gatehouse/lexical");
});

it("writes a curl call that a shell takes as it is", () => {
  expect(snippetText(snippet("curl", base))).toBe(
    [
      `curl ${base}/embeddings \\`,
      '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d '{"model": "gatehouse/lexical",`,
      `       "input": "container held at customs"}'`,
    ].join("\n"),
  );
});
