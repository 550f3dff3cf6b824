import { beforeAll, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { answeringWhole } from "../../testing/messages-answers.ts";
import { answeringWhole as responding } from "../../testing/responses-answers.ts";
import { withClaude, withResponder } from "../../testing/scripted-setup.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const contents = {
  text: Buffer.from("The code word is Überraschung.\n".repeat(30_000)),
  pdf: Buffer.concat([latin1("%PDF-1.7\n"), Buffer.alloc(300_000, 7)]),
  png: latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
  wav: latin1("RIFF\x24\0\0\0WAVEfmt "),
};
type Name = keyof typeof contents;
const base64 = (name: Name) => contents[name].toString("base64");
const text = contents.text.toString();

describeGateway("a file that a call names by its id", (gateway) => {
  const vendor = withVendor(gateway, { talk: { context_length: 2_000_000, input_modalities: ["text", "image"] } });
  const claude = withClaude(gateway, { model: { context_length: 2_000_000 } });
  const responder = withResponder(gateway, { model: { context_length: 2_000_000 } });
  let key = "";
  let workspace = "";
  const ids = {} as Record<Name, string>;

  async function upload(content: Buffer, own: string, filename: string): Promise<string> {
    const body = new FormData();
    body.append("file", new Blob([content]), filename);
    const headers = { authorization: `Bearer ${own}` };
    const answer = await fetch(`${gateway().url}/api/v1/files`, { method: "POST", headers, body });
    return ((await answer.json()) as { id: string }).id;
  }

  beforeAll(async () => {
    const made = await makeKey(gateway());
    key = made.key;
    workspace = made.record.workspace_id;
    for (const [name, content] of Object.entries(contents)) ids[name as Name] = await upload(content, key, `${name}.x`);
    claude().answer(answeringWhole());
    responder().answer(responding());
  });

  const post = async (path: string, body: object, own = key) =>
    await gateway().call("POST", path, { key: own, body: { max_tokens: 20, ...body } });
  const say = (content: object) => [{ role: "user", content: [content] }];

  const chat = async (file: object, own = key) =>
    await post("/chat/completions", { model: "acme/talk", messages: say(file) }, own);
  const chatFile = (id: string) => ({ type: "file", file: { file_id: id } });
  const messages = async (block: object, path = "/messages") =>
    await post(path, { model: "acme/claude", messages: say(block) });
  const documentOf = (id: string) => ({ type: "document", source: { type: "file", file_id: id } });
  const responses = async (part: object, more: object = {}) =>
    await post("/responses", { model: "acme/thinker", max_tokens: undefined, input: say(part), ...more });

  const pdf = { filename: "pdf.x", file_data: `data:application/pdf;base64,${base64("pdf")}` };
  const png = `data:image/png;base64,${base64("png")}`;

  it.each([
    ["text", { type: "text", text }],
    ["pdf", { type: "file", file: pdf }],
    ["png", { type: "image_url", image_url: { url: png } }],
    ["wav", { type: "input_audio", input_audio: { data: base64("wav"), format: "wav" } }],
  ] as const)("is in a chat what it is: %s", async (name, part) => {
    expect((await chat(chatFile(ids[name]))).status).toBe(200);
    expect(vendor().requests.at(-1)?.body).toMatchObject({ messages: [{ role: "user", content: [part] }] });
  });

  it.each([
    ["text", "document", { type: "text", media_type: "text/plain", data: text }],
    ["pdf", "document", { type: "base64", media_type: "application/pdf", data: base64("pdf") }],
    ["png", "image", { type: "base64", media_type: "image/png", data: base64("png") }],
  ] as const)("is in messages a block's source: %s", async (name, type, source) => {
    const block = { ...documentOf(ids[name]), title: "A", type };
    expect((await messages(block)).status).toBe(200);
    expect(JSON.parse(claude().requests.at(-1)?.body ?? "").messages[0].content).toEqual([{ ...block, source }]);
  });

  it.each([
    ["text", { type: "input_text", text }],
    ["pdf", { type: "input_file", ...pdf }],
    ["png", { type: "input_image", detail: "auto", image_url: png }],
  ] as const)("is in responses a part: %s", async (name, part) => {
    expect((await responses({ type: "input_file", file_id: ids[name] })).status).toBe(200);
    const sent = () => JSON.parse(responder().requests.at(-1)?.body ?? "").input[0].content;
    expect(sent()).toEqual([part]);
    if (name !== "png") return;
    expect((await responses({ type: "input_image", detail: "low", file_id: ids.png })).status).toBe(200);
    expect(sent()).toEqual([{ ...part, detail: "low" }]);
  });

  it("counts toward a prompt's estimate", async () => {
    const few = await messages({ type: "text", text: "hi" }, "/messages/count_tokens");
    const many = await messages(documentOf(ids.text), "/messages/count_tokens");
    expect(few.json.input_tokens).toBeLessThan(20);
    expect(many.json.input_tokens).toBeGreaterThan(100_000);
  });

  it("may be named several times, and be among other words", async () => {
    const id = ids.png;
    const content = [chatFile(id), { type: "text", text: `what is ${id}?` }, chatFile(id)];
    const answer = await post("/chat/completions", { model: "acme/talk", messages: [{ role: "user", content }] });
    expect(answer.status).toBe(200);
    const sent = vendor().requests.at(-1)?.body as { messages: { content: { type: string }[] }[] } | undefined;
    expect(sent?.messages[0]?.content.map(({ type }) => type)).toEqual(["image_url", "text", "image_url"]);
  });

  it("is reserved for and charged like the text that it is", async () => {
    const { key: poor } = await makeKey(gateway(), { limit: 0.05 });
    expectError(await chat(chatFile(ids.text), poor), "payment_required", /limit/);
    const answer = await chat(chatFile(ids.text));
    const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
    const same = await chat({ type: "text", text });
    const other = await ledgerRow(gateway(), same.headers.get("x-generation-id"));
    expect(row).toMatchObject({ prompt_tokens: other?.["prompt_tokens"], cost: other?.["cost"] });
  });

  it("404: is another workspace's, or deleted", async () => {
    const { id: elsewhere } = await makeWorkspace(gateway());
    const { key: other } = await makeKey(gateway(), { workspace_id: elsewhere });
    expectError(await chat(chatFile(ids.text), other), "not_found", "There is no file or_file_");
    const gone = await upload(contents.png, key, "gone.png");
    await gateway().call("DELETE", `/files/${gone}?workspace_id=${workspace}`);
    expectError(await chat(chatFile(gone)), "not_found", `There is no file ${gone} in this workspace`);
    expect(vendor().calls()).toBe(0);
  });

  it("400: is in a place where it cannot be", async () => {
    const path = "messages.0.content.0.source.file_id";
    const image = await messages(documentOf(ids.png));
    expect(image.json.error.message).toBe(`${path} is a file of type image/png, which document cannot be`);
    const sound = await messages(documentOf(ids.wav));
    expect(sound.json.error.message).toMatch("audio/wav, which document cannot be");
    expectIssues(await responses({ type: "input_image", file_id: ids.pdf }), "input.0.content.0.file_id");
    const tool = { type: "code_interpreter", container: { type: "auto", file_ids: [ids.pdf] } };
    const answer = await responses({}, { input: "hi", tools: [tool] });
    expectIssues(answer, "tools.0.container.file_ids.0");
  });

  it("413: is too large for a call, all of its places together", async () => {
    const times = async (count: number, id: string) => {
      const content = Array.from({ length: count }, () => chatFile(id));
      return await post("/chat/completions", { model: "acme/talk", messages: [{ role: "user", content }] });
    };
    const large = await upload(Buffer.concat([latin1("%PDF-"), Buffer.alloc(3 * 1_048_576)]), key, "large.pdf");
    expectError(await times(9, large), "payload_too_large", "a call can have 32 MB");
    // Each of its characters takes six bytes in JSON.
    const controls = await upload(Buffer.alloc(1_048_576, 1), key, "controls.txt");
    expectError(await times(6, controls), "payload_too_large", "a call can have 32 MB");
  });
});
