import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

let texts = 0;
/** A text that no other test has asked for, of two words. */
const fresh = () => `text ${(texts += 1)}`;

describeGateway("what is set for a model's inputs", (gateway) => {
  const typed = withVendor(gateway, {
    slug: "typed",
    provider: { preset: "vllm" },
    embed: { id: "typed/embed", input_type: "document" },
  });
  const prefixed = withVendor(gateway, {
    slug: "prefixed",
    embed: { id: "e5/embed", input_type: "passage", query_prefix: "query: ", document_prefix: "passage: " },
  });
  const embed = async (model: string, body: object = {}, key = "") =>
    await gateway().call("POST", "/embeddings", {
      key: key === "" ? (await makeKey(gateway())).key : key,
      body: { model, input: fresh(), ...body },
    });
  const spaceOf = (answer: { headers: Headers }) => answer.headers.get("x-vector-space");

  it("fills in the input type where the caller gives none, and leaves the caller's", async () => {
    expect((await embed("typed/embed")).status).toBe(200);
    expect(typed().requests.at(-1)?.body).toMatchObject({ input_type: "document" });
    await embed("typed/embed", { input_type: "query" });
    expect(typed().requests.at(-1)?.body).toMatchObject({ input_type: "query" });
    await embed("typed/embed", { input_type: null });
    expect(typed().requests.at(-1)?.body).toMatchObject({ input_type: "document" });
  });

  it("puts a prefix before each text instead of sending the type", async () => {
    await embed("e5/embed", { input: ["one", "two"] });
    expect(prefixed().requests.at(-1)?.body).toMatchObject({ input: ["passage: one", "passage: two"] });
    expect(prefixed().requests.at(-1)?.body).not.toHaveProperty("input_type");
    await embed("e5/embed", { input: "three", input_type: "search_query" });
    expect(prefixed().requests.at(-1)?.body).toMatchObject({ input: ["query: three"] });
    const block = (text: string) => ({ content: [{ type: "text", text }] });
    await embed("e5/embed", { input: [block("four")] });
    expect(prefixed().requests.at(-1)?.body).toMatchObject({ input: [block("passage: four")] });
  });

  it("400: token ids, which no prefix can be put before", async () => {
    expectIssues(await embed("e5/embed", { input: [1, 2, 3] }), "input");
    expect((await embed("e5/embed", { input: [1, 2, 3], input_type: "clustering" })).status).toBe(200);
    expect(prefixed().requests.at(-1)?.body).toMatchObject({ input: [[1, 2, 3]], input_type: "clustering" });
  });

  it("is charged as the vendor counts it, and where the vendor does not, as it was sent", async () => {
    expect((await embed("e5/embed")).json.usage.prompt_tokens).toBe(3);
    prefixed().settings.usage = "absent";
    const answer = await embed("e5/embed");
    // "passage", ":" and two words.
    expect(answer.json.usage.prompt_tokens).toBeGreaterThan(2);
    const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
    expect(row).toMatchObject({ metered_by: "gateway", prompt_tokens: answer.json.usage.prompt_tokens });
  });

  it("402: a limit has to have room for the prefix as well", async () => {
    const text = fresh();
    // A token for each byte, eight around the text, and the input type.
    const least = (bytes: number) => (bytes + Buffer.byteLength(text) + 8 + "passage".length) / 1e6;
    const { key } = await makeKey(gateway(), { limit: least(0) });
    expectError(await embed("e5/embed", { input: text }, key), "payment_required", /limit/);
    const roomy = await makeKey(gateway(), { limit: least("passage: ".length) });
    expect((await embed("e5/embed", { input: text }, roomy.key)).status).toBe(200);
  });

  it("serves no vector from the cache that was made with other settings", async () => {
    const input = fresh();
    const first = await embed("e5/embed", { input });
    const before = prefixed().calls();
    await embed("e5/embed", { input });
    expect(prefixed().calls()).toBe(before);
    const set = (document_prefix: string) =>
      gateway().call("PATCH", "/providers/prefixed", {
        body: {
          models: [
            { id: "e5/embed", upstream_id: "embed-small", type: "embedding", document_prefix },
            { id: "acme/talk", upstream_id: "talk", type: "chat" },
          ],
        },
      });
    expect((await set("doc: ")).status).toBe(200);
    const second = await embed("e5/embed", { input });
    expect(prefixed().requests.at(-1)?.body).toMatchObject({ input: [`doc: ${input}`] });
    expect(spaceOf(second)).not.toBe(spaceOf(first));
    await set("passage: ");
  });

  it("is in the provider's record; a built-in model takes an input type, and no prefix", async () => {
    const { models } = (await gateway().call("GET", "/providers/prefixed")).json.data;
    expect(models[0]).toMatchObject({ input_type: "passage", query_prefix: "query: ", revision: null });
    const patch = (member: object) =>
      gateway().call("PATCH", "/providers/gatehouse", {
        body: { models: [{ id: "gatehouse/lexical", upstream_id: "lexical", type: "embedding", ...member }] },
      });
    expectIssues(await patch({ query_prefix: "query: " }), "models.0.query_prefix");
    expectIssues(await patch({ input_type: "" }), "models.0.input_type");
  });

  it("a revision names another space, and changes nothing else", async () => {
    const before = spaceOf(await embed("typed/embed"));
    const set = (revision: string | null) =>
      gateway().call("PATCH", "/providers/typed", {
        body: {
          models: [
            { id: "typed/embed", upstream_id: "embed-small", type: "embedding", revision },
            { id: "acme/talk", upstream_id: "talk", type: "chat" },
          ],
        },
      });
    expect((await set("5617a9f")).status).toBe(200);
    const after = await embed("typed/embed");
    expect(spaceOf(after)).not.toBe(before);
    expect(typed().requests.at(-1)?.body).toMatchObject({ input_type: "document" });
    expect(JSON.stringify(typed().requests.at(-1)?.body)).not.toContain("5617a9f");
    await set(null);
    expect(spaceOf(await embed("typed/embed"))).toBe(before);
  });
});
