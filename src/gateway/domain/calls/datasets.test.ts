import { beforeEach, describe, expect, it } from "vitest";
import { dayMs, hourMs, startOfUtcDay } from "#contract/time.ts";
import { OpenRouter } from "openrouter-sdk-1-3-19";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../../testing/factories.ts";
import { commitCallsOf } from "../../testing/ledger-calls.ts";
import { createKeyRates } from "../ledger/key-rates.ts";
import { appId } from "./datasets.ts";

const usd = (amount: number) => BigInt(Math.round(amount * 1e9));

describeGateway("datasets", (gateway) => {
  let [workspace, key] = ["", ""];
  let today = new Date(0);
  const day = (before: number) => new Date(today.getTime() - before * dayMs).toISOString().slice(0, 10);
  const commit = async (before: number, ...calls: Parameters<typeof commitCallsOf>[3][]) => {
    const at = new Date(today.getTime() - before * dayMs + 5 * hourMs).toISOString();
    await commitCallsOf(gateway().deps, workspace, at, ...calls);
  };
  const get = async (path: string, query: Record<string, string> = {}, as = key) =>
    await gateway().call("GET", `${path}?${new URLSearchParams(query).toString()}`, { key: as });
  const read = async (path: string, query: Record<string, string> = {}) => {
    const answer = await get(path, query);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };

  beforeEach(async () => {
    today = startOfUtcDay(gateway().clock.now());
    ({ id: workspace } = await makeWorkspace(gateway()));
    ({ key } = await makeKey(gateway(), { workspace_id: workspace }));
  });

  describe("getRankingsDaily", () => {
    const rankings = async (query: Record<string, string> = {}) => await read("/datasets/rankings-daily", query);

    it("200: tokens by day and model, of the key's workspace and of the days before today", async () => {
      const [a, b] = [{ model: "acme/a" }, { model: "acme/b" }];
      await commit(2, { ...a, promptTokens: 100 }, { ...b, promptTokens: 5, completionTokens: 1 });
      await commit(1, { ...b, promptTokens: 7 });
      await commit(0, { ...a, promptTokens: 1_000 });
      const { id } = await makeWorkspace(gateway());
      await commitCallsOf(gateway().deps, id, `${day(1)}T05:00:00Z`, { model: "acme/foreign", promptTokens: 9 });
      const { data, meta } = await rankings();
      expect(data).toEqual([
        { date: day(2), model_permaslug: "acme/a", total_tokens: "100" },
        { date: day(2), model_permaslug: "acme/b", total_tokens: "6" },
        { date: day(1), model_permaslug: "acme/b", total_tokens: "7" },
      ]);
      const as_of = gateway().clock.now().toISOString();
      expect(meta).toEqual({ as_of, version: "v1", start_date: day(30), end_date: day(1) });
      const all = await get("/datasets/rankings-daily", {}, gateway().managementKey);
      expect(JSON.stringify(all.json.data)).toContain("acme/foreign");
    });

    it("200: the 50 models with most tokens, the rest as one that is last", async () => {
      const models = Array.from({ length: 53 }, (_, at) => ({ model: `acme/${at}`, promptTokens: 100 + at }));
      await commit(1, ...models);
      const { data } = await rankings();
      expect(data).toHaveLength(51);
      expect(data[0]).toMatchObject({ model_permaslug: "acme/52" });
      expect(data.at(-1)).toEqual({ date: day(1), model_permaslug: "other", total_tokens: "303" });
    });

    it("200: by week and month, from the first day of the range", async () => {
      await commit(3, { promptTokens: 1 });
      await commit(40, { promptTokens: 2 });
      for (const period of ["week", "month"]) {
        const { data } = await rankings({ period, start_date: day(45), end_date: day(1) });
        expect(data.reduce((sum: number, row: { total_tokens: string }) => sum + Number(row.total_tokens), 0)).toBe(3);
        expect(data.every((row: { date: string }) => row.date >= day(45))).toBe(true);
      }
    });

    it("200: calls of a size, by their prompts", async () => {
      await commit(1, { model: "acme/a", promptTokens: 900 }, { model: "acme/b", promptTokens: 20_000 });
      const { data, meta } = await rankings({ context_bucket: "100K" });
      expect(data).toEqual([{ date: day(1), model_permaslug: "acme/b", total_tokens: "20000" }]);
      expect(meta).not.toHaveProperty("note");
    });

    it("200: nothing, and a note, for labels that nobody gives", async () => {
      await commit(1, { promptTokens: 1 });
      const queries: Record<string, string>[] = [
        { category: "science" },
        { language_type: "natural" },
        { modality: "image" },
      ];
      for (const query of queries) {
        const note = expect.stringMatching(/does not label calls/);
        expect(await rankings(query)).toMatchObject({ data: [], meta: { note } });
      }
    });

    it("200: an early start is moved to the first day that there can be", async () => {
      const { meta } = await rankings({ start_date: "2024-06-01", end_date: "2025-02-01" });
      expect(meta).toMatchObject({ start_date: "2025-01-01", end_date: "2025-02-01" });
    });

    it("400: what is no range, period or label, by its member", async () => {
      for (const [query, path] of [
        [{ start_date: "yesterday" }, "start_date"],
        [{ end_date: "2024-01-01" }, "end_date"],
        [{ start_date: "2026-02-01", end_date: "2026-01-01" }, "end_date"],
        [{ start_date: "2025-01-01", end_date: "2026-06-01" }, "start_date"],
        [{ category: "science", language_type: "natural" }, "language_type"],
        [{ category: "science", period: "day" }, "period"],
        [{ period: "year" }, "period"],
        [{ surprise: "1" }, "surprise"],
      ] as [Record<string, string>, string][])
        expectIssues(await get("/datasets/rankings-daily", query), path);
    });
  });

  it("getAppRankings: 200: apps by tokens, with a place that offset does not change, or by what they gained", async () => {
    const [cart, search] = [
      { appTitle: "Cart", promptTokens: 30 },
      { appTitle: "Search", promptTokens: 100 },
    ];
    await commit(1, cart, search, { promptTokens: 999 });
    await commit(40, { ...search, promptTokens: 600 }, { appTitle: "Gone", promptTokens: 1 });
    const rankings = async (query = {}) => await read("/datasets/app-rankings", query);
    const first = { app_id: appId("Search"), app_name: "Search", rank: 1, total_requests: 1, total_tokens: "100" };
    const second = { app_id: appId("Cart"), app_name: "Cart", rank: 2, total_requests: 1, total_tokens: "30" };
    expect((await rankings()).data).toEqual([first, second]);
    expect((await rankings({ offset: "1", limit: "1" })).data).toEqual([second]);
    // over the mean of three periods
    const trending = [{ app_name: "Cart", rank: 1, total_tokens: "30" }];
    expect((await rankings({ sort: "trending" })).data).toMatchObject(trending);
    const note = expect.stringMatching(/category/);
    expect(await rankings({ category: "coding" })).toMatchObject({ data: [], meta: { note } });
  });

  it("getSessionCost: 200: the median by app, model and turns", async () => {
    const session = (sessionId: string, cost: number, calls = 1) =>
      Array.from({ length: calls }, () => ({ sessionId, appTitle: "Big Cart!", model: "acme/a", cost: usd(cost) }));
    await commit(1, ...session("one", 1), ...session("two", 3), ...session("three", 0.5, 2), { cost: usd(9) });
    const item = { app_slug: "big-cart", app_name: "Big Cart!", model_permaslug: "acme/a" };
    const { data, meta } = await read("/datasets/session-cost");
    expect(data).toEqual([
      { ...item, turn_range: "1-turn", median_session_cost_usd: 2 },
      { ...item, turn_range: "2-9-turns", median_session_cost_usd: 1 },
    ]);
    expect(meta).toMatchObject({ window_days: 7, window_end_date: day(1) });
    const found = async (query: Record<string, string>) => (await read("/datasets/session-cost", query)).data;
    expect(await found({ turn_range: "1-turn" })).toHaveLength(1);
    expect(await found({ app_slug: "other" })).toEqual([]);
    expect(await found({ app_slug: "big-cart", model: "acme/a" })).toEqual(data);
    expect(await found({ limit: "1", offset: "1" })).toEqual([data[1]]);
  });

  it("getBenchmarks and getTaskClassifications: 200: nothing, and why", async () => {
    const note = expect.stringMatching(/none/);
    const meta = { model_count: 0, task_type: "coding", note };
    expect(await read("/benchmarks", { task_type: "coding" })).toMatchObject({ data: [], meta });
    const tasks = await get("/classifications/task", { window: "7d" });
    expect(tasks.json.data).toMatchObject({ classifications: [], macro_categories: [], window_days: 7 });
    expect(tasks.headers.get("cache-control")).toBe("private, max-age=60, stale-while-revalidate=300");
  });

  it("429: the 31st read of a minute, by key", async () => {
    for (let read = 0; read < 30; read += 1) expect((await get("/benchmarks")).status).toBe(200);
    const refused = await get("/benchmarks");
    expectError(refused, "rate_limit_exceeded", /30 times a minute/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await get("/benchmarks", {}, (await makeKey(gateway())).key)).status).toBe(200);
  });

  it("the official client takes all of them", async () => {
    await commit(1, { appTitle: "Cart", sessionId: "s", promptTokens: 30 });
    const [client, manage] = [key, gateway().managementKey].map(
      (apiKey) => new OpenRouter({ apiKey, serverURL: `${gateway().url}/api/v1`, retryConfig: { strategy: "none" } }),
    ) as [OpenRouter, OpenRouter];
    expect((await client.datasets.getRankingsDaily()).data).toHaveLength(1);
    expect((await client.datasets.getAppRankings()).result.data).toHaveLength(1);
    expect((await client.datasets.getSessionCost()).result.data).toHaveLength(1);
    expect((await client.benchmarks.getBenchmarks()).data).toEqual([]);
    expect((await client.classifications.getTaskClassifications()).data.classifications).toEqual([]);
    const { data } = await manage.analytics.queryAnalytics({ requestBody: { metrics: ["request_count"] } });
    expect(data.metadata.rowCount).toBe(1);
    expect((await manage.analytics.getAnalyticsMeta()).data.metrics.length).toBeGreaterThan(10);
  });
});

it("rates of datasets forget the key that was seen longest ago where there are too many", () => {
  const rates = createKeyRates(30, "read datasets");
  const now = new Date("2026-03-01T12:00:00Z");
  for (let read = 0; read < 30; read += 1) rates.count("first", now);
  expect(() => rates.count("first", now)).toThrow(/30 times/);
  for (let other = 0; other < 10_000; other += 1) rates.count(`key ${other}`, now);
  expect(() => rates.count("first", now)).not.toThrow();
});
