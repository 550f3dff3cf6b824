import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnEngines } from "../testing/engines.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { makeKey, makeProvider } from "../testing/makers.ts";

let first: FakeVendor;
let second: FakeVendor;
beforeAll(async () => {
  [first, second] = await Promise.all([startFakeVendor(), startFakeVendor()]);
});
afterAll(() => Promise.all([first.close(), second.close()]));
beforeEach(() => {
  for (const vendor of [first, second]) {
    vendor.reset();
    vendor.settings.dimensions = 8;
  }
});

const models = [
  { id: "acme/embed", upstream_id: "embed", type: "embedding" as const, dimensions: 8, pricing: { prompt: "0" } },
];

describeOnEngines("a provider that fails", (gateway) => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await makeKey(gateway()));
    await makeProvider(gateway(), { slug: "first", base_url: first.baseUrl, models, position: 1 });
    await makeProvider(gateway(), { slug: "second", base_url: second.baseUrl, models, position: 2 });
  });

  let inputs = 0;
  const embed = async (provider: object = { order: ["first", "second"] }) => {
    inputs += 1;
    return await gateway().call("POST", "/embeddings", {
      key,
      body: { model: "acme/embed", input: `input ${inputs}`, provider },
    });
  };
  const health = async () => (await gateway().call("GET", "/providers/first")).json.data.health;

  it("is held back after three failures, shown so, tried again when its time is up, and back after a success", async () => {
    first.fail({ type: "status", status: 500 });
    for (let call = 0; call < 3; call += 1) expect((await embed()).status).toBe(200);
    expect([first.calls(), second.calls()]).toEqual([3, 3]);
    expect(await health()).toMatchObject({
      status: "down",
      calls_last_30m: 3,
      error_rate_last_30m: 1,
      last_failure: { reason: "server", status: 500 },
    });
    const { endpoints } = (await gateway().call("GET", "/models/acme/embed/endpoints", { key: null })).json.data;
    expect(endpoints.map(({ tag, status }: { tag: string; status: number }) => [tag, status])).toEqual([
      ["first", -2],
      ["second", 0],
    ]);

    await embed();
    expect(first.calls()).toBe(3);

    first.fail(null);
    gateway().clock.advance(5_000);
    await embed();
    expect(first.calls()).toBe(4);
    expect(await health()).toMatchObject({ status: "up", retry_at: null });
    await embed();
    expect(first.calls()).toBe(5);
  });

  it("is still asked when there is nobody else, or the caller allows nobody else", async () => {
    first.fail({ type: "status", status: 503 });
    for (let call = 0; call < 3; call += 1) await embed();
    first.fail(null);
    expect((await embed({ only: ["first"] })).status).toBe(200);
    expect((await embed({ order: ["first"], allow_fallbacks: false })).status).toBe(200);
    expect(second.calls()).toBe(3);
  });

  it("is not asked before the time that it named", async () => {
    first.fail({ type: "status", status: 429, retryAfter: "30" }, 1);
    expect((await embed()).status).toBe(200);
    gateway().clock.advance(29_000);
    await embed();
    expect(first.calls()).toBe(1);
    expect((await health()).status).toBe("overloaded");
    gateway().clock.advance(1_000);
    await embed();
    expect(first.calls()).toBe(2);
  });
});
