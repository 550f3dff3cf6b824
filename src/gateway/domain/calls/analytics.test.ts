import { beforeAll, describe, expect, it } from "vitest";
import type { AnalyticsQuery, AnalyticsResult } from "#contract/analytics.ts";
import { hourMs, startOfUtcHour } from "#contract/time.ts";
import { makeContext } from "../../testing/context.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import { query as queryCalls } from "./analytics.ts";
import { metrics } from "./analytics-fields.ts";

const usd = (amount: number) => BigInt(Math.round(amount * 1e9));
const gone = "f".repeat(64);

describeGateway("analytics", (gateway) => {
  let workspace = "";
  let hash = "";
  let now = new Date(0);
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString();
  const hour = (hours: number) => ago(hours).replace(".000", "");
  const post = async (body: object) =>
    await gateway().call("POST", "/analytics/query", { body: { metrics: ["request_count"], ...body } });
  /** Of the test's own workspace: others' calls stand in the same ledger. */
  const ask = async (body: object): Promise<AnalyticsResult> => {
    const { filters = [] } = body as Partial<AnalyticsQuery>;
    const answer = await post({
      ...body,
      filters: [{ field: "workspace", operator: "eq", value: workspace }, ...filters],
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.data;
  };

  beforeAll(async () => {
    // to the start of an hour, so that calls of this hour and the last one stand apart
    now = new Date(startOfUtcHour(gateway().clock.now()).getTime() + hourMs);
    gateway().clock.set(now);
    ({ id: workspace } = await makeWorkspace(gateway(), { name: "Search team" }));
    ({ hash } = (await makeKey(gateway(), { workspace_id: workspace, name: "search-prod" })).record);
    const [a, b] = [
      { keyHash: hash, model: "acme/a", appTitle: "Cart" },
      { keyHash: hash, model: "acme/b" },
    ];
    await commitCallsOf(
      gateway().deps,
      workspace,
      ago(2),
      { ...a, cost: usd(0.5), promptTokens: 900, completionTokens: 100, durationMs: 1_000 },
      { ...b, cost: usd(0.25), promptTokens: 20_000, durationMs: 3_000, cachedTokens: 5_000 },
    );
    const own = { byok: true, cost: usd(1), byokCost: usd(2) };
    const failed = { status: 502, errorType: "provider_unavailable" as const, provider: "", durationMs: 9_000 };
    await commitCallsOf(
      gateway().deps,
      workspace,
      ago(1),
      { ...a, ...own, promptTokens: 100, completionTokens: 50, durationMs: 500 },
      { keyHash: gone, model: "acme/a", ...failed },
    );
  });

  it("getAnalyticsMeta: 200: everything that queries take", async () => {
    const { json } = await gateway().call("GET", "/analytics/meta");
    expect(json.data.metrics.map(({ name }: { name: string }) => name)).toEqual([...metrics.keys()]);
    expect(json.data.dimensions).toContainEqual({ name: "api_key_id", display_label: "API key" });
    expect(json.data.granularities).toHaveLength(5);
    expect(json.data.operators).toContainEqual({ name: "not_in", value_type: "array" });
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
      const names = ["total_usage", "request_count"];
      const result = await ask({ metrics: names, dimensions: ["model"], granularity: "hour" });
      expect(result.data).toEqual([
        { date__hour: hour(1), model: "acme/a", total_usage: 3, request_count: "2" },
        { date__hour: hour(2), model: "acme/a", total_usage: 0.5, request_count: "1" },
        { date__hour: hour(2), model: "acme/b", total_usage: 0.25, request_count: "1" },
      ]);
      expect(result.metadata).toMatchObject({ row_count: 3, truncated: false });
      expect(result).not.toHaveProperty("warnings");
    });

    it.each(["minute", "hour", "day", "week", "month"])("200: by %s", async (granularity) => {
      const { data } = await ask({ granularity, order_by: { field: "date", direction: "asc" } });
      expect(data.reduce((all, row) => all + Number(row["request_count"]), 0)).toBe(4);
      expect(data[0]?.[`date__${granularity}`]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
    });

    it("200: keys and workspaces by their names, what is gone by its id", async () => {
      const order_by = { field: "request_count", direction: "desc" };
      const { data } = await ask({ dimensions: ["api_key_id", "workspace"], order_by });
      expect(data).toEqual([
        { api_key_id: "search-prod", workspace: "Search team", request_count: "3" },
        { api_key_id: gone, workspace: "Search team", request_count: "1" },
      ]);
    });

    it.each<[dimension: string, counts: Record<string, string>]>([
      ["app", { Cart: "2", null: "2" }],
      ["provider", { acme: "3", null: "1" }],
      ["context_length_bucket", { "1K": "3", "100K": "1" }],
      ["user", { null: "4" }],
      ["finish_reason", { null: "4" }],
      ["origin", { null: "4" }],
      ["external_user", { null: "4" }],
    ])("200: by %s", async (dimension, counts) => {
      const { data } = await ask({ dimensions: [dimension] });
      expect(Object.fromEntries(data.map((row) => [row[dimension], row["request_count"]]))).toEqual(counts);
      expect(data).toHaveLength(Object.keys(counts).length);
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
    ])("200: the filter %j", async (filter, expected) =>
      expect((await ask({ filters: [filter] })).data).toEqual([{ request_count: expected }]),
    );

    it.each([
      [{ field: "total_usage", operator: "gte", value: 3.5 }, ["acme/a"]],
      [{ field: "total_usage", operator: "lt", value: 0.25 }, []],
      [{ field: "p50_latency", operator: "eq", value: 3_000 }, ["acme/b"]],
    ])("200: the filter %j keeps the groups that pass, money in dollars", async (filter, models) => {
      const { data } = await ask({ dimensions: ["model"], filters: [filter] });
      expect(data.map((row) => row["model"])).toEqual(models);
    });

    it("200: limit says that there was more, group_limit keeps the latest periods of each group", async () => {
      const by = { dimensions: ["model"], granularity: "hour" };
      expect((await ask({ ...by, limit: 1 })).metadata).toMatchObject({ row_count: 1, truncated: true });
      const latest = (await ask({ ...by, group_limit: 1 })).data.map((row) => [row["model"], row["date__hour"]]);
      expect(Object.fromEntries(latest)).toEqual({ "acme/a": hour(1), "acme/b": hour(2) });
      expect(latest.map(([model]) => model)).toEqual(["acme/a", "acme/b"]);
    });

    it("200: a range that is not of whole hours says that whole hours are counted", async () => {
      const time_range = { start: ago(1.5), end: ago(0) };
      const result = await ask({ time_range });
      expect(result.data).toEqual([{ request_count: "4" }]);
      expect(result.warnings).toEqual(["Whole hours are counted, the first and the last one too"]);
      const exact = await ask({ metrics: ["response_cached_count", "request_count"], time_range });
      expect(exact).toMatchObject({ data: [{ request_count: "2" }] });
      expect(exact).not.toHaveProperty("warnings");
    });

    it("200: says from when on calls count where there are too many of them", async () => {
      const { id } = await makeWorkspace(gateway());
      for (const hours of [2, 0.5])
        await commitCallsOf(gateway().deps, id, ago(hours), ...Array.from({ length: 600 }, () => ({})));
      const filters = [{ field: "workspace", operator: "eq" as const, value: id }];
      const ctx = makeContext(gateway().deps);
      const { data } = await queryCalls(ctx, { metrics: ["response_cached_count", "request_count"], filters }, 500);
      expect(Number(data.data[0]?.["request_count"])).toBeGreaterThanOrEqual(500);
      expect(data.warnings?.join(" ")).toMatch(/^Only calls since .* are counted, about the latest 500/);
    });

    it("200: a key or workspace that there is not is named in a warning", async () => {
      const result = await ask({ filters: [{ field: "api_key_id", operator: "in", value: [hash, "nobody"] }] });
      expect(result.data).toEqual([{ request_count: "3" }]);
      expect(result.warnings).toEqual(["There is no key with the id nobody"]);
    });

    const filter = (field: string, operator: string, value: unknown) => ({ filters: [{ field, operator, value }] });
    const range = (start: string, end: string) => ({ time_range: { start: `${start}:00Z`, end: `${end}:00Z` } });
    it.each<[body: object, path: string]>([
      [{ metrics: [] }, "metrics"],
      [{ metrics: ["nonsense"] }, "metrics.0"],
      [{ metrics: ["request_count", "request_count"] }, "metrics"],
      [{ dimensions: ["city"] }, "dimensions.0"],
      [{ dimensions: ["model", "model"] }, "dimensions"],
      [{ dimensions: ["model", "app", "user"] }, "dimensions"],
      [{ granularity: "year" }, "granularity"],
      [{ limit: 0 }, "limit"],
      [{ limit: 10_001 }, "limit"],
      [{ metrics: ["request_count", "tokens_total"], dimensions: ["model"], limit: 6_667 }, "limit"],
      [{ group_limit: 1 }, "group_limit"],
      [{ order_by: { field: "model", direction: "asc" } }, "order_by.field"],
      [{ order_by: { field: "date", direction: "asc" } }, "order_by.field"],
      [filter("city", "eq", "x"), "filters.0.field"],
      [filter("model", "gt", "x"), "filters.0.operator"],
      [filter("model", "in", "x"), "filters.0.value"],
      [filter("model", "eq", ["x"]), "filters.0.value"],
      [filter("tokens_total", "gt", "x"), "filters.0"],
      [range("2026-01-02T00:00", "2026-01-01T00:00"), "time_range.end"],
      [range("2024-01-01T00:00", "2026-01-01T00:00"), "time_range"],
      [{ metrics: ["p50_latency"], ...range("2025-01-01T00:00", "2025-03-01T00:00") }, "time_range"],
      [{ granularity: "minute", ...range("2025-01-01T00:00", "2025-01-01T04:00") }, "time_range"],
      [{ classifier_dimensions: {} }, "classifier_dimensions"],
      [{ surprise: 1 }, "surprise"],
    ])("400: %j", async (body, path) => expectIssues(await post(body), path));

    it.each(["'; drop table ledger; --", "\u0000", "\ud800", "%", "🙂".repeat(400)])(
      "takes odd values as values: %j",
      async (value) => {
        const answer = await post(filter("model", "eq", value));
        expect([200, 400], answer.text).toContain(answer.status);
      },
    );
  });
});
