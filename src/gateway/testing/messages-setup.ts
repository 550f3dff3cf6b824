import { afterAll, beforeAll } from "vitest";
import { makeProvider } from "./factories.ts";
import type { TestGateway } from "./gateway.ts";
import { type ScriptedVendor, startScriptedVendor } from "./scripted-vendor.ts";

export const claudesKey = "sk-ant-vendor-0123456789abcdef";

/** Prices at which amounts are easy to read: a prompt token costs 1,000 nano-dollars, a completion token 2,000. */
export const claude = {
  upstream_id: "claude-upstream",
  type: "chat" as const,
  name: "Claude",
  context_length: 200_000,
  max_completion_tokens: 8_192,
  input_modalities: ["text" as const, "image" as const],
  pricing: { prompt: "0.000001", completion: "0.000002" },
};

/** A vendor that answers what it is told to, and a provider of Anthropic's dialect at it with the model `acme/claude`. */
export function withClaude(
  gateway: () => TestGateway,
  { slug = "claude", provider = {}, model = {} }: { slug?: string; provider?: object; model?: object } = {},
): () => ScriptedVendor {
  let vendor: ScriptedVendor | undefined;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    await makeProvider(gateway(), {
      slug,
      kind: "anthropic",
      preset: "anthropic",
      base_url: `${vendor.url}/v1`,
      api_key: claudesKey,
      models: [{ id: "acme/claude", ...claude, ...model }],
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
