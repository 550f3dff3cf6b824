import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CallCounts } from "#contract/call-counts.ts";
import { makeClock } from "../../testing/clock.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { Refusal } from "../refusal.ts";
import * as workspaces from "../workspaces/workspaces.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import { get } from "./counts.ts";

type Query = Parameters<typeof get>[1];
type Call = Partial<LedgerEntry>;

let made = 0;
const minute = 60_000;

/** The same numbers in any order on every machine. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describeGateway("counts of calls", (gateway) => {
  const clock = makeClock("2027-03-10T12:00:00Z");
  const context = () => makeContext({ ...gateway().deps, now: clock.now });
  const makeWorkspace = async () =>
    (await workspaces.create(context(), { name: "W", slug: `counts-${(made += 1)}` })).data.id;
  const commit = async (workspace: string, at: string, ...calls: Call[]) =>
    await commitCallsOf(gateway().deps, workspace, at, ...calls);
  const counts = async (query: Query, most?: number) => await get(context(), query, most);

  async function refuse(workspaceId: string, at: string, status: "not_found" | "rate_limit_exceeded", keyHash: string) {
    const counter = createRefusedCallCounter(
      gateway().deps.store,
      () => new Date(at),
      () => {},
    );
    counter.count({ workspaceId, keyHash, requestId: "req-1" }, new Refusal(status, "no"));
    await counter.close();
  }

  /** The buckets that have calls, by their beginning. */
  const filled = ({ data }: CallCounts) =>
    Object.fromEntries(
      data
        .filter((bucket) => bucket.answered + (bucket.cached ?? 0) + bucket.failed + (bucket.refused ?? 0) > 0)
        .map(({ at, answered, cached, failed, refused }) => [at, [answered, cached, failed, refused]]),
    );

  describe("one by one", () => {
    it("agree with a count of their own, for any filters and any range", async () => {
      const workspace = await makeWorkspace();
      const random = makeRandom(made + 7);
      const begin = Date.parse("2027-03-01T00:00:00Z");
      const makeHash = () => randomUUID().replaceAll("-", "").padEnd(64, "0");
      const keyHashes = [makeHash(), makeHash()] as const;
      const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
      const calls = Array.from({ length: 300 }, () => {
        const status = pick([200, 200, 200, 399, 400, 429, 502, 499]);
        const inputs = 1 + random(3);
        return {
          createdAt: new Date(begin + random(36 * 60 * minute)),
          keyHash: pick(keyHashes),
          model: pick(["acme/a", "acme/b"]),
          provider: pick(["acme", "other"]),
          sessionId: pick([null, "s-1", "s-2"]),
          cancelled: status === 499,
          status,
          inputs,
          cachedInputs: pick([0, inputs]),
        };
      });
      await commit(workspace, "2027-03-02T13:00:00Z", ...calls);
      const queries: Query[] = [
        {},
        { since: "2027-03-01T03:17:00.000Z", until: "2027-03-01T09:00:00.001Z" },
        { status: "failed" },
        { status: "succeeded", model: "acme/a" },
        { status: "429", provider: "other" },
        { api_key_hash: keyHashes[0], session_id: "s-1" },
        { api_key_hash: keyHashes[1], since: "2027-03-01T20:00:00Z", buckets: 7 },
      ];
      for (const query of queries) {
        const {
          data,
          total,
          bucket_minutes: minutes,
          source,
          counted_since,
        } = await counts({ ...query, workspace_id: workspace });
        expect([source, counted_since]).toEqual(["calls", null]);
        const wanted = calls.filter(
          (call) =>
            (query.since === undefined || call.createdAt >= new Date(query.since)) &&
            (query.until === undefined || call.createdAt < new Date(query.until)) &&
            (query.api_key_hash === undefined || call.keyHash === query.api_key_hash) &&
            (query.model === undefined || call.model === query.model) &&
            (query.provider === undefined || call.provider === query.provider) &&
            (query.session_id === undefined || call.sessionId === query.session_id) &&
            (query.status !== "failed" || call.status >= 400) &&
            (query.status !== "succeeded" || call.status < 400) &&
            (query.status !== "429" || call.status === 429),
        );
        const figures = (of: typeof wanted) => ({
          answered: of.filter((call) => call.status < 400 && call.cachedInputs < call.inputs).length,
          cached: of.filter((call) => call.status < 400 && call.cachedInputs === call.inputs).length,
          failed: of.filter((call) => call.status >= 400).length,
          provider_faults: of.filter((call) => [429, 502].includes(call.status)).length,
        });
        expect(total).toMatchObject(figures(wanted));
        for (const bucket of data) {
          const from = Date.parse(bucket.at);
          const own = wanted.filter(
            ({ createdAt: at }) => at.getTime() >= from && at.getTime() < from + minutes * minute,
          );
          expect(bucket).toMatchObject(figures(own));
        }
      }
    });

    it("include what was refused, by the minute, unless a filter is about calls that were made", async () => {
      const workspace = await makeWorkspace();
      const keyHash = String(made).padStart(64, "c");
      await commit(workspace, "2027-03-03T10:01:30Z", { keyHash });
      await refuse(workspace, "2027-03-03T10:00:59Z", "not_found", keyHash);
      await refuse(workspace, "2027-03-03T10:02:01Z", "rate_limit_exceeded", keyHash);
      const query = { workspace_id: workspace, until: "2027-03-03T10:03:00Z" };
      expect(filled(await counts(query))).toEqual({
        "2027-03-03T10:00:00.000Z": [0, 0, 0, 1],
        "2027-03-03T10:01:00.000Z": [1, 0, 0, 0],
        "2027-03-03T10:02:00.000Z": [0, 0, 0, 1],
      });
      const refused = async (more: Query) => (await counts({ ...query, ...more })).total.refused;
      expect(await refused({ api_key_hash: keyHash })).toBe(2);
      expect(await refused({ api_key_hash: "d".repeat(64) })).toBe(0);
      expect(await refused({ status: "failed" })).toBe(2);
      expect(await refused({ status: "429" })).toBe(1);
      expect(await refused({ status: "succeeded" })).toBe(0);
      expect(await refused({ since: "2027-03-03T10:01:45Z" })).toBe(1);
      expect(await refused({ model: "acme/embed" })).toBeNull();
      expect(await refused({ provider: "acme" })).toBeNull();
      expect(await refused({ session_id: "s" })).toBeNull();
    });

    it("begin with the first call, and are of the last 24 hours where there was none", async () => {
      const [workspace, idle] = [await makeWorkspace(), await makeWorkspace()];
      await commit(workspace, "2027-03-10T11:30:30Z");
      const found = await counts({ workspace_id: workspace });
      expect(found).toMatchObject({ since: "2027-03-10T11:30:30.000Z", until: "2027-03-10T12:00:00.001Z" });
      expect(filled(found)).toEqual({ "2027-03-10T11:30:00.000Z": [1, 0, 0, 0] });
      expect(await counts({ workspace_id: idle })).toMatchObject({
        since: "2027-03-09T12:00:00.001Z",
        total: { answered: 0, cached: 0, failed: 0, refused: 0 },
      });
    });
  });

  describe("of more calls than are counted one by one", () => {
    const busy = async () => {
      const workspace = await makeWorkspace();
      const hours = Array.from({ length: 8 }, (_, hour) => `2027-03-05T0${hour}`);
      for (const hour of hours) {
        await commit(workspace, `${hour}:50:00Z`, { inputs: 1, cachedInputs: 1 }, { status: 502, sessionId: "s" });
      }
      await commit(workspace, "2027-03-05T04:10:00Z", { model: "acme/b", status: 400 });
      return { workspace_id: workspace, since: "2027-03-05T00:30:00.000Z", until: "2027-03-05T08:00:00.000Z" };
    };

    it("are sums of whole hours, which do not tell the cache apart", async () => {
      const found = await counts(await busy(), 10);
      expect(found).toMatchObject({
        source: "hourly_sums",
        counted_since: null,
        bucket_minutes: 60,
        total: { answered: 8, cached: null, failed: 9, provider_faults: 8 },
      });
      expect(filled(found)).toMatchObject({
        "2027-03-05T00:00:00.000Z": [1, null, 1, 0],
        "2027-03-05T04:00:00.000Z": [1, null, 2, 0],
      });
    });

    it("follow the filters that the sums know", async () => {
      const query = await busy();
      const total = async (more: Query) => {
        const { source, total: found } = await counts({ ...query, ...more }, 10);
        return [source, found.answered, found.failed, found.provider_faults];
      };
      expect(await total({ status: "failed" })).toEqual(["hourly_sums", 0, 9, 8]);
      expect(await total({ status: "succeeded" })).toEqual(["hourly_sums", 8, 0, 0]);
      expect(await total({ model: "acme/b" })).toEqual(["hourly_sums", 0, 1, 0]);
      expect(await total({ provider: "none" })).toEqual(["hourly_sums", 0, 0, 0]);
      expect(await total({ api_key_hash: "0".repeat(64) })).toEqual(["hourly_sums", 8, 9, 8]);
    });

    it("are of the newest calls alone where the sums know no answer, and say since when", async () => {
      const workspace = await makeWorkspace();
      const calls = Array.from({ length: 700 }, (_, second) => ({
        createdAt: new Date(Date.parse("2027-03-06T00:00:00Z") + second * 60_000),
        status: 429,
      }));
      await commit(workspace, "2027-03-06T12:00:00Z", ...calls);
      const query = { workspace_id: workspace, since: "2027-03-06T00:00:00.000Z", until: "2027-03-06T12:00:00.000Z" };
      const found = await counts({ ...query, status: "429" }, 600);
      const since = found.counted_since ?? "";
      expect(found.source).toBe("calls");
      expect(found.total.failed).toBe(calls.filter(({ createdAt }) => createdAt >= new Date(since)).length);
      expect(found.total.failed).toBeGreaterThanOrEqual(600);
      expect(found.total.failed).toBeLessThan(700);
    });
  });

  it("refuse a range that ends before it begins", async () => {
    const at = "2027-03-07T00:00:00.000Z";
    await expect(counts({ since: at, until: at })).rejects.toThrow("until must be later than since");
  });
});
