import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { type FakeVendor, startFakeVendor } from "../../testing/fake-vendor.ts";
import { createDatabase } from "../../testing/postgres.ts";
import { addKey, addVendor, manage, sharedSecrets as secrets, verify } from "../../testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "../../testing/process.ts";
import "../../testing/vitest-setup.ts";

interface Seen {
  readonly status: string;
  readonly request_counts: { total: number; completed: number; failed: number };
  readonly results: { id: string; response: object | null; error: { message: string } | null }[] | null;
}

describe("a batch whose process is killed", () => {
  let vendor: FakeVendor;
  beforeAll(async () => {
    vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
  });
  afterEach(() => {
    vendor.reset();
    vendor.settings.dimensions = 4;
  });
  afterAll(() => vendor.close());

  let texts = 0;
  const submit = async ({ url }: RunningGateway, key: string, count: number) => {
    const requests = Array.from({ length: count }, (_, at) => ({
      custom_id: `${at}`,
      body: { input: `text ${(texts += 1)}` },
    }));
    const answer = await fetch(`${url}/api/v1/batches`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ endpoint: "/v1/embeddings", model: "acme/embed", requests }),
    });
    expect(answer.status).toBe(202);
    return ((await answer.json()) as { id: string }).id;
  };
  const see = async ({ url }: RunningGateway, key: string, id: string) =>
    (await (
      await fetch(`${url}/api/v1/batches/${id}`, { headers: { authorization: `Bearer ${key}` } })
    ).json()) as Seen;
  const ended = async (gateway: RunningGateway, key: string, id: string) =>
    await eventually(
      () => see(gateway, key, id),
      ({ status }) => status === "completed",
    );
  /** Each result is an answer, or says that it may have been sent; the vendor was asked once for each, and the key charged. */
  const expectOnce = async (
    gateway: RunningGateway,
    { hash }: { hash: string },
    { results, request_counts: counts }: Seen,
  ) => {
    const answers = results?.filter(({ response }) => response !== null) ?? [];
    const lost = results?.filter(({ error }) => error !== null) ?? [];
    expect([answers.length, lost.length]).toEqual([counts.completed, counts.failed]);
    for (const { error } of lost) expect(error?.message).toMatch(/was not made again/);
    const asked = vendor.requests.length;
    expect(asked).toBeGreaterThanOrEqual(answers.length);
    expect(asked).toBeLessThanOrEqual(counts.total);
    const usage = Number((await manage(gateway, "GET", `/keys/${hash}`)).data["usage"]);
    expect(usage).toBeGreaterThanOrEqual(answers.length * 0.000_001);
    return { answers: answers.length, lost: lost.length };
  };

  it("goes on with the next one, loses no answer that it had, and asks for nothing twice", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-batch-"));
    let gateway = await startGatewayProcess({ dataDir, env: secrets });
    await addVendor(gateway, vendor);
    const key = await addKey(gateway, 1);
    const id = await submit(gateway, key.key, 60);
    for (const completed of [5, 20]) {
      const before = await eventually(
        () => see(gateway, key.key, id),
        ({ request_counts: counts }) => counts.completed >= completed,
      );
      await gateway.stop("SIGKILL");
      gateway = await startGatewayProcess({ dataDir, env: secrets });
      const after = await see(gateway, key.key, id);
      expect(after.request_counts.completed).toBeGreaterThanOrEqual(before.request_counts.completed);
    }
    const batch = await ended(gateway, key.key, id);
    expect(batch.request_counts.total).toBe(60);
    const { lost } = await expectOnce(gateway, key, batch);
    // No more than what was in flight twice.
    expect(lost).toBeLessThanOrEqual(32);
    await gateway.stop();
    expect(await verify({ GATEHOUSE_DATA_DIR: dataDir, ...secrets })).toContain("all agree");
    await rm(dataDir, { recursive: true, force: true });
  }, 1_200_000);

  it("is shared by two processes on one store, which ask for nothing twice", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...secrets, DATABASE_URL: database.url };
    const [one, other] = [await startGatewayProcess({ env }), await startGatewayProcess({ env })];
    await addVendor(one, vendor);
    const key = await addKey(one, 1);
    const ids = [await submit(one, key.key, 60), await submit(other, key.key, 60)];
    for (const id of ids) {
      const batch = await ended(one, key.key, id);
      expect(batch.request_counts).toEqual({ total: 60, completed: 60, failed: 0 });
    }
    expect(vendor.requests).toHaveLength(120);
    await Promise.all([one, other].map((each) => each.stop()));
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: one.dataDir })).toContain("all agree");
    await Promise.all([one, other].map((each) => each.dispose()));
    await database.drop();
  }, 1_200_000);
});
