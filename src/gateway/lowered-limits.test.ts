import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { describeGateway } from "./testing/describe-gateway.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { addKey, addVendor, costOfCall, embed, manage, sharedSecrets, verify } from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { withVendor } from "./testing/vendor-setup.ts";

describe("a limit that is lowered while another process holds a slice of it", () => {
  let vendor: FakeVendor;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let here: RunningGateway;
  let there: RunningGateway;
  beforeAll(async () => {
    vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
    database = await createDatabase(inject("postgresUrl"));
    const env = { ...sharedSecrets, DATABASE_URL: database.url };
    [here, there] = await Promise.all([startGatewayProcess({ env }), startGatewayProcess({ env })]);
    await addVendor(here, vendor);
  });
  afterAll(async () => {
    await Promise.all([here.dispose(), there.dispose(), vendor.close()]);
    await database.drop();
  });

  const calls = (at: RunningGateway, key: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => embed(at, key)));
  const served = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length;
  const usd = (count: number) => Number((count * costOfCall).toFixed(9));

  /** Spends at both, and says how many calls were served. */
  async function spendAtBoth(key: string): Promise<number> {
    const answers = await Promise.all([calls(there, key, 60), calls(here, key, 20)]);
    return served(answers.flat());
  }

  /** Changes a limit. @returns how many calls may be served after it: any number where a process did not answer in time */
  async function lower(method: string, path: string, body: object): Promise<number> {
    const began = performance.now();
    expect((await manage(here, method, path, body)).status).toBeLessThan(300);
    return performance.now() - began < 2_000 ? 20 : Number.POSITIVE_INFINITY;
  }

  it("what is spent after the answer never passes the key's new limit", async () => {
    const { key, hash } = await addKey(here, usd(1_000));
    const before = vendor.calls();
    const spent = served(await calls(there, key, 20));
    expect(spent).toBe(20);
    const most = await lower("PATCH", `/keys/${hash}`, { limit: usd(40) });
    const more = await spendAtBoth(key);
    expect(vendor.calls() - before).toBe(spent + more);
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThanOrEqual(most);
  });

  it("nor a workspace's new budget, nor credits that are taken back", async () => {
    const { data } = await manage(here, "POST", "/workspaces", {
      name: "Lowered",
      slug: randomBytes(4).toString("hex"),
    });
    const workspace = String(data["id"]);
    const budget = `/workspaces/${workspace}/budgets/lifetime`;
    expect((await manage(here, "PUT", budget, { limit_usd: usd(1_000) })).status).toBe(200);
    const { key } = await addKey(here, null, { workspace_id: workspace });
    expect(served(await calls(there, key, 20))).toBe(20);
    const mostOfBudget = await lower("PUT", budget, { limit_usd: usd(40) });
    expect(await spendAtBoth(key)).toBeLessThanOrEqual(mostOfBudget);

    const { data: credits } = await manage(here, "GET", "/credits");
    const used = Number(credits["total_usage"]);
    const other = await addKey(here, null);
    await manage(here, "POST", "/credits", { amount_usd: used + usd(1_000) });
    expect(served(await calls(there, other.key, 20))).toBe(20);
    const mostOfCredits = await lower("POST", "/credits", { amount_usd: -usd(960) });
    expect(await spendAtBoth(other.key)).toBeLessThanOrEqual(mostOfCredits);
    await manage(here, "POST", "/credits", { amount_usd: 1_000 });
  });

  it.each(["keys", "members"] as const)("nor the budget of a guardrail for %s, new or lowered", async (end) => {
    const user = randomBytes(4).toString("hex");
    const { key, hash } = await addKey(here, null, { creator_user_id: user });
    expect(served(await calls(there, key, 20))).toBe(20);
    const budget = { name: "Lowered", limit_usd: usd(1_000), reset_interval: "monthly" };
    const { data } = await manage(here, "POST", "/guardrails", budget);
    const path = `/guardrails/${String(data["id"])}`;
    const body = end === "keys" ? { key_hashes: [hash] } : { member_user_ids: [user] };
    expect((await manage(here, "POST", `${path}/assignments/${end}`, body)).status).toBe(200);
    expect(served(await calls(there, key, 20))).toBe(20);
    const most = await lower("PATCH", path, { limit_usd: usd(60) });
    const more = await spendAtBoth(key);
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThanOrEqual(most);
  });

  it("a process that does not answer loses its slice, and what it serves from it later is not charged", async () => {
    const { key, hash } = await addKey(here, usd(1_000));
    expect(served(await calls(there, key, 20))).toBe(20);
    there.process.kill("SIGSTOP");
    const { status } = await manage(here, "PATCH", `/keys/${hash}`, { limit: usd(40) });
    there.process.kill("SIGCONT");
    expect(status).toBe(200);
    await spendAtBoth(key);
    const { data } = await manage(here, "GET", `/keys/${hash}`);
    expect(Math.round(Number(data["usage"]) * 1e9)).toBeLessThanOrEqual(Math.round(usd(40) * 1e9));
  });

  it("a change that leaves room for every slice takes none away", async () => {
    // So large that nobody waits for room.
    const { key, hash } = await addKey(here, usd(10_000));
    expect(served(await calls(there, key, 20))).toBe(20);
    await manage(here, "PATCH", `/keys/${hash}`, { limit: usd(5_000) });
    expect(await spendAtBoth(key)).toBe(80);
    await Promise.all([here.stop(), there.stop()]);
    const env = { ...sharedSecrets, DATABASE_URL: database.url, GATEHOUSE_DATA_DIR: here.dataDir };
    expect(await verify(env)).toContain("all agree");
  });
});

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
