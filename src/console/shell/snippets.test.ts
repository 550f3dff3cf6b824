import { describe, expect, it } from "vitest";
import { ImageBody } from "#contract/images.ts";
import { MessagesBody } from "#contract/messages.ts";
import { ResponsesBody } from "#contract/responses.ts";
import { SpeechBody } from "#contract/speech.ts";
import { codeText } from "../ui/code-tokens.ts";
import { firstModel } from "./first-model.ts";
import { callSnippets, snippetTokens, withKey } from "./snippets.ts";

const base = "https://gw.example/api/v1";
const snippets = callSnippets(base, firstModel(undefined));
const languages = ["curl", "typescript", "python"] as const;

it.each(languages)("%s names the variable, and holds the key only on its way to the clipboard", (language) => {
  expect(snippets[language]).toContain("GATEHOUSE_API_KEY");
  const real = withKey(language, snippets[language], "sk-gh-v1-x$&y");
  expect(real).toContain("Bearer ");
  expect(real).toContain("sk-gh-v1-x$&y");
  expect(real).not.toContain("GATEHOUSE_API_KEY");
});

it.each(languages)("%s calls this gateway with the built-in model, and is rendered as it is copied", (language) => {
  const text = codeText(snippetTokens(snippets)[language]);
  expect(text).toBe(snippets[language]);
  expect(text).toContain(`${base}/embeddings`);
  expect(text).toContain("gatehouse/semantic-en");
});

it.each(languages)("%s colours the variable", (language) =>
  expect(snippetTokens(snippets)[language].some((token) => token.kind === "variable")).toBe(true),
);

it("writes a curl call that a shell takes as it is", () =>
  expect(snippets.curl.split("\n")).toEqual([
    `curl ${base}/embeddings \\`,
    '  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"model": "gatehouse/semantic-en",`,
    `       "input": "container held at customs"}'`,
  ]));

it("prints what came, so that whoever runs it sees that it worked", () => {
  expect(snippets.typescript).toMatch(/\nconsole\.log\(await response\.json\(\)\);$/);
  expect(snippets.python).toMatch(/\nprint\(len\(answer\["data"\]\[0\]\["embedding"\]\), "numbers"\)$/);
  expect(callSnippets(base, { id: "acme/talk", type: "chat" }).python).toMatch(/\nprint\(answer\)$/);
});

it("makes a first call with the semantic model, unless the list of models is known to lack it", () => {
  const lexical = { id: "gatehouse/lexical" };
  expect(firstModel(undefined).id).toBe("gatehouse/semantic-en");
  expect(firstModel([lexical, { id: "gatehouse/semantic-en" }]).id).toBe("gatehouse/semantic-en");
  expect(firstModel([lexical]).id).toBe("gatehouse/lexical");
});

describe("the snippets of a model", () => {
  it("call the endpoint that its type has, with its id", () => {
    for (const text of Object.values(callSnippets(base, { id: "acme/embed-small", type: "embedding" }))) {
      expect(text).toContain(`${base}/embeddings`);
      expect(text).toContain('"model": "acme/embed-small"');
    }
    for (const text of Object.values(callSnippets(base, { id: "acme/talk", type: "chat" })))
      expect(text).toContain(`${base}/chat/completions`);
  });

  it("hold a body that is JSON, and the name of a variable for the key", () => {
    const text = callSnippets(base, { id: "acme/talk", type: "chat" }).curl;
    expect(text).toContain("$GATEHOUSE_API_KEY");
    expect(JSON.parse(/-d '([^']+)'/.exec(text)?.[1] ?? "")).toEqual({
      model: "acme/talk",
      messages: [{ role: "user", content: "Say hello in one word." }],
    });
  });

  it.each([
    ["messages", MessagesBody],
    ["responses", ResponsesBody],
  ] as const)("of a chat model are in the form that was asked for: %s", (form, schema) => {
    const text = callSnippets(base, { id: "acme/talk", type: "chat" }, form).curl;
    expect(text).toContain(`${base}/${form}`);
    expect(schema.parse(JSON.parse(/-d '([^']+)'/.exec(text)?.[1] ?? ""))).toMatchObject({ model: "acme/talk" });
    expect(callSnippets(base, { id: "acme/embed", type: "embedding" }, form).curl).toContain("/embeddings");
  });

  it("of a transcription model send a recording, as a form or as the contract takes it in JSON", () => {
    const { curl, typescript, python } = callSnippets(base, { id: "acme/ear", type: "transcription" });
    for (const text of [curl, typescript, python]) expect(text).toContain(`${base}/audio/transcriptions`);
    expect(curl).toContain("-F model=acme/ear");
    expect(curl).not.toContain("Content-Type");
    expect(typescript).toContain('form.set("model", "acme/ear");');
    expect(python).toContain('"input_audio": {"data": audio, "format": "mp3"}');
  });

  it("of an image model ask for what the contract takes", () => {
    const { curl } = callSnippets(base, { id: "acme/painter", type: "image" });
    expect(curl).toContain(`${base}/images `);
    expect(ImageBody.parse(JSON.parse(/-d '([^']+)'/.exec(curl)?.[1] ?? ""))).toMatchObject({ model: "acme/painter" });
  });

  it("of a speech model save the audio, and ask for what the contract takes", () => {
    const { curl, typescript, python } = callSnippets(base, { id: "acme/voice", type: "speech" });
    expect(curl).toContain(`${base}/audio/speech`);
    expect(SpeechBody.parse(JSON.parse(/-d '([^']+)'/.exec(curl)?.[1] ?? ""))).toMatchObject({ model: "acme/voice" });
    expect(curl.endsWith("\\\n  -o speech.mp3")).toBe(true);
    expect(typescript).toContain('await writeFile("speech.mp3", await response.bytes());');
    expect(python).toContain('open("speech.mp3", "wb")');
    for (const text of [typescript, python]) expect(text).not.toMatch(/json\(\)|json\.load\(/);
  });
});
