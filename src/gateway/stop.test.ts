import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { openStore, type StoreOptions } from "./storage/store.ts";
import { type Engine, engine } from "./testing/describe-gateway.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { type GatewayOptions, type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import { ledgerRows } from "./domain/ledger/columns.ts";

let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor();
  vendor.settings.dimensions = 4;
});
afterAll(() => vendor.close());

let gateway: RunningGateway;
let key: string;
let drop: (() => Promise<void>) | null = null;
afterEach(async () => {
  vendor.reset();
  vendor.settings.dimensions = 4;
  await gateway.dispose();
  await drop?.();
});

/** A gateway with models at the fake vendor, and a key with a limit. @returns where its store is */
async function start({ engine, ...options }: GatewayOptions & { engine: Engine }): Promise<StoreOptions> {
  const database = engine === "postgres" ? await createDatabase(inject("postgresUrl")) : null;
  gateway = await startGatewayProcess({
    ...options,
    env: { ...options.env, ...(database === null ? {} : { DATABASE_URL: database.url }) },
  });
  drop = database?.drop ?? null;
  const pricing = { prompt: "0.000001", completion: "0.000002" };
  await manage("POST", "/providers", {
    slug: "acme",
    name: "Acme",
    kind: "openai-compatible",
    base_url: vendor.baseUrl,
    api_key: null,
    data_collection: "deny",
    enabled: true,
    models: [
      { id: "acme/embed", upstream_id: "embed-small", name: "Embed", type: "embedding", dimensions: 4, pricing },
      { id: "acme/talk", upstream_id: "talk", name: "Talk", type: "chat", max_completion_tokens: 100, pricing },
    ],
  });
  key = ((await manage("POST", "/keys", { name: "caller", limit: 1 })) as { key: string }).key;
  return database === null
    ? { engine: "embedded", folder: gateway.dataDir }
    : { engine: "postgres", url: database.url };
}

async function manage(method: string, path: string, body: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" };
  const answer = await fetch(`${gateway.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return await answer.json();
}

async function call(path: "/embeddings" | "/chat/completions", more: object = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body =
    path === "/embeddings"
      ? { model: "acme/embed", input: "The gate is open." }
      : { model: "acme/talk", messages: [{ role: "user", content: "Say hello to me" }] };
  return await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...body, ...more }),
  });
}

/** Calls of each sort; resolves when the vendor works on all of them, and the stream has begun. */
async function callsUnderWay() {
  const plain = [call("/embeddings"), call("/chat/completions")];
  const stream = await call("/chat/completions", { stream: true });
  await expect.poll(() => vendor.inFlight()).toBe(3);
  return { plain, stream };
}

async function signalled(): Promise<void> {
  gateway.process.kill("SIGTERM");
  const readiness = async () => await (await fetch(`${gateway.url}/readyz`)).text();
  await expect.poll(readiness).toContain("The gateway is stopping");
}

describe("SIGTERM", () => {
  it("lets calls and streams under way end, refuses new ones in the envelope, and exits with 0", async () => {
    const letGo = vendor.hold();
    await start({ engine: "postgres", env: { GATEHOUSE_STOP_TIMEOUT: "600" } });
    const { plain, stream } = await callsUnderWay();
    await signalled();

    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    const refused = await call("/embeddings");
    expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("connection")]).toEqual([
      503,
      "2",
      "close",
    ]);
    expect(await refused.json()).toMatchObject({
      error: { code: 503, message: "The gateway is stopping: try again", metadata: { error_type: "server" } },
    });

    letGo();
    for (const answer of await Promise.all(plain)) {
      expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
      await answer.json();
    }
    expect(await stream.text()).toMatch(/"content":"\."[^]*data: \[DONE\]\n\n$/);
    await gateway.ended;
    expect(gateway.process.exitCode).toBe(0);
    expect(gateway.printed()).toContain('"msg":"stopped"');
  });

  describe("SIGTERM without patience", () => {
    it("cuts off what outlasts the patience with an error, charges it, and exits with 0", async () => {
      vendor.hold();
      const where = await start({ engine, env: { GATEHOUSE_STOP_TIMEOUT: "0" } });
      const { plain, stream } = await callsUnderWay();
      gateway.process.kill("SIGTERM");

      for (const answer of await Promise.all(plain)) {
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
        expect(await answer.json()).toMatchObject({ error: { metadata: { error_type: "server" } } });
      }
      const last = (await stream.text()).trim().split("\n\n").at(-1) ?? "";
      expect(JSON.parse(last.replace(/^data: /, ""))).toMatchObject({
        error: { code: 503, message: expect.stringContaining("The gateway stopped") },
        choices: [{ finish_reason: "error" }],
      });
      await gateway.ended;
      expect(gateway.process.exitCode).toBe(0);

      const store = await openStore(where, () => new Date());
      const rows = await ledgerRows(store.db).select(["streamed", "status", "cost"]).execute();
      const { rows: held } = await store.pool.query("select 1 from leases");
      await store.close();
      expect(rows.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(rows.filter(({ cost }) => cost === 0n)).toEqual([]);
      expect(held).toEqual([]);
    });
  });

  it("is passed on by npm start, which ends when the gateway has ended", async () => {
    await start({ engine: "embedded", npm: true });
    await gateway.stop("SIGTERM");
    expect(gateway.process.exitCode).toBe(0);
    expect(gateway.printed()).toContain('"msg":"stopped"');
    await expect(fetch(gateway.url)).rejects.toThrow("fetch failed");
  });

  it("serves on for the delay while readiness says no, and a second signal ends it at once", async () => {
    await start({ engine: "postgres", env: { GATEHOUSE_STOP_DELAY: "300" } });
    await signalled();
    const answer = await call("/embeddings");
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    await answer.json();
    await gateway.stop("SIGTERM");
    expect(gateway.process.exitCode).toBe(1);
  });
});
