import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hourMs, minuteMs } from "#contract/time.ts";
import { ownContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { Refusal } from "../refusal.ts";
import { createRefusedCallCounter } from "./refused-call-counter.ts";
import { get } from "./counts.ts";

type Query = Parameters<typeof get>[1];

const makeHash = () => randomUUID().replaceAll("-", "").padEnd(64, "0");

/** The same numbers in any order on every machine. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describeGateway("counts of calls", (gateway) => {
  const { context, makeWorkspace, commit } = ownContext(gateway, "2027-03-10T12:00:00Z");
  const counts = async (query: Query, most?: number) => await get(context(), query, most);

  async function refuse(workspaceId: string, at: string, status: "not_found" | "rate_limit_exceeded", keyHash: string) {
    const now = () => new Date(at);
    const counter = createRefusedCallCounter(gateway().deps.store, now, () => {});
    counter.count({ workspaceId, keyHash, requestId: "req-1" }, new Refusal(status, "no"));
    await counter.close();
  }

  /** The buckets that have calls, by their beginning: answered, cached, failed and refused ones. */
  const filled = ({ data }: Awaited<ReturnType<typeof counts>>) =>
    Object.fromEntries(
      data
        .map(({ at, answered, cached, failed, refused }) => [at, [answered, cached, failed, refused]] as const)
        .filter(([, found]) => found.some((count) => (count ?? 0) > 0)),
    );

  describe("one by one", () => {
    it("agree with a count of their own, for any filters and any range", async () => {
      const workspace_id = await makeWorkspace();
      const random = makeRandom(8);
      const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
      const begin = Date.parse("2027-03-01T00:00:00Z");
      const keyHashes = [makeHash(), makeHash()] as const;
      const calls = Array.from({ length: 300 }, () => {
        const status = pick([200, 200, 200, 399, 400, 429, 502, 499]);
        const inputs = 1 + random(3);
        return {
          createdAt: new Date(begin + random(36 * hourMs)),
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
      await commit(workspace_id, "2027-03-02T13:00:00Z", ...calls);
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
        const { data, total, bucket_minutes: minutes, ...found } = await counts({ ...query, workspace_id });
        expect(found).toMatchObject({ source: "calls", counted_since: null });
        const is = <T>(asked: T | undefined, value: T) => asked === undefined || asked === value;
        const wanted = calls.filter(
          (call) =>
            (query.since === undefined || call.createdAt >= new Date(query.since)) &&
            (query.until === undefined || call.createdAt < new Date(query.until)) &&
            is(query.api_key_hash, call.keyHash) &&
            is(query.model, call.model) &&
            is(query.provider, call.provider) &&
            is<string | null>(query.session_id, call.sessionId) &&
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
          const within = (at: number) => at >= from && at < from + minutes * minuteMs;
          expect(bucket).toMatchObject(figures(wanted.filter(({ createdAt }) => within(createdAt.getTime()))));
        }
      }
    });

    it("include what was refused, by the minute, unless a filter is about calls that were made", async () => {
      const workspace_id = await makeWorkspace();
      const keyHash = makeHash();
      await commit(workspace_id, "2027-03-03T10:01:30Z", { keyHash });
      await refuse(workspace_id, "2027-03-03T10:00:59Z", "not_found", keyHash);
      await refuse(workspace_id, "2027-03-03T10:02:01Z", "rate_limit_exceeded", keyHash);
      const query = { workspace_id, until: "2027-03-03T10:03:00Z" };
      expect(filled(await counts(query))).toEqual({
        "2027-03-03T10:00:00.000Z": [0, 0, 0, 1],
        "2027-03-03T10:01:00.000Z": [1, 0, 0, 0],
        "2027-03-03T10:02:00.000Z": [0, 0, 0, 1],
      });
      for (const [filter, refused] of [
        [{ api_key_hash: keyHash }, 2],
        [{ api_key_hash: "d".repeat(64) }, 0],
        [{ status: "failed" }, 2],
        [{ status: "429" }, 1],
        [{ status: "succeeded" }, 0],
        [{ since: "2027-03-03T10:01:45Z" }, 1],
        [{ model: "acme/embed" }, null],
        [{ provider: "acme" }, null],
        [{ session_id: "s" }, null],
      ] as [Query, number | null][])
        expect([filter, (await counts({ ...query, ...filter })).total.refused]).toEqual([filter, refused]);
    });

    it("begin with the first call, and are of the last 24 hours where there was none", async () => {
      const [workspace_id, idle] = [await makeWorkspace(), await makeWorkspace()];
      await commit(workspace_id, "2027-03-10T11:30:30Z");
      const found = await counts({ workspace_id });
      expect(found).toMatchObject({ since: "2027-03-10T11:30:30.000Z", until: "2027-03-10T12:00:00.001Z" });
      expect(filled(found)).toEqual({ "2027-03-10T11:30:00.000Z": [1, 0, 0, 0] });
      const total = { answered: 0, cached: 0, failed: 0, refused: 0 };
      expect(await counts({ workspace_id: idle })).toMatchObject({ since: "2027-03-09T12:00:00.001Z", total });
    });
  });

  describe("of more calls than are counted one by one", () => {
    it("are sums of whole hours, which do not tell the cache apart, by the filters that the sums know", async () => {
      const workspace_id = await makeWorkspace();
      const calls = [
        { inputs: 1, cachedInputs: 1, cost: 2_000_000n, promptTokens: 10, cachedTokens: 4 },
        { status: 502, sessionId: "s" },
      ];
      for (let hour = 0; hour < 8; hour += 1) await commit(workspace_id, `2027-03-05T0${hour}:50:00Z`, ...calls);
      await commit(workspace_id, "2027-03-05T04:10:00Z", { model: "acme/b", status: 400 });
      const query = { workspace_id, since: "2027-03-05T00:30:00.000Z", until: "2027-03-05T08:00:00.000Z" };
      const found = await counts(query, 10);
      expect(found).toMatchObject({ counted_since: null, bucket_minutes: 60, total: { cached: null } });
      expect(found.sums).toMatchObject({ cost: 0.016, prompt_tokens: 80, cached_tokens: 32 });
      expect((await counts({ ...query, status: "failed" }, 10)).sums).toBeNull();
      expect(filled(found)).toMatchObject({
        "2027-03-05T00:00:00.000Z": [1, null, 1, 0],
        "2027-03-05T04:00:00.000Z": [1, null, 2, 0],
      });
      for (const [filter, ...expected] of [
        [{}, 8, 9, 8],
        [{ status: "failed" }, 0, 9, 8],
        [{ status: "succeeded" }, 8, 0, 0],
        [{ model: "acme/b" }, 0, 1, 0],
        [{ provider: "none" }, 0, 0, 0],
        [{ api_key_hash: "0".repeat(64) }, 8, 9, 8],
      ] as [Query, number, number, number][]) {
        const { source, total } = await counts({ ...query, ...filter }, 10);
        const sums = [source, total.answered, total.failed, total.provider_faults];
        expect([filter, ...sums]).toEqual([filter, "hourly_sums", ...expected]);
      }
    });

    it("are of the newest calls alone where the sums know no answer, and say since when", async () => {
      const workspace_id = await makeWorkspace();
      const [since, until] = ["2027-03-06T00:00:00.000Z", "2027-03-06T12:00:00.000Z"];
      const minutes = Array.from({ length: 700 }, (_, minute) => new Date(Date.parse(since) + minute * minuteMs));
      await commit(workspace_id, until, ...minutes.map((createdAt) => ({ createdAt, status: 429 })));
      const { source, total, counted_since } = await counts({ workspace_id, since, until, status: "429" }, 600);
      expect(source).toBe("calls");
      expect(total.failed).toBe(minutes.filter((at) => at >= new Date(counted_since ?? "")).length);
      expect(total.failed).toBeGreaterThanOrEqual(600);
      expect(total.failed).toBeLessThan(700);
    });
  });

  it("refuse a range that ends before it begins", async () => {
    const at = "2027-03-07T00:00:00.000Z";
    await expect(counts({ since: at, until: at })).rejects.toThrow("until must be later than since");
  });
});
