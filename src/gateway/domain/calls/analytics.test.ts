import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AnalyticsQuery, AnalyticsResult } from "#contract/analytics.ts";
import { hourMs, startOfUtcHour } from "#contract/time.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import { query as queryCalls } from "./analytics.ts";
import { metrics } from "./analytics-fields.ts";

const usd = (amount: number) => BigInt(Math.round(amount * 1e9));

describeGateway("analytics", (gateway) => {
  let workspace = "";
  let hash = "";
  let now = new Date(0);
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
  const post = async (body: object) => await gateway().call("POST", "/analytics/query", { body });
  /** Of the test's own workspace: others' calls stand in the same ledger. */
  const ask = async (body: Partial<AnalyticsQuery>): Promise<AnalyticsResult> => {
    const mine = { field: "workspace", operator: "eq", value: workspace };
    const answer = await post({ metrics: ["request_count"], ...body, filters: [mine, ...(body.filters ?? [])] });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.data;
  };

  beforeAll(() => {
    // to the start of an hour, so that calls of this hour and the last one stand apart
    const at = gateway().clock.now();
    gateway().clock.advance(startOfUtcHour(at).getTime() + hourMs - at.getTime());
  });
  beforeEach(async () => {
    gateway().clock.advance(hourMs);
    now = gateway().clock.now();
    ({ id: workspace } = await makeWorkspace(gateway(), { name: "Search team" }));
    const made = await makeKey(gateway(), { workspace_id: workspace, name: "search-prod" });
    hash = made.record.hash;
    const call = async (hoursAgo: number, ...calls: Parameters<typeof commitCallsOf>[3][]) =>
      await commitCallsOf(gateway().deps, workspace, ago(hoursAgo), ...calls);
    await call(
      2,
      {
        keyHash: hash,
        model: "acme/a",
        cost: usd(0.5),
        promptTokens: 900,
        completionTokens: 100,
        durationMs: 1_000,
        appTitle: "Cart",
      },
      { keyHash: hash, model: "acme/b", cost: usd(0.25), promptTokens: 20_000, durationMs: 3_000, cachedTokens: 5_000 },
    );
    await call(
      1,
      {
        keyHash: hash,
        model: "acme/a",
        cost: usd(1),
        byokCost: usd(2),
        promptTokens: 100,
        completionTokens: 50,
        durationMs: 500,
        byok: true,
        appTitle: "Cart",
      },
      {
        keyHash: "f".repeat(64),
        model: "acme/a",
        status: 502,
        errorType: "provider_unavailable",
        provider: "",
        durationMs: 9_000,
        cost: 0n,
      },
    );
  });

  describe("getAnalyticsMeta", () => {
    it("200: everything that queries take", async () => {
      const { json } = await gateway().call("GET", "/analytics/meta");
      expect(json.data.metrics.map(({ name }: { name: string }) => name)).toEqual([...metrics.keys()]);
      expect(json.data.dimensions).toContainEqual({ name: "api_key_id", display_label: "API key" });
      expect(json.data.granularities).toHaveLength(5);
      expect(json.data.operators).toContainEqual({ name: "not_in", value_type: "array" });
    });

    it("403: an ordinary key", async () => {
      const { key } = await makeKey(gateway());
      expectError(await gateway().call("GET", "/analytics/meta", { key }), "permission_denied", /management keys/);
      expectError(
        await gateway().call("POST", "/analytics/query", { key, body: { metrics: ["request_count"] } }),
        "permission_denied",
        /management keys/,
      );
    });
  });

  describe("queryAnalytics", () => {
    it("200: every metric on its own, and all of them together, over the same calls", async () => {
      const { data } = await ask({ metrics: [...metrics.keys()] });
      expect(data).toEqual([
        {
          request_count: "4",
          failed_request_count: "1",
          tokens_total: "21150",
          tokens_prompt: "21000",
          tokens_completion: "150",
          reasoning_tokens: "0",
          cached_tokens: "5000",
          byok_request_count: "1",
          response_cached_count: "0",
          failed_request_rate: 0.25,
          response_cached_rate: 0,
          cache_hit_rate: expect.closeTo(5_000 / 21_000, 9),
          total_usage: 3.75,
          credits_usage: 1.75,
          byok_usage: 2,
          usage_cache: 0,
          avg_latency: 1_500,
          p50_latency: 1_000,
          p90_latency: 2_600,
          p99_latency: 2_960,
          avg_throughput: 100,
          p50_throughput: 100,
          p90_throughput: 100,
          p99_throughput: 100,
        },
      ]);
      for (const name of metrics.keys())
        expect((await ask({ metrics: [name] })).data, name).toEqual([{ [name]: data[0]?.[name] }]);
    });

    it("200: by hour and model, the latest first, with what a row has as money and counts", async () => {
      const result = await ask({
        metrics: ["total_usage", "request_count"],
        dimensions: ["model"],
        granularity: "hour",
      });
      expect(result.data).toEqual([
        { date__hour: ago(1).replace(".000", ""), model: "acme/a", total_usage: 3, request_count: "2" },
        { date__hour: ago(2).replace(".000", ""), model: "acme/a", total_usage: 0.5, request_count: "1" },
        { date__hour: ago(2).replace(".000", ""), model: "acme/b", total_usage: 0.25, request_count: "1" },
      ]);
      expect(result.metadata).toMatchObject({ row_count: 3, truncated: false });
      expect(result).not.toHaveProperty("warnings");
    });

    it.each(["minute", "hour", "day", "week", "month"] as const)("200: by %s", async (granularity) => {
      const { data } = await ask({
        metrics: ["request_count"],
        granularity,
        order_by: { field: "date", direction: "asc" },
      });
      const sum = data.reduce((all, row) => all + Number(row["request_count"]), 0);
      expect(sum).toBe(4);
      expect(data[0]?.[`date__${granularity}`]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
    });

    it("200: keys and workspaces by their names, what is gone by its id", async () => {
      const { data } = await ask({
        dimensions: ["api_key_id", "workspace"],
        order_by: { field: "request_count", direction: "desc" },
      });
      expect(data).toEqual([
        { api_key_id: "search-prod", workspace: "Search team", request_count: "3" },
        { api_key_id: "f".repeat(64), workspace: "Search team", request_count: "1" },
      ]);
    });

    it.each([
      [
        "app",
        [
          ["Cart", "2"],
          [null, "2"],
        ],
      ],
      [
        "provider",
        [
          ["acme", "3"],
          [null, "1"],
        ],
      ],
      [
        "context_length_bucket",
        [
          ["1K", "3"],
          ["100K", "1"],
        ],
      ],
      ["user", [[null, "4"]]],
      ["finish_reason", [[null, "4"]]],
      ["origin", [[null, "4"]]],
      ["external_user", [[null, "4"]]],
    ])("200: by %s", async (dimension, expected) => {
      const { data } = await ask({ dimensions: [dimension] });
      expect(data.map((row) => [row[dimension], row["request_count"]])).toEqual(expect.arrayContaining(expected));
      expect(data).toHaveLength(expected.length);
    });

    it.each([
      [{ field: "model", operator: "eq", value: "acme/b" }, "1"],
      [{ field: "model", operator: "neq", value: "acme/b" }, "3"],
      [{ field: "model", operator: "in", value: ["acme/a", "acme/b"] }, "4"],
      [{ field: "model", operator: "not_in", value: ["acme/a"] }, "1"],
      [{ field: "provider", operator: "neq", value: "acme" }, "0"],
      [{ field: "provider", operator: "neq", value: "acme", include_unset: true }, "1"],
      [{ field: "app", operator: "not_in", value: ["Cart"], include_unset: true }, "2"],
      [{ field: "request_count", operator: "gt", value: 3 }, "4"],
    ] as const)("200: the filter %j", async (filter, expected) => {
      expect((await ask({ filters: [filter as never] })).data).toEqual([{ request_count: expected }]);
    });

    it("200: filters on metrics keep the groups that pass, money in dollars", async () => {
      const pass = async (filter: object) =>
        (await ask({ dimensions: ["model"], filters: [filter as never] })).data.map((row) => row["model"]);
      expect(await pass({ field: "total_usage", operator: "gte", value: 3.5 })).toEqual(["acme/a"]);
      expect(await pass({ field: "total_usage", operator: "lt", value: 0.25 })).toEqual([]);
      expect(await pass({ field: "p50_latency", operator: "eq", value: 3_000 })).toEqual(["acme/b"]);
    });

    it("200: limit says that there was more, group_limit keeps the latest periods of each group", async () => {
      const by = { dimensions: ["model"], granularity: "hour" } satisfies Partial<AnalyticsQuery>;
      const cut = await ask({ ...by, limit: 1 });
      expect(cut.metadata).toMatchObject({ row_count: 1, truncated: true });
      const latest = await ask({ ...by, group_limit: 1 });
      expect(latest.data.map((row) => [row["model"], row["date__hour"]])).toEqual([
        ["acme/a", ago(1).replace(".000", "")],
        ["acme/b", ago(2).replace(".000", "")],
      ]);
    });

    it("200: a range that is not of whole hours says that whole hours are counted", async () => {
      const half = new Date(now.getTime() - 1.5 * hourMs).toISOString();
      const range = { start: half, end: ago(0) };
      const result = await ask({ time_range: range });
      expect(result.data).toEqual([{ request_count: "4" }]);
      expect(result.warnings).toEqual(["Whole hours are counted, the first and the last one too"]);
      const exact = await ask({ metrics: ["cached_tokens", "request_count"], time_range: range });
      expect(exact).toMatchObject({ data: [{ request_count: "2" }] });
      expect(exact).not.toHaveProperty("warnings");
    });

    it("200: says from when on calls count where there are too many of them", async () => {
      const ctx = {
        ...gateway().deps,
        actor: { kind: "management", keyHash: hash, name: "m" },
        requestId: "r",
        sourceIp: null,
      } as const;
      await commitCallsOf(gateway().deps, workspace, ago(0.5), ...Array.from({ length: 600 }, () => ({})));
      const { data } = await queryCalls(
        ctx,
        {
          metrics: ["cached_tokens", "request_count"],
          filters: [{ field: "workspace", operator: "eq", value: workspace }],
        },
        500,
      );
      expect(Number(data.data[0]?.["request_count"])).toBeGreaterThanOrEqual(500);
      expect(data.warnings?.join(" ")).toMatch(/^Only calls since .* are counted, about the latest 500/);
    });

    it("200: a key or workspace that there is not is named in a warning", async () => {
      const result = await ask({ filters: [{ field: "api_key_id", operator: "in", value: [hash, "nobody"] }] });
      expect(result.data).toEqual([{ request_count: "3" }]);
      expect(result.warnings).toEqual(["There is no key with the id nobody"]);
    });

    it.each([
      [{ metrics: [] }, "metrics"],
      [{ metrics: ["nonsense"] }, "metrics.0"],
      [{ metrics: ["request_count"], dimensions: ["city"] }, "dimensions.0"],
      [{ metrics: ["request_count"], dimensions: ["model", "model"] }, "dimensions"],
      [{ metrics: ["request_count"], dimensions: ["model", "app", "user"] }, "dimensions"],
      [{ metrics: ["request_count"], granularity: "year" }, "granularity"],
      [{ metrics: ["request_count"], limit: 0 }, "limit"],
      [{ metrics: ["request_count"], limit: 10_001 }, "limit"],
      [{ metrics: ["request_count", "tokens_total"], dimensions: ["model"], limit: 6_667 }, "limit"],
      [{ metrics: ["request_count", "request_count"] }, "metrics"],
      [{ metrics: ["request_count"], group_limit: 1 }, "group_limit"],
      [{ metrics: ["request_count"], order_by: { field: "model", direction: "asc" } }, "order_by.field"],
      [{ metrics: ["request_count"], order_by: { field: "date", direction: "asc" } }, "order_by.field"],
      [{ metrics: ["request_count"], filters: [{ field: "city", operator: "eq", value: "x" }] }, "filters.0.field"],
      [{ metrics: ["request_count"], filters: [{ field: "model", operator: "gt", value: "x" }] }, "filters.0.operator"],
      [{ metrics: ["request_count"], filters: [{ field: "model", operator: "in", value: "x" }] }, "filters.0.value"],
      [{ metrics: ["request_count"], filters: [{ field: "model", operator: "eq", value: ["x"] }] }, "filters.0.value"],
      [{ metrics: ["request_count"], filters: [{ field: "tokens_total", operator: "gt", value: "x" }] }, "filters.0"],
      [
        { metrics: ["request_count"], time_range: { start: "2026-01-02T00:00:00Z", end: "2026-01-01T00:00:00Z" } },
        "time_range.end",
      ],
      [
        { metrics: ["request_count"], time_range: { start: "2024-01-01T00:00:00Z", end: "2026-01-01T00:00:00Z" } },
        "time_range",
      ],
      [
        { metrics: ["p50_latency"], time_range: { start: "2025-01-01T00:00:00Z", end: "2025-03-01T00:00:00Z" } },
        "time_range",
      ],
      [
        {
          metrics: ["request_count"],
          granularity: "minute",
          time_range: { start: "2025-01-01T00:00:00Z", end: "2025-01-01T04:00:00Z" },
        },
        "time_range",
      ],
      [{ metrics: ["request_count"], classifier_dimensions: {} }, "classifier_dimensions"],
      [{ metrics: ["request_count"], surprise: 1 }, "surprise"],
    ])("400: %j", async (body, path) => {
      expectIssues(await post(body), path);
    });

    it("takes odd values as values", async () => {
      for (const value of ["'; drop table ledger; --", "\u0000", "\ud800", "%", "🙂".repeat(400)]) {
        const answer = await post({ metrics: ["request_count"], filters: [{ field: "model", operator: "eq", value }] });
        expect([200, 400], answer.text).toContain(answer.status);
      }
    });
  });
});
