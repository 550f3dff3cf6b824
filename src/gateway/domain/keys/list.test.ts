import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { Parsed } from "#contract/endpoint.ts";
import { type KeyRecord, KeySort, type KeyStatus, type listKeys } from "#contract/keys.ts";
import { LastsReason } from "#contract/lasts.ts";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import type { Context } from "../context.ts";
import * as keys from "./keys.ts";
import * as workspaces from "../workspaces/workspaces.ts";

type Query = Parsed<typeof listKeys>["query"];

const sorts = KeySort.options;
const filteredSorts = ["created_at", "name", "expires_at", "last_used_at", "usage", "lasts_until"] as const;
const statuses: KeyStatus[] = ["active", "over_limit", "expired", "disabled"];
const everything = { workspace_id: "all", include_disabled: true } as const;
const colours = ["red", "Green", "blau", "日本 🚢"];

/** Sixty keys of every kind, some of them equal in what they are ordered by. */
async function fill(ctx: Context, setClock: (at: string) => void): Promise<string> {
  const { id } = (await workspaces.create(ctx, { name: "Second", slug: "second" })).data;
  for (let i = 0; i < 60; i += 1) {
    setClock(`2026-11-20T${String(10 + Math.floor(i / 7)).padStart(2, "0")}:00:00Z`);
    const { data } = await keys.create(ctx, {
      name: `${colours[i % 4]}-${i % 3 === 0 ? "prod" : "dev"} ${i % 10}`,
      limit: i % 2 === 0 ? 1 : null,
      limit_reset: ([null, "daily", "weekly", "monthly"] as const)[i % 4] ?? null,
      include_byok_in_limit: i % 5 === 0,
      creator_user_id: i % 7 < 3 ? (["ana", "bo"][i % 2] ?? null) : null,
      expires_at: i % 6 === 0 ? "2026-11-21T00:00:00Z" : i % 6 === 1 ? "2027-01-01T00:00:00Z" : null,
      ...(i % 8 === 0 ? { workspace_id: id } : {}),
    });
    await spend(ctx, data.hash, i);
    if (i % 9 === 0) await keys.update(ctx, data.hash, { disabled: true });
    if (i % 11 === 0) await keys.rotate(ctx, data.hash, { grace_seconds: i % 2 === 0 ? 0 : 1_000_000 });
    if (i % 13 === 0) await keys.remove(ctx, data.hash);
  }
  setClock("2026-11-21T12:00:00Z");
  return id;
}

/** Moves the count as the ledger does, by an update; the amounts lie about the limit of one dollar. */
async function spend(ctx: Context, hash: string, i: number): Promise<void> {
  const at = i % 7 === 0 ? new Date("2026-10-01T00:00:00Z") : new Date("2026-11-21T09:00:00Z");
  const [own, byok] = [BigInt(i % 5) * 400_000_000n, BigInt(i % 2) * 900_000_000n];
  await sql`
    update spends set total = ${own}, day = ${own}, week = ${own}, month = ${own},
      byok_total = ${byok}, byok_day = ${byok}, byok_week = ${byok}, byok_month = ${byok},
      day_start = ${startOfUtcDay(at)}, week_start = ${startOfUtcWeek(at)}, month_start = ${startOfUtcMonth(at)}
    where id = (select spend_id from api_keys where hash = ${hash})`.execute(ctx.store.db);
  if (i % 3 === 0) return;
  await sql`update api_keys set last_used_at = ${new Date(at.getTime() + (i % 4) * 1_000)} where hash = ${hash}`.execute(
    ctx.store.db,
  );
}

/** Every page of a list, by cursor. */
async function pages(ctx: Context, query: Query, limit: number): Promise<KeyRecord[]> {
  const records: KeyRecord[] = [];
  let cursor: string | null = null;
  do {
    const more = { ...query, limit, ...(cursor === null ? {} : { cursor }) };
    const page: Awaited<ReturnType<typeof keys.list>> = await keys.list(ctx, more);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    if (page.next_cursor !== null) expect(page.data.length).toBe(limit);
    records.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return records;
}

/** The words of a name and a label, each after a space; the labels are random, and may hold anything. */
function folded({ name, label }: KeyRecord): string {
  return ` ${name} ${label.slice("sk-gh-v1-".length)}`.toLowerCase().replaceAll(/[-.]+/g, " ");
}

/** What the list is ordered by, as text or number that compares as it should. */
function orderOf(record: KeyRecord, sort: KeySort): string | number {
  if (sort === "created_at") return record.created_at;
  if (sort === "name") return Buffer.from(record.name.toLowerCase()).toString("hex");
  if (sort === "expires_at") return record.expires_at ?? "infinity";
  if (sort === "last_used_at") return record.last_used_at ?? "";
  if (sort === "limit_remaining") return record.limit_remaining ?? Number.POSITIVE_INFINITY;
  if (sort === "lasts_until") return lastsRank(record);
  if (sort === "status") return ["over_limit", "expired", "active", "disabled"].indexOf(record.status);
  if (sort === "workspace") return record.workspace_id === second ? "second" : "default";
  return record[sort];
}

function lastsRank({ lasts_reason: reason, lasts_until: until }: KeyRecord): number {
  if (reason === "spent") return -1;
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}

let second = "";

describeGateway("the list of keys", (gateway) => {
  let ctx: Context;
  let all: KeyRecord[] = [];
  const named = (records: KeyRecord[]) => records.map((record) => record.hash).toSorted();

  beforeAll(async () => {
    ctx = makeContext(gateway().deps);
    second = await fill(ctx, gateway().clock.set);
    all = await pages(ctx, everything, 100);
  });

  it("has keys of every status, so that the tests below test something", () => {
    expect(all.length).toBe(60 + 6 - 5);
    for (const status of statuses) expect(all.some((record) => record.status === status)).toBe(true);
  });

  it("has keys that last until each reason's end, so that the order below tests something", () => {
    const reasons = new Set(all.map(({ lasts_reason: reason }) => reason));
    expect([...reasons].toSorted()).toEqual(LastsReason.options.toSorted());
  });

  it("keeps the instant of the first page, so that no key changes its place at midnight", async () => {
    for (const sort of ["usage_daily", "lasts_until"] as const) {
      const whole = await pages(ctx, { ...everything, sort, order: "asc" }, 100);
      const first = await keys.list(ctx, { ...everything, sort, order: "asc", limit: 30 });
      gateway().clock.set("2026-11-22T00:00:01Z");
      const rest = await keys.list(ctx, { ...everything, sort, order: "asc", cursor: first.next_cursor ?? "" });
      gateway().clock.set("2026-11-21T12:00:00Z");
      const hashes = [...first.data, ...rest.data].map(({ hash }) => hash);
      expect(hashes).toEqual(whole.map(({ hash }) => hash));
    }
  });

  describe.each(sorts)("ordered by %s", (sort) => {
    it.each(["asc", "desc"] as const)("%s, gives every key once, in order, however small the pages", async (order) => {
      const paged = await pages(ctx, { ...everything, sort, order }, 7);
      expect(named(paged)).toEqual(named(all));
      const values = paged.map((record) => orderOf(record, sort));
      const inOrder = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(values).toEqual(order === "asc" ? inOrder : inOrder.toReversed());
    });

    if (!filteredSorts.some((one) => one === sort)) return;

    it.each<[query: Query, fits: (record: KeyRecord) => boolean]>([
      ...statuses.map((status): [Query, (record: KeyRecord) => boolean] => [{ status }, (of) => of.status === status]),
      [{ workspace_id: "second" }, (record) => record.workspace_id === second],
      [{ q: "red" }, (record) => folded(record).includes("red")],
      [{ q: "GREEN pro" }, (record) => folded(record).includes("green") && folded(record).includes("pro")],
      [{ q: "日本" }, (record) => folded(record).includes(" 日本")],
      [{ q: "4" }, (record) => folded(record).includes(" 4")],
      [{ q: "no such word" }, () => false],
    ])("narrows by %j as the records themselves say", async (query, fits) => {
      const found = await pages(
        ctx,
        { ...everything, ...query, ...(query.workspace_id && { workspace_id: second }), sort },
        4,
      );
      expect(named(found)).toEqual(named(all.filter(fits)));
    });
  });

  it("finds a key by the start of its hash and by either end of its label", async () => {
    const { hash, label } = all[17] as KeyRecord;
    for (const q of [hash, hash.slice(0, 12), label, label.slice(-4), label.slice(0, 12).toUpperCase()])
      expect((await pages(ctx, { ...everything, q }, 100)).map((record) => record.hash)).toContain(hash);
  });

  it("leaves out deleted keys, management keys, and disabled ones unless they are asked for", async () => {
    const shown = await pages(ctx, { workspace_id: "all" }, 100);
    expect(named(shown)).toEqual(named(all.filter((record) => !record.disabled)));
  });

  it("narrows and counts by status, limit, expiry and creator as the records themselves say, now and at any later time", async () => {
    const used = ({ limit, limit_remaining: left }: KeyRecord) =>
      limit === null ? null : limit === 0 ? 1 : 1 - (left ?? 0) / limit;
    const within = (record: KeyRecord, days: number, now: string) => {
      const left = record.expires_at === null ? Infinity : Date.parse(record.expires_at) - Date.parse(now);
      return left > 0 && left <= days * 86_400_000;
    };
    const seen = new Set<string>();
    const days = ["11-20T19", "11-21T12", "11-22T00", "11-23T00", "12-01T00", "12-27T00"].map(
      (day) => `2026-${day}:00:00Z`,
    );
    for (const at of [...days, "2027-01-01T00:00:00Z"]) {
      gateway().clock.set(at);
      const now = await pages(ctx, everything, 100);
      const { data: counts } = await keys.count(ctx, { workspace_id: "all" });
      for (const status of statuses) {
        const found = await pages(ctx, { ...everything, status }, 100);
        const wanted = named(now.filter((record) => record.status === status));
        expect([at, status, named(found)]).toEqual([at, status, wanted]);
        expect(counts[status]).toEqual({ count: wanted.length, more: false });
      }
      const filters: [Query, (record: KeyRecord) => boolean][] = [
        [{ limit_state: "none" }, (record) => record.limit === null],
        [{ limit_state: "some" }, (record) => record.limit !== null],
        [{ limit_state: "near" }, (record) => (used(record) ?? 0) >= 0.8 && (used(record) ?? 0) < 1],
        [{ limit_state: "over" }, (record) => (used(record) ?? 0) >= 1],
        [{ expires: "never" }, (record) => record.expires_at === null],
        [{ expires: "7d" }, (record) => within(record, 7, at)],
        [{ expires: "30d" }, (record) => within(record, 30, at)],
        [{ creator: "ana" }, (record) => record.creator_user_id === "ana"],
        [{ q: "🚢" }, (record) => record.name.includes("🚢")],
        [
          { creator: "ana", limit_state: "some", q: "red" },
          (record) => record.creator_user_id === "ana" && record.limit !== null && folded(record).includes("red"),
        ],
      ];
      for (const [filter, fits] of filters) {
        const found = await pages(ctx, { ...everything, ...filter }, 25);
        expect([at, filter, named(found)]).toEqual([at, filter, named(now.filter(fits))]);
        const { all: count } = (await keys.count(ctx, { workspace_id: "all", ...filter })).data;
        expect([at, filter, count]).toEqual([at, filter, { count: found.length, more: false }]);
        if (found.length > 0 && found.length < now.length) seen.add(JSON.stringify(filter));
      }
      expect(filters.length).toBe(10);
    }
    // each told some from others at one time at least
    expect(seen.size).toBe(10);
    gateway().clock.set("2026-11-21T12:00:00Z");
  });

  it("counts what a search finds", async () => {
    const { data } = await keys.count(ctx, { workspace_id: "all", q: "red" });
    expect(data.all.count).toBe(all.filter((record) => folded(record).includes("red")).length);
  });

  it("is as the public API has it without parameters: the default workspace, newest first, by offset", async () => {
    const { data } = await keys.list(ctx, {});
    expect(named(data)).toEqual(named(all.filter((record) => record.workspace_id !== second && !record.disabled)));
    const { data: rest } = await keys.list(ctx, { offset: 5 });
    expect(rest).toEqual(data.slice(5));
  });

  it("refuses a cursor of another order, and a cursor with an offset", async () => {
    const { next_cursor } = await keys.list(ctx, { limit: 1 });
    const cursor = next_cursor ?? "";
    await expect(keys.list(ctx, { sort: "name", cursor })).rejects.toThrow(/^cursor must be/);
    await expect(keys.list(ctx, { order: "asc", cursor })).rejects.toThrow(/^cursor must be/);
    await expect(keys.list(ctx, { offset: 1, cursor })).rejects.toThrow(/^offset cannot be combined/);
  });

  it("reads the pace of a replaced key and of its successor since the first of them", async () => {
    gateway().clock.set("2026-11-17T12:00:00Z");
    const { data } = await keys.create(ctx, { name: "paced", limit: 5, limit_reset: "monthly" });
    await spend(ctx, data.hash, 1);
    gateway().clock.set("2026-11-21T06:00:00Z");
    const { data: successor } = await keys.rotate(ctx, data.hash, { grace_seconds: 1_000_000 });
    gateway().clock.set("2026-11-21T12:00:00Z");
    // $0.40 in four days leaves $4.60 for 46 more, which the month does not have; $1 would last for six
    for (const { hash } of [data, successor]) {
      expect((await keys.get(ctx, hash)).data).toMatchObject({
        lasts_reason: hash === data.hash ? "expiry" : "not_at_this_pace",
      });
      const { data: lowered } = await keys.update(ctx, hash, { limit: 1 });
      expect(lowered).toMatchObject({ lasts_reason: "limit", lasts_until: "2026-11-27T12:00:00.000Z" });
    }
    const soonest = await keys.list(ctx, { ...everything, q: "paced", sort: "lasts_until", order: "asc" });
    expect(soonest.data.map((key) => key.lasts_until)).toEqual(Array(2).fill("2026-11-27T12:00:00.000Z"));
  });
});
