import { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startLocalModel } from "./providers/local/model-pool.ts";
import { startOnStore } from "./testing/describe-gateway.ts";
import { expectError, expectIssues } from "./testing/expect-error.ts";
import type { TestGateway } from "./testing/gateway.ts";
import { makeKey } from "./testing/factories.ts";
import { type TinyModel, writeTinyModel } from "./testing/tiny-model.ts";

/** Where the set-up of the tests has put the optional package. */
const packages = fileURLToPath(new URL("../../.cache/local-model", import.meta.url));

let folder: string;
let gateway: TestGateway | null = null;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "gatehouse-local-"))));
afterEach(async () => {
  await gateway?.close();
  gateway = null;
  await rm(folder, { recursive: true, force: true });
});

async function start(model: string, { installed = true } = {}): Promise<TestGateway> {
  const dataDir = join(folder, "data");
  await mkdir(dataDir, { recursive: true });
  if (installed) await symlink(packages, join(dataDir, "local-model"));
  gateway = await startOnStore({ env: { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_LOCAL_MODEL: model } });
  return gateway;
}

async function embed(running: TestGateway, body: object) {
  const { key } = await makeKey(running);
  return await running.call("POST", "/embeddings", { key, body: { model: "local/tiny", ...body } });
}

const words = { cat: [3, 0, 4, 0], dog: [0, 5, 0, 12], find: [1, 1, 1, 1] };
const tiny = async (more: Partial<TinyModel> = {}) => {
  const model = join(folder, "Tiny");
  await writeTinyModel(model, { words, contextLength: 4, ...more });
  return model;
};
/** Numbers that went through float32. */
const close = (expected: readonly number[]) => expected.map((value) => expect.closeTo(value, 6));

describe("a local model", () => {
  it("is listed like any other, and gives the mean of its tokens' states at unit length", async () => {
    const running = await start(await tiny());
    expect(await running.localModel).toMatch(/is listed as local\/tiny: 4 dimensions, 4 tokens\.$/);
    const listed = await running.call("GET", "/embeddings/models");
    expect(listed.json.data.find(({ id }: { id: string }) => id === "local/tiny")).toMatchObject({
      context_length: 4,
      pricing: { prompt: "0" },
    });
    const answer = await embed(running, { input: ["cat dog", "Dog", "cat cat dog dog"] });
    // (3,0,4,0) and (0,5,0,12): their mean is (1.5, 2.5, 2, 6), whose length is the root of 48.5.
    const mean = [1.5, 2.5, 2, 6].map((value) => value / Math.sqrt(48.5));
    const [both, dog, twice] = answer.json.data.map(({ embedding }: { embedding: number[] }) => embedding);
    expect(both).toEqual(close(mean));
    expect(dog).toEqual(close([0, 5 / 13, 0, 12 / 13]));
    expect(twice).toEqual(close(mean));
    expect(answer.json.usage).toMatchObject({ prompt_tokens: 7, cost: 0 });
  });

  it("takes its pooling, its scale and its prompts from its own files", async () => {
    const running = await start(
      await tiny({
        files: {
          "1_Pooling/config.json": { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
          "modules.json": [
            { type: "sentence_transformers.models.Transformer" },
            { type: "sentence_transformers.models.Pooling" },
          ],
          "config_sentence_transformers.json": { prompts: { query: "find " } },
        },
      }),
    );
    await running.localModel;
    const vector = async (body: object) => (await embed(running, body)).json.data[0].embedding;
    expect(await vector({ input: "dog cat" })).toEqual([0, 5, 0, 12]);
    expect(await vector({ input: "dog cat", input_type: "query" })).toEqual([1, 1, 1, 1]);
  });

  it("refuses what is too long by its own count, or cuts it where the caller asks", async () => {
    const running = await start(await tiny());
    await running.localModel;
    const input = ["cat", "dog dog dog dog cat"];
    const refused = await embed(running, { input });
    expectIssues(refused, "input.1");
    expect(refused.json.error.message).toContain("has 5 tokens");
    const cut = await embed(running, { input, truncate: true });
    expect(cut.json.data[1].embedding).toEqual(close([0, 5 / 13, 0, 12 / 13]));
    expect(cut.json.usage.prompt_tokens).toBe(5);
    expectIssues(await embed(running, { input: "cat", dimensions: 2 }), "dimensions");
  });

  it("says in one line what is missing, and the gateway runs without it", async () => {
    const running = await start(await tiny(), { installed: false });
    const home = join(folder, "data", "local-model");
    expect(await running.localModel).toContain(
      `the package @huggingface/transformers is missing: run npm install --prefix ${home} @huggingface/transformers`,
    );
    expect((await running.call("GET", "/health", { key: null })).status).toBe(200);
    expectError(await embed(running, { input: "cat" }), "not_found", /local\/tiny/);
  });

  it.each([
    ["config.json", /has no config\.json/],
    ["tokenizer.json", /has no tokenizer\.json/],
    ["onnx/model.onnx", /has no onnx\/model\.onnx: export the model to ONNX first/],
  ])("says that %s is missing in its folder", async (file, message) => {
    const path = await tiny();
    await rm(join(path, file));
    const home = join(folder, "home");
    await symlink(packages, home);
    const model = startLocalModel({ model: path, home }, 1);
    await expect(model.loaded).rejects.toThrow(message);
    model.close();
  });

  it("is refused while its process is away, and is there again when it was started anew", async () => {
    const model = await tiny();
    const running = await start(model);
    await running.localModel;
    // It cannot be loaded again before the test allows it.
    await rename(model, `${model} away`);
    const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
    const children = handles.filter((handle) => handle instanceof ChildProcess);
    expect(
      children.filter(({ spawnargs }) => spawnargs.join(" ").includes(folder)).map((it) => it.kill("SIGKILL")),
    ).toEqual([true]);
    const status = async () => (await embed(running, { input: "cat" })).status;
    await expect.poll(status).toBe(502);
    await rename(`${model} away`, model);
    await expect.poll(status).toBe(200);
  });
});
