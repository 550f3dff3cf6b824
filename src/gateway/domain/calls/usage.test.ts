import { describe, expect, it } from "vitest";
import { dayMs, hourMs, startOfUtcDay, startOfUtcHour } from "#contract/time.ts";
import { testDates } from "../../testing/clock.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import * as keys from "../keys/keys.ts";
import { rotate } from "../keys/rotation.ts";
import { Refusal } from "../refusal.ts";
import * as activity from "./activity.ts";
import { periodStarts, usage as keyUsage } from "./key-usage.ts";
import * as latency from "./latency.ts";
import * as modelUsage from "./model-usage.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import * as usage from "./usage.ts";

const money = { usage: 0, byok_usage: 0, saved: 0 };
const zeros = { ...money, requests: 0, failures: 0, prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0 };

it.each([
  ["hour", "2028-03-01T00:00:00.000Z", "2028-02-29T23:00:00.000Z"],
  ["hour", "2028-03-01T00:59:59.999Z", "2028-02-29T23:00:00.000Z"],
  ["day", "2028-03-01T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
  ["day", "2028-03-01T23:59:59.999Z", "2028-02-29T00:00:00.000Z"],
] as const)("periods by %s end with the one that contains %s", (by, at, before) => {
  const starts = periodStarts(by, 2, new Date(at)).map((start) => start.toISOString());
  expect(starts).toEqual([before, "2028-03-01T00:00:00.000Z"]);
});

describeGateway("figures", (gateway) => {
  const { clock, context, makeWorkspace, commit } = ownContext(gateway);
  async function refuse(workspaceId: string, keyHash: string, instants: readonly string[]) {
    const counter = createRefusedCallCounter(gateway().deps.store, clock.now, () => {});
    for (const at of instants) {
      clock.set(at);
      counter.count({ workspaceId, keyHash, requestId: "req-1" }, new Refusal("not_found", "There is no such model"));
    }
    await counter.close();
  }

  describe("usage", () => {
    it("of nothing is one series of zeros", async () => {
      clock.set("2027-03-01T12:00:00Z");
      const query = { workspace_id: await makeWorkspace(), by: "hour", last: 2, group_by: "model" } as const;
      const { data, refused } = await usage.get(context(), query);
      const points = ["2027-03-01T11:00:00.000Z", "2027-03-01T12:00:00.000Z"].map((at) => ({ at, ...zeros }));
      expect(data).toEqual([{ group: null, name: null, total: zeros, previous: zeros, points }]);
      expect(refused).toEqual({ total: 0, previous: 0, points: [0, 0] });
    });

    it("adds up every figure to the nano-dollar and the token, failed calls' too", async () => {
      const workspace_id = await makeWorkspace();
      await commit(
        workspace_id,
        "2027-03-02T09:30:00Z",
        { cost: 1_000_000_001n, saved: 7n, promptTokens: 10, completionTokens: 5, reasoningTokens: 2 },
        { byok: true, byokCost: 500_000n, promptTokens: 1, completionTokens: 1 },
        { status: 399 },
        { status: 400 },
        { status: 502, cost: 2n, provider: "" },
      );
      clock.set("2027-03-02T23:59:59.999Z");
      const { data } = await usage.get(context(), { workspace_id, by: "day", last: 1 });
      const charged = { usage: 1.000000003, byok_usage: 0.0005, saved: 0.000000007, requests: 5, failures: 2 };
      const figures = { ...charged, prompt_tokens: 11, completion_tokens: 6, reasoning_tokens: 2 };
      expect(data).toMatchObject([{ total: figures, previous: zeros, points: [figures] }]);
    });

    it.each(testDates)(
      "puts a call into the UTC hour and day in which it ended, to the millisecond: %s",
      async (date) => {
        const workspace_id = await makeWorkspace();
        const requests = async (by: "hour" | "day", last: number, until: number) => {
          const query = { workspace_id, by, last, until: new Date(until).toISOString() };
          const { data } = await usage.get(context(), query);
          return [data[0]?.previous.requests, ...(data[0]?.points.map((point) => point.requests) ?? [])];
        };
        const [day, hour] = [startOfUtcDay(new Date(date)).getTime(), startOfUtcHour(new Date(date)).getTime()];
        const createdAt = new Date(day - hourMs);
        const ends = [day - 1, day, day + dayMs - 1, day + dayMs];
        for (const at of ends) await commit(workspace_id, new Date(at).toISOString(), { createdAt });
        expect(await requests("day", 3, day + dayMs + 1)).toEqual([0, 1, 2, 1]);
        expect(await requests("day", 1, day + dayMs)).toEqual([2, 1]);
        expect(await requests("hour", 2, day)).toEqual([0, 1, 1]);
        expect(await requests("hour", 1, day - 1)).toEqual([0, 1]);
        expect(await requests("hour", 1, day + dayMs + hourMs - 1)).toEqual([1, 1]);
        await commit(workspace_id, date);
        expect((await requests("hour", 1, hour + hourMs - 1))[1]).toBe(hour === day + dayMs - hourMs ? 2 : 1);
      },
    );

    it("gives the five most expensive a series of their own, and adds up the rest with what was used before only", async () => {
      const workspace_id = await makeWorkspace();
      const dear = (model: string) => ({ model, cost: 100n });
      await commit(workspace_id, "2027-03-03T12:00:00Z", dear("x/before-only"));
      const own = { byok: true, byokCost: 200n, model: "x/own" };
      const idle = ["x/busy", "x/busy", "x/idle"].map((model) => ({ model }));
      const paid = [{ cost: 1n, model: "x/cheap" }, dear("x/a"), dear("x/b"), own, dear("x/c")];
      await commit(workspace_id, "2027-03-04T12:00:00Z", ...paid, ...idle);
      const query = { workspace_id, by: "day", last: 1, until: "2027-03-04T23:00:00Z", group_by: "model" } as const;
      const { data } = await usage.get(context(), query);
      const series = data.map(({ group, total, previous }) => `${group} ${total.requests} ${previous.requests}`);
      expect(series).toEqual(["x/a 1 0", "x/b 1 0", "x/c 1 0", "x/cheap 1 0", "x/own 1 0", "null 3 1"]);
    });

    it("has refused calls beside it, in the same hours, and those of as many hours before", async () => {
      const workspace_id = await makeWorkspace();
      const times = ["07:59:59.999", "08:00:00.000", "09:59:59.999", "10:00:00.000", "11:59:59.999", "12:00:00.000"];
      await refuse(
        workspace_id,
        workspace_id.padStart(64, "a"),
        times.map((time) => `2027-03-05T${time}Z`),
      );
      clock.set("2027-03-05T11:30:00Z");
      const { refused } = await usage.get(context(), { workspace_id, by: "hour", last: 2 });
      expect(refused).toEqual({ total: 2, previous: 2, points: [1, 1] });
    });
  });

  describe("a key's usage", () => {
    it("is the key's alone, with its refused calls, by hour and by day, with zeros where nothing was", async () => {
      clock.set("2027-03-06T12:00:00Z");
      const { data: key } = await keys.create(context(), { name: "metered" });
      const call = { keyHash: key.hash, cost: 3_000_000n, promptTokens: 4, completionTokens: 2 };
      await commit(key.workspace_id, "2027-03-06T23:59:59.999Z", call, { ...call, model: "acme/other" });
      const own = { ...call, byok: true, cost: 0n, byokCost: 9n };
      await commit(key.workspace_id, "2027-03-07T00:00:00.000Z", own, { cost: 1n, promptTokens: 1_000 });
      await refuse(key.workspace_id, key.hash, ["2027-03-06T23:59:59.999Z", "2027-03-07T00:30:00Z"]);
      clock.set("2027-03-07T00:59:59.999Z");
      const none = { usage: 0, byok_usage: 0, requests: 0, refused: 0, prompt_tokens: 0, completion_tokens: 0 };
      const before = { ...none, usage: 0.006, requests: 2, refused: 1, prompt_tokens: 8, completion_tokens: 4 };
      const after = { ...none, byok_usage: 9e-9, requests: 1, refused: 1, prompt_tokens: 4, completion_tokens: 2 };
      expect((await keyUsage(context(), key.hash, { by: "hour", last: 3 })).data).toEqual([
        { at: "2027-03-06T22:00:00.000Z", ...none },
        { at: "2027-03-06T23:00:00.000Z", ...before },
        { at: "2027-03-07T00:00:00.000Z", ...after },
      ]);
      expect((await keyUsage(context(), key.hash, { by: "day", last: 2 })).data).toEqual([
        { at: "2027-03-06T00:00:00.000Z", ...before },
        { at: "2027-03-07T00:00:00.000Z", ...after },
      ]);
      await expect(keyUsage(context(), key.hash, { by: "day", last: 91 })).rejects.toThrow(/^last must be at most 90/);
    });

    it("is on request that of all keys that count toward its limit", async () => {
      clock.set("2027-03-08T12:00:00Z");
      const { data: first } = await keys.create(context(), { name: "replaced" });
      const { data: second } = await rotate(context(), first.hash, { grace_seconds: 60 });
      const [one, other] = [first, second].map(({ hash }) => ({ keyHash: hash, cost: hash === first.hash ? 3n : 4n }));
      await commit(first.workspace_id, "2027-03-08T12:00:00Z", one ?? {}, other ?? {}, { cost: 5n });
      await refuse(first.workspace_id, first.hash, ["2027-03-08T12:00:00Z"]);
      await keys.remove(context(), first.hash);
      const read = async (more: object) =>
        (await keyUsage(context(), second.hash, { by: "day", last: 1, ...more })).data;
      expect(await read({})).toMatchObject([{ usage: 4e-9, requests: 1, refused: 0 }]);
      expect(await read({ with_replaced: true })).toMatchObject([{ usage: 7e-9, requests: 2, refused: 1 }]);
    });

    it("is not there for a key that is deleted, unknown, or a management key", async () => {
      const { data: key } = await keys.create(context(), { name: "gone" });
      await keys.remove(context(), key.hash);
      const management = "select hash from api_keys where kind = 'management'";
      const { rows } = await gateway().deps.store.pool.query<{ hash: string }>(management);
      for (const hash of [key.hash, "f".repeat(64), rows[0]?.hash ?? ""])
        await expect(keyUsage(context(), hash, { by: "day", last: 1 })).rejects.toMatchObject({ status: 404 });
    });
  });

  describe("activity", () => {
    const days = async (query: Parameters<typeof activity.list>[1]) =>
      (await activity.list(context(), query)).data.map(({ date, model, requests }) => `${date} ${model} ${requests}`);

    it("is of the thirty UTC days before today, to the millisecond, newest first, the most expensive of a day first", async () => {
      const workspace_id = await makeWorkspace();
      const dear = { model: "x/dear", cost: 5n };
      await commit(workspace_id, "2027-03-31T23:59:59.999Z", { model: "x/too-old" });
      await commit(workspace_id, "2027-04-01T00:00:00.000Z", { model: "x/first" });
      await commit(workspace_id, "2027-04-30T23:59:59.999Z", { model: "x/cheap" }, dear, dear);
      await commit(workspace_id, "2027-05-01T00:00:00.000Z", { model: "x/today" });
      for (const now of ["2027-05-01T00:00:00.000Z", "2027-05-01T23:59:59.999Z"]) {
        clock.set(now);
        const all = ["2027-04-30 x/dear 2", "2027-04-30 x/cheap 1", "2027-04-01 x/first 1"];
        expect(await days({ workspace_id })).toEqual(all);
      }
      expect(await days({ workspace_id, date: "2027-04-01" })).toEqual(["2027-04-01 x/first 1"]);
      const refused = "date must be one of the last 30 completed UTC days: 2027-04-01 to 2027-04-30";
      for (const date of ["2027-03-31", "2027-05-01"]) await expect(days({ date })).rejects.toThrow(refused);
    });

    it("names a provider as long as there is one, and adds up a day's figures", async () => {
      const workspace_id = await makeWorkspace();
      const call = { promptTokens: 3, completionTokens: 2, reasoningTokens: 1, provider: "gone" };
      const own = { ...call, byok: true, byokCost: 4_000n };
      await commit(workspace_id, "2027-05-10T10:00:00Z", { ...call, provider: "gatehouse", cost: 9n }, own);
      await commit(workspace_id, "2027-05-10T11:00:00Z", { ...call, cost: 1n });
      clock.set("2027-05-11T12:00:00Z");
      const { data } = await activity.list(context(), { workspace_id });
      const day = { date: "2027-05-10", model: "acme/embed", model_permaslug: "acme/embed" };
      const of = (slug: string, provider_name: string, calls: number) => ({
        ...day,
        endpoint_id: `${slug}/acme/embed`,
        provider_name,
        requests: calls,
        prompt_tokens: 3 * calls,
        completion_tokens: 2 * calls,
        reasoning_tokens: calls,
      });
      expect(data).toEqual([
        { ...of("gatehouse", "Gatehouse", 1), usage: 9e-9, byok_usage_inference: 0 },
        { ...of("gone", "gone", 2), usage: 1e-9, byok_usage_inference: 0.000004 },
      ]);
    });

    it("is of all workspaces together unless it is asked for by workspace, and of one key or creator alone", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const { data: key } = await keys.create(context(), { name: "ana's", workspace_id: one, creator_user_id: "ana" });
      const [model, date] = ["x/both", "2027-06-10"];
      await commit(one, `${date}T10:00:00Z`, { model, keyHash: key.hash }, { model });
      await commit(other, `${date}T10:00:00Z`, { model });
      clock.set("2027-06-11T12:00:00Z");
      expect(await days({ date })).toEqual([`${date} x/both 3`]);
      const { data } = await activity.list(context(), { date, group_by: "workspace" });
      expect(Object.fromEntries(data.map((row) => [row.workspace_id, row.requests]))).toEqual({ [one]: 2, [other]: 1 });
      expect(data).toHaveLength(2);
      expect(await days({ date, api_key_hash: key.hash })).toEqual([`${date} x/both 1`]);
      expect(await days({ date, user_id: "ana" })).toEqual([`${date} x/both 1`]);
      expect(await days({ date, user_id: "bo" })).toEqual([]);
      const nobody = "00000000-0000-4000-8000-000000000000";
      await expect(days({ workspace_id: nobody })).rejects.toMatchObject({ status: 404 });
    });
  });

  describe("model usage", () => {
    const model = "x/planned";

    it("is what each key used of the model since the start of a UTC day, most tokens first", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const { data: key } = await keys.create(context(), { name: "indexer", workspace_id: one });
      const gone = "f".repeat(64);
      const call = { model, keyHash: key.hash };
      await commit(one, "2027-08-01T23:59:00Z", { ...call, promptTokens: 1_000 });
      await commit(one, "2027-08-02T00:01:00Z", { ...call, promptTokens: 30, cost: 7n, byokCost: 5n });
      await commit(one, "2027-08-03T12:00:00Z", { ...call, promptTokens: 20, status: 500 });
      await commit(other, "2027-08-03T12:00:00Z", { model, keyHash: gone, promptTokens: 60 });
      await commit(other, "2027-08-03T12:00:00Z", { model: "x/else", keyHash: gone, promptTokens: 5_000 });
      clock.set("2027-08-03T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 2 });
      const used = { usage: 7e-9, byok_usage: 5e-9 };
      const total = { keys: 2, requests: 3, prompt_tokens: 110, ...used };
      expect(data).toMatchObject({ since: "2027-08-02T00:00:00.000Z", total });
      expect(data.keys).toEqual([
        { key_hash: gone, name: null, workspace_id: other, usage: 0, byok_usage: 0, requests: 1, prompt_tokens: 60 },
        { key_hash: key.hash, name: "indexer", workspace_id: one, ...used, requests: 2, prompt_tokens: 50 },
      ]);
      const own = await modelUsage.get(context(), { model, last: 2, workspace_id: one });
      expect(own.data.total).toMatchObject({ keys: 1, prompt_tokens: 50 });
    });

    it("names the keys with most tokens only, and counts all of them", async () => {
      const workspace_id = await makeWorkspace();
      const tokens = Array.from({ length: 203 }, (_, at) => 203 - at);
      const hash = (at: number) => at.toString(16).padStart(64, "0");
      const calls = tokens.map((promptTokens) => ({ model, keyHash: hash(promptTokens), promptTokens }));
      await commit(workspace_id, "2027-09-01T12:00:00Z", ...calls.toReversed());
      clock.set("2027-09-01T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 1, workspace_id });
      expect(data.total).toMatchObject({ keys: 203, prompt_tokens: (203 * 204) / 2 });
      expect(data.keys.map((key) => key.prompt_tokens)).toEqual(tokens.slice(0, 200));
    });

    it("measures calls that were answered, and by the provider for every input", async () => {
      const workspace_id = await makeWorkspace();
      const call = { model, inputs: 10, promptTokens: 100, durationMs: 40 };
      const other = { ...call, inputs: 2, promptTokens: 15, durationMs: 5 };
      const unmeasured = [{ status: 502 }, { cachedInputs: 1 }, { model: "x/else" }].map((more) => ({
        ...call,
        ...more,
      }));
      await commit(workspace_id, "2027-09-02T12:00:00Z", call, other, ...unmeasured);
      clock.set("2027-09-02T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 1, workspace_id });
      expect(data.sample).toEqual({ looked: 5, calls: 2, inputs: 12, prompt_tokens: 115, duration_ms: 45 });
      const none = await modelUsage.get(context(), { model: "x/never", last: 1, workspace_id });
      expect(none.data).toMatchObject({ total: { keys: 0, requests: 0 }, keys: [], sample: { looked: 5, calls: 0 } });
    });
  });

  describe("latency", () => {
    const at = "2027-07-01T12:00:00.000Z";
    const measure = async (workspace_id: string) => {
      clock.set("2027-07-02T00:00:00Z");
      const { p50_ms: p50, p95_ms: p95, calls, all } = (await latency.get(context(), { workspace_id })).data;
      return { p50, p95, calls, all };
    };
    const lasting = (...durations: number[]) => durations.map((durationMs) => ({ durationMs, status: 200 }));

    it.each([
      ["no call is none", [], { p50: null, p95: null }],
      ["one call is that call's", lasting(70), { p50: 70, p95: 70 }],
      [
        "four calls is the smallest that so many percent of them do not exceed",
        lasting(40, 10, 30, 20),
        { p50: 20, p95: 40 },
      ],
      ["twenty calls likewise", lasting(...Array.from({ length: 20 }, (_, index) => 20 - index)), { p50: 10, p95: 19 }],
      ["failed calls is none", [{ durationMs: 900, status: 500 }], { p50: null, p95: null }],
      [
        "calls with failed ones is that of the others",
        [
          { durationMs: 5, status: 399 },
          { durationMs: 900, status: 400 },
        ],
        { p50: 5, p95: 5 },
      ],
    ])("of %s", async (_, calls, percentiles) => {
      const workspace = await makeWorkspace();
      if (calls.length > 0) await commit(workspace, at, ...calls);
      expect(await measure(workspace)).toEqual({ ...percentiles, calls: calls.length, all: true });
    });

    it("is of the calls that began within 24 hours, to the millisecond", async () => {
      const workspace = await makeWorkspace();
      await commit(workspace, "2027-06-30T23:59:59.999Z", { durationMs: 1 });
      expect(await measure(workspace)).toMatchObject({ calls: 0 });
      await commit(workspace, "2027-07-01T00:00:00.000Z", { durationMs: 2 });
      expect(await measure(workspace)).toMatchObject({ p50: 2, calls: 1 });
      // began before, ended within
      await commit(workspace, at, { durationMs: 3, createdAt: new Date("2027-06-30T23:59:59.999Z") });
      expect(await measure(workspace)).toMatchObject({ p50: 2, calls: 1 });
    });

    it("says so where it is of a sample", async () => {
      const workspace = await makeWorkspace();
      await commit(workspace, at, { durationMs: 1 });
      for (const [requests, all] of [
        [10_000, true],
        [10_001, false],
      ] as const) {
        const pretend = "update usage_hourly set requests = $1 where workspace_id = $2";
        await gateway().deps.store.pool.query(pretend, [requests, workspace]);
        expect(await measure(workspace)).toMatchObject({ calls: 1, all });
      }
    });
  });
});
