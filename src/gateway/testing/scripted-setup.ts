import { afterAll, beforeAll } from "vitest";
import type { CreateProviderBody } from "#contract/providers.ts";
import { makeProvider } from "./factories.ts";
import type { TestGateway } from "./gateway.ts";
import { type ScriptedVendor, startScriptedVendor } from "./scripted-vendor.ts";

export const claudesKey = "sk-ant-vendor-0123456789abcdef";
export const vendorsKey = "sk-vendor-0123456789abcdef";

/** Prices at which amounts are easy to read: a prompt token costs 1,000 nano-dollars, a completion token 2,000. */
const talker = {
  type: "chat" as const,
  context_length: 200_000,
  max_completion_tokens: 8_192,
  input_modalities: ["text" as const, "image" as const],
  pricing: { prompt: "0.000001", completion: "0.000002" },
};
export const claude = { ...talker, upstream_id: "claude-upstream", name: "Claude" };

type Gateway = () => TestGateway;
interface Changes {
  readonly slug?: string;
  readonly provider?: object;
  readonly model?: object;
}

type Provider = Pick<CreateProviderBody, "slug" | "models"> & Partial<CreateProviderBody>;

/** A vendor that answers what it is told to, and a provider at it, which is deleted after the block. */
function withScripted(gateway: Gateway, provider: Provider): () => ScriptedVendor {
  let vendor: ScriptedVendor | undefined;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    await makeProvider(gateway(), { base_url: `${vendor.url}/v1`, ...provider });
  });
  afterAll(async () => {
    await gateway().call("DELETE", `/providers/${provider.slug}`);
    await vendor?.close();
  });
  return () => {
    if (vendor === undefined) throw new Error("the vendor is there within tests only");
    return vendor;
  };
}

/** A provider of models that make or read media. */
export function withMediaVendor(gateway: Gateway, provider: Provider) {
  return withScripted(gateway, { api_key: vendorsKey, ...provider });
}

/** A provider of Anthropic's dialect, with the model `acme/claude`. */
export function withClaude(gateway: Gateway, { slug = "claude", provider, model }: Changes = {}) {
  const models = [{ id: "acme/claude", ...claude, ...model }];
  const dialect = { kind: "anthropic", preset: "anthropic" } as const;
  return withScripted(gateway, { slug, ...dialect, api_key: claudesKey, models, ...provider });
}

/** A provider of OpenAI's dialects, responses among them, with the model `acme/thinker`. */
export function withResponder(gateway: Gateway, { slug = "responder", provider, model }: Changes = {}) {
  const models = [{ id: "acme/thinker", ...talker, upstream_id: "upstream-model", name: "Thinker", ...model }];
  const dialect = { kind: "openai-compatible", preset: "openai" } as const;
  return withScripted(gateway, { slug, ...dialect, api_key: vendorsKey, models, ...provider });
}
