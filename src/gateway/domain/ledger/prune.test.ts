import { expect, it } from "vitest";
import { startOfUtcWeek } from "#contract/time.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeClock } from "../../testing/clock.ts";
import { makeKey } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";
import { pruneLedger } from "./prune.ts";
import { describeVerification, verifyLedger } from "./verify.ts";

describeGateway("prune", (gateway) => {
  /** Two years that lie ahead of the clock, whatever date the tests run on. */
  const first = makeClock().now().getUTCFullYear() + 1;
  const next = first + 1;
  const vendor = withVendor(gateway);
  const embed = async (key: string, input: string) =>
    await gateway().call("POST", "/embeddings", { key, body: { model: "acme/embed", input } });
  const ids = async () => {
    const { rows } = await gateway().deps.store.pool.query<{ id: string }>("select id from ledger order by id");
    return rows.map(({ id }) => id);
  };
  async function expectClean() {
    const verification = await verifyLedger(gateway().deps);
    expect([...verification.differences, ...verification.excesses], describeVerification(verification)).toEqual([]);
    return verification;
  }

  it("deletes calls up to the day given, exports them, and leaves a ledger that adds up", async () => {
    const { key } = await makeKey(gateway(), { limit: 1, limit_reset: "monthly" });
    const { key: idle } = await makeKey(gateway(), { limit: 1 });
    gateway().clock.set(`${first}-12-30T12:00:00.000Z`);
    for (let call = 0; call < 7; call += 1) await embed(key, `old ${call}`);
    await embed(idle, "old and alone");
    vendor().fail({ type: "status", status: 500 }, 1);
    await embed(key, "fails");
    const old = await ids();
    gateway().clock.set(`${next}-02-10T12:00:00.000Z`);
    await embed(key, "new");
    const lines: string[] = [];
    const before = new Date(`${next}-02-01T00:00:00Z`);
    const openExport = async () => async (batch: readonly string[]) => void lines.push(...batch);
    const outcome = await pruneLedger(gateway().deps, { before, batch: 3, openExport });
    expect(outcome).toEqual({ deleted: old.length, kept: [] });
    expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual(old);
    expect(await ids()).toHaveLength(1);
    const verification = await expectClean();
    expect(verification.pruned).toBe(BigInt(old.length));
    await embed(key, "newer");
    await expectClean();
    expect(await pruneLedger(gateway().deps, { before })).toEqual({ deleted: 0, kept: [] });
  });

  it("lets verify still find what was taken from a counter, or from a closing balance", async () => {
    const { pool } = gateway().deps.store;
    for (const table of ["spends", "ledger_closings"]) {
      const change = `update ${table} set total = total + $1 where id in (select id from ledger_closings order by id limit 1)`;
      await pool.query(change, [5]);
      const found = expect.objectContaining({ table: "spends", figure: "total" });
      expect((await verifyLedger(gateway().deps)).differences).toContainEqual(found);
      await pool.query(change, [-5]);
    }
    await expectClean();
  });

  it("refuses the current month, and the week that began before it", async () => {
    gateway().clock.set(`${next}-04-02T12:00:00.000Z`);
    const prune = async (before: string) => await pruneLedger(gateway().deps, { before: new Date(before) });
    const week = startOfUtcWeek(new Date(`${next}-04-01T00:00:00Z`))
      .toISOString()
      .slice(0, 10);
    await expect(prune(`${next}-04-02`)).rejects.toThrow(`the latest date for --before is ${week}`);
    if (week !== `${next}-04-01`) await expect(prune(`${next}-04-01`)).rejects.toThrow(week);
    await expect(prune(week)).resolves.toBeDefined();
  });

  it("keeps what a destination has not got yet, and names the destination", async () => {
    const { pool } = gateway().deps.store;
    const { key } = await makeKey(gateway());
    await embed(key, "forwarded");
    const body = { type: "webhook", name: "Slow sink", config: { url: "https://93.184.216.34/" }, enabled: false };
    expect((await gateway().call("POST", "/observability/destinations", { body })).status).toBe(201);
    await embed(key, "waits");
    const [waiting] = (await pool.query("select id, xact from ledger order by xact desc, seq desc limit 1")).rows;
    gateway().clock.set(`${next}-06-20T12:00:00.000Z`);
    const before = new Date(`${next}-06-01T00:00:00Z`);
    const { kept } = await pruneLedger(gateway().deps, { before });
    expect(kept).toEqual([expect.objectContaining({ destination: "Slow sink" })]);
    expect(await ids()).toEqual([waiting.id]);
    await expectClean();
    await pool.query("update forwarding set cursor_xact = $1::text::xid8, cursor_seq = 9000000000000", [waiting.xact]);
    expect(await pruneLedger(gateway().deps, { before })).toEqual({ deleted: 1, kept: [] });
    await expectClean();
  });
});
