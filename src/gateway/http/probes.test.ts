import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../testing/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { GATEHOUSE_BASE_PATH: "/gate" } });
});
// Its store is closed by the last test.
afterAll(() => gateway.app.close());

const get = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as object };
};

describe("a path that nothing answers", () => {
  it.each([
    ["POST", "/v2/embeddings"],
    ["GET", "/api/models"],
  ])("names the API's address: 404 for %s %s", async (method, path) => {
    const answer = await fetch(gateway.url + path, { method });
    expect(answer.status).toBe(404);
    const message = `Nothing answers ${method} at this path; the API is at /gate/api/v1, such as /gate/api/v1/models`;
    expect(await answer.json()).toMatchObject({ error: { code: 404, message } });
  });
});

describe("the probes", () => {
  it("say that all is well, under the base path and without it", async () => {
    for (const url of [gateway.url, gateway.url.replace(/\/gate$/, "")]) {
      expect(await get(`${url}/livez`)).toMatchObject({ status: 200, json: { status: "ok" } });
      expect(await get(`${url}/readyz`)).toMatchObject({ status: 200, json: { status: "ready" } });
      const health = await get(`${url}/healthz`);
      expect(health).toMatchObject({ status: 200, json: { status: "ok", now: gateway.clock.now().toISOString() } });
      expect(health.headers.get("cache-control")).toBe("no-store");
      expect(health.headers.get("content-type")).toMatch(/^application\/json/);
    }
  });

  it("say that the store is away: not ready, yet alive", async () => {
    await gateway.deps.store.close();
    expect(await get(`${gateway.url}/livez`)).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(await get(`${gateway.url}/readyz`)).toMatchObject({ status: 503, json: { error: { code: 503 } } });
    const state = { status: "unavailable", message: "The store does not answer" };
    expect(await get(`${gateway.url}/healthz`)).toMatchObject({ status: 200, json: state });
  });
});
