import { describe, expect, it } from "vitest";
import { nextReset } from "#contract/time.ts";
import { caughtUp } from "../../testing/caught-up.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { vectorOf } from "../../testing/vendor-answers.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const model = "acme/embed";
let texts = 0;
/** A text that no other test has asked for, of two words. */
const fresh = () => `text ${(texts += 1)}`;

/** The most that it may cost, in USD: a token for each byte, and eight around it. */
const mostCost = (text: string) => Number(((Buffer.byteLength(text) + 8) / 1e6).toFixed(9));

const floats = (base64: string) => new Float32Array(new Uint8Array(Buffer.from(base64, "base64")).buffer);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describeGateway("createEmbeddings", (gateway) => {
  describe("embeddings through a vendor", () => {
    const vendor = withVendor(gateway, { embed: { max_batch: 3 } });
    const embed = async (body: object, key?: string, headers: Record<string, string> = {}) =>
      await gateway().call("POST", "/embeddings", {
        key: key ?? (await makeKey(gateway())).key,
        body: { model, ...body },
        headers,
      });
    const row = async (id: string | null) => await ledgerRow(gateway(), id);

    describe("one call", () => {
      it("200: the vendor's vector under the gateway's model, with what it cost, and the row", async () => {
        const input = fresh();
        const answer = await embed({ input });
        expect(answer.json).toMatchObject({
          object: "list",
          model,
          data: [{ object: "embedding", index: 0 }],
          usage: { prompt_tokens: 2, total_tokens: 2, cost: 0.000002, is_byok: false },
        });
        expect(Float32Array.from(answer.json.data[0].embedding)).toEqual(vectorOf(input, 4));
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
          model,
          provider: "acme",
          cost: 2_000n,
          prompt_tokens: 2,
          inputs: 1,
          metered_by: "upstream",
          priced: true,
          status: 200,
        });
      });

      it.each(["float", "base64"])(
        "%s: the same float32 numbers, whichever format the vendor speaks",
        async (format) => {
          for (const encodings of [["float", "base64"], ["float"], ["base64"]]) {
            vendor().settings.encodings = encodings;
            const input = fresh();
            const answer = await embed({ input, encoding_format: format });
            expect(answer.status, answer.text).toBe(200);
            const { embedding } = answer.json.data[0];
            expect(format === "base64" ? floats(embedding) : Float32Array.from(embedding)).toEqual(vectorOf(input, 4));
          }
        },
      );

      it("passes on dimensions, user and members that are the vendor's", async () => {
        const answer = await embed({ input: fresh(), dimensions: 4, user: "u-1", surprise: true });
        expect(answer.status).toBe(200);
        expect(vendor().requests.at(-1)?.body).toMatchObject({ dimensions: 4, user: "u-1", surprise: true });
        expect(vendor().requests.at(-1)?.body).not.toHaveProperty("provider");
      });

      const block = { content: ["a", "b"].map((text) => ({ type: "text", text })) };
      it.each([
        ["token ids", [1, 2, 3], 1],
        ["lists of token ids", [[1, 2], [3]], 2],
        ["a block", [block], 1],
      ])("has a vector for each of %s", async (_, input, vectors) => {
        expect((await embed({ input })).json.data).toHaveLength(vectors);
      });

      it("400: images at a model for text, streaming, and a text that is surely too long", async () => {
        const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
        expectIssues(await embed({ input: [{ content: [image] }] }), "input");
        expectIssues(await embed({ input: "a", stream: true }), "stream");
        const answer = await embed({ input: ["short", "word ".repeat(20_000)] });
        expectError(answer, "invalid_request", /input\.1 has about \d+ tokens/);
        expect(answer.json.error.metadata).toMatchObject({ index: 1, context_length: 8_192 });
        expect(vendor().calls()).toBe(0);
      });

      it("counts by itself, and says so, when the vendor's usage is missing or nonsense", async () => {
        for (const usage of ["absent", "immense"] as const) {
          vendor().settings.usage = usage;
          const answer = await embed({ input: fresh() });
          expect(answer.json.usage).toMatchObject({ prompt_tokens: 2, cost: 0.000002 });
          expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ metered_by: "gateway" });
        }
      });

      it("502: an answer far beyond what one vector takes; where no limit counts it, nothing is charged", async () => {
        vendor().fail({ type: "huge", bytes: 2_000_000 });
        const answer = await embed({ input: fresh() });
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ status: 502, cost: 0n });
        expectError(answer, "provider_unavailable", /longer than/);
      });

      it.each(["[1,2,foo,4]", "[1,2,3]", "[1,2,3,4", '"????????????????"'])(
        "502: %s is no vector of four numbers, and what can be read is charged by its count",
        async (vector) => {
          const data = `[{"object":"embedding","index":0,"embedding":${vector}}]`;
          vendor().fail({ type: "body", body: `{"object":"list","data":${data},"usage":{"prompt_tokens":2}}` });
          const input = fresh();
          const { key, record } = await makeKey(gateway(), { limit: 1 });
          expectError(await embed({ input }, key), "provider_unavailable", /acme/);
          const { data: found } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
          expect(found).toMatchObject({ usage: isJson(vector) ? 0.000002 : mostCost(input) });
        },
      );

      it("a vector that was no vector is in no cache, and what failed can be looked up by its id", async () => {
        const input = fresh();
        const body = '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,2.3.4,5,6]}],"usage":{}}';
        vendor().fail({ type: "body", body }, 1);
        await embed({ input });
        const { key } = await makeKey(gateway());
        expect((await embed({ input, encoding_format: "base64" }, key)).status).toBe(200);
        vendor().fail({ type: "status", status: 500 });
        const failed = await embed({ input: fresh() }, key);
        expectError(failed, "provider_unavailable", /acme/);
        expect(await row(failed.headers.get("x-generation-id"))).toMatchObject({ status: 502, cost: 0n });
      });

      it("fills in the members that a vendor leaves out of its vectors", async () => {
        vendor().fail({ type: "body", body: '{"data":[{"embedding":[1,2,3,4]}],"usage":{"prompt_tokens":2}}' }, 1);
        const vector = { object: "embedding", index: 0, embedding: [1, 2, 3, 4] };
        expect((await embed({ input: fresh() })).json.data).toEqual([vector]);
      });

      it("502: vectors of another length than the model has; and charged, where only the caller wants another", async () => {
        vendor().settings.dimensions = 5;
        expectError(await embed({ input: fresh() }), "provider_unavailable", /5 numbers, where 4 are declared/);
        const body = '{"data":[{"object":"embedding","index":0,"embedding":[1,2,3,4]}],"usage":{"prompt_tokens":7}}';
        vendor().fail({ type: "body", body });
        const answer = await embed({ input: fresh(), dimensions: 3 });
        expectError(answer, "provider_unavailable", /4 numbers, where 3 were asked for/);
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({ status: 502, cost: 7_000n });
      });

      it.each([0.01, null])(
        "502, and charged by the count of an answer without vectors, with the limit %s",
        async (limit) => {
          gateway().clock.advance(3_600_000);
          vendor().fail({ type: "body", body: '{"data":[],"usage":{"prompt_tokens":700,"total_tokens":700}}' }, 1);
          const { key, record } = await makeKey(gateway(), { limit });
          expectError(
            await embed({ input: "x".repeat(3_000) }, key),
            "provider_unavailable",
            /0 embeddings for 1 inputs/,
          );
          expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBe(0.0007);
        },
      );

      it("vectors of another length than a caller asked for hold nobody else's calls back", async () => {
        gateway().clock.advance(3_600_000);
        expect((await embed({ input: fresh() })).status).toBe(200);
        gateway().clock.advance(3_600_000);
        const body = '{"data":[{"embedding":[1,2,3,4]}],"usage":{"prompt_tokens":2}}';
        vendor().fail({ type: "body", body });
        for (let tries = 0; tries < 3; tries += 1) {
          const answer = await embed({ input: fresh(), dimensions: 3 });
          expectError(answer, "provider_unavailable", /were asked for/);
        }
        const { health } = (await gateway().call("GET", "/providers/acme")).json.data;
        expect(health).toMatchObject({ error_rate_last_30m: null, retry_at: null });
      });

      it("cuts what is too long where the caller asks for it and the vendor has no word for it", async () => {
        vendor().settings.context = 8_000;
        const answer = await embed({ input: `${fresh()} ${"word ".repeat(20_000)}`, truncate: true });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.json.usage.prompt_tokens).toBeGreaterThan(2_000);
        expect(answer.json.usage.prompt_tokens).toBeLessThanOrEqual(8_000);
      });

      it("a count beyond all measure makes nobody's next call too dear", async () => {
        vendor().settings.usage = "immense";
        await embed({ input: fresh() });
        vendor().settings.usage = "right";
        const { key } = await makeKey(gateway(), { limit: 0.1 });
        expect((await embed({ input: fresh() }, key)).status).toBe(200);
      });
    });

    describe("a limit", () => {
      it("is spent to the last nano-dollar where the count is known before: 20 of 60 calls in parallel", async () => {
        const price = (prompt: string) =>
          gateway().call("PATCH", "/providers/gatehouse", {
            body: {
              models: [{ id: "gatehouse/lexical", upstream_id: "lexical", type: "embedding", pricing: { prompt } }],
            },
          });
        expect((await price("0.000001")).status).toBe(200);
        const { key, record } = await makeKey(gateway(), { limit: 0.00004 });
        const body = { model: "gatehouse/lexical", input: "two words" };
        const ask = () => gateway().call("POST", "/embeddings", { key, body });
        const answers = await Promise.all(Array.from({ length: 60 }, ask));
        do answers.push(await ask());
        while (answers.at(-1)?.status === 200);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
        expect(answers.filter(({ status }) => status === 402)).toHaveLength(answers.length - 20);
        const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
        expect(data).toMatchObject({ usage: 0.00004, limit_remaining: 0, status: "over_limit" });
        await price("0");
      });

      it("402: says which limit, what is spent, and what would fit", async () => {
        const { key } = await makeKey(gateway(), { limit: 0.00005, limit_reset: "daily" });
        const answer = await embed({ input: Array.from({ length: 10 }, fresh) }, key);
        expectError(answer, "payment_required", /limit/);
        const { fits } = answer.json.error.metadata;
        expect(answer.json.error.metadata).toMatchObject({
          limit_kind: "key",
          limit: 0.00005,
          limit_reset: "daily",
          spent: 0,
          reserved: 0,
          remaining: 0.00005,
          resets_at: nextReset("daily", gateway().clock.now()).toISOString(),
        });
        expect(fits.inputs).toBeGreaterThan(0);
        expect((await embed({ input: Array.from({ length: fits.inputs }, fresh) }, key)).status).toBe(200);
      });
    });

    describe("a batch", () => {
      it("is split by what the vendor takes at once, and put together in order", async () => {
        const input = Array.from({ length: 8 }, fresh);
        vendor().settings.maxBatch = 3;
        const answer = await embed({ input });
        expect(answer.json.data.map((item: { index: number }) => item.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        input.forEach((text, index) => {
          expect(Float32Array.from(answer.json.data[index].embedding)).toEqual(vectorOf(text, 4));
        });
        expect(vendor().calls()).toBe(3);
        expect(answer.json.usage).toMatchObject({ prompt_tokens: 16, cost: 0.000016 });
      });

      it("fails as a whole when a part fails, and what the others cost is charged", async () => {
        const { key, record } = await makeKey(gateway());
        const letGo = vendor().hold();
        vendor().fail({ type: "status", status: 500 }, 1);
        const answer = embed({ input: Array.from({ length: 6 }, fresh) }, key);
        await expect.poll(() => vendor().inFlight()).toBe(2);
        letGo();
        expectError(await answer, "provider_unavailable", /acme/);
        expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBeCloseTo(0.000006, 12);
      });

      it("sends equal inputs once", async () => {
        const [one, other] = [fresh(), fresh()];
        const answer = await embed({ input: [one, other, one] });
        expect(vendor().requests.at(-1)?.body.input).toEqual([one, other]);
        expect(answer.json.data[2].embedding).toEqual(answer.json.data[0].embedding);
        expect(answer.json.usage).toMatchObject({
          prompt_tokens: 6,
          cost: 0.000004,
          prompt_tokens_details: { cached_tokens: 2 },
        });
        expect(await row(answer.headers.get("x-generation-id"))).toMatchObject({
          inputs: 3,
          cached_inputs: 1,
          cost: 4_000n,
          saved: 2_000n,
        });
      });
    });

    describe("what was asked before", () => {
      it("is not asked again, in whichever format, costs nothing, and the saving is on the record", async () => {
        const input = fresh();
        const { key } = await makeKey(gateway());
        const first = await embed({ input }, key);
        const again = await embed({ input }, key);
        expect(again.json.data).toEqual(first.json.data);
        expect(again.json.usage).toMatchObject({ prompt_tokens: 2, cost: 0 });
        const saving = { cached_inputs: 1, saved: 2_000n, cost: 0n, attempts: [] };
        expect(await row(again.headers.get("x-generation-id"))).toMatchObject(saving);
        const base64 = await embed({ input, encoding_format: "base64" });
        expect(floats(base64.json.data[0].embedding)).toEqual(Float32Array.from(first.json.data[0].embedding));
        expect(vendor().calls()).toBe(1);
      });

      it("is fetched once when many ask at the same time", async () => {
        const input = fresh();
        const letGo = vendor().hold();
        const { key } = await makeKey(gateway());
        const all = Promise.all(Array.from({ length: 20 }, () => embed({ input }, key)));
        await caughtUp(gateway(), key);
        letGo();
        const answers = await all;
        expect(vendor().calls()).toBe(1);
        expect(new Set(answers.map(({ json }) => JSON.stringify(json.data))).size).toBe(1);
        expect(answers.filter(({ json }) => json.usage.cost > 0)).toHaveLength(1);
      });

      it("is fetched once, though a call for it had to wait for room in its limit meanwhile", async () => {
        const input = fresh();
        const { key } = await makeKey(gateway(), { limit: mostCost(input) + 0.000003 });
        const letGo = vendor().hold();
        const first = embed({ input }, key);
        await expect.poll(() => vendor().calls()).toBe(1);
        const second = embed({ input }, key);
        // Time to look for it in the cache, which does not have it yet.
        await caughtUp(gateway(), key);
        letGo();
        const costs = (await Promise.all([first, second])).map(({ json }) => json.usage?.cost);
        expect(costs).toEqual([0.000002, 0]);
        expect(vendor().calls()).toBe(1);
      });

      it("is fetched by those who waited when the one who fetched failed", async () => {
        const input = fresh();
        vendor().delay({ first: 30 });
        vendor().fail({ type: "status", status: 500 }, 1);
        const { key } = await makeKey(gateway());
        const answers = await Promise.all(Array.from({ length: 3 }, () => embed({ input }, key)));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 502]);
      });

      it("is asked again for another workspace, other dimensions, another model's input type, or on demand", async () => {
        const input = fresh();
        const workspace = await makeWorkspace(gateway());
        const { key: elsewhere } = await makeKey(gateway(), { workspace_id: workspace.id });
        await embed({ input });
        await embed({ input }, elsewhere);
        await embed({ input, dimensions: 4 });
        await embed({ input, input_type: "query" });
        await embed({ input }, undefined, { "cache-control": "no-cache" });
        expect(vendor().calls()).toBe(5);
      });

      it("is not kept when the caller says no-store", async () => {
        const input = fresh();
        await embed({ input }, undefined, { "cache-control": "no-store" });
        await embed({ input });
        expect(vendor().calls()).toBe(2);
      });
    });
  });

  describe("embeddings through two vendors", () => {
    const first = withVendor(gateway, { slug: "first" });
    const second = withVendor(gateway, { slug: "second" });
    const embed = async (body: object) =>
      await gateway().call("POST", "/embeddings", {
        key: (await makeKey(gateway())).key,
        body: { model, provider: { order: ["first", "second"] }, ...body },
      });

    it("does not with allow_fallbacks: false, nor for what is the caller's fault", async () => {
      first().fail({ type: "status", status: 500 });
      expectError(
        await embed({ input: fresh(), provider: { order: ["first"], allow_fallbacks: false } }),
        "provider_unavailable",
        /first/,
      );
      first().fail({ type: "status", status: 400 });
      expectError(await embed({ input: fresh() }), "invalid_request", /first/);
      expect(second().calls()).toBe(0);
    });

    it("529: when nobody has room, with the shortest Retry-After", async () => {
      first().fail({ type: "status", status: 529, retryAfter: "9" });
      second().fail({ type: "status", status: 429, retryAfter: "4" });
      const answer = await embed({ input: fresh() });
      expectError(answer, "provider_overloaded", /2 calls failed/);
      expect(answer.headers.get("retry-after")).toBe("4");
      const id = answer.headers.get("x-generation-id");
      const [record] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
      expect(record.provider).toBe("second");
    });

    it("404: none but those that `order` names, where backups are not wanted", async () => {
      const wanted = { order: ["first"], ignore: ["first"], allow_fallbacks: false };
      const answer = await embed({ input: fresh(), provider: wanted });
      expectError(answer, "not_found", /order does not name it/);
      expect([first().calls(), second().calls()]).toEqual([0, 0]);
    });

    it("takes any number for a price", async () => {
      for (const prompt of [0, 1e10, 1e21, Number.MAX_VALUE]) {
        const answer = await embed({ input: fresh(), provider: { max_price: { prompt } } });
        expect(answer.status, answer.text).toBe(prompt === 0 ? 404 : 200);
      }
    });

    it("asks another one with a larger context for what is too long for the first", async () => {
      // what failed in other tests is forgotten by then
      gateway().clock.advance(3_600_000);
      first().settings.context = 10;
      const answer = await embed({ input: `${fresh()} ${"word ".repeat(20)}` });
      expectError(answer, "context_length_exceeded", /maximum context/);
      expect(second().calls()).toBe(0);
      await gateway().call("PATCH", "/providers/first", { body: { models: [offer({ context_length: 100 })] } });
      const served = await embed({ input: `${fresh()} ${"word ".repeat(20)}` });
      expect(served.status, served.text).toBe(200);
      expect([first().calls(), second().calls()]).toEqual([2, 1]);
      // surely too long for it: it is not even asked
      await embed({ input: `${fresh()} ${"word ".repeat(200)}` });
      expect([first().calls(), second().calls()]).toEqual([2, 2]);
    });

    it("keeps the first and last 50 attempts of a call in many pieces, and says how many it left out", async () => {
      await gateway().call("PATCH", "/providers/first", { body: { models: [offer({ max_batch: 1 })] } });
      first().settings.context = 10;
      const input = [...Array.from({ length: 129 }, fresh), "word ".repeat(20)];
      const answer = await embed({ input, provider: { only: ["first"] } });
      await gateway().call("PATCH", "/providers/first", { body: { models: [offer({})] } });
      expectError(answer, "context_length_exceeded", /maximum context/);
      expect(first().calls()).toBe(130);
      const said = answer.json.error.metadata.previous_errors;
      expect(said).toHaveLength(100);
      expect(said[49]).toMatchObject({ status: 200, left_out: 30 });
      expect(said.filter((attempt: object) => "left_out" in attempt)).toHaveLength(1);
      const id = answer.headers.get("x-generation-id") ?? "";
      const [record] = (await gateway().call("GET", `/generations?id=${id}`)).json.data;
      expect(record.attempts).toHaveLength(100);
      expect(record.attempts[49].left_out).toBe(30);
      // pieces are called in parallel: the one that was refused is among the last, in any order
      const last = record.attempts.slice(50).map(({ status }: { status: number }) => status);
      expect(last.toSorted()).toEqual([...Array.from({ length: 49 }, () => 200), 400]);
      const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
      expect(data.provider_responses[49].left_out).toBe(30);
    });

    it("answers nobody with vectors of a space that another choice of providers has", async () => {
      await gateway().call("PATCH", "/providers/second", { body: { models: [offer({ dimensions: 6 })] } });
      second().settings.dimensions = 6;
      const { key } = await makeKey(gateway());
      const input = fresh();
      for (const [name, length] of [
        ["first", 4],
        ["second", 6],
        ["first", 4],
      ] as const) {
        const body = { model, input, provider: { only: [name] } };
        const answer = await gateway().call("POST", "/embeddings", { key, body });
        expect(answer.json.data[0].embedding).toHaveLength(length);
      }
      expect([first().calls(), second().calls()]).toEqual([1, 1]);
    });
  });
});

const offer = (more: object) => ({
  id: model,
  upstream_id: "embed-small",
  type: "embedding",
  name: "Embed",
  context_length: 8_192,
  dimensions: 4,
  pricing: { prompt: "0.000001" },
  ...more,
});
