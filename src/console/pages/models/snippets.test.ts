import { describe, expect, it } from "vitest";
import { codeText } from "../../ui/code-tokens.ts";
import { modelSnippets } from "./snippets.ts";

const baseUrl = "https://gw.example/api/v1";

describe("the snippets of a model", () => {
  it("call the endpoint that its type has, with its id", () => {
    const embedding = modelSnippets({ id: "acme/embed-small", type: "embedding" }, baseUrl);
    const chat = modelSnippets({ id: "acme/talk", type: "chat" }, baseUrl);
    for (const tokens of Object.values(embedding)) {
      expect(codeText(tokens)).toContain(`${baseUrl}/embeddings`);
      expect(codeText(tokens)).toContain('"model": "acme/embed-small"');
    }
    for (const tokens of Object.values(chat)) expect(codeText(tokens)).toContain(`${baseUrl}/chat/completions`);
  });

  it("hold a body that is JSON, and the name of a variable for the key", () => {
    const text = codeText(modelSnippets({ id: "acme/talk", type: "chat" }, baseUrl).curl);
    expect(text).toContain("$GATEWAY_API_KEY");
    expect(JSON.parse(/-d '([^']+)'/.exec(text)?.[1] ?? "")).toEqual({
      model: "acme/talk",
      messages: [{ role: "user", content: "Say hello in one word." }],
    });
  });
});
