import { describe, expect, it } from "vitest";
import { dayMs, startOfUtcMonth } from "#contract/time.ts";
import { testDates } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as audit from "../audit.ts";
import { hashRequest } from "../idempotency.ts";
import * as keyUsage from "../calls/key-usage.ts";
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

/** Tries it many times at once. @returns what came of the one that succeeded, and why the others did not */
async function onlyOne<T>(times: number, verb: () => Promise<T>): Promise<{ made: T; refused: Refusal[] }> {
  const results = await Promise.allSettled(Array.from({ length: times }, verb));
  const made = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(made.length).toBe(1);
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Refusal] : []));
  return { made: made[0] as T, refused };
}

describeGateway("keys", (gateway) => {
  const ctx = () => makeContext(gateway().deps);
  const create = async (body: Parameters<typeof keys.create>[1], repeatOf?: string) =>
    await keys.create(ctx(), body, repeatOf);
  const update = async (hash: string, body: Parameters<typeof keys.update>[2]) => await keys.update(ctx(), hash, body);
  const rotate = async (hash: string, grace_seconds: number) => await keys.rotate(ctx(), hash, { grace_seconds });
  const count = async () => (await keys.count(ctx(), { workspace_id: "all" })).data.all.count;
  const later = (ms: number) => new Date(gateway().clock.now().getTime() + ms).toISOString();

  describe("made in parallel", () => {
    it("are all there, each with a hash of its own", async () => {
      const before = await count();
      const made = await Promise.all(Array.from({ length: 40 }, (_, i) => create({ name: `parallel ${i}` })));
      expect(new Set(made.map(({ data }) => data.hash)).size).toBe(40);
      expect(await count()).toBe(before + 40);
    });

    it("with one Idempotency-Key are one key: one caller gets it, all others its record", async () => {
      const before = await count();
      const { made, refused } = await onlyOne(20, async () => await create({ name: "once", limit: 5 }, "repeat-1"));
      for (const error of refused) {
        expect(error).toMatchObject({ status: 409, details: { data: { hash: made.data.hash, name: "once" } } });
        expect(JSON.stringify(error)).not.toContain(made.key);
      }
      expect(await count()).toBe(before + 1);
    });
  });

  describe("an Idempotency-Key", () => {
    it("is bound to its request, whatever the order of its members", async () => {
      const { data } = await create({ name: "bound", limit: 1 }, "repeat-2");
      const same = await refusal(create({ limit: 1, name: "bound" }, "repeat-2"));
      expect(same.details).toMatchObject({ data: { hash: data.hash } });
      const other = await refusal(create({ name: "bound", limit: 2 }, "repeat-2"));
      expect(other).toMatchObject({ status: 409, details: {} });
      expect(other.message).toContain("different request");
    });

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
    it("that changes nothing writes nothing", async () => {
      const { data } = await create({ name: "still", limit: 3 });
      expect((await update(data.hash, { name: "still", limit: 3 })).data).toEqual(data);
      const rows = (await audit.list(ctx(), { target_id: data.hash })).data;
      expect(rows.map((row) => row.action)).toEqual(["createKeys"]);
    });

    it("leaves in the audit log the changed members, before and after, and who, whence and in which request", async () => {
      const { data } = await create({ name: "old", limit: 3 });
      await update(data.hash, { name: "new", limit: null });
      const [row] = (await audit.list(ctx(), { target_id: data.hash })).data;
      expect(row).toMatchObject({
        actor: "ana",
        action: "updateKeys",
        target_type: "key",
        target_name: "new",
        workspace_id: data.workspace_id,
        before: { name: "old", limit: 3 },
        after: { name: "new", limit: null },
        source_ip: "192.0.2.1",
        request_id: "request-1",
      });
      expect(Object.keys(row?.after ?? {})).toEqual(["name", "limit"]);
    });

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

    it("sets and clears each member by itself", async () => {
      const rates = { requests_per_minute: 60, tokens_per_minute: 1_000 };
      const limits = { limit: 1, limit_reset: "daily" as const, include_byok_in_limit: true, limit_watch_only: true };
      const settings = { name: "n", expires_at: "2099-01-01T00:00:00.000Z", ...limits, ...rates };
      const { data } = await create(settings);
      expect(data).toMatchObject(settings);
      const off = { include_byok_in_limit: false, limit_watch_only: false };
      const none = {
        limit: null,
        limit_reset: null,
        expires_at: null,
        requests_per_minute: null,
        tokens_per_minute: null,
      };
      const changes = { name: "m", disabled: true, ...off, ...none };
      const members = (record: Record<string, unknown>) =>
        Object.fromEntries(Object.keys(changes).map((name) => [name, record[name]]));
      let expected = members(data);
      for (const [member, value] of Object.entries(changes)) {
        expected = { ...expected, [member]: value };
        expect(members((await update(data.hash, { [member]: value })).data)).toEqual(expected);
      }
      expect(expected).toEqual(changes);
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
      const { refused } = await onlyOne(8, async () => await rotate(data.hash, 0));
      for (const error of refused) expect(error).toHaveProperty("status", 409);
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

  it("are the business of management keys alone", async () => {
    const { data } = await create({ name: "ordinary" });
    const actor = { kind: "ordinary", keyHash: data.hash, name: "ordinary", workspaceId: data.workspace_id } as const;
    const other = makeContext(gateway().deps, actor);
    const verbs = [
      keys.create(other, { name: "x" }),
      keys.list(other, {}),
      keys.count(other, {}),
      keys.get(other, data.hash),
      keys.update(other, data.hash, { name: "x" }),
      keys.remove(other, data.hash),
      keys.rotate(other, data.hash, { grace_seconds: 0 }),
      keyUsage.usage(other, data.hash, { by: "day", last: 1 }),
      audit.list(other, {}),
    ];
    for (const error of await Promise.all(verbs.map(refusal))) expect(error.status).toBe(403);
    expect((await keys.get(ctx(), data.hash)).data.name).toBe("ordinary");
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
