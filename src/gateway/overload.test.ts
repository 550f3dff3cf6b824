import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startFakeVendor } from "./testing/fake-vendor.ts";
import { createDatabase } from "./testing/postgres.ts";
import { startGatewayProcess } from "./testing/process.ts";
import {
  addKey,
  addVendor,
  chat,
  costOfCall,
  embed,
  manage,
  type ProcessAnswer,
  sharedSecrets,
  usageOf,
  verify,
} from "./testing/process-calls.ts";
import "./testing/vitest-setup.ts";

const most = 24;
const pushing = 300;

let vendor: Awaited<ReturnType<typeof startFakeVendor>>;
beforeAll(async () => {
  vendor = await startFakeVendor();
  vendor.settings.dimensions = 4;
});
afterAll(() => vendor.close());

const statusesOf = (answers: readonly ProcessAnswer[]) => [...new Set(answers.map(({ status }) => status))].toSorted();

it("answers or refuses everyone while one key pushes far more than there may be, and charges what it answers", async () => {
  const database = await createDatabase(inject("postgresUrl"));
  const env = { ...sharedSecrets, DATABASE_URL: database.url };
  const gateway = await startGatewayProcess({
    env: { ...env, GATEHOUSE_CALLS: String(most), GATEHOUSE_EMBEDDING_CACHE: "0" },
  });
  try {
    await addVendor(gateway, vendor);
    const [greedy, other] = [await addKey(gateway, 1), await addKey(gateway, 1)];
    // Those who came first wait at the provider until the others have been refused.
    const letGo = vendor.hold();
    const calls = Array.from({ length: pushing }, () => embed(gateway, greedy.key));
    const ended = calls.map((call) => call.catch(() => null));
    // one key leaves something free for the others
    const own = most - 3;
    await expect.poll(() => vendor.inFlight()).toBe(own);
    const ofOther = [embed(gateway, other.key), chat(gateway, other.key)];
    await expect.poll(() => vendor.inFlight()).toBe(own + 2);
    for (const path of ["/livez", "/readyz", "/api/v1/health"]) {
      expect((await fetch(`${gateway.url}${path}`)).status).toBe(200);
    }
    expect((await manage(gateway, "GET", "/keys")).status).toBe(200);
    await expect
      .poll(async () => (await manage(gateway, "GET", "/refused-calls")).data)
      .toMatchObject([{ key_hash: greedy.hash, reason: "too_many_calls", status: 503, count: pushing - own }]);
    expect(vendor.inFlight()).toBe(own + 2);
    letGo();
    for (const { status } of await Promise.all(ofOther)) expect(status).toBe(200);
    const answers = (await Promise.all(ended)).filter((answer) => answer !== null);
    expect(answers).toHaveLength(pushing);
    expect(statusesOf(answers)).toEqual([200, 503]);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(pushing - own);
    for (const { headers, id, text } of refused) {
      expect([headers.get("retry-after"), id]).toEqual(["2", null]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 503, metadata: { reason: "too_many_calls" } } });
    }
    expect(await usageOf(gateway, greedy.hash)).toBeCloseTo(own * costOfCall, 9);
    // After a minute a second line says how often it was repeated.
    expect(gateway.printed().match(/as many model calls in flight as it can serve: try again"/g)).toHaveLength(1);

    // As much as the thread can do, for as long as it takes: nothing is left over afterwards.
    const rounds = await Promise.all(
      Array.from({ length: most }, async () => {
        const own: ProcessAnswer[] = [];
        for (let round = 0; round < 10; round += 1) own.push(await embed(gateway, greedy.key));
        return own;
      }),
    );
    const served = rounds.flat().filter(({ status }) => status === 200).length;
    expect(statusesOf(rounds.flat()).every((status) => status === 200 || status === 503)).toBe(true);
    expect(await usageOf(gateway, greedy.hash)).toBeCloseTo((own + served) * costOfCall, 9);
    await gateway.stop();
    expect(gateway.process.exitCode).toBe(0);
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: gateway.dataDir })).toContain("all agree");
  } finally {
    await gateway.dispose();
    await database.drop();
  }
});
