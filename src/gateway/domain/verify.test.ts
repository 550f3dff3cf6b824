import { expect, it } from "vitest";
import { describeOnEngines } from "../testing/engines.ts";
import { makeKey } from "../testing/makers.ts";
import { withVendor } from "../testing/vendor-setup.ts";
import { describeVerification, verifyLedger } from "./verify.ts";

describeOnEngines("verify", (gateway) => {
  const vendor = withVendor(gateway);
  const verified = async () => await verifyLedger(gateway().deps.store);

  it("finds that everything agrees after calls of every kind, over a midnight", async () => {
    const { key } = await makeKey(gateway(), { limit: 1 });
    const embed = async (input: string) =>
      await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input } });
    await Promise.all(Array.from({ length: 20 }, (_, index) => embed(`text ${index % 7}`)));
    vendor().fail({ type: "status", status: 500 }, 1);
    await embed("fails");
    gateway().clock.set("2026-11-22T23:59:59.999Z");
    await embed("before midnight");
    gateway().clock.advance(1);
    await embed("after midnight");
    const result = await verified();
    expect(result.differences).toEqual([]);
    expect(result.calls).toBe(23n);
    expect(describeVerification(result)).toMatch(/^23 calls on the ledger/);
  });

  it("names the first counter that differs, and by how much", async () => {
    const { pool } = gateway().deps.store;
    const { key, record } = await makeKey(gateway());
    await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input: "one more" } });
    const { rows } = await pool.query("select spend_id from api_keys where hash = $1", [record.hash]);
    await pool.query("update spends set week = week + 5 where id = $1", [rows[0].spend_id]);
    const week = { table: "spends", row: rows[0].spend_id, figure: "week" };
    const result = await verified();
    const found = result.differences.find(({ figure }) => figure === "week");
    expect(found).toMatchObject(week);
    expect((found?.kept ?? 0n) - (found?.added ?? 0n)).toBe(5n);
    expect(describeVerification(result)).toContain(`week is ${found?.kept}, the ledger adds up to ${found?.added}`);
    await pool.query("update spends set week = week - 5 where id = $1", [rows[0].spend_id]);
  });

  it("misses nothing that was taken from the hourly sums", async () => {
    const { pool } = gateway().deps.store;
    await pool.query(
      "update usage_hourly set requests = requests - 1 where key_hash in (select key_hash from usage_hourly limit 1)",
    );
    expect((await verified()).differences).toContainEqual(
      expect.objectContaining({ table: "usage_hourly", figure: "requests" }),
    );
  });
});
