import { describe, expect, it } from "vitest";
import { dayMs, startOfUtcMonth } from "#contract/time.ts";
import { testDates } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as audit from "../audit.ts";
import { hashRequest } from "../idempotency.ts";
import * as keys from "./keys.ts";
import type { Refusal } from "../refusal.ts";

/** What was refused; a success fails the test. */
async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toHaveProperty("name", "Refusal");
  return error as Refusal;
}

describeGateway("keys", (gateway) => {
  const ctx = () => makeContext(gateway().deps);
  const create = async (body: Parameters<typeof keys.create>[1], repeatOf?: string) =>
    await keys.create(ctx(), body, repeatOf);
  const update = async (hash: string, body: Parameters<typeof keys.update>[2]) => await keys.update(ctx(), hash, body);
  const rotate = async (hash: string, grace_seconds: number) => await keys.rotate(ctx(), hash, { grace_seconds });
  const later = (ms: number) => new Date(gateway().clock.now().getTime() + ms).toISOString();

  it("made in parallel are all there, each with a hash of its own", async () => {
    const count = async () => (await keys.count(ctx(), { workspace_id: "all" })).data.all.count;
    const before = await count();
    const made = await Promise.all(Array.from({ length: 40 }, (_, i) => create({ name: `parallel ${i}` })));
    expect(new Set(made.map(({ data }) => data.hash)).size).toBe(40);
    expect(await count()).toBe(before + 40);
  });

  describe("an Idempotency-Key", () => {
    it("belongs to one caller", async () => {
      const other = makeContext(gateway().deps, { kind: "management", keyHash: "1".repeat(64), name: "ben" });
      await create({ name: "mine" }, "repeat-3");
      expect((await keys.create(other, { name: "mine" }, "repeat-3")).data.name).toBe("mine");
    });

    it("is not used up by a request that was refused", async () => {
      const workspace_id = "00000000-0000-4000-8000-000000000000";
      const error = await refusal(create({ name: "lost", workspace_id }, "repeat-4"));
      expect(error).toMatchObject({ status: 400, details: { issues: [{ path: "workspace_id" }] } });
      expect((await create({ name: "found" }, "repeat-4")).data.name).toBe("found");
    });

    it("is forgotten after a day", async () => {
      await create({ name: "daily" }, "repeat-5");
      gateway().clock.advance(dayMs - 1);
      await refusal(create({ name: "daily" }, "repeat-5"));
      gateway().clock.advance(1);
      expect((await create({ name: "daily" }, "repeat-5")).data.name).toBe("daily");
    });

    it("tells requests apart by all that they say", () => {
      const [one, other] = [
        { x: 1, y: [{ p: 1, q: null }] },
        { y: [{ q: null, p: 1 }], x: 1 },
      ];
      expect(hashRequest("a", one)).toBe(hashRequest("a", other));
      expect(hashRequest("a", { x: 1, y: undefined })).toBe(hashRequest("a", { x: 1 }));
      expect(hashRequest("a", { x: 1 })).not.toBe(hashRequest("b", { x: 1 }));
      expect(hashRequest("a", { x: 1 })).not.toBe(hashRequest("a", { x: "1" }));
      expect(hashRequest("a", { x: null })).not.toBe(hashRequest("a", {}));
      expect(hashRequest("a", { x: [1, 2] })).not.toBe(hashRequest("a", { x: [2, 1] }));
    });
  });

  describe("an update", () => {
    it("made by many at once is lost for none: the log leads from the first state to the last", async () => {
      const { data } = await create({ name: "0" });
      await Promise.all(Array.from({ length: 10 }, (_, i) => update(data.hash, { name: String(i + 1) })));
      const rows = (await audit.list(ctx(), { target_id: data.hash, action: "updateKeys" })).data;
      expect(rows.length).toBe(10);
      const next = new Map(rows.map((row) => [row.before?.["name"], row.after?.["name"]] as const));
      let name: unknown = "0";
      for (let step = 0; step < 10; step += 1) name = next.get(name);
      expect(name).toBe((await keys.get(ctx(), data.hash)).data.name);
    });

    it("refuses an expiry that is not ahead", async () => {
      const { data } = await create({ name: "a" });
      const expires_at = later(0);
      const { message } = await refusal(update(data.hash, { expires_at }));
      expect(message).toBe("expires_at must be in the future");
      expect((await refusal(create({ name: "b", expires_at }))).status).toBe(400);
    });
  });

  describe("a rotation", () => {
    it.each(testDates)(
      "keeps the settings and shares the spending, so that a limit is never doubled: %s",
      async (date) => {
        gateway().clock.set(date);
        const settings = {
          name: "r",
          limit: 10,
          limit_reset: "monthly",
          expires_at: "2099-01-01T00:00:00.000Z",
        } as const;
        const { data } = await create(settings);
        await gateway().deps.store.pool.query(
          `update spends set total = $1, month = $1, month_start = $2
         where id = (select spend_id from api_keys where hash = $3)`,
          [4_000_000_000n, startOfUtcMonth(new Date(date)), data.hash],
        );
        const rotated = await rotate(data.hash, 60);
        const kept = { name: "r", limit: 10, limit_reset: "monthly", usage: 4, limit_remaining: 6, status: "active" };
        for (const record of [rotated.data, rotated.replaced, (await keys.get(ctx(), rotated.data.hash)).data])
          expect(record).toMatchObject(kept);
        expect(rotated.data).toMatchObject({ replaces: data.hash, expires_at: settings.expires_at });
        expect(rotated.replaced).toMatchObject({ replaced_by: rotated.data.hash, expires_at: later(60_000) });
      },
    );

    it("never lengthens the life of the old key", async () => {
      const expires_at = later(10_000);
      const { data } = await create({ name: "short", expires_at });
      expect((await rotate(data.hash, 3_600)).replaced.expires_at).toBe(expires_at);
    });

    it("of one key by many at once makes one successor", async () => {
      const { data } = await create({ name: "many" });
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(data.hash, 0)));
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason.status] : []));
      expect(refused).toEqual(Array.from({ length: 7 }, () => 409));
    });

    it("of a disabled key, as after a leak, gives one that works; of an expired key is refused", async () => {
      const { data } = await create({ name: "leaked" });
      await update(data.hash, { disabled: true });
      const rotated = await rotate(data.hash, 60);
      expect([rotated.data.status, rotated.replaced.status]).toEqual(["active", "disabled"]);
      const expired = await create({ name: "e", expires_at: later(1) });
      gateway().clock.advance(1);
      expect((await refusal(rotate(expired.data.hash, 60))).status).toBe(409);
    });
  });

  it("leave no plaintext in the store", async () => {
    const { key } = await create({ name: "secret" }, "repeat-6");
    const { pool } = gateway().deps.store;
    const names = "select tablename as name from pg_tables where schemaname = current_schema()";
    const { rows: tables } = await pool.query<{ name: string }>(names);
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await pool.query(`select t::text as row from "${name}" as t`);
      for (const { row } of rows) expect(row).not.toContain(key.slice("sk-gh-v1-".length + 3, -4));
    }
  });

  it("whose audit row cannot be written do not change either", async () => {
    const { data } = await create({ name: "whole" });
    const broken = { ...ctx(), requestId: "\0" };
    await expect(keys.update(broken, data.hash, { name: "half" })).rejects.toThrow("invalid byte sequence");
    await expect(keys.remove(broken, data.hash)).rejects.toThrow("invalid byte sequence");
    expect((await keys.get(ctx(), data.hash)).data.name).toBe("whole");
  });
});
