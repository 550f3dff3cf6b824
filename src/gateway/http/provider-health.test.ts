import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";

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

describeGateway("a provider that fails", (gateway) => {
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

  it("is told from the ledger once this process saw nothing for 30 minutes, and after a day says when its last call was", async () => {
    const third = await startFakeVendor();
    third.settings.dimensions = 8;
    const provider = { slug: "third", base_url: third.baseUrl, models, position: 3 };
    expect((await makeProvider(gateway(), provider)).health.ledger).toMatchObject({ calls: 0, last_call_hour: null });
    const seen = async () => {
      const read = async (path: string) => (await gateway().call("GET", path)).json.data;
      const [{ health: one }, all] = [await read("/providers/third"), await read("/provider-settings")];
      expect(all.find(({ slug }: { slug: string }) => slug === "third").health).toEqual(one);
      return one;
    };
    const hourMs = 3_600_000;
    const hour = new Date(Math.floor(gateway().clock.now().getTime() / hourMs) * hourMs);
    for (let call = 0; call < 3; call += 1) expect((await embed({ only: ["third"] })).status).toBe(200);
    third.fail({ type: "status", status: 500 }, 1);
    expect((await embed({ only: ["third"] })).status).toBe(502);
    await third.close();

    gateway().clock.advance(2 * hourMs);
    const idle = await seen();
    expect(idle).toMatchObject({ status: "up", calls_last_30m: 0, error_rate_last_30m: null });
    expect(idle.recent).toEqual({ calls: 4, error_rate: 0.25, minutes: 180 });
    expect(idle.ledger).toMatchObject({ calls: 4, failures: 1, last_call_hour: hour.toISOString() });
    expect(idle.ledger.models).toEqual([{ id: "acme/embed", calls: 4, failures: 1 }]);
    expect(idle.ledger.hours).toHaveLength(24);
    expect(idle.ledger.hours.at(-3)).toEqual({ at: hour.toISOString(), calls: 4, failures: 1 });

    gateway().clock.advance(24 * hourMs);
    const old = await seen();
    expect([old.status, old.recent]).toEqual(["idle", null]);
    expect(old.ledger).toMatchObject({
      calls: 0,
      failures: 0,
      models: [],
      last_call_hour: hour.toISOString(),
    });
  });
});
