import { describe, expect, it } from "vitest";
import { ImageBody } from "#contract/images.ts";
import { MessagesBody } from "#contract/messages.ts";
import { ResponsesBody } from "#contract/responses.ts";
import { SpeechBody } from "#contract/speech.ts";
import { codeText } from "../ui/code-tokens.ts";
import { firstChatModel, firstModel } from "./first-model.ts";
import { callSnippets, snippetTokens, withKey } from "./snippets.ts";

const base = "https://gw.example/api/v1";
const snippets = callSnippets(base, firstModel(undefined));
const tokens = snippetTokens(snippets);
const semantic = "gatehouse/semantic-en";

describe.each(["curl", "typescript", "python"] as const)("%s", (language) => {
  it("names the variable, holds the key only on its way to the clipboard, and calls this gateway", () => {
    expect(snippets[language]).toContain("GATEHOUSE_API_KEY");
    expect(tokens[language].some((token) => token.kind === "variable")).toBe(true);
    const real = withKey(language, snippets[language], "sk-gh-v1-x$&y");
    for (const part of ["Bearer ", "sk-gh-v1-x$&y"]) expect(real).toContain(part);
    expect(real).not.toContain("GATEHOUSE_API_KEY");
    expect(codeText(tokens[language])).toBe(snippets[language]);
    for (const part of [`${base}/embeddings`, semantic]) expect(snippets[language]).toContain(part);
  });
});

it("writes a curl call that a shell takes as it is, and prints what came of a first call with the semantic model", () => {
  expect(snippets.curl.split("\n")).toEqual([
    `curl ${base}/embeddings \\`,
    '  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"model": "${semantic}",`,
    `       "input": "container held at customs"}'`,
  ]);
  expect(snippets.typescript).toMatch(/\nconsole\.log\(await response\.json\(\)\);$/);
  expect(snippets.python).toMatch(/\nprint\(len\(answer\["data"\]\[0\]\["embedding"\]\), "numbers"\)$/);
  expect(callSnippets(base, { id: "acme/talk", type: "chat" }).python).toMatch(/\nprint\(answer\)$/);
  const lexical = { id: "gatehouse/lexical" };
  const first = [undefined, [lexical, { id: semantic }], [lexical]].map((models) => firstModel(models).id);
  expect(first).toEqual([semantic, semantic, "gatehouse/lexical"]);
});

const bodyIn = (curl: string) => JSON.parse(/-d '([^']+)'/.exec(curl)?.[1] ?? "") as unknown;

it.each([
  ["embedding", "/embeddings", ['"model": "acme/one"']],
  ["chat", "/chat/completions", []],
  ["transcription", "/audio/transcriptions", []],
  ["speech", "/audio/speech", []],
  ["image", "/images", []],
] as const)("the snippets of a model of the type %s call %s", (type, path, parts) => {
  for (const text of Object.values(callSnippets(base, { id: "acme/one", type })))
    for (const part of [base + path, ...parts]) expect(text).toContain(part);
});

it("the snippets of a model hold a body that is JSON, and the name of a variable for the key", () => {
  const { curl } = callSnippets(base, { id: "acme/talk", type: "chat" });
  expect(curl).toContain("$GATEHOUSE_API_KEY");
  const messages = [{ role: "user", content: "Say hello in one word." }];
  expect(bodyIn(curl)).toEqual({ model: "acme/talk", messages });
});

it.each([
  ["messages", MessagesBody],
  ["responses", ResponsesBody],
] as const)("the snippets of a chat model are in the form that was asked for: %s", (form, schema) => {
  const { curl } = callSnippets(base, { id: "acme/talk", type: "chat" }, form);
  expect(curl).toContain(`${base}/${form}`);
  expect(schema.parse(bodyIn(curl))).toMatchObject({ model: "acme/talk" });
  expect(callSnippets(base, { id: "acme/embed", type: "embedding" }, form).curl).toContain("/embeddings");
});

it("the snippets of a transcription model send a recording, as a form or as the contract takes it in JSON", () => {
  const { curl, typescript, python } = callSnippets(base, { id: "acme/ear", type: "transcription" });
  expect(curl).toContain("-F model=acme/ear");
  expect(curl).not.toContain("Content-Type");
  expect(typescript).toContain('form.set("model", "acme/ear");');
  expect(python).toContain('"input_audio": {"data": audio, "format": "mp3"}');
});

it("the snippets of an image or a speech model ask for what the contract takes, and save the audio", () => {
  const image = callSnippets(base, { id: "acme/painter", type: "image" }).curl;
  expect(image).toContain(`${base}/images `);
  expect(ImageBody.parse(bodyIn(image))).toMatchObject({ model: "acme/painter" });
  const { curl, typescript, python } = callSnippets(base, { id: "acme/voice", type: "speech" });
  expect(SpeechBody.parse(bodyIn(curl))).toMatchObject({ model: "acme/voice" });
  expect(curl.endsWith("\\\n  -o speech.mp3")).toBe(true);
  expect(typescript).toContain('await writeFile("speech.mp3", await response.bytes());');
  expect(python).toContain('open("speech.mp3", "wb")');
  for (const text of [typescript, python]) expect(text).not.toMatch(/json\(\)|json\.load\(/);
});

it("a first call is a chat with the first model that can be chatted with now, if any", () => {
  const [off, talk] = ["acme/off", "acme/talk"].map((id) => ({
    id,
    type: "chat" as const,
    enabled: id !== "acme/off",
  }));
  const embed = { id: "acme/embed", type: "embedding" as const, enabled: true };
  const models = [embed, off, talk].filter((model) => model !== undefined);
  expect(
    firstChatModel([
      { enabled: false, models },
      { enabled: true, models },
    ]),
  ).toEqual({ id: "acme/talk", type: "chat" });
  expect(firstChatModel([{ enabled: false, models }])).toBeUndefined();
  expect(firstChatModel(undefined)).toBeUndefined();
});
