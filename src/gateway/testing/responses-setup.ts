import { afterAll, beforeAll } from "vitest";
import { makeProvider } from "./factories.ts";
import type { TestGateway } from "./gateway.ts";
import { type ScriptedVendor, startScriptedVendor } from "./scripted-vendor.ts";

export const vendorsKey = "sk-vendor-0123456789abcdef";

/** Prices at which amounts are easy to read: a prompt token costs 1,000 nano-dollars, a completion token 2,000. */
const thinker = {
  upstream_id: "upstream-model",
  type: "chat" as const,
  name: "Thinker",
  context_length: 200_000,
  max_completion_tokens: 8_192,
  input_modalities: ["text" as const, "image" as const],
  pricing: { prompt: "0.000001", completion: "0.000002" },
};

/** A vendor that answers what it is told to, and a provider of a preset at it with the model `acme/thinker`. */
export function withResponder(
  gateway: () => TestGateway,
  { slug = "responder", provider = {}, model = {} }: { slug?: string; provider?: object; model?: object } = {},
): () => ScriptedVendor {
  let vendor: ScriptedVendor | undefined;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    await makeProvider(gateway(), {
      slug,
      kind: "openai-compatible",
      preset: "openai",
      base_url: `${vendor.url}/v1`,
      api_key: vendorsKey,
      models: [{ id: "acme/thinker", ...thinker, ...model }],
      ...provider,
    });
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
