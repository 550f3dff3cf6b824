import { beforeEach, describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { makeKey } from "../../testing/factories.ts";
import type { Answer } from "../../testing/gateway.ts";
import { answering, answeringWhole, streamedResponse, wholeResponse } from "../../testing/responses-answers.ts";
import { vendorsKey, withResponder } from "../../testing/scripted-setup.ts";
import { responsesForm } from "./responses-form.ts";

const input = "Say hello. ".repeat(40);
const answerId = "resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41";
const streamedId = "resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654";

describeGateway("createResponse, with answers that a provider keeps", (gateway) => {
  const keeper = withResponder(gateway, { slug: "keeper" });
  const other = withResponder(gateway, { slug: "other" });
  const stateless = withResponder(gateway, { slug: "stateless", provider: { preset: "openrouter" } });
  let key = "";
  let hash = "";
  beforeEach(async () => {
    const made = await makeKey(gateway());
    key = made.key;
    hash = made.record.hash;
    for (const vendor of [keeper(), other(), stateless()]) {
      vendor.requests.length = 0;
      vendor.answer(answeringWhole());
    }
    gateway().clock.advance(3_600_000);
  });
  const ask = async (body: object, only: string[] = ["keeper"], as = key) =>
    await gateway().call("POST", "/responses", {
      key: as,
      body: { model: "acme/thinker", input, provider: { only }, ...body },
    });
  const expectRefused = (answer: Answer, words: RegExp) => {
    expect([answer.status, answer.json.error.code]).toEqual([400, 400]);
    expect(answer.json.error.message).toMatch(words);
  };
  const sent = (at = -1) => JSON.parse(keeper().requests.at(at)?.body ?? "");

  it("are kept where the caller asks for that, and continued by the key that was given them", async () => {
    expect((await ask({ store: true })).json.id).toBe(answerId);
    expect(sent()).toEqual({ model: "upstream-model", input, store: true });
    const next = await ask({ previous_response_id: answerId, input: "And now?" });
    expect(next.status).toBe(200);
    expect(sent()).toEqual({
      model: "upstream-model",
      input: "And now?",
      previous_response_id: answerId,
      store: false,
    });
  });

  it("are continued at the provider that keeps them, whichever is asked first", async () => {
    await ask({ store: true });
    const order = { only: ["other", "keeper"], order: ["other", "keeper"] };
    expect((await ask({ previous_response_id: answerId, provider: order })).status).toBe(200);
    expect([keeper().requests.length, other().requests.length]).toEqual([2, 0]);
    const elsewhere = await ask({ previous_response_id: answerId }, ["other"]);
    expectRefused(elsewhere, /previous_response_id is kept by keeper, which cannot be asked for acme\/thinker/);
  });

  it("are continued from a stream's own id", async () => {
    keeper().answer(answering(streamedResponse));
    await ask({ store: true, stream: true });
    keeper().answer(answeringWhole());
    expect((await ask({ previous_response_id: streamedId })).status).toBe(200);
  });

  it("400: another key of the same workspace cannot continue them, and nothing is sent", async () => {
    await ask({ store: true });
    const { key: stranger } = await makeKey(gateway());
    const answer = await ask({ previous_response_id: answerId }, ["keeper"], stranger);
    expectRefused(answer, /previous_response_id is no answer that this key was given here/);
    expect(answer.json.error.message).toMatch(/send the whole conversation in input/);
    expect(keeper().requests).toHaveLength(1);
  });

  it("are continued by the key that replaced the one that was given them", async () => {
    await ask({ store: true });
    const rotated = await gateway().call("POST", `/keys/${hash}/rotate`, { body: {} });
    expect((await ask({ previous_response_id: answerId }, ["keeper"], rotated.json.key)).status).toBe(200);
  });

  it("are continued with the account that holds them, though the workspace has a key of its own by now", async () => {
    await ask({ store: true });
    const { workspace_id } = (await gateway().call("GET", `/keys/${hash}`)).json.data;
    const made = await gateway().call("POST", "/byok", {
      body: { provider: "keeper", key: "sk-own-0123456789abcdefgh", workspace_id },
    });
    expect(made.status).toBeLessThan(300);
    const answer = await ask({ previous_response_id: answerId });
    expect(keeper().requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${vendorsKey}`);
    expect(answer.status).toBe(200);
    await gateway().call("DELETE", `/byok/${made.json.data.id}`);
  });

  it("reserve the whole context, which the kept conversation may fill", async () => {
    await ask({ store: true });
    const { key: poor } = await makeKey(gateway(), { limit: 0.1 });
    expect((await ask({ store: true, max_output_tokens: 50 }, ["keeper"], poor)).status).toBe(200);
    const continued = { previous_response_id: answerId, input: "a", max_output_tokens: 50 };
    expect((await ask(continued, ["keeper"], poor)).status).toBe(402);
  });

  it.each([
    ["previous_response_id", { previous_response_id: answerId }, /./],
    ["store: true", { store: true }, /keeps no answers, which store: true needs: leave it out/],
  ])("400: %s at a provider that keeps nothing", async (_, body, words) => {
    await ask({ store: true });
    expectRefused(await ask(body, ["stateless"]), words);
    expect(stateless().requests).toEqual([]);
  });

  it("an answer that the vendor has lost is refused in the vendor's words", async () => {
    await ask({ store: true });
    const error = { message: `Previous response with id '${answerId}' not found.`, type: "invalid_request_error" };
    keeper().answer({ status: 404, pieces: [JSON.stringify({ error })] });
    const answer = await ask({ previous_response_id: answerId });
    expect([answer.status, answer.json.error.message]).toEqual([404, expect.stringMatching(/not found/)]);
    expect(keeper().requests.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
    expect(wholeResponse).toContain(answerId);
  });
});

describe("what may be another key's, or leads nowhere", () => {
  const call = async (body: object, partner: ExchangePartner = { preset: "openai" }, answer = answeringWhole()) =>
    await exchange(responsesForm, { model: "acme/talk", input, ...body }, answer, partner);
  const user = { role: "user", content: "a" };
  const interpreter = { type: "code_interpreter", container: "cntr_1" };
  const environment = { type: "container_reference", container_id: "cntr_1" };
  const inTools = (...tools: object[]) => ({ tools });
  const after = (...items: object[]) => ({ input: [...items, user] });
  const asContainer = "cannot be a container by its id";
  it.each([
    ["a conversation", { conversation: "conv_1" }, "conversation is not kept here: send the conversation in input"],
    ["a conversation as an object", { conversation: { id: "conv_1" } }, "conversation is not kept here"],
    ["an item by its id", { input: [{ type: "item_reference", id: "msg_1" }] }, "input.0 is an item by its id alone"],
    ["a call by its id", after({ type: "mcp_call", id: "mcp_1", status: "completed" }), "input.0 is an item by its id"],
    [
      "a compaction by its id",
      after({ type: "compaction", id: "cmp_1" }),
      "input.0 is a compaction by its id alone: send it with its encrypted_content",
    ],
    [
      "a vector store",
      inTools({ type: "file_search", vector_store_ids: ["vs_1"] }),
      "tools.0.vector_store_ids.0 is an id at a vendor, which everyone who shares its account can use, and no provider can be sent it",
    ],
    ["an image by its id", { input: [{ type: "image_generation_call", id: "ig_1" }] }, "input.0 is an image by its id"],
    [
      "a thought by its id",
      after({ type: "reasoning", id: "rs_1", summary: [] }),
      "input.0 is reasoning by its id alone: leave it out, or ask for its content with include",
    ],
    ["a container by its id", inTools(interpreter), `tools.0.container ${asContainer}`],
    ["a shell in a container", inTools({ type: "shell", environment }), `tools.0.environment ${asContainer}`],
    [
      "a container within a namespace",
      inTools({ type: "namespace", name: "n", tools: [interpreter] }),
      `tools.0.tools.0.container ${asContainer}`,
    ],
    [
      "a container of tools that an item brings",
      { input: [{ type: "tool_search_output", tools: [interpreter] }] },
      `input.0.tools.0.container ${asContainer}`,
    ],
    [
      "the container of an earlier call",
      after({ type: "code_interpreter_call", id: "ci_1", code: "1", container_id: "cntr_1", outputs: [] }),
      "input.0.container_id is a container by its id: leave the item out",
    ],
    [
      "the container of an earlier call of a shell",
      after({ type: "shell_call", call_id: "c", environment }),
      "input.0.environment is a container by its id: leave the item out",
    ],
    [
      "an id that the store cannot hold",
      { previous_response_id: "resp_\0" },
      "previous_response_id is no answer that this key was given here",
    ],
    ["work in the background", { background: true }, "background needs stream: true and store: true"],
    [
      "an answer that nobody may keep",
      { store: true, provider: { zdr: true } },
      "store cannot be true where provider.zdr",
    ],
  ])("400: %s, and nothing is sent", async (_, body, words) => {
    const { status, refusal, sent } = await call(body);
    expect([status, sent]).toEqual([400, []]);
    expect(refusal?.message).toContain(words);
  });

  it("is no thought with its content, nor one without an id, nor any where answers alone are kept", async () => {
    const encrypted = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };
    const own = { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] };
    expect((await call(after(encrypted, own))).status).toBe(200);
    const open = { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] };
    expect((await call(after(open), { preset: "vllm" })).status).toBe(200);
  });

  it("402: a limit counts no work in the background; without one it is passed on", async () => {
    const background = { background: true, store: true, stream: true };
    const passed = await call(background, { preset: "openai" }, answering(streamedResponse));
    expect(passed.status).toBe(200);
    const { status, refusal } = await call(background, { preset: "openai", limit: 1 });
    expect([status, refusal?.message]).toEqual([402, expect.stringMatching(/background has no price/)]);
  });

  it("store is not sent to a provider that keeps nothing, and would not know it, unless the caller says false", async () => {
    const sentFor = async (store: unknown) =>
      JSON.parse((await call({ store }, { preset: "openrouter" })).sent[0]?.body ?? "");
    expect(await sentFor(null)).not.toHaveProperty("store");
    expect(await sentFor(false)).toMatchObject({ store: false });
  });
});
