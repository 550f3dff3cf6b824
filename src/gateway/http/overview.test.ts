import { startOfUtcWeek } from "#contract/time.ts";
import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { withVendor } from "../testing/vendor-setup.ts";

let texts = 0;
const hourMs = 3_600_000;

describeGateway("the overview", (gateway) => {
  withVendor(gateway);
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const embed = async (key: string) => {
    texts += 1;
    return await call("POST", "/embeddings", { key, body: { model: "acme/embed", input: `overview ${texts}` } });
  };
  const workspaceWithKey = async () => {
    const { id } = await makeWorkspace(gateway());
    return { id, ...(await makeKey(gateway(), { workspace_id: id })) };
  };
  const get = async (path: string, query: Record<string, string>) =>
    await call("GET", `/${path}?${new URLSearchParams(query).toString()}`);

  describe("getOverview", () => {
    it("200: says what getUsage, getLatency and getAttention say, with one number for each point", async () => {
      const { id, key } = await workspaceWithKey();
      await embed(key);
      gateway().clock.advance(hourMs);
      await embed(key);
      await embed(key);
      const range = { workspace_id: id, by: "hour", last: "24" };
      for (const group_by of ["key", "model"]) {
        const { data } = (await get("overview", { ...range, group_by })).json;
        const usage = (await get("usage", { ...range, group_by })).json;
        expect(data.usage.starts).toEqual(usage.data[0].points.map(({ at }: { at: string }) => at));
        expect(data.usage.measure).toBe("usage");
        expect(data.usage.refused).toEqual(usage.refused);
        for (const [index, { points, ...one }] of usage.data.entries()) {
          const values = points.map((point: { usage: number }) => point.usage);
          expect(data.usage.series[index]).toEqual({ ...one, values });
        }
        const latency = (await get("usage/latency", { workspace_id: id })).json.data;
        expect(data.latency).toEqual({ p50_ms: latency.p50_ms, p95_ms: latency.p95_ms });
        expect(data.attention).toEqual((await get("attention", { workspace_id: id })).json);
      }
      gateway().clock.advance(-hourMs);
    });

    it("200: the spend so far is of the day, the week and the month, each next to the one before", async () => {
      const before = gateway().clock.now();
      // in the middle of a week, so that an hour more is still the same one
      gateway().clock.set(new Date(startOfUtcWeek(before).getTime() + (7 * 24 + 60) * hourMs));
      const { id, key } = await workspaceWithKey();
      const spend = async () => (await get("overview", { workspace_id: id })).json.data.spend;
      expect(await spend()).toMatchObject({ today: 0, yesterday_by_now: 0, week: 0, last_week_by_now: 0, month: 0 });
      await embed(key);
      expect(await spend()).toMatchObject({ today: 0.000002, week: 0.000002, month: 0.000002, yesterday_by_now: 0 });
      // a week and an hour later: by then the last one had spent it
      gateway().clock.advance((7 * 24 + 1) * hourMs);
      expect((await spend()).last_week_by_now).toBeGreaterThan(0);
      gateway().clock.set(before);
    });

    it("200: where nothing was spent the points count requests, and a workspace without calls says so", async () => {
      const { id, key } = await workspaceWithKey();
      const read = async () => (await get("overview", { workspace_id: id, group_by: "key" })).json.data;
      expect(await read()).toMatchObject({ used: false, called: false, usage: { measure: "requests" } });
      await call("POST", "/embeddings", { key, body: { model: "gatehouse/lexical", input: "free" } });
      const { used, called, usage } = await read();
      expect([used, called, usage.measure, usage.series[0].values.at(-1)]).toEqual([true, true, "requests", 1]);
    });

    it("200: a week's hours of six series are less than 60 kB", async () => {
      const { id } = await makeWorkspace(gateway());
      for (let each = 0; each < 7; each += 1) await embed((await makeKey(gateway(), { workspace_id: id })).key);
      const answer = await get("overview", { workspace_id: id, by: "hour", last: "168", group_by: "key" });
      expect(answer.json.data.usage.series).toHaveLength(6);
      expect(JSON.stringify(answer.json).length).toBeLessThan(20_000);
    });
  });

  describe("getCounts", () => {
    it("200: keys, and destinations with those that fail as their health says", async () => {
      const { id } = await workspaceWithKey();
      const counts = async () => (await get("counts", { workspace_id: id })).json.data;
      expect(await counts()).toEqual({ keys: { count: 1, more: false }, destinations: { total: 0, failing: 0 } });
      const body = { name: "hook", type: "webhook", workspace_id: id, config: { url: "http://127.0.0.1:9/" } };
      const made = await call("POST", "/observability/destinations", { body });
      expect(made.status, made.text).toBe(201);
      await call("POST", "/keys", { body: { name: "two", workspace_id: id } });
      expect(await counts()).toMatchObject({ keys: { count: 2 }, destinations: { total: 1 } });
      const health = (await get("observability/health", { workspace_id: id })).json.data;
      const failing = health.filter(({ status }: { status: string }) => status === "failing").length;
      expect((await counts()).destinations).toEqual({ total: health.length, failing });
      const all = (await get("counts", { workspace_id: "all" })).json.data;
      expect(all.keys.count).toBeGreaterThanOrEqual(2);
    });
  });
});
