import type { TestGateway } from "./gateway.ts";
import { withMediaVendor } from "./scripted-setup.ts";

/** A model that thinks at each kind of provider, and how the provider is set up. */
const kinds = {
  OpenAI: { model: "gpt-5.4", provider: { preset: "openai" } },
  Anthropic: { model: "claude-sonnet-4-5", provider: { kind: "anthropic", preset: "anthropic" } },
  Gemini: { model: "gemini-3-pro", provider: { kind: "gemini", preset: "gemini" } },
  DeepSeek: { model: "deepseek-reasoner", provider: { preset: "deepseek" } },
} as const;
export type Kind = keyof typeof kinds;
const priced = { context_length: 200_000, max_completion_tokens: 32_000, pricing: { prompt: "0", completion: "0" } };

/** A scripted vendor of each kind, with the model `acme/` and the kind's name. */
export function withLoopVendors(gateway: () => TestGateway): Record<Kind, ReturnType<typeof withMediaVendor>> {
  const vendors = Object.entries(kinds).map(([kind, { model, provider }]) => {
    const models = [{ id: `acme/${kind}`, upstream_id: model, type: "chat" as const, name: kind, ...priced }];
    return [kind, withMediaVendor(gateway, { slug: kind.toLowerCase(), ...provider, models })];
  });
  return Object.fromEntries(vendors) as Record<Kind, ReturnType<typeof withMediaVendor>>;
}
