import { describe, expect, it } from "vitest";
import { ledgerRows } from "../../domain/ledger/columns.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { eventually } from "../../testing/eventually.ts";
import { makeKey } from "../../testing/factories.ts";
import { tokensOf, vectorOf } from "../../testing/vendor-answers.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const model = "acme/embed";
let texts = 0;
const fresh = (words = 2) => `${"word ".repeat(words - 1)}${(texts += 1)}`;

describeGateway("embeddings in batches", (gateway) => {
  describe("batches by a vendor's tokens", () => {
    // Mistral states 16,384 tokens for a request.
    const vendor = withVendor(gateway, { provider: { preset: "mistral" } });
    const embed = async (input: readonly string[], key?: string) => {
      const answer = await gateway().call("POST", "/embeddings", {
        key: key ?? (await makeKey(gateway())).key,
        body: { model, input, encoding_format: "float" },
      });
      const { db } = gateway().deps.store;
      const id = answer.headers.get("x-generation-id") ?? "";
      return { answer, row: await ledgerRows(db).selectAll().where("id", "=", id).executeTakeFirst() };
    };
    const inputsSent = () => vendor().requests.map(({ body }) => (body.input as string[]).length);

    it("200: splits by the estimated tokens, joins in order, and charges each batch once within the limit", async () => {
      vendor().settings.batchTokens = 16_384;
      const input = Array.from({ length: 30 }, () => fresh(800));
      const tokens = input.reduce((sum, text) => sum + tokensOf(text), 0);
      const { key, record } = await makeKey(gateway(), { limit: 1 });
      const { answer, row } = await embed(input, key);
      expect(answer.status, answer.text.slice(0, 500)).toBe(200);
      expect(inputsSent().reduce((sum, count) => sum + count, 0)).toBe(30);
      expect(inputsSent().length).toBeGreaterThan(1);
      input.forEach((text, index) =>
        expect(Float32Array.from(answer.json.data[index].embedding)).toEqual(vectorOf(text, 4)),
      );
      expect(row).toMatchObject({ status: 200, prompt_tokens: tokens, cost: BigInt(tokens) * 1_000n, overrun: 0n });
      expect((await gateway().call("GET", `/keys/${record.hash}`)).json.data.usage).toBeCloseTo(tokens / 1e6, 9);
    });

    it("200: cuts a batch in halves where the vendor counts more than expected, and charges no refused one", async () => {
      vendor().settings.batchTokens = 7;
      const input = Array.from({ length: 6 }, () => fresh());
      const { answer, row } = await embed(input);
      expect(answer.status, answer.text).toBe(200);
      input.forEach((text, index) =>
        expect(Float32Array.from(answer.json.data[index].embedding)).toEqual(vectorOf(text, 4)),
      );
      expect(inputsSent()).toEqual([6, 3, 3]);
      expect(row).toMatchObject({ status: 200, prompt_tokens: 12, cost: 12_000n });
      expect(row?.attempts.map(({ status }) => status)).toEqual([400, 200, 200]);
    });

    it("400: what is too long however small the batch, after as many cuts as are made", async () => {
      vendor().settings.batchTokens = 1;
      const { answer, row } = await embed(Array.from({ length: 32 }, () => fresh()));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("Too many tokens in batch");
      expect(row).toMatchObject({ cost: 0n });
      // One whole, then one half of what was refused each time, at most three times.
      expect(inputsSent()).toEqual([32, 16, 8, 4]);
    });
  });

  describe("pace", () => {
    const vendor = withVendor(gateway, { embed: { max_batch: 1 } });
    const embed = async (input: readonly string[], key?: string) =>
      await gateway().call("POST", "/embeddings", {
        key: key ?? (await makeKey(gateway())).key,
        body: { model, input },
      });
    const rowOf = async (id: string | null) => await ledgerRow(gateway(), id);

    describe("a vendor that says what is left of its rates", () => {
      it.each([
        ["requests", { requests: 3, tokens: 1_000, refillMs: 300 }],
        ["tokens", { requests: 1_000, tokens: 60, refillMs: 600 }],
      ])("200: is sent no batch that it would refuse for its %s", async (_, rates) => {
        vendor().settings.rates = rates;
        expect((await embed([fresh()])).status).toBe(200);
        const input = Array.from({ length: 7 }, () => fresh());
        const answer = await embed(input);
        expect(answer.status, answer.text).toBe(200);
        input.forEach((text, index) =>
          expect(Float32Array.from(answer.json.data[index].embedding)).toEqual(vectorOf(text, 4)),
        );
        expect(vendor().limited()).toBe(0);
        expect(await rowOf(answer.headers.get("x-generation-id"))).toMatchObject({ cost: 14_000n, status: 200 });
      });

      it("429: is sent what would have to wait too long, and decides", async () => {
        vendor().settings.rates = { requests: 1, tokens: 1_000, refillMs: 600_000 };
        expect((await embed([fresh()])).status).toBe(200);
        const answer = await embed([fresh()]);
        expect(answer.status).toBe(429);
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(20);
        expect(vendor().limited()).toBe(1);
      });
    });

    it("499: a caller who leaves while a batch waits pays for those that were sent, and no other is sent", async () => {
      vendor().settings.rates = { requests: 2, tokens: 1_000, refillMs: 36_000 };
      expect((await embed([fresh()])).status).toBe(200);
      const { key, record } = await makeKey(gateway());
      const leaving = new AbortController();
      const call = fetch(`${gateway().url}/api/v1/embeddings`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, input: [fresh(), fresh()] }),
        signal: leaving.signal,
      }).catch((error: unknown) => error);
      await eventually(
        () => vendor().calls(),
        (calls) => calls === 2,
      );
      leaving.abort();
      await call;
      const row = await eventually(
        () => ledgerRows(gateway().deps.store.db).selectAll().where("key_hash", "=", record.hash).executeTakeFirst(),
        (found) => found !== undefined,
      );
      expect(row).toMatchObject({ status: 499, cancelled: true, cost: 2_000n, inputs: 2 });
      expect(vendor().calls()).toBe(2);
    });

    describe("a vendor that refuses one of several batches and says when to come back", () => {
      it("200: gets it again then, where no other provider can take over", async () => {
        vendor().fail({ type: "status", status: 429, retryAfter: "1", code: "rate_limit_exceeded" }, 1);
        const answer = await embed([fresh(), fresh(), fresh()]);
        expect(answer.status, answer.text).toBe(200);
        const row = await rowOf(answer.headers.get("x-generation-id"));
        expect(row?.attempts.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
        expect(row).toMatchObject({ cost: 6_000n });
      });

      it("429: not for ever, and what was answered is charged", async () => {
        vendor().fail({ type: "status", status: 429, retryAfter: "60", code: "rate_limit_exceeded" });
        const answer = await embed([fresh(), fresh()]);
        expect(answer.status).toBe(429);
        expect(await rowOf(answer.headers.get("x-generation-id"))).toMatchObject({ cost: 0n });
      });
    });
  });
});
