import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { ledgerRows } from "./domain/ledger/columns.ts";
import { openStore } from "./storage/store.ts";
import { engine } from "./testing/describe-gateway.ts";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { addKey, addVendor, sharedSecrets } from "./testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "./testing/process.ts";
import "./testing/vitest-setup.ts";

let vendor: FakeVendor;
let database: { url: string; drop(): Promise<void> };
let gateway: RunningGateway;
let key: string;
beforeAll(async () => {
  database = await createDatabase(inject("postgresUrl"));
  vendor = await startFakeVendor();
});
afterEach(async () => {
  vendor.reset();
  await gateway.dispose();
});
afterAll(async () => {
  await vendor.close();
  await database.drop();
});

/** A gateway with models at the fake vendor, and a key with a limit. */
async function start(env: Record<string, string>): Promise<void> {
  vendor.settings.dimensions = 4;
  gateway = await startGatewayProcess({
    env: { ...sharedSecrets, ...env, ...(engine === "postgres" && { DATABASE_URL: database.url }) },
  });
  await addVendor(gateway, vendor);
  ({ key } = await addKey(gateway, 1));
}

async function call(path: "/embeddings" | "/chat/completions", more: object = {}): Promise<Response> {
  const body =
    path === "/embeddings"
      ? { model: "acme/embed", input: "The gate is open." }
      : { model: "acme/talk", messages: [{ role: "user", content: "Say hello to me" }] };
  return await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
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

/** Twice at once, as a service manager does that signals a process group with npm in it: that is one signal. */
async function signalled(): Promise<void> {
  gateway.process.kill("SIGTERM");
  await new Promise(setImmediate);
  gateway.process.kill("SIGTERM");
  const readiness = async () => await (await fetch(`${gateway.url}/readyz`)).text();
  await expect.poll(readiness).toContain("The gateway is stopping");
}

describe("SIGTERM", () => {
  it("lets calls and streams under way end, refuses new ones in the envelope, and exits with 0", async () => {
    const letGo = vendor.hold();
    await start({ GATEHOUSE_STOP_TIMEOUT: "600" });
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

  it("without patience cuts off what outlasts it with an error, charges it, and exits with 0", async () => {
    vendor.hold();
    await start({ GATEHOUSE_STOP_TIMEOUT: "0" });
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

    const where = { embedded: { folder: gateway.dataDir }, postgres: { url: database.url } }[engine];
    const store = await openStore({ engine, ...where } as Parameters<typeof openStore>[0], () => new Date());
    const rows = await ledgerRows(store.db).select(["streamed", "status", "cost"]).where("status", "!=", 200).execute();
    const { rows: held } = await store.pool.query("select 1 from leases");
    await store.close();
    expect(rows.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(rows.filter(({ cost }) => cost === 0n)).toEqual([]);
    expect(held).toEqual([]);
  });

  it("serves on for the delay while readiness says no, and a second signal ends it at once", async () => {
    await start({ GATEHOUSE_STOP_DELAY: "300" });
    await signalled();
    const answer = await call("/embeddings");
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
    await answer.json();
    await gateway.stop("SIGINT");
    expect(gateway.process.exitCode).toBe(1);
  });
});
