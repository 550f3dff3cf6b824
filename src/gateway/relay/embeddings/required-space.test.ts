import { expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { VectorSpaceId } from "#contract/embeddings.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey } from "../../testing/factories.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const model = "acme/embed";
let texts = 0;
/** A text that no other test has asked for, of two words. */
const fresh = () => `text ${(texts += 1)}`;

type Answer = { readonly headers: Headers };
const spaceOf = (answer: Answer) => answer.headers.get("x-vector-space") ?? "";

describeGateway("the vector space of an answer", (gateway) => {
  const first = withVendor(gateway, { slug: "first", embed: { max_batch: 2 } });
  const twin = withVendor(gateway, { slug: "twin", embed: { max_batch: 2 } });
  const open = withVendor(gateway, { slug: "open", embed: { id: "open/embed", dimensions: null } });

  const embed = async (body: object, { key = "", provider = {} }: { key?: string; provider?: object } = {}) =>
    await gateway().call("POST", "/embeddings", {
      key: key === "" ? (await makeKey(gateway())).key : key,
      body: { model, input: fresh(), ...body, provider: { order: ["first"], ...provider } },
    });
  const requiring = (space: string) => ({ provider: { require_vector_space: space } });
  const generation = (answer: Answer) => answer.headers.get("x-generation-id") ?? "";

  it("200: is in a header, the same for calls that are embedded alike, in whatever form, and another one for others", async () => {
    const space = spaceOf(await embed({}));
    expect(VectorSpaceId.safeParse(space).success, space).toBe(true);
    const input = fresh();
    const plain = { user: "u", session_id: "s", trace: { a: 1 }, dimensions: 4 };
    for (const body of [
      { input },
      { input },
      { input: [fresh(), fresh(), fresh()] },
      { encoding_format: "base64" },
      plain,
    ])
      expect(spaceOf(await embed(body))).toBe(space);
    for (const body of [{ input_type: "query" }, { dimensions: 2 }, { model: "gatehouse/lexical" }])
      expect(spaceOf(await embed(body))).not.toBe(space);
  });

  it("200: a call that requires it gets it, and the vendor hears nothing of that", async () => {
    const space = spaceOf(await embed({ input_type: "query" }));
    const answer = await embed({ input_type: "query" }, requiring(space));
    expect([answer.status, spaceOf(answer)]).toEqual([200, space]);
    expect(first().requests.at(-1)?.body).not.toHaveProperty("provider");
    expect(JSON.stringify(first().requests.at(-1))).not.toContain(space);
    const local = spaceOf(await embed({ model: "gatehouse/lexical" }));
    expect((await embed({ model: "gatehouse/lexical" }, requiring(local))).status).toBe(200);
  });

  it("404 before anything is reserved or sent: no candidate is of that space, and which spaces there are", async () => {
    const [space, other] = [spaceOf(await embed({})), spaceOf(await embed({}, { provider: { order: ["twin"] } }))];
    const { key, record } = await makeKey(gateway(), { limit: 0.000_000_001 });
    const calls = () => first().calls() + twin().calls();
    const before = calls();
    const required = `vs_${"0".repeat(20)}-4`;
    const refused = await embed({}, { key, ...requiring(required) });
    // A limit that has no room is not even looked at.
    expectError(refused, "not_found", new RegExp(`first: its vectors are of the space ${space}`));
    expect(refused.json.error.metadata.vector_spaces).toEqual({
      required,
      offered: [
        { provider: "first", id: space },
        { provider: "twin", id: other },
      ],
    });
    expect(refused.json.error.availability).toMatchObject({ excluded_by: ["vector_space"], retryable: false });
    expect(calls()).toBe(before);
    expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data).toMatchObject({ usage: 0 });
  });

  it("404: the space of another length, and what to send for it", async () => {
    const short = spaceOf(await embed({ dimensions: 2 }));
    expectError(await embed({}, requiring(short)), "not_found", /its vectors have 4 numbers here: send dimensions 2/);
    expect((await embed({ dimensions: 2 }, requiring(short))).status).toBe(200);
  });

  it("400: what is no id; and a chat has no vectors", async () => {
    const path = "provider.require_vector_space";
    for (const wrong of ["acme/embed", "", "vs_12-4", 4]) {
      expectIssues(await embed({}, { provider: { require_vector_space: wrong } }), path);
    }
    expect((await embed({}, { provider: { require_vector_space: null } })).status).toBe(200);
    const body = { model: "acme/talk", messages: [{ role: "user", content: "a" }], ...requiring("vs_1-4") };
    expectIssues(
      await gateway().call("POST", "/chat/completions", { key: (await makeKey(gateway())).key, body }),
      path,
    );
  });

  it("a fallback answers with its own, and never where another one is required", async () => {
    const space = spaceOf(await embed({}));
    first().fail({ type: "status", status: 500 });
    const fallback = await embed({});
    expect(fallback.status).toBe(200);
    expect(spaceOf(fallback)).toBe(spaceOf(await embed({}, { provider: { order: ["twin"] } })));
    const before = twin().calls();
    const refused = await embed({}, requiring(space));
    expectError(refused, "provider_unavailable", /first answered 500/);
    expect(refused.json.error.metadata.passed_over).toMatchObject([{ provider: "twin", code: "vector_space" }]);
    expect(twin().calls()).toBe(before);
    gateway().clock.advance(3_600_000);
  });

  it("a vector that a fallback made is not taken from the cache for a call that requires another space", async () => {
    const space = spaceOf(await embed({}));
    const input = fresh();
    first().fail({ type: "status", status: 500 }, 1);
    const fallback = spaceOf(await embed({ input }));
    expect(fallback).not.toBe(space);
    expect(spaceOf(await embed({ input }))).toBe(fallback);
    const before = first().calls();
    const required = await embed({ input }, requiring(space));
    expect([spaceOf(required), first().calls()]).toEqual([space, before + 1]);
    gateway().clock.advance(3_600_000);
  });

  it("nor is one that another call's fallback is just making", async () => {
    const space = spaceOf(await embed({}));
    const input = fresh();
    first().fail({ type: "status", status: 500 }, 1);
    const letGo = twin().hold();
    const before = twin().calls();
    const falling = embed({ input });
    await expect.poll(() => twin().calls()).toBe(before + 1);
    const required = embed({ input }, requiring(space));
    await caughtUp(gateway(), (await makeKey(gateway())).key);
    letGo();
    expect(spaceOf(await falling)).not.toBe(space);
    expect(spaceOf(await required)).toBe(space);
    gateway().clock.advance(3_600_000);
  });

  it("names every space of an answer whose vectors are of several", async () => {
    const known = fresh();
    first().fail({ type: "status", status: 500 }, 1);
    const fallback = spaceOf(await embed({ input: known }));
    gateway().clock.advance(3_600_000);
    const mixed = await embed({ input: [known, fresh()] });
    expect(spaceOf(mixed).split(", ")).toEqual([fallback, spaceOf(await embed({}))]);
  });

  const vectorBody = (rest: string) =>
    `{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,2,3,4]}],"usage":{"prompt_tokens":7}${rest}}`;

  it.each(["float", "base64"])("%s, 502 and charged: a vendor that answers with another model", async (format) => {
    const space = spaceOf(await embed({}));
    first().fail({ type: "body", body: vectorBody(',"model":"embed-small-2"') });
    const renamed = spaceOf(await embed({ encoding_format: format }));
    expect(renamed).toMatch(new RegExp(`^${space}-[0-9a-f]{8}$`));
    const refused = await embed({ encoding_format: format }, requiring(space));
    expectError(refused, "provider_unavailable", new RegExp(`of the space ${renamed}, where ${space} is required`));
    expect(await ledgerRow(gateway(), generation(refused))).toMatchObject({ cost: 7_000n, status: 502 });
    // Its name for the model is known now, and an index may rely on it: only another name is refused.
    expect((await embed({ encoding_format: format }, requiring(renamed))).status).toBe(200);
    first().reset();
    first().settings.dimensions = 4;
    expectError(await embed({}, requiring(renamed)), "provider_unavailable", new RegExp(`of the space ${space},`));
    const { health } = (await gateway().call("GET", "/providers/first")).json.data;
    expect(health).toMatchObject({ retry_at: null });
  });

  it("502: a vendor whose length nobody has declared answers another one than is required", async () => {
    const ask = (body: object, more?: object) =>
      embed({ model: "open/embed", ...body }, { provider: { order: ["open"] }, ...more });
    const space = spaceOf(await ask({}));
    expect(space).toMatch(/-4$/);
    expect((await ask({}, requiring(space))).status).toBe(200);
    open().settings.dimensions = 5;
    expectError(await ask({}, requiring(space)), "provider_unavailable", /-5, where vs_\w+-4 is required/);
    expect(spaceOf(await ask({}))).toMatch(/-5$/);
  });

  it("is in the OpenAPI document and may be read by pages of other origins", async () => {
    expect(api.createEmbeddings.answerHeaders).toContain("X-Vector-Space");
    const document = (await gateway().call("GET", "/openapi.json")).json;
    const operation = document.paths["/embeddings"].post;
    expect(Object.keys(operation.responses["200"].headers)).toContain("X-Vector-Space");
    expect(JSON.stringify(document)).toContain("require_vector_space");
  });
});
