import { describe, expect, it } from "vitest";
import { startOfUtcMonth } from "#contract/time.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as audit from "../audit.ts";
import type { Context } from "../context.ts";
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

describeGateway("keys", (gateway) => {
  const context = () => makeContext(gateway().deps);
  const count = async (ctx: Context) => (await keys.count(ctx, { workspace_id: "all" })).data.all.count;

  describe("made in parallel", () => {
    it("are all there, each with a hash of its own", async () => {
      const ctx = context();
      const before = await count(ctx);
      const made = await Promise.all(Array.from({ length: 40 }, (_, i) => keys.create(ctx, { name: `parallel ${i}` })));
      expect(new Set(made.map(({ data }) => data.hash)).size).toBe(40);
      expect(await count(ctx)).toBe(before + 40);
    });

    it("with one Idempotency-Key are one key: one caller gets it, all others its record", async () => {
      const ctx = context();
      const before = await count(ctx);
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => keys.create(ctx, { name: "once", limit: 5 }, "repeat-1")),
      );
      const made = results.filter((result) => result.status === "fulfilled");
      expect(made.length).toBe(1);
      const hash = made[0]?.value.data.hash;
      for (const result of results) {
        if (result.status === "fulfilled") continue;
        expect(result.reason).toMatchObject({ status: 409, details: { data: { hash, name: "once" } } });
        expect(JSON.stringify(result.reason)).not.toContain(made[0]?.value.key);
      }
      expect(await count(ctx)).toBe(before + 1);
    });
  });

  describe("an Idempotency-Key", () => {
    it("is bound to its request, whatever the order of its members", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "bound", limit: 1 }, "repeat-2");
      const same = await refusal(keys.create(ctx, { limit: 1, name: "bound" }, "repeat-2"));
      expect(same.details).toMatchObject({ data: { hash: data.hash } });
      const other = await refusal(keys.create(ctx, { name: "bound", limit: 2 }, "repeat-2"));
      expect(other).toMatchObject({ status: 409, details: {} });
      expect(other.message).toContain("different request");
    });

    it("belongs to one caller", async () => {
      const ctx = context();
      const other = makeContext(gateway().deps, { kind: "management", keyHash: "1".repeat(64), name: "ben" });
      await keys.create(ctx, { name: "mine" }, "repeat-3");
      const { data } = await keys.create(other, { name: "mine" }, "repeat-3");
      expect(data.name).toBe("mine");
    });

    it("is not used up by a request that was refused", async () => {
      const ctx = context();
      const workspace_id = "00000000-0000-4000-8000-000000000000";
      const error = await refusal(keys.create(ctx, { name: "lost", workspace_id }, "repeat-4"));
      expect(error).toMatchObject({ status: 400, details: { issues: [{ path: "workspace_id" }] } });
      expect((await keys.create(ctx, { name: "found" }, "repeat-4")).data.name).toBe("found");
    });

    it("is forgotten after a day", async () => {
      const ctx = context();
      await keys.create(ctx, { name: "daily" }, "repeat-5");
      gateway().clock.advance(24 * 3_600_000 - 1);
      await refusal(keys.create(ctx, { name: "daily" }, "repeat-5"));
      gateway().clock.advance(1);
      expect((await keys.create(ctx, { name: "daily" }, "repeat-5")).data.name).toBe("daily");
    });

    it("tells requests apart by all that they say", () => {
      expect(hashRequest("a", { x: 1, y: [{ p: 1, q: null }] })).toBe(
        hashRequest("a", { y: [{ q: null, p: 1 }], x: 1 }),
      );
      expect(hashRequest("a", { x: 1, y: undefined })).toBe(hashRequest("a", { x: 1 }));
      expect(hashRequest("a", { x: 1 })).not.toBe(hashRequest("b", { x: 1 }));
      expect(hashRequest("a", { x: 1 })).not.toBe(hashRequest("a", { x: "1" }));
      expect(hashRequest("a", { x: null })).not.toBe(hashRequest("a", {}));
      expect(hashRequest("a", { x: [1, 2] })).not.toBe(hashRequest("a", { x: [2, 1] }));
    });
  });

  describe("an update", () => {
    it("that changes nothing writes nothing", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "still", limit: 3 });
      const after = await keys.update(ctx, data.hash, { name: "still", limit: 3 });
      expect(after.data).toEqual(data);
      expect((await audit.list(ctx, { target_id: data.hash })).data.map((row) => row.action)).toEqual(["createKeys"]);
    });

    it("leaves in the audit log the changed members, before and after, and who, whence and in which request", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "old", limit: 3 });
      await keys.update(ctx, data.hash, { name: "new", limit: null });
      const [row] = (await audit.list(ctx, { target_id: data.hash })).data;
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
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "0" });
      await Promise.all(Array.from({ length: 10 }, (_, i) => keys.update(ctx, data.hash, { name: String(i + 1) })));
      const rows = (await audit.list(ctx, { target_id: data.hash, action: "updateKeys" })).data;
      expect(rows.length).toBe(10);
      const next = new Map(rows.map((row) => [row.before?.["name"], row.after?.["name"]] as const));
      let name: unknown = "0";
      for (let step = 0; step < 10; step += 1) name = next.get(name);
      expect(name).toBe((await keys.get(ctx, data.hash)).data.name);
    });

    it("sets and clears each member by itself", async () => {
      const ctx = context();
      const settings = {
        name: "n",
        limit: 1,
        limit_reset: "daily",
        include_byok_in_limit: true,
        limit_watch_only: true,
        expires_at: "2099-01-01T00:00:00.000Z",
        requests_per_minute: 60,
        tokens_per_minute: 1_000,
      } as const;
      const { data } = await keys.create(ctx, settings);
      expect(data).toMatchObject(settings);
      const changes = {
        name: "m",
        disabled: true,
        limit: null,
        limit_reset: null,
        include_byok_in_limit: false,
        limit_watch_only: false,
        expires_at: null,
        requests_per_minute: null,
        tokens_per_minute: null,
      };
      const members = (record: Record<string, unknown>) =>
        Object.fromEntries(Object.keys(changes).map((name) => [name, record[name]]));
      let expected = members(data);
      for (const [member, value] of Object.entries(changes)) {
        expected = { ...expected, [member]: value };
        expect(members((await keys.update(ctx, data.hash, { [member]: value })).data)).toEqual(expected);
      }
      expect(expected).toEqual(changes);
    });

    it("refuses an expiry that is not ahead", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "a" });
      const now = gateway().clock.now().toISOString();
      expect((await refusal(keys.update(ctx, data.hash, { expires_at: now }))).message).toBe(
        "expires_at must be in the future",
      );
      expect((await refusal(keys.create(ctx, { name: "b", expires_at: now }))).status).toBe(400);
    });
  });

  describe("a rotation", () => {
    it("keeps the settings and shares the spending, so that a limit is never doubled", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, {
        name: "r",
        limit: 10,
        limit_reset: "monthly",
        expires_at: "2099-01-01T00:00:00Z",
      });
      const { rows } = await ctx.store.pool.query("select spend_id from api_keys where hash = $1", [data.hash]);
      const start = startOfUtcMonth(ctx.now());
      await ctx.store.pool.query("update spends set total = $1, month = $1, month_start = $2 where id = $3", [
        4_000_000_000n,
        start,
        rows[0].spend_id,
      ]);
      const rotated = await keys.rotate(ctx, data.hash, { grace_seconds: 60 });
      for (const record of [rotated.data, rotated.replaced, (await keys.get(ctx, rotated.data.hash)).data]) {
        expect(record).toMatchObject({ name: "r", limit: 10, limit_reset: "monthly", usage: 4, limit_remaining: 6 });
      }
      expect(rotated.data).toMatchObject({
        replaces: data.hash,
        expires_at: "2099-01-01T00:00:00.000Z",
        status: "active",
      });
      const end = new Date(gateway().clock.now().getTime() + 60_000).toISOString();
      expect(rotated.replaced).toMatchObject({ replaced_by: rotated.data.hash, expires_at: end, status: "active" });
    });

    it("never lengthens the life of the old key", async () => {
      const ctx = context();
      const expires_at = new Date(gateway().clock.now().getTime() + 10_000).toISOString();
      const { data } = await keys.create(ctx, { name: "short", expires_at });
      expect((await keys.rotate(ctx, data.hash, { grace_seconds: 3_600 })).replaced.expires_at).toBe(expires_at);
    });

    it("of one key by many at once makes one successor", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "many" });
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => keys.rotate(ctx, data.hash, { grace_seconds: 0 })),
      );
      expect(results.filter((result) => result.status === "fulfilled").length).toBe(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toHaveProperty("status", 409);
    });

    it("of a disabled key, as after a leak, gives one that works; of an expired key is refused", async () => {
      const ctx = context();
      const { data } = await keys.create(ctx, { name: "leaked" });
      await keys.update(ctx, data.hash, { disabled: true });
      const rotated = await keys.rotate(ctx, data.hash, { grace_seconds: 60 });
      expect([rotated.data.status, rotated.replaced.status]).toEqual(["active", "disabled"]);
      const expired = await keys.create(ctx, {
        name: "e",
        expires_at: new Date(gateway().clock.now().getTime() + 1).toISOString(),
      });
      gateway().clock.advance(1);
      expect((await refusal(keys.rotate(ctx, expired.data.hash, { grace_seconds: 60 }))).status).toBe(409);
    });
  });

  it("are the business of management keys alone", async () => {
    const ctx = context();
    const { data } = await keys.create(ctx, { name: "ordinary" });
    const actor = { kind: "ordinary", keyHash: data.hash, name: "ordinary", workspaceId: data.workspace_id } as const;
    const other = makeContext(gateway().deps, actor);
    const refused = await Promise.all(
      [
        () => keys.create(other, { name: "x" }),
        () => keys.list(other, {}),
        () => keys.count(other, {}),
        () => keys.get(other, data.hash),
        () => keys.update(other, data.hash, { name: "x" }),
        () => keys.remove(other, data.hash),
        () => keys.rotate(other, data.hash, { grace_seconds: 0 }),
        () => keyUsage.usage(other, data.hash, { by: "day", last: 1 }),
        () => audit.list(other, {}),
      ].map((verb) => refusal(verb())),
    );
    expect(refused.map((error) => error.status)).toEqual(refused.map(() => 403));
    expect((await keys.get(ctx, data.hash)).data.name).toBe("ordinary");
  });

  it("leave no plaintext in the store", async () => {
    const ctx = context();
    const { key } = await keys.create(ctx, { name: "secret" }, "repeat-6");
    const { rows: tables } = await ctx.store.pool.query(
      "select tablename as name from pg_tables where schemaname = current_schema()",
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await ctx.store.pool.query(`select t::text as row from "${name}" as t`);
      for (const { row } of rows) expect(row).not.toContain(key.slice("sk-gh-v1-".length + 3, -4));
    }
  });

  it("whose audit row cannot be written do not change either", async () => {
    const ctx = context();
    const { data } = await keys.create(ctx, { name: "whole" });
    const broken = { ...ctx, requestId: "\0" };
    await expect(keys.update(broken, data.hash, { name: "half" })).rejects.toThrow("invalid byte sequence");
    await expect(keys.remove(broken, data.hash)).rejects.toThrow("invalid byte sequence");
    expect((await keys.get(ctx, data.hash)).data.name).toBe("whole");
  });

  it("show their usage by hour and day, the current one last, with zeros where nothing was", async () => {
    const ctx = context();
    gateway().clock.set("2026-12-03T02:30:00Z");
    const { data } = await keys.create(ctx, { name: "busy" });
    const add = (hour: string, usage: bigint, model: string) =>
      ctx.store.pool.query(
        `insert into usage_hourly (workspace_id, hour, key_hash, model, provider, usage, byok_usage, saved, requests,
           failures, prompt_tokens, completion_tokens, reasoning_tokens)
         values ($1, $2, $3, $4, 'p', $5, 1000000000, 0, 2, 0, 30, 4, 0)`,
        [data.workspace_id, new Date(hour), data.hash, model, usage],
      );
    await add("2026-12-03T01:00:00Z", 500_000_000n, "a");
    await add("2026-12-03T01:00:00Z", 250_000_000n, "b");
    await add("2026-12-02T23:00:00Z", 1_000_000_000n, "a");
    const hours = (await keyUsage.usage(ctx, data.hash, { by: "hour", last: 3 })).data;
    expect(hours.map((hour) => [hour.at, hour.usage, hour.requests])).toEqual([
      ["2026-12-03T00:00:00.000Z", 0, 0],
      ["2026-12-03T01:00:00.000Z", 0.75, 4],
      ["2026-12-03T02:00:00.000Z", 0, 0],
    ]);
    const days = (await keyUsage.usage(ctx, data.hash, { by: "day", last: 2 })).data;
    expect(days).toEqual([
      {
        at: "2026-12-02T00:00:00.000Z",
        usage: 1,
        byok_usage: 1,
        requests: 2,
        refused: 0,
        prompt_tokens: 30,
        completion_tokens: 4,
      },
      {
        at: "2026-12-03T00:00:00.000Z",
        usage: 0.75,
        byok_usage: 2,
        requests: 4,
        refused: 0,
        prompt_tokens: 60,
        completion_tokens: 8,
      },
    ]);
    expect((await refusal(keyUsage.usage(ctx, data.hash, { by: "day", last: 91 }))).message).toMatch(
      /^last must be at most 90/,
    );
  });
});
