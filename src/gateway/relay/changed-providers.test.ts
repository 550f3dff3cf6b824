import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";

const oldKey = "sk-second-old-0123456789";
const newKey = "sk-second-new-0123456789";

describe("a provider that is changed while an earlier one is asked", () => {
  let gateway: TestGateway;
  let key = "";
  let vendors: { first: FakeVendor; second: FakeVendor };
  beforeAll(async () => {
    gateway = await startGateway();
    ({ key } = await makeKey(gateway));
    vendors = { first: await startFakeVendor(), second: await startFakeVendor() };
  });
  beforeEach(async () => {
    for (const [slug, vendor] of Object.entries(vendors)) {
      vendor.settings.dimensions = 4;
      await makeProvider(gateway, {
        slug,
        base_url: vendor.baseUrl,
        api_key: slug === "first" ? "sk-first-0123456789" : oldKey,
        data_collection: "deny",
        models: [
          { id: "x/embed", upstream_id: "embed", type: "embedding", dimensions: 4, max_batch: 1 },
          { id: "x/talk", upstream_id: "talk", type: "chat" },
        ],
      });
    }
  });
  afterEach(async () => {
    for (const [slug, vendor] of Object.entries(vendors)) {
      await gateway.call("DELETE", `/providers/${slug}`);
      vendor.reset();
    }
    gateway.clock.advance(3_600_000);
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(Object.values(vendors).map((vendor) => vendor.close()));
  });

  const chat = { model: "x/talk", messages: [{ role: "user", content: "hi" }] };
  const calls = [
    ["a chat", "/chat/completions", chat],
    ["a stream", "/chat/completions", { ...chat, stream: true }],
    ["embeddings", "/embeddings", { model: "x/embed", input: "one" }],
  ] as const;

  /** Embeddings would come from the cache otherwise. */
  const headers = { "cache-control": "no-store" };
  const call = (path: string, body: object) => gateway.call("POST", path, { key, body, headers });
  const sent = (vendor: FakeVendor) => vendor.requests.map(({ headers }) => headers["authorization"]);

  /** Makes the call, and the change once the first provider was asked, which then fails. */
  async function changedUnderWay(path: string, body: object, change: () => Promise<{ status: number }>) {
    const { first } = vendors;
    first.fail({ type: "status", status: 500 }, 1);
    const release = first.hold();
    const calling = call(path, { provider: { order: ["first", "second"] }, ...body });
    await expect.poll(() => first.inFlight()).toBe(1);
    expect((await change()).status).toBe(200);
    release();
    return await calling;
  }
  const patch = (path: string, body: object) => gateway.call("PATCH", path, { body });

  describe.each(calls)("%s", (_, path, body) => {
    it.each([
      ["disabled", () => patch("/providers/second", { enabled: false })],
      ["deleted", () => gateway.call("DELETE", "/providers/second")],
      ["moved", () => patch("/providers/second", { base_url: "http://127.0.0.1:1/v1", api_key: newKey })],
      ["declared to collect data", () => patch("/providers/second", { data_collection: "allow" })],
    ])("502: one that was %s is not called", async (_change, change) => {
      const answer = await changedUnderWay(path, body, change);
      expectError(answer, "provider_unavailable", /first answered 500/);
      expect(answer.json.error.metadata.passed_over).toMatchObject([{ provider: "second", code: "provider_changed" }]);
      expect(vendors.second.calls()).toBe(0);
    });

    it("200: one with a new key is called with that", async () => {
      const answer = await changedUnderWay(path, body, () => patch("/providers/second", { api_key: newKey }));
      expect(answer.status, answer.text).toBe(200);
      expect(sent(vendors.second)).toEqual([`Bearer ${newKey}`]);
    });

    it("200: an own key that was deleted or disabled is not sent", async () => {
      const add = async (secret: string) =>
        (await gateway.call("POST", "/byok", { body: { provider: "first", key: secret } })).json.data.id;
      const [asked, deleted, disabled] = [
        await add("sk-own-asked-0123456789"),
        await add("sk-own-deleted-0123456789"),
        await add("sk-own-disabled-0123456789"),
      ];
      const own = { ...body, provider: { only: ["first"] } };
      const answer = await changedUnderWay(path, own, async () => {
        await patch(`/byok/${disabled}`, { disabled: true });
        return await gateway.call("DELETE", `/byok/${deleted}`);
      });
      expect(answer.status, answer.text).toBe(200);
      expect(sent(vendors.first)).toEqual(["Bearer sk-own-asked-0123456789", "Bearer sk-first-0123456789"]);
      for (const id of [asked, disabled]) await gateway.call("DELETE", `/byok/${id}`);
    });
  });

  describe("between two batches of one call", () => {
    const input = Array.from({ length: 12 }, (_, index) => `text ${index}`);
    const inBatches = async (change: () => Promise<{ status: number }>) => {
      const { second } = vendors;
      const release = second.hold();
      const calling = call("/embeddings", { model: "x/embed", input, provider: { only: ["second"] } });
      await expect.poll(() => second.inFlight()).toBe(8);
      expect((await change()).status).toBe(200);
      release();
      return await calling;
    };

    it("200: the later ones are sent with the new key", async () => {
      const answer = await inBatches(() => patch("/providers/second", { api_key: newKey }));
      expect(answer.json.data).toHaveLength(12);
      expect(sent(vendors.second).slice(8)).toEqual(Array.from({ length: 4 }, () => `Bearer ${newKey}`));
    });

    it("502: the later ones are not sent to a provider that was deleted", async () => {
      const answer = await inBatches(() => gateway.call("DELETE", "/providers/second"));
      expectError(answer, "provider_unavailable", /No provider was left to call/);
      const { passed_over } = answer.json.error.metadata;
      expect(passed_over.at(-1)).toMatchObject({ provider: "second", code: "provider_changed" });
      expect(vendors.second.calls()).toBe(8);
    });
  });
});
