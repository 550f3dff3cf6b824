import { expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";
import { createCatalogCache } from "./catalog-cache.ts";

const models = [{ id: "acme/embed", upstream_id: "embed", type: "embedding" as const, dimensions: 8 }];

describeGateway("the catalog", (gateway) => {
  it("hears of what another process changes", async () => {
    const { deps } = gateway();
    const other = { ...deps, catalog: createCatalogCache() };
    await other.catalog.start(other);
    expect(other.catalog.current(other).offers.has("acme/embed")).toBe(false);
    await makeProvider(gateway(), { slug: "acme", base_url: "http://127.0.0.1:1/v1", models });
    await expect.poll(() => other.catalog.current(other).offers.has("acme/embed")).toBe(true);
    await gateway().call("DELETE", "/providers/acme");
    await expect.poll(() => other.catalog.current(other).offers.has("acme/embed")).toBe(false);
  });

  it("shows every change to whoever made it, however many are made at once", async () => {
    const slugs = Array.from({ length: 8 }, (_, index) => `many-${index}`);
    await Promise.all(
      slugs.map(async (slug) => {
        await makeProvider(gateway(), { slug, base_url: "http://127.0.0.1:1/v1" });
        const { deps } = gateway();
        expect(deps.catalog.current(deps).providers.map((provider) => provider.slug)).toContain(slug);
      }),
    );
    for (const slug of slugs) await gateway().call("DELETE", `/providers/${slug}`);
  });

  it("passes over a provider whose key cannot be decrypted, says so, and keeps the others", async () => {
    await makeProvider(gateway(), {
      slug: "acme",
      base_url: "http://127.0.0.1:1/v1",
      api_key: "sk-0123456789",
      models,
    });
    const { deps } = gateway();
    await deps.store.pool.query("update providers set secret = 'v1:00000000:AAAA' where slug = 'acme'");
    await deps.catalog.changed(deps);
    const { key } = await makeKey(gateway());
    const embed = (model: string) => gateway().call("POST", "/embeddings", { key, body: { model, input: "one" } });
    const refused = await embed("acme/embed");
    expect(refused.status).toBe(404);
    expect(refused.json.error.message).toMatch(/acme: its stored credentials cannot be decrypted/);
    expect((await embed("gatehouse/lexical")).status).toBe(200);
    const tested = await gateway().call("POST", "/providers/acme/test");
    expect(tested.json.data).toMatchObject({ ok: false, message: expect.stringContaining("enter it again") });
    await gateway().call("DELETE", "/providers/acme");
  });
});
