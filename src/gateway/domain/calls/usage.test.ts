import { describe, expect, it } from "vitest";
import { makeClock } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import * as keys from "../keys/keys.ts";
import { rotate } from "../keys/rotation.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { Refusal } from "../refusal.ts";
import * as workspaces from "../workspaces/workspaces.ts";
import * as activity from "./activity.ts";
import { periodStarts, usage as keyUsage } from "./key-usage.ts";
import * as latency from "./latency.ts";
import * as modelUsage from "./model-usage.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import * as usage from "./usage.ts";

const zeros = {
  usage: 0,
  byok_usage: 0,
  saved: 0,
  requests: 0,
  failures: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
};

describe("periodStarts", () => {
  const starts = (...parameters: Parameters<typeof periodStarts>) =>
    periodStarts(...parameters).map((at) => at.toISOString());

  it("ends with the UTC hour or day that contains the instant, its first and its last millisecond too", () => {
    for (const at of ["2028-03-01T00:00:00.000Z", "2028-03-01T00:59:59.999Z"]) {
      expect(starts("hour", 2, new Date(at))).toEqual(["2028-02-29T23:00:00.000Z", "2028-03-01T00:00:00.000Z"]);
    }
    for (const at of ["2028-03-01T00:00:00.000Z", "2028-03-01T23:59:59.999Z"]) {
      expect(starts("day", 2, new Date(at))).toEqual(["2028-02-29T00:00:00.000Z", "2028-03-01T00:00:00.000Z"]);
    }
  });
});

let made = 0;

describeGateway("figures", (gateway) => {
  const clock = makeClock();
  const context = () => makeContext({ ...gateway().deps, now: clock.now });
  const makeWorkspace = async () =>
    (await workspaces.create(context(), { name: "W", slug: `figures-${(made += 1)}` })).data.id;
  /** Calls of a workspace that ended at one instant. */
  const commit = async (...call: [workspaceId: string, at: string, ...calls: Partial<LedgerEntry>[]]) =>
    await commitCallsOf(gateway().deps, ...call);
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
      const { data, refused } = await usage.get(context(), {
        workspace_id: await makeWorkspace(),
        by: "hour",
        last: 2,
        group_by: "model",
      });
      expect(data).toEqual([
        {
          group: null,
          name: null,
          total: zeros,
          previous: zeros,
          points: [
            { at: "2027-03-01T11:00:00.000Z", ...zeros },
            { at: "2027-03-01T12:00:00.000Z", ...zeros },
          ],
        },
      ]);
      expect(refused).toEqual({ total: 0, previous: 0, points: [0, 0] });
    });

    it("adds up every figure to the nano-dollar and the token, failed calls' too", async () => {
      const workspace = await makeWorkspace();
      await commit(
        workspace,
        "2027-03-02T09:30:00Z",
        { cost: 1_000_000_001n, saved: 7n, promptTokens: 10, completionTokens: 5, reasoningTokens: 2 },
        { byok: true, byokCost: 500_000n, promptTokens: 1, completionTokens: 1 },
        { status: 399 },
        { status: 400 },
        { status: 502, cost: 2n, provider: "" },
      );
      clock.set("2027-03-02T23:59:59.999Z");
      const { data } = await usage.get(context(), { workspace_id: workspace, by: "day", last: 1 });
      const figures = {
        usage: 1.000000003,
        byok_usage: 0.0005,
        saved: 0.000000007,
        requests: 5,
        failures: 2,
        prompt_tokens: 11,
        completion_tokens: 6,
        reasoning_tokens: 2,
      };
      expect(data).toMatchObject([{ total: figures, previous: zeros, points: [figures] }]);
    });

    it("puts a call into the UTC hour and day in which it ended, to the millisecond, over a leap day", async () => {
      const workspace = await makeWorkspace();
      for (const at of ["2028-02-28T23:59:59.999Z", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"]) {
        await commit(workspace, at, { createdAt: new Date("2028-02-28T23:00:00Z") });
      }
      await commit(workspace, "2028-03-01T00:00:00.000Z");
      const requests = async (by: "hour" | "day", last: number, until: string) => {
        const { data } = await usage.get(context(), { workspace_id: workspace, by, last, until });
        return [data[0]?.previous.requests, ...(data[0]?.points.map((point) => point.requests) ?? [])];
      };
      expect(await requests("day", 3, "2028-03-01T12:00:00Z")).toEqual([0, 1, 2, 1]);
      expect(await requests("day", 1, "2028-03-01T12:00:00Z")).toEqual([2, 1]);
      expect(await requests("hour", 2, "2028-02-29T00:00:00.000Z")).toEqual([0, 1, 1]);
      expect(await requests("hour", 1, "2028-02-28T23:59:59.999Z")).toEqual([0, 1]);
      expect(await requests("hour", 1, "2028-03-01T00:59:59.999Z")).toEqual([1, 1]);
    });

    it("gives the five most expensive a series of their own, and adds up the rest with what was used before only", async () => {
      const workspace = await makeWorkspace();
      const dear = { cost: 100n };
      await commit(workspace, "2027-03-03T12:00:00Z", { ...dear, model: "x/before-only" });
      await commit(
        workspace,
        "2027-03-04T12:00:00Z",
        { cost: 1n, model: "x/cheap" },
        { ...dear, model: "x/a" },
        { ...dear, model: "x/b" },
        { byok: true, byokCost: 200n, model: "x/own" },
        { ...dear, model: "x/c" },
        { model: "x/busy" },
        { model: "x/busy" },
        { model: "x/idle" },
      );
      const { data } = await usage.get(context(), {
        workspace_id: workspace,
        by: "day",
        last: 1,
        until: "2027-03-04T23:00:00Z",
        group_by: "model",
      });
      expect(data.map(({ group, total, previous }) => [group, total.requests, previous.requests])).toEqual([
        ["x/a", 1, 0],
        ["x/b", 1, 0],
        ["x/c", 1, 0],
        ["x/cheap", 1, 0],
        ["x/own", 1, 0],
        [null, 3, 1],
      ]);
    });

    it("has refused calls beside it, in the same hours, and those of as many hours before", async () => {
      const workspace = await makeWorkspace();
      const key = String(made).padStart(64, "a");
      await refuse(workspace, key, [
        "2027-03-05T07:59:59.999Z",
        "2027-03-05T08:00:00.000Z",
        "2027-03-05T09:59:59.999Z",
        "2027-03-05T10:00:00.000Z",
        "2027-03-05T11:59:59.999Z",
        "2027-03-05T12:00:00.000Z",
      ]);
      clock.set("2027-03-05T11:30:00Z");
      const { refused } = await usage.get(context(), { workspace_id: workspace, by: "hour", last: 2 });
      expect(refused).toEqual({ total: 2, previous: 2, points: [1, 1] });
    });
  });

  describe("a key's usage", () => {
    it("is the key's alone, with its refused calls, by hour and by day", async () => {
      clock.set("2027-03-06T12:00:00Z");
      const { data: key } = await keys.create(context(), { name: "metered" });
      const call = { keyHash: key.hash, cost: 3_000_000n, promptTokens: 4, completionTokens: 2 };
      await commit(key.workspace_id, "2027-03-06T23:59:59.999Z", call, { ...call, model: "acme/other" });
      await commit(
        key.workspace_id,
        "2027-03-07T00:00:00.000Z",
        { ...call, byok: true, cost: 0n, byokCost: 9n },
        { cost: 1n, promptTokens: 1_000 },
      );
      await refuse(key.workspace_id, key.hash, ["2027-03-06T23:59:59.999Z", "2027-03-07T00:30:00Z"]);
      clock.set("2027-03-07T00:59:59.999Z");
      const none = { usage: 0, byok_usage: 0, requests: 0, refused: 0, prompt_tokens: 0, completion_tokens: 0 };
      const before = {
        usage: 0.006,
        byok_usage: 0,
        requests: 2,
        refused: 1,
        prompt_tokens: 8,
        completion_tokens: 4,
      };
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
    });

    it("is on request that of all keys that count toward its limit", async () => {
      clock.set("2027-03-08T12:00:00Z");
      const { data: first } = await keys.create(context(), { name: "replaced" });
      const { data: second } = await rotate(context(), first.hash, { grace_seconds: 60 });
      await commit(
        first.workspace_id,
        "2027-03-08T12:00:00Z",
        { keyHash: first.hash, cost: 3n },
        { keyHash: second.hash, cost: 4n },
        { cost: 5n },
      );
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
      const management = await gateway()
        .deps.store.db.selectFrom("api_keys")
        .select("hash")
        .where("kind", "=", "management")
        .executeTakeFirstOrThrow();
      for (const hash of [key.hash, "f".repeat(64), management.hash]) {
        await expect(keyUsage(context(), hash, { by: "day", last: 1 })).rejects.toMatchObject({ status: 404 });
      }
    });
  });

  describe("activity", () => {
    const days = async (query: Parameters<typeof activity.list>[1]) =>
      (await activity.list(context(), query)).data.map(({ date, model, requests }) => [date, model, requests]);

    it("is of the thirty UTC days before today, to the millisecond, newest first, the most expensive of a day first", async () => {
      const workspace = await makeWorkspace();
      await commit(workspace, "2027-03-31T23:59:59.999Z", { model: "x/too-old" });
      await commit(workspace, "2027-04-01T00:00:00.000Z", { model: "x/first" });
      await commit(
        workspace,
        "2027-04-30T23:59:59.999Z",
        { model: "x/cheap" },
        { model: "x/dear", cost: 5n },
        { model: "x/dear", cost: 5n },
      );
      await commit(workspace, "2027-05-01T00:00:00.000Z", { model: "x/today" });
      for (const now of ["2027-05-01T00:00:00.000Z", "2027-05-01T23:59:59.999Z"]) {
        clock.set(now);
        expect(await days({ workspace_id: workspace })).toEqual([
          ["2027-04-30", "x/dear", 2],
          ["2027-04-30", "x/cheap", 1],
          ["2027-04-01", "x/first", 1],
        ]);
      }
      expect(await days({ workspace_id: workspace, date: "2027-04-01" })).toEqual([["2027-04-01", "x/first", 1]]);
      for (const date of ["2027-03-31", "2027-05-01"]) {
        await expect(days({ date })).rejects.toThrow(
          "date must be one of the last 30 completed UTC days: 2027-04-01 to 2027-04-30",
        );
      }
    });

    it("names a provider as long as there is one, and adds up a day's figures", async () => {
      const workspace = await makeWorkspace();
      const call = { promptTokens: 3, completionTokens: 2, reasoningTokens: 1 };
      await commit(
        workspace,
        "2027-05-10T10:00:00Z",
        { ...call, provider: "gatehouse", cost: 9n },
        { ...call, provider: "gone", byok: true, byokCost: 4_000n },
      );
      await commit(workspace, "2027-05-10T11:00:00Z", { ...call, provider: "gone", cost: 1n });
      clock.set("2027-05-11T12:00:00Z");
      const { data } = await activity.list(context(), { workspace_id: workspace });
      const shared = { date: "2027-05-10", model: "acme/embed", model_permaslug: "acme/embed" };
      expect(data).toEqual([
        {
          ...shared,
          endpoint_id: "gatehouse/acme/embed",
          provider_name: "Gatehouse",
          usage: 9e-9,
          byok_usage_inference: 0,
          requests: 1,
          prompt_tokens: 3,
          completion_tokens: 2,
          reasoning_tokens: 1,
        },
        {
          ...shared,
          endpoint_id: "gone/acme/embed",
          provider_name: "gone",
          usage: 1e-9,
          byok_usage_inference: 0.000004,
          requests: 2,
          prompt_tokens: 6,
          completion_tokens: 4,
          reasoning_tokens: 2,
        },
      ]);
    });

    it("is of all workspaces together unless it is asked for by workspace, and of one key or creator alone", async () => {
      const [one, other] = [await makeWorkspace(), await makeWorkspace()];
      const { data: key } = await keys.create(context(), { name: "ana's", workspace_id: one, creator_user_id: "ana" });
      await commit(one, "2027-06-10T10:00:00Z", { model: "x/both", keyHash: key.hash }, { model: "x/both" });
      await commit(other, "2027-06-10T10:00:00Z", { model: "x/both" });
      clock.set("2027-06-11T12:00:00Z");
      const date = "2027-06-10";
      expect(await days({ date })).toEqual([[date, "x/both", 3]]);
      const { data } = await activity.list(context(), { date, group_by: "workspace" });
      expect(data.map(({ workspace_id: id, requests }) => [id, requests]).toSorted()).toEqual(
        [
          [one, 2],
          [other, 1],
        ].toSorted(),
      );
      expect(await days({ date, api_key_hash: key.hash })).toEqual([[date, "x/both", 1]]);
      expect(await days({ date, user_id: "ana" })).toEqual([[date, "x/both", 1]]);
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
      await commit(one, "2027-08-01T23:59:00Z", { model, keyHash: key.hash, promptTokens: 1_000 });
      await commit(one, "2027-08-02T00:01:00Z", { model, keyHash: key.hash, promptTokens: 30, cost: 7n, byokCost: 5n });
      await commit(one, "2027-08-03T12:00:00Z", { model, keyHash: key.hash, promptTokens: 20, status: 500 });
      await commit(other, "2027-08-03T12:00:00Z", { model, keyHash: gone, promptTokens: 60 });
      await commit(other, "2027-08-03T12:00:00Z", { model: "x/else", keyHash: gone, promptTokens: 5_000 });
      clock.set("2027-08-03T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 2 });
      expect(data).toMatchObject({
        since: "2027-08-02T00:00:00.000Z",
        total: { keys: 2, requests: 3, prompt_tokens: 110, usage: 7e-9, byok_usage: 5e-9 },
      });
      expect(data.keys).toEqual([
        { key_hash: gone, name: null, workspace_id: other, usage: 0, byok_usage: 0, requests: 1, prompt_tokens: 60 },
        {
          key_hash: key.hash,
          name: "indexer",
          workspace_id: one,
          usage: 7e-9,
          byok_usage: 5e-9,
          requests: 2,
          prompt_tokens: 50,
        },
      ]);
      const own = await modelUsage.get(context(), { model, last: 2, workspace_id: one });
      expect(own.data.total).toMatchObject({ keys: 1, prompt_tokens: 50 });
    });

    it("names the keys with most tokens only, and counts all of them", async () => {
      const workspace = await makeWorkspace();
      const calls = Array.from({ length: 203 }, (_, at) => ({
        model,
        keyHash: at.toString(16).padStart(64, "0"),
        promptTokens: at + 1,
      }));
      await commit(workspace, "2027-09-01T12:00:00Z", ...calls);
      clock.set("2027-09-01T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 1, workspace_id: workspace });
      expect(data.total).toMatchObject({ keys: 203, prompt_tokens: (203 * 204) / 2 });
      expect(data.keys.map(({ prompt_tokens: tokens }) => tokens)).toEqual(
        Array.from({ length: 200 }, (_, at) => 203 - at),
      );
    });

    it("measures calls that were answered, and by the provider for every input", async () => {
      const workspace = await makeWorkspace();
      const call = { model, inputs: 10, promptTokens: 100, durationMs: 40 };
      await commit(
        workspace,
        "2027-09-02T12:00:00Z",
        call,
        { ...call, inputs: 2, promptTokens: 15, durationMs: 5 },
        { ...call, status: 502 },
        { ...call, cachedInputs: 1 },
        { ...call, model: "x/else" },
      );
      clock.set("2027-09-02T13:00:00Z");
      const { data } = await modelUsage.get(context(), { model, last: 1, workspace_id: workspace });
      expect(data.sample).toEqual({ looked: 5, calls: 2, inputs: 12, prompt_tokens: 115, duration_ms: 45 });
      const none = await modelUsage.get(context(), { model: "x/never", last: 1, workspace_id: workspace });
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

    it("of no call is none, and of one call is that call's", async () => {
      const workspace = await makeWorkspace();
      expect(await measure(workspace)).toEqual({ p50: null, p95: null, calls: 0, all: true });
      await commit(workspace, at, { durationMs: 70 });
      expect(await measure(workspace)).toEqual({ p50: 70, p95: 70, calls: 1, all: true });
    });

    it("is a duration that was measured: the smallest that so many percent of the calls do not exceed", async () => {
      const [four, twenty] = [await makeWorkspace(), await makeWorkspace()];
      await commit(four, at, ...[40, 10, 30, 20].map((durationMs) => ({ durationMs })));
      expect(await measure(four)).toMatchObject({ p50: 20, p95: 40 });
      await commit(twenty, at, ...Array.from({ length: 20 }, (_, index) => ({ durationMs: 20 - index })));
      expect(await measure(twenty)).toMatchObject({ p50: 10, p95: 19 });
    });

    it("is that of the calls that were answered; the others count as calls", async () => {
      const workspace = await makeWorkspace();
      await commit(workspace, at, { durationMs: 5, status: 399 }, { durationMs: 900, status: 400 });
      expect(await measure(workspace)).toEqual({ p50: 5, p95: 5, calls: 2, all: true });
      const failing = await makeWorkspace();
      await commit(failing, at, { durationMs: 900, status: 500 });
      expect(await measure(failing)).toEqual({ p50: null, p95: null, calls: 1, all: true });
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
      const { pool } = gateway().deps.store;
      const pretend = async (requests: number) =>
        await pool.query("update usage_hourly set requests = $1 where workspace_id = $2", [requests, workspace]);
      await pretend(10_000);
      expect(await measure(workspace)).toMatchObject({ calls: 1, all: true });
      await pretend(10_001);
      expect(await measure(workspace)).toMatchObject({ calls: 1, all: false });
    });
  });
});
