import { afterAll, afterEach, beforeAll } from "vitest";
import { type FakeVendor, startFakeVendor } from "./fake-vendor.ts";
import type { TestGateway } from "./gateway.ts";
import { makeProvider } from "./factories.ts";

/** Prices at which amounts are easy to read: a prompt token costs 1,000 nano-dollars, a completion token 2,000. */
const embed = {
  upstream_id: "embed-small",
  type: "embedding" as const,
  name: "Embed",
  context_length: 8192,
  dimensions: 4,
  pricing: { prompt: "0.000001" },
};
const talk = {
  upstream_id: "talk",
  type: "chat" as const,
  name: "Talk",
  context_length: 32_768,
  max_completion_tokens: 4_096,
  pricing: { prompt: "0.000001", completion: "0.000002" },
};

/**
 * A fake vendor, and a provider `acme` at it with the models `acme/embed` (vectors of four) and `acme/talk`. Removed
 * after the block, reset after each test.
 */
export function withVendor(
  gateway: () => TestGateway,
  more: { slug?: string; provider?: object; embed?: object; talk?: object } = {},
): () => FakeVendor {
  let vendor: FakeVendor | undefined;
  const slug = more.slug ?? "acme";
  beforeAll(async () => {
    vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
    await makeProvider(gateway(), {
      slug,
      base_url: vendor.baseUrl,
      api_key: "sk-vendor-0123456789abcdef",
      data_collection: "deny",
      enabled: true,
      models: [
        { id: "acme/embed", ...embed, ...more.embed },
        { id: "acme/talk", ...talk, ...more.talk },
      ],
      ...more.provider,
    });
  });
  afterEach(() => {
    vendor?.reset();
    if (vendor !== undefined) vendor.settings.dimensions = 4;
  });
  afterAll(async () => {
    await gateway().call("DELETE", `/providers/${slug}`);
    await vendor?.close();
  });
  return () => {
    if (vendor === undefined) throw new Error("the vendor is there within tests only");
    return vendor;
  };
}
