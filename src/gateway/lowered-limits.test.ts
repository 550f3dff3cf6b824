import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeGateway } from "./testing/describe-gateway.ts";
import { withVendor } from "./testing/vendor-setup.ts";

describeGateway("a limit that changes while calls wait for room", (gateway) => {
  const vendor = withVendor(gateway);
  const cost = 0.000002;
  const ask = (key: string) =>
    gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input: `text ${Math.random()}` } });
  const vendorHas = async (count: number) => {
    while (vendor().inFlight() < count) await sleep(5);
  };

  it.each([
    ["is lowered", (hash: string) => ["PATCH", `/keys/${hash}`, { limit: cost }] as const, 402],
    [
      "belongs to a key that is disabled",
      (hash: string) => ["PATCH", `/keys/${hash}`, { disabled: true }] as const,
      401,
    ],
  ])("refuses them when it %s", async (_name, change, expected) => {
    // Room for the reservation of one call only, whose true cost leaves room for the next.
    const { json } = await gateway().call("POST", "/keys", { body: { name: "waits", limit: cost * 20 } });
    const { key, data } = json;
    const release = vendor().hold();
    const first = ask(key);
    await vendorHas(1);
    await gateway().call("PATCH", `/keys/${data.hash}`, { body: { limit: cost * 20 } });
    const others = Array.from({ length: 4 }, () => ask(key));
    // Those who have not come to wait by then are refused as well.
    await sleep(300);
    const [method, path, body] = change(data.hash);
    expect((await gateway().call(method, path, { body })).status).toBe(200);
    const before = vendor().calls();
    release();
    expect((await first).status).toBe(200);
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    expect(statuses).toContain(expected);
    expect(vendor().calls()).toBe(before);
  });
});
