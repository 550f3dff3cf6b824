import { describe, expect, it } from "vitest";
import { codeText, highlight, type CodeLanguage } from "./code-tokens.ts";

const curl = `curl https://gw.example/api/v1/embeddings \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -d '{"model": "openai/x", "input": "it costs $USD"}' # once`;

describe("highlight", () => {
  it("gives back the source, whatever the language", () => {
    const sources = [
      curl,
      "",
      `const x = await call("a \\" b"); // end`,
      `{"a": [1, true, null], "b": "c"}`,
      `print('x') # y`,
    ];
    for (const language of ["shell", "typescript", "python", "json"] satisfies CodeLanguage[]) {
      for (const source of sources) expect(codeText(highlight(source, language))).toBe(source);
    }
  });

  it("finds the reader's variable inside a double-quoted shell string only", () => {
    const tokens = highlight(curl, "shell");
    expect(tokens.filter((token) => token.kind === "variable").map((token) => token.text)).toEqual([
      "$GATEHOUSE_API_KEY",
    ]);
    expect(tokens.find((token) => token.kind === "string")?.text).toBe("https://gw.example/api/v1/embeddings");
    expect(tokens.at(-1)).toEqual({ kind: "comment", text: "# once" });
  });

  it("tells the names of JSON members from their values", () => {
    const tokens = highlight(`{ "limit": 50, "reset": "weekly" }`, "json");
    expect(tokens.filter((token) => token.kind === "string").map((token) => token.text)).toEqual(["50", '"weekly"']);
    expect(tokens.filter((token) => token.kind === "keyword").map((token) => token.text)).toEqual(["{", "}"]);
  });

  it("marks keywords and environment variables in TypeScript and Python", () => {
    const typescript = highlight(
      `import OpenAI from "openai";\nconst key = process.env.GATEHOUSE_API_KEY;`,
      "typescript",
    );
    expect(typescript.filter((token) => token.kind === "keyword").map((token) => token.text)).toEqual([
      "import",
      "from",
      "const",
    ]);
    expect(typescript.find((token) => token.kind === "variable")?.text).toBe("process.env.GATEHOUSE_API_KEY");
    const python = highlight(`import os\nkey = os.environ["GATEHOUSE_API_KEY"]`, "python");
    expect(python.find((token) => token.kind === "variable")?.text).toBe(`os.environ["GATEHOUSE_API_KEY"]`);
  });
});
