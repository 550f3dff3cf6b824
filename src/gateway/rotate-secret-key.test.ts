import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeVendor, startFakeVendor } from "./testing/fake-vendor.ts";
import { startGatewayProcess, unoptimized } from "./testing/process.ts";
import { putStore } from "./testing/store-template.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const run = promisify(execFile);
const secret = "sk-vendor-0123456789";
const managementKey = "a management key of this test alone".replaceAll(" ", "-");

let vendor: FakeVendor;
let folder: string;
beforeAll(async () => void (vendor = await startFakeVendor({ apiKey: secret })));
afterAll(() => vendor.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-rotate-"));
  await putStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function within(
  env: Record<string, string>,
  work: (call: (method: string, path: string, body?: object) => Promise<unknown>) => Promise<void>,
) {
  const gateway = await startGatewayProcess({
    dataDir: folder,
    env: { GATEHOUSE_MANAGEMENT_KEY: managementKey, ...env },
  });
  const headers = { authorization: `Bearer ${gateway.managementKey}`, "content-type": "application/json" };
  try {
    await work(async (method, path, body) => {
      const options = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return await (await fetch(`${gateway.url}/api/v1${path}`, options)).json();
    });
  } finally {
    await gateway.stop();
  }
}

const rotate = async () =>
  (
    await run(process.execPath, [unoptimized, main, "rotate-secret-key"], {
      env: { PATH: process.env["PATH"], GATEHOUSE_DATA_DIR: folder },
    })
  ).stdout;

const acme = { slug: "acme", name: "Acme", kind: "openai-compatible", api_key: secret };

describe("rotate-secret-key", () => {
  it("encrypts the stored secrets with a new key, which alone opens them then", async () => {
    await within({}, async (call) => void (await call("POST", "/providers", { ...acme, base_url: vendor.baseUrl })));
    const before = (await readFile(join(folder, "secret.key"), "utf8")).trim().split("\n");
    expect(await rotate()).toMatch(/^1 stored secrets/);
    const after = (await readFile(join(folder, "secret.key"), "utf8")).trim().split("\n");
    expect(after).toEqual([expect.any(String), ...before]);
    await writeFile(join(folder, "secret.key"), `${after[0]}\n`);
    await within({}, async (call) => {
      expect(await call("POST", "/providers/acme/test")).toMatchObject({ data: { ok: true } });
    });
  });
});

describe("vendors' keys in the environment", () => {
  it("add their providers at the first start, and bring back nothing later", async () => {
    const env = { OPENAI_API_KEY: "sk-openai-0123456789", COHERE_API_KEY: "co-0123456789abcdef" };
    const slugs = async (call: (method: string, path: string) => Promise<unknown>) => {
      const { data } = (await call("GET", "/provider-settings")) as {
        data: { slug: string; api_key: string; models: { id: string }[] }[];
      };
      return data;
    };
    await within(env, async (call) => {
      const added = await slugs(call);
      expect(added.map(({ slug, api_key }) => [slug, api_key])).toEqual([
        ["gatehouse", null],
        ["cohere", "co-0...cdef"],
        ["openai", "sk-o...6789"],
      ]);
      expect(added[2]?.models.map(({ id }) => id)).toContain("openai/text-embedding-3-small");
      await call("DELETE", "/providers/cohere");
    });
    await within({ ...env, MISTRAL_API_KEY: "m-0123456789" }, async (call) => {
      expect((await slugs(call)).map(({ slug }) => slug)).toEqual(["gatehouse", "openai"]);
    });
  });
});
