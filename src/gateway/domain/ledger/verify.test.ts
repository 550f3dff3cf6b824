import { type Kysely, sql } from "kysely";
import { expect, it } from "vitest";
import * as faultsSince from "../../storage/migrations/021-faults-since.ts";
import { testDates } from "../../testing/clock.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { hourMs } from "#contract/time.ts";
import { describeVerification, verifyLedger } from "./verify.ts";

describeGateway("verify", (gateway) => {
  const vendor = withVendor(gateway);
  const verified = async () => await verifyLedger(gateway().deps);
  const query = async (text: string, ...values: unknown[]) =>
    (await gateway().deps.store.pool.query(text, values)).rows;
  const patch = async (hash: string, body: object) => await gateway().call("PATCH", `/keys/${hash}`, { body });
  let calls = 0;
  /** Of new words each time: what is known already costs nothing. */
  const callOnce = async (key: string) => {
    const body = { model: "acme/embed", input: `some words ${(calls += 1)}` };
    return await gateway().call("POST", "/embeddings", { key, body });
  };

  it("finds that everything agrees after calls of every kind, over the midnights of four dates", async () => {
    const { clock } = gateway();
    clock.set(testDates[0]);
    const { key } = await makeKey(gateway(), { limit: 1, limit_reset: "weekly" });
    const embed = async (input: string) =>
      await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input } });
    await Promise.all(Array.from({ length: 20 }, (_, index) => embed(`text ${index % 7}`)));
    vendor().fail({ type: "status", status: 500 }, 1);
    await embed("fails");
    for (const date of testDates) {
      clock.set(new Date(new Date(date).setUTCHours(24, 0, 0, 0) - 1));
      await embed(`before the midnight after ${date}`);
      clock.advance(1);
      await embed(`after it ${date}`);
    }
    const result = await verified();
    expect(result.differences).toEqual([]);
    expect(result.excesses).toEqual([]);
    expect(result.calls).toBe(29n);
    expect(describeVerification(result)).toMatch(/^29 calls on the ledger/);
  });

  it("knows since when from the migration, which goes by the clock that it is given", async () => {
    const since = new Date("2031-05-06T07:08:09Z");
    await callOnce((await makeKey(gateway())).key);
    const rollBack = new Error("nothing of this stays");
    const noted: unknown[] = [];
    await gateway()
      .deps.store.db.transaction()
      .execute(async (trx) => {
        await sql`drop table figures_since`.execute(trx);
        await faultsSince.up(trx as unknown as Kysely<never>, since);
        noted.push(...(await sql`select * from figures_since`.execute(trx)).rows);
        throw rollBack;
      })
      .catch((error: unknown) => expect(error).toBe(rollBack));
    expect(noted).toEqual([{ figure: "provider_faults", since }]);
  });

  it("takes into account that an older version, on its way out, blamed no provider", async () => {
    const { key, record } = await makeKey(gateway());
    vendor().fail({ type: "status", status: 500 }, 1);
    expect((await callOnce(key)).status).toBeGreaterThanOrEqual(500);
    const faults = async () =>
      (await verified()).differences
        .filter(({ figure, row }) => figure === "provider_faults" && row.includes(record.hash))
        .map(({ kept, added }) => [kept, added]);
    const keep = async (count: number) =>
      await query("update usage_hourly set provider_faults = $1 where key_hash = $2", count, record.hash);
    expect(await faults()).toEqual([]);
    await keep(0);
    expect(await faults()).toEqual([[0n, 1n]]);
    const upgraded = (hoursAgo: number) => new Date(gateway().clock.now().getTime() - hoursAgo * hourMs);
    await query("insert into figures_since (figure, since) values ('provider_faults', $1)", upgraded(23));
    expect(await faults()).toEqual([]);
    // More than the ledger says was never counted by anyone.
    await keep(2);
    expect(await faults()).toEqual([[2n, 1n]]);
    await keep(0);
    await query("update figures_since set since = $1", upgraded(25));
    expect(await faults()).toEqual([[0n, 1n]]);
    await keep(1);
    await query("delete from figures_since");
  });

  it("takes into account that an older version, on its way out, counted no cached tokens by the hour", async () => {
    const { key, record } = await makeKey(gateway());
    await callOnce(key);
    await query("update ledger set cached_tokens = 3 where key_hash = $1", record.hash);
    const missing = async () =>
      (await verified()).differences
        .filter(({ figure, row }) => figure === "cached_tokens" && row.includes(record.hash))
        .map(({ kept, added }) => [kept, added]);
    expect(await missing()).toEqual([[0n, 3n]]);
    await query(
      "insert into figures_since (figure, since) values ('cached_tokens', $1)",
      new Date(gateway().clock.now().getTime() - hourMs),
    );
    expect(await missing()).toEqual([]);
    await query("delete from figures_since");
    await query("update ledger set cached_tokens = 0 where key_hash = $1", record.hash);
  });

  it("names the first counter that differs, and by how much", async () => {
    const { key, record } = await makeKey(gateway());
    await callOnce(key);
    const [{ spend_id: row }] = await query("select spend_id from api_keys where hash = $1", record.hash);
    await query("update spends set week = week + 5 where id = $1", row);
    const result = await verified();
    await query("update spends set week = week - 5 where id = $1", row);
    const found = result.differences.find(({ figure }) => figure === "week");
    expect(found).toMatchObject({ table: "spends", row, figure: "week" });
    expect((found?.kept ?? 0n) - (found?.added ?? 0n)).toBe(5n);
    expect(describeVerification(result)).toContain(`week is ${found?.kept}, the ledger adds up to ${found?.added}`);
  });

  /** What is verified while a key's counter has more than was charged. */
  async function verifiedWith(figure: "month" | "total", more: number, hash: string) {
    const change = `update spends set ${figure} = ${figure} + $1 where id = (select spend_id from api_keys where hash = $2)`;
    await query(change, more, hash);
    const result = await verified();
    await query(change, -more, hash);
    return result;
  }

  it("names a limit that more was charged to than it ever allowed", async () => {
    const { key, record } = await makeKey(gateway(), { limit: 1, limit_reset: "monthly" });
    await callOnce(key);
    await patch(record.hash, { limit: 0.5 });
    expect((await verified()).excesses).toEqual([]);
    // What a breach leaves behind: more on the counter than any limit of the period, raised or lowered.
    const result = await verifiedWith("month", 1_000_000_000, record.hash);
    expect(result.excesses).toHaveLength(1);
    const [excess] = result.excesses;
    const limit = { of: `key ${record.name} (${record.hash})`, reset: "monthly", allowed: 1_000_000_000n };
    expect(excess).toMatchObject(limit);
    expect(describeVerification(result)).toContain(`${excess?.charged} was charged in the current monthly period`);
  });

  it("judges a replaced key and its successor, which share a count, each by its own limit", async () => {
    const { record } = await makeKey(gateway(), { limit: 1, limit_reset: "monthly" });
    const rotated = await gateway().call("POST", `/keys/${record.hash}/rotate`, { body: { grace_seconds: 3_600 } });
    const { hash, name } = rotated.json.data;
    await patch(hash, { limit: 0.05 });
    gateway().clock.advance(40 * 86_400_000);
    await callOnce(rotated.json.key);
    expect((await verified()).excesses).toEqual([]);
    // Within what the replaced key may spend, and beyond what its successor may.
    const charge = "update ledger set cost = cost + $1 where key_hash = $2";
    await query(charge, 500_000_000, hash);
    const result = await verifiedWith("month", 500_000_000, hash);
    await query(charge, -500_000_000, hash);
    expect(result.excesses).toMatchObject([
      { of: `key ${name} (${hash}), by its own calls`, reset: "monthly", allowed: 50_000_000n },
    ]);
  });

  it("finds no fault with limits that were lowered, or set, below what was charged by then", async () => {
    const workspace = await makeWorkspace(gateway());
    const { key, record } = await makeKey(gateway(), { workspace_id: workspace.id });
    const { key: lowered, record: other } = await makeKey(gateway(), { limit: 1, workspace_id: workspace.id });
    await callOnce(key);
    await callOnce(lowered);
    const smallest = 0.000000001;
    for (const { hash } of [record, other]) await patch(hash, { limit: smallest });
    const budget = await gateway().call("PUT", `/workspaces/${workspace.id}/budgets/lifetime`, {
      body: { limit_usd: smallest },
    });
    expect(budget.status).toBe(200);
    expect((await gateway().call("POST", "/credits", { body: { amount_usd: smallest } })).status).toBe(201);
    const result = await verified();
    expect(result.excesses).toEqual([]);
    expect(result.limits).toBeGreaterThanOrEqual(4);
  });

  it("finds no fault with what was charged beyond a limit while it was only watched", async () => {
    const smallest = 0.000000001;
    const { key, record } = await makeKey(gateway(), { limit: smallest, limit_watch_only: true });
    await callOnce(key);
    const { limits, excesses } = await verified();
    expect(excesses).toEqual([]);
    await patch(record.hash, { limit_watch_only: false });
    const enforced = await verified();
    expect(enforced.excesses).toEqual([]);
    expect(enforced.limits).toBe(limits + 1);
    // From then on it is judged: what is charged an hour later was not allowed.
    gateway().clock.advance(2 * hourMs);
    const { excesses: found } = await verifiedWith("total", 1_000, record.hash);
    expect(found).toMatchObject([{ of: `key ${record.name} (${record.hash})` }]);
  });

  it("misses nothing that was taken from the hourly sums", async () => {
    await query(
      "update usage_hourly set requests = requests - 1 where key_hash in (select key_hash from usage_hourly limit 1)",
    );
    expect((await verified()).differences).toContainEqual(
      expect.objectContaining({ table: "usage_hourly", figure: "requests" }),
    );
  });
});
