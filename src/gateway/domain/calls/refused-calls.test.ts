import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { Refusal } from "../refusal.ts";
import { newRequestId } from "../request-id.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import { list, refusedByPeriod } from "./refused-calls.ts";

const disabled = new Refusal("authentication", "This API key is disabled", { reason: "key_disabled" });

describeGateway("refused calls", (gateway) => {
  const { clock, context, makeWorkspace } = ownContext(gateway);
  /** A key that no other test counts for, in a workspace of its own. */
  const makeCaller = async () => ({
    workspaceId: await makeWorkspace(),
    keyHash: randomUUID().replaceAll("-", "").padStart(64, "0"),
  });
  type Caller = Awaited<ReturnType<typeof makeCaller>>;

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
    return {
      ...counter,
      warnings,
      setAway: (is: boolean) => void (away = is),
      count: (caller: Caller, refusal = disabled, requestId = "req-1") =>
        counter.count({ ...caller, requestId }, refusal),
      countAt: (caller: Caller, at: string, refusal = disabled, requestId = `req-${at}`) => {
        clock.set(at);
        counter.count({ ...caller, requestId }, refusal);
      },
    };
  }

  const stored = async ({ keyHash }: Caller) =>
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
      const instants = ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2027-01-01T00:00:59.999Z"] as const;
      for (const at of instants) counter.countAt(caller, at);
      await counter.close();
      const [old, first, last] = instants.map((at) => new Date(at));
      expect(await stored(caller)).toMatchObject([
        { minute: new Date("2026-12-31T23:59:00Z"), count: 1n, first_at: old, last_at: old },
        { minute: first, count: 2n, first_at: first, last_at: last, last_request_id: `req-${instants[2]}` },
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
      for (const refusal of refusals) counter.count(caller, refusal);
      await counter.close();
      const counts = (await stored(caller)).map(({ reason, status, count }) => `${reason} ${status} ${count}`);
      const byLimit = ["credits 402 1", "credits 503 1", "key_disabled 401 1", "key_tokens_per_minute 429 1"];
      expect(counts.toSorted()).toEqual([...byLimit, "not_found 404 1", "provider_busy 503 1"]);
    });

    it.each([
      ["key", 0.000000001, 0, [1n, 0n]],
      ["workspace_budget", 1.5, -0.25, [1_500_000_000n, -250_000_000n]],
      ["credits", Number.NaN, "1", [null, null]],
      ["credits", 1e12, Infinity, [2n ** 63n - 1n, null]],
      ["key_tokens_per_minute", 900, 100, [null, null]],
    ])("keeps of the limit %s what the last call needed, %d, and had left, %d", async (limit_kind, ...figures) => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      const [estimate, remaining, expected] = figures;
      counter.count(caller, new Refusal("payment_required", "short", { limit_kind, estimate, remaining }));
      await counter.close();
      const [row] = await stored(caller);
      expect([row?.last_needed, row?.last_remaining]).toEqual(expected);
      expect(counter.warnings).toEqual([]);
    });

    it("cuts a message to 500 characters, without those that the store cannot hold", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      counter.count(caller, new Refusal("not_found", `a\0${"b".repeat(1_000)}`));
      await counter.close();
      expect(await stored(caller)).toMatchObject([{ last_message: `a${"b".repeat(498)}` }]);
    });

    it.each(["earlier", "later"])(
      "adds up what several processes counted, the %s first, and keeps the latest words",
      async (first) => {
        const caller = await makeCaller();
        const [one, other] = [makeCounter(), makeCounter()];
        const [at10, at30, at40] = [10, 30, 40].map((second) => `2026-12-01T10:00:${second}.000Z`) as [
          string,
          string,
          string,
        ];
        for (const [counter, at] of [
          [one, at10],
          [other, at30],
          [other, at40],
        ] as const)
          counter.countAt(caller, at, new Refusal("not_found", `at ${at}`));
        for (const counter of first === "earlier" ? [one, other] : [other, one]) await counter.close();
        const last = { last_at: new Date(at40), last_request_id: `req-${at40}`, last_message: `at ${at40}` };
        const rows = await stored(caller);
        expect(rows).toMatchObject([{ count: 3n, first_at: new Date(at10), ...last }]);
      },
    );

    it("loses nothing that arrives during a write", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      counter.count(caller);
      const writing = counter.flush();
      counter.count(caller, disabled, "req-2");
      await Promise.all([writing, counter.flush()]);
      await counter.close();
      expect(await stored(caller)).toMatchObject([{ count: 2n, last_request_id: "req-2" }]);
    });

    it("while the store is away goes on, tells it once, and merges what was kept with what came since", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      const at = (second: number) => `2026-12-01T11:00:0${second}.000Z`;
      counter.setAway(true);
      for (const second of [1, 2, 3]) {
        counter.countAt(caller, at(second));
        await counter.flush();
      }
      expect(await stored(caller)).toEqual([]);
      counter.setAway(false);
      await counter.flush();
      const ends = { first_at: new Date(at(1)), last_at: new Date(at(3)), last_request_id: `req-${at(3)}` };
      expect(await stored(caller)).toMatchObject([{ count: 3n, ...ends }]);
      const cannot = "counts of refused calls cannot be written now: they are kept and written later";
      expect(counter.warnings).toEqual([[cannot, { code: "ECONNREFUSED" }]]);
      // the next time that it is away is told again
      counter.setAway(true);
      counter.countAt(caller, at(4));
      await counter.flush();
      expect(counter.warnings.map(([message]) => message)).toEqual([cannot, cannot]);
      counter.setAway(false);
      await counter.close();
      expect(await stored(caller)).toMatchObject([{ count: 4n }]);
    });

    it("that ends without its store loses what was not written yet, says how much, and nothing else", async () => {
      const [caller, other, counter] = [await makeCaller(), await makeCaller(), makeCounter()];
      counter.count(caller);
      await counter.flush();
      counter.setAway(true);
      for (const each of [caller, other]) counter.count(each, disabled, "req-2");
      await counter.close();
      const lost = "counts of refused calls are lost: the store does not take them";
      expect(counter.warnings.at(-1)).toEqual([lost, { lost: 2 }]);
      expect(await stored(caller)).toMatchObject([{ count: 1n, last_request_id: "req-1" }]);
      expect(await stored(other)).toEqual([]);
    });
  });

  describe("the list", () => {
    const countAt = async (caller: Caller, ...instants: readonly string[]) => {
      const counter = makeCounter();
      for (const at of instants) counter.countAt(caller, at, disabled, newRequestId(new Date(at)));
      await counter.close();
    };

    it("covers whole minutes: that of its beginning, and that which begins with its end", async () => {
      const caller = await makeCaller();
      await countAt(caller, "2026-12-01T10:00:59Z", "2026-12-01T10:01:01Z", "2026-12-01T10:03:30Z");
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
      await countAt(caller, "2026-12-01T11:59:59.999Z", "2026-12-01T12:00:00.000Z", "2026-12-02T12:00:30.000Z");
      expect(await list(context(), { api_key_hash: caller.keyHash })).toMatchObject({
        data: [{ count: 2, first_at: "2026-12-01T12:00:00.000Z", last_at: "2026-12-02T12:00:30.000Z" }],
        since: "2026-12-01T12:00:00.000Z",
      });
    });

    it("has the latest first, as many as are asked for, and the totals of all", async () => {
      const { workspaceId, keyHash } = await makeCaller();
      const [a, b, c] = ["a", "b", "c"].map((letter) => keyHash.replace("0", letter)) as [string, string, string];
      const at = (minute: number) => (second: number) => `2026-12-01T13:0${minute}:0${second}Z`;
      await countAt({ workspaceId, keyHash: a }, at(3)(0));
      await countAt({ workspaceId, keyHash: b }, ...[0, 1].map(at(2)));
      await countAt({ workspaceId, keyHash: c }, ...[0, 1, 2].map(at(1)));
      clock.set("2026-12-01T14:00:00Z");
      const { data, total } = await list(context(), { workspace_id: workspaceId, limit: 2 });
      expect(data).toMatchObject([
        { key_hash: a, count: 1 },
        { key_hash: b, count: 2 },
      ]);
      expect(total).toEqual({ calls: 6, records: 3 });
    });

    it("finds a request up to 15 minutes after the instant in its id, and no further", async () => {
      const [caller, counter] = [await makeCaller(), makeCounter()];
      const begun = new Date("2026-12-01T15:00:00Z");
      const [waited, overdue] = [newRequestId(begun), newRequestId(begun)];
      counter.countAt(caller, "2026-12-01T15:15:59.999Z", disabled, waited);
      counter.countAt(caller, "2026-12-01T15:16:00Z", disabled, overdue);
      await counter.close();
      // whatever the time, and whatever range is asked for
      clock.set("2026-12-20T00:00:00Z");
      const found = async (request_id: string) => (await list(context(), { request_id })).data;
      expect(await found(waited)).toMatchObject([{ key_hash: caller.keyHash, count: 1, last_request_id: waited }]);
      for (const id of [overdue, "req-1"]) expect(await found(id)).toEqual([]);
    });

    it("adds up by UTC hour and day, from the first minute up to the last, for a key or for workspaces", async () => {
      const [caller, other] = [await makeCaller(), await makeCaller()];
      const evening = ["21:59:59.999", "22:00:00.000", "22:59:59.999", "23:00:00.000"].map((at) => `2026-12-04T${at}Z`);
      await countAt(caller, ...evening, "2026-12-05T00:00:00.000Z");
      await countAt({ ...caller, keyHash: other.keyHash }, "2026-12-04T22:30:00.000Z");
      const range = [new Date("2026-12-04T22:00:00Z"), new Date("2026-12-05T00:00:00Z")] as const;
      const counts = async (by: "hour" | "day", of: Parameters<typeof refusedByPeriod>[3]) => {
        const found = [...(await refusedByPeriod(gateway().deps.store.db, by, range, of))];
        return Object.fromEntries(found.map(([at, count]) => [new Date(at).toISOString(), count]));
      };
      const [keys, workspaces] = [[caller.keyHash], [caller.workspaceId]];
      const hours = { "2026-12-04T22:00:00.000Z": 2, "2026-12-04T23:00:00.000Z": 1 };
      expect(await counts("hour", { keys })).toEqual(hours);
      expect(await counts("day", { keys })).toEqual({ "2026-12-04T00:00:00.000Z": 3 });
      expect(await counts("day", { workspaces })).toEqual({ "2026-12-04T00:00:00.000Z": 4 });
      expect(await counts("day", { workspaces: [] })).toEqual({});
    });
  });
});
