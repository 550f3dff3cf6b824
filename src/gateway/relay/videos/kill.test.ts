import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { createDatabase } from "../../testing/postgres.ts";
import { addKey, manage, sharedSecrets as secrets, verify } from "../../testing/process-calls.ts";
import { type RunningGateway, startGatewayProcess } from "../../testing/process.ts";
import { json, type ScriptedVendor, startScriptedVendor } from "../../testing/scripted-vendor.ts";
import "../../testing/vitest-setup.ts";

describe("a video whose process is killed", () => {
  let vendor: ScriptedVendor;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
  });
  afterAll(() => vendor.close());

  const prepare = async (gateway: RunningGateway) => {
    const models = [
      {
        id: "acme/camera",
        upstream_id: "sora-2",
        type: "video",
        name: "Camera",
        pricing: { prompt: "0", second: "0.1" },
      },
    ];
    const provider = { slug: "acme", name: "Acme", kind: "openai-compatible", base_url: `${vendor.url}/v1`, models };
    await manage(gateway, "POST", "/providers", provider);
    return await addKey(gateway, 1);
  };
  const submit = async ({ url }: RunningGateway, key: string) =>
    await fetch(`${url}/api/v1/videos`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme/camera", prompt: "a", duration: 4 }),
    });
  const see = async ({ url }: RunningGateway, key: string, id: string) =>
    (await (await fetch(`${url}/api/v1/videos/${id}`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      status: string;
    };
  const usage = async (gateway: RunningGateway, hash: string) =>
    (await manage(gateway, "GET", `/keys/${hash}`)).data["usage"];
  const working = () =>
    vendor.answer(({ path }) => json(path.endsWith("/videos") ? { id: "v" } : { status: "in_progress" }));
  const finishing = () => vendor.answer(() => json({ id: "v", status: "completed" }));

  it("goes on with the next one, with its reservation, and is charged once", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-video-"));
    let gateway = await startGatewayProcess({ dataDir, env: secrets });
    const { key, hash } = await prepare(gateway);
    working();
    const ids = [];
    for (let begun = 0; begun < 2; begun += 1)
      ids.push(((await (await submit(gateway, key)).json()) as { id: string }).id);
    await gateway.stop("SIGKILL");
    gateway = await startGatewayProcess({ dataDir, env: secrets });
    // 0.8 of 1 are reserved.
    expect((await submit(gateway, key)).status).toBe(402);
    finishing();
    await sleep(Math.random() * 1_000);
    await gateway.stop("SIGKILL");
    gateway = await startGatewayProcess({ dataDir, env: secrets });
    for (const id of ids)
      await eventually(
        () => see(gateway, key, id),
        ({ status }) => status === "completed",
      );
    expect(await usage(gateway, hash)).toBe(0.8);
    await gateway.stop();
    expect(await verify({ GATEHOUSE_DATA_DIR: dataDir, ...secrets })).toContain("all agree");
    await rm(dataDir, { recursive: true, force: true });
  }, 1_200_000);

  it("while the vendor is asked is charged at its most, since nobody knows", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-video-"));
    let gateway = await startGatewayProcess({ dataDir, env: secrets });
    const { key, hash } = await prepare(gateway);
    vendor.requests.length = 0;
    vendor.answer({ headers: { "content-type": "application/json" }, pieces: ["{"], end: "hang" });
    const lost = submit(gateway, key).catch(() => null);
    await eventually(
      () => vendor.requests.length,
      (count) => count === 1,
    );
    await gateway.stop("SIGKILL");
    await lost;
    gateway = await startGatewayProcess({ dataDir, env: secrets });
    expect(
      await eventually(
        () => usage(gateway, hash),
        (usd) => usd !== 0,
      ),
    ).toBe(0.4);
    await gateway.stop();
    expect(await verify({ GATEHOUSE_DATA_DIR: dataDir, ...secrets })).toContain("all agree");
    await rm(dataDir, { recursive: true, force: true });
  }, 1_200_000);

  it("is looked after by another process on the same store, and charged once by the two", async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const env = { ...secrets, DATABASE_URL: database.url };
    const [one, other] = [await startGatewayProcess({ env }), await startGatewayProcess({ env })];
    const { key, hash } = await prepare(one);
    working();
    const { id } = (await (await submit(one, key)).json()) as { id: string };
    await one.stop("SIGKILL");
    const third = await startGatewayProcess({ env });
    finishing();
    const both = [other, third];
    await eventually(
      async () => await Promise.all(both.map((each) => see(each, key, id))),
      (seen) => seen.every(({ status }) => status === "completed"),
    );
    expect(await usage(other, hash)).toBe(0.4);
    await Promise.all(both.map((each) => each.stop()));
    expect(await verify({ ...env, GATEHOUSE_DATA_DIR: one.dataDir })).toContain("all agree");
    await Promise.all([one, ...both].map((each) => each.dispose()));
    await database.drop();
  }, 1_200_000);
});
