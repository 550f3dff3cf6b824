import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressRule } from "../domain/network-guard.ts";
import { type FakeVendor, startFakeVendor } from "../testing/fake-vendor.ts";
import { createDispatcher } from "./dispatcher.ts";
import { detect, probe } from "./probe.ts";

let vendor: FakeVendor;
beforeAll(async () => void (vendor = await startFakeVendor({ apiKey: "right" })));
afterAll(() => vendor.close());

const dispatcher = createDispatcher({ refuse: addressRule("allow", "admin") });
const settings = (apiKey: string | null) =>
  ({
    slug: "acme",
    kind: "openai-compatible",
    preset: "custom",
    baseUrl: vendor.baseUrl,
    apiKey,
    options: {},
  }) as const;

describe("probe", () => {
  it("lists the vendor's models with the right key, and says what the vendor says with a wrong one", async () => {
    expect(await probe(dispatcher, settings("right"))).toMatchObject({
      ok: true,
      status: 200,
      models: ["embed-small", "talk"],
    });
    expect(await probe(dispatcher, settings("wrong"))).toMatchObject({
      ok: false,
      status: 401,
      message: "Incorrect API key provided.",
    });
    expect(await probe(dispatcher, settings(null))).toMatchObject({ ok: false, status: 401 });
  });

  it("does not take just any answer for a list of models", async () => {
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => void response.end("<html>hello</html>"));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const answer = await probe(dispatcher, { ...settings("right"), baseUrl: `http://127.0.0.1:${port}` });
    expect(answer).toMatchObject({ ok: false, message: "Answered with something else than a list of models" });
    server.close();
  });

  it("has nothing to ask of the built-in provider", async () => {
    const builtin = {
      slug: "gatehouse",
      kind: "builtin",
      preset: "gatehouse",
      baseUrl: null,
      apiKey: null,
      options: {},
    } as const;
    expect(await probe(dispatcher, builtin)).toMatchObject({ ok: true, status: null, models: [] });
  });
});

describe("detect", () => {
  it("offers what answers at the address, and nothing where nobody does", async () => {
    const open = await startFakeVendor();
    expect(await detect(dispatcher, open.baseUrl)).toEqual([
      { preset: "ollama", name: "Ollama", base_url: open.baseUrl, models: ["embed-small", "talk"] },
    ]);
    await open.close();
    expect(await detect(dispatcher, "http://127.0.0.1:1/v1")).toEqual([]);
  });
});
