import { describe, expect, it } from "vitest";
import { makeClock } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { Refusal } from "../refusal.ts";
import { newRequestId } from "../request-id.ts";
import * as workspaces from "../workspaces/workspaces.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import { list, refusedByPeriod } from "./refused-calls.ts";

const disabled = new Refusal("authentication", "This API key is disabled", { reason: "key_disabled" });

let made = 0;

describeGateway("refused calls", (gateway) => {
  const clock = makeClock();
  const context = () => makeContext({ ...gateway().deps, now: clock.now });

  /** A key that no other test counts for, in a workspace of its own. */
  async function makeCaller() {
    made += 1;
    const { data } = await workspaces.create(context(), { name: "W", slug: `refused-${made}` });
    return { workspaceId: data.id, keyHash: String(made).padStart(64, "0") };
  }

  /** A process's counter, whose store can be put out of reach. */
  function makeCounter() {
    const { store } = gateway().deps;
    const warnings: [string, object][] = [];
    let away = false;
    const reached = {
      ...store,
      get db() {
        if (away) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
        return store.db;
      },
    };
    const counter = createRefusedCallCounter(reached, clock.now, (...said) => warnings.push(said));
    return { ...counter, warnings, setAway: (is: boolean) => void (away = is) };
  }

  const stored = async (keyHash: string) =>
    await gateway()
      .deps.store.db.selectFrom("refused_calls")
      .selectAll()
      .where("key_hash", "=", keyHash)
      .orderBy("minute")
      .orderBy("reason")
      .execute();

  describe("counting", () => {
    it("is by UTC minute: the last millisecond of one and the first of the next are two counts", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      for (const at of ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:59.999Z"]) {
        clock.set(at);
        counter.count({ ...caller, requestId: `req-${at}` }, disabled);
      }
      await counter.close();
      const [first, last] = ["2027-01-01T00:00:00.000Z", "2027-01-01T00:00:59.999Z"];
      const old = new Date("2026-12-31T23:59:59.999Z");
      expect(await stored(caller.keyHash)).toMatchObject([
        { minute: new Date("2026-12-31T23:59:00Z"), count: 1n, first_at: old, last_at: old },
        {
          minute: new Date(first),
          count: 2n,
          first_at: new Date(first),
          last_at: new Date(last),
          last_request_id: `req-${last}`,
        },
      ]);
    });

    it("tells calls apart by the limit, else by what is wrong with the key, else by the error, and by status", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      const refusals = [
        new Refusal("payment_required", "1", { limit_kind: "credits", reason: "key_disabled" }),
        new Refusal("rate_limit_exceeded", "2", { limit_kind: "key_tokens_per_minute" }),
        disabled,
        new Refusal("not_found", "4"),
        new Refusal("provider_busy", "5", { reason: 5 }),
        new Refusal("unavailable", "6", { limit_kind: "credits" }),
      ];
      for (const refusal of refusals) counter.count({ ...caller, requestId: "req-1" }, refusal);
      await counter.close();
      const counts = (await stored(caller.keyHash)).map(({ reason, status, count }) => [reason, status, count]);
      expect(counts.toSorted()).toEqual([
        ["credits", 402, 1n],
        ["credits", 503, 1n],
        ["key_disabled", 401, 1n],
        ["key_tokens_per_minute", 429, 1n],
        ["not_found", 404, 1n],
        ["provider_busy", 503, 1n],
      ]);
    });

    it("keeps what the last call needed and had left, in nano-dollars, where a limit on money refused it", async () => {
      const counter = makeCounter();
      const figures = async (limit_kind: string, estimate: unknown, remaining: unknown) => {
        const caller = await makeCaller();
        const refusal = new Refusal("payment_required", "short", { limit_kind, estimate, remaining });
        counter.count({ ...caller, requestId: "req-1" }, refusal);
        await counter.flush();
        const [row] = await stored(caller.keyHash);
        return [row?.last_needed, row?.last_remaining];
      };
      expect(await figures("key", 0.000000001, 0)).toEqual([1n, 0n]);
      expect(await figures("workspace_budget", 1.5, -0.25)).toEqual([1_500_000_000n, -250_000_000n]);
      expect(await figures("credits", Number.NaN, "1")).toEqual([null, null]);
      expect(await figures("credits", 1e12, Infinity)).toEqual([2n ** 63n - 1n, null]);
      expect(await figures("key_tokens_per_minute", 900, 100)).toEqual([null, null]);
      expect(counter.warnings).toEqual([]);
    });

    it("cuts a message to 500 characters, without those that the store cannot hold", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      counter.count({ ...caller, requestId: "req-1" }, new Refusal("not_found", `a\0${"b".repeat(1_000)}`));
      await counter.close();
      expect(await stored(caller.keyHash)).toMatchObject([{ last_message: `a${"b".repeat(498)}` }]);
    });

    it("adds up what several processes counted, and keeps the latest words, whoever writes last", async () => {
      for (const order of ["earlier first", "later first"]) {
        const caller = await makeCaller();
        const [one, other] = [makeCounter(), makeCounter()];
        const count = (counter: typeof one, at: string) => {
          clock.set(`2026-12-01T10:00:${at}Z`);
          counter.count({ ...caller, requestId: `req-${at}` }, new Refusal("not_found", `at ${at}`));
        };
        count(one, "10.000");
        count(other, "30.000");
        count(other, "40.000");
        const counters = order === "earlier first" ? [one, other] : [other, one];
        for (const counter of counters) await counter.close();
        const [row, ...more] = await stored(caller.keyHash);
        expect([order, row, more]).toMatchObject([
          order,
          {
            count: 3n,
            first_at: new Date("2026-12-01T10:00:10Z"),
            last_at: new Date("2026-12-01T10:00:40Z"),
            last_request_id: "req-40.000",
            last_message: "at 40.000",
          },
          [],
        ]);
      }
    });

    it("loses nothing that arrives during a write", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      counter.count({ ...caller, requestId: "req-1" }, disabled);
      const writing = counter.flush();
      counter.count({ ...caller, requestId: "req-2" }, disabled);
      await Promise.all([writing, counter.flush()]);
      await counter.close();
      expect(await stored(caller.keyHash)).toMatchObject([{ count: 2n, last_request_id: "req-2" }]);
    });

    it("while the store is away goes on, tells it once, and merges what was kept with what came since", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      const count = (second: number) => {
        clock.set(`2026-12-01T11:00:0${second}Z`);
        counter.count({ ...caller, requestId: `req-${second}` }, disabled);
      };
      counter.setAway(true);
      for (const second of [1, 2, 3]) {
        count(second);
        await counter.flush();
      }
      expect(await stored(caller.keyHash)).toEqual([]);
      counter.setAway(false);
      await counter.flush();
      expect(await stored(caller.keyHash)).toMatchObject([
        {
          count: 3n,
          first_at: new Date("2026-12-01T11:00:01Z"),
          last_at: new Date("2026-12-01T11:00:03Z"),
          last_request_id: "req-3",
        },
      ]);
      const cannot = "counts of refused calls cannot be written now: they are kept and written later";
      expect(counter.warnings).toEqual([[cannot, { code: "ECONNREFUSED" }]]);
      // the next time that it is away is told again
      counter.setAway(true);
      count(4);
      await counter.flush();
      expect(counter.warnings.map(([message]) => message)).toEqual([cannot, cannot]);
      counter.setAway(false);
      await counter.close();
      expect(await stored(caller.keyHash)).toMatchObject([{ count: 4n }]);
    });

    it("that ends without its store loses what was not written yet, says how much, and nothing else", async () => {
      const [caller, other, counter] = [await makeCaller(), await makeCaller(), makeCounter()];
      counter.count({ ...caller, requestId: "req-1" }, disabled);
      await counter.flush();
      counter.setAway(true);
      for (const { keyHash } of [caller, other]) counter.count({ ...caller, keyHash, requestId: "req-2" }, disabled);
      await counter.close();
      expect(counter.warnings.at(-1)).toEqual([
        "counts of refused calls are lost: the store does not take them",
        { lost: 2 },
      ]);
      expect(await stored(caller.keyHash)).toMatchObject([{ count: 1n, last_request_id: "req-1" }]);
      expect(await stored(other.keyHash)).toEqual([]);
    });
  });

  describe("the list", () => {
    const countAt = async (caller: { keyHash: string; workspaceId: string }, instants: readonly string[]) => {
      const counter = makeCounter();
      for (const at of instants) {
        clock.set(at);
        counter.count({ ...caller, requestId: newRequestId(clock.now()) }, disabled);
      }
      await counter.close();
    };

    it("covers whole minutes: that of its beginning, and that which begins with its end", async () => {
      const caller = await makeCaller();
      await countAt(caller, ["2026-12-01T10:00:59Z", "2026-12-01T10:01:01Z", "2026-12-01T10:03:30Z"]);
      const counted = async (since: string, until: string) => {
        const query = { api_key_hash: caller.keyHash, since: `2026-12-01T${since}Z`, until: `2026-12-01T${until}Z` };
        const { total, since: from } = await list(context(), query);
        return [total.calls, from];
      };
      expect(await counted("10:01:45", "10:02:59.999")).toEqual([1, "2026-12-01T10:01:00.000Z"]);
      expect(await counted("10:01:45", "10:03:00")).toEqual([2, "2026-12-01T10:01:00.000Z"]);
      expect(await counted("10:00:59", "10:03:00")).toEqual([3, "2026-12-01T10:00:00.000Z"]);
      expect(await counted("10:04:00", "10:05:00")).toEqual([0, "2026-12-01T10:04:00.000Z"]);
    });

    it("is of the last 24 hours unless it is said", async () => {
      const caller = await makeCaller();
      await countAt(caller, ["2026-12-01T11:59:59.999Z", "2026-12-01T12:00:00.000Z", "2026-12-02T12:00:30.000Z"]);
      expect(await list(context(), { api_key_hash: caller.keyHash })).toMatchObject({
        data: [{ count: 2, first_at: "2026-12-01T12:00:00.000Z", last_at: "2026-12-02T12:00:30.000Z" }],
        since: "2026-12-01T12:00:00.000Z",
      });
    });

    it("has the latest first, as many as are asked for, and the totals of all", async () => {
      const { workspaceId, keyHash } = await makeCaller();
      const keys = ["a", "b", "c"].map((letter) => keyHash.replace("0", letter));
      for (const [index, key] of keys.entries()) {
        const instants = Array.from({ length: index + 1 }, (_, second) => `2026-12-01T13:0${3 - index}:0${second}Z`);
        await countAt({ workspaceId, keyHash: key }, instants);
      }
      clock.set("2026-12-01T14:00:00Z");
      const { data, total } = await list(context(), { workspace_id: workspaceId, limit: 2 });
      expect(data.map(({ key_hash: key, count }) => [key, count])).toEqual([
        [keys[0], 1],
        [keys[1], 2],
      ]);
      expect(total).toEqual({ calls: 6, records: 3 });
    });

    it("finds a request up to 15 minutes after the instant in its id, and no further", async () => {
      const caller = await makeCaller();
      const counter = makeCounter();
      const begun = new Date("2026-12-01T15:00:00Z");
      const [waited, overdue] = [newRequestId(begun), newRequestId(begun)];
      clock.set("2026-12-01T15:15:59.999Z");
      counter.count({ ...caller, requestId: waited }, disabled);
      clock.set("2026-12-01T15:16:00Z");
      counter.count({ ...caller, requestId: overdue }, disabled);
      await counter.close();
      // whatever the time, and whatever range is asked for
      clock.set("2026-12-20T00:00:00Z");
      const found = async (request_id: string) => (await list(context(), { request_id })).data;
      expect(await found(waited)).toMatchObject([{ key_hash: caller.keyHash, count: 1, last_request_id: waited }]);
      expect(await found(overdue)).toEqual([]);
      expect(await found("req-1")).toEqual([]);
    });

    it("adds up by UTC hour and day, from the first minute up to the last, for a key or for workspaces", async () => {
      const [caller, other] = [await makeCaller(), await makeCaller()];
      const { db } = gateway().deps.store;
      await countAt(caller, [
        "2026-12-04T21:59:59.999Z",
        "2026-12-04T22:00:00.000Z",
        "2026-12-04T22:59:59.999Z",
        "2026-12-04T23:00:00.000Z",
        "2026-12-05T00:00:00.000Z",
      ]);
      await countAt({ ...caller, keyHash: other.keyHash }, ["2026-12-04T22:30:00.000Z"]);
      const range = [new Date("2026-12-04T22:00:00Z"), new Date("2026-12-05T00:00:00Z")] as const;
      const { keyHash, workspaceId } = caller;
      const counts = async (by: "hour" | "day", of: Parameters<typeof refusedByPeriod>[3]) =>
        [...(await refusedByPeriod(db, by, range, of))]
          .map(([at, count]) => [new Date(at).toISOString(), count])
          .toSorted();
      expect(await counts("hour", { keys: [keyHash] })).toEqual([
        ["2026-12-04T22:00:00.000Z", 2],
        ["2026-12-04T23:00:00.000Z", 1],
      ]);
      expect(await counts("day", { keys: [keyHash] })).toEqual([["2026-12-04T00:00:00.000Z", 3]]);
      expect(await counts("day", { workspaces: [workspaceId] })).toEqual([["2026-12-04T00:00:00.000Z", 4]]);
      expect(await counts("day", { workspaces: [] })).toEqual([]);
    });
  });
});
