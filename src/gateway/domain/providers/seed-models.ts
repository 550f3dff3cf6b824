import type { ProviderModel, ProviderPreset } from "#contract/providers.ts";

type Row = Pick<ProviderModel, "id" | "type"> & Partial<ProviderModel>;

const embedding = (id: string, rest: Partial<ProviderModel>): Row => ({ id, type: "embedding", ...rest });
const chat = (id: string, context_length: number, max_completion_tokens: number): Row => ({
  id,
  type: "chat",
  context_length,
  max_completion_tokens,
});
const price = (prompt: string) => ({ prompt });

/**
 * The models that a provider added by a variable offers from the start. Embedding models have the vendor's list price
 * as of the end of 2025; chat models have none, because those change often and a wrong price is worse than an unpriced
 * model, which the console points out. Everything here becomes a row that the admin can edit.
 */
export const seedModels: Readonly<Partial<Record<ProviderPreset, readonly Row[]>>> = {
  openai: [
    embedding("openai/text-embedding-3-small", {
      name: "text-embedding-3-small",
      context_length: 8_192,
      dimensions: 1_536,
      dimensions_range: { minimum: 1, maximum: 1_536 },
      max_batch: 2_048,
      pricing: price("0.00000002"),
    }),
    embedding("openai/text-embedding-3-large", {
      name: "text-embedding-3-large",
      context_length: 8_192,
      dimensions: 3_072,
      dimensions_range: { minimum: 1, maximum: 3_072 },
      max_batch: 2_048,
      pricing: price("0.00000013"),
    }),
    chat("openai/gpt-4.1", 1_047_576, 32_768),
    chat("openai/gpt-4.1-mini", 1_047_576, 32_768),
  ],
  mistral: [
    embedding("mistral/mistral-embed", {
      context_length: 8_192,
      dimensions: 1_024,
      dimensions_range: { minimum: 1_024, maximum: 1_024 },
      pricing: price("0.0000001"),
    }),
    chat("mistral/mistral-small-latest", 131_072, 131_072),
  ],
  voyage: [
    embedding("voyage/voyage-3.5", {
      context_length: 32_000,
      dimensions: 1_024,
      dimensions_range: { minimum: 256, maximum: 2_048 },
      max_batch: 1_000,
      pricing: price("0.00000006"),
    }),
    embedding("voyage/voyage-3.5-lite", {
      context_length: 32_000,
      dimensions: 1_024,
      dimensions_range: { minimum: 256, maximum: 2_048 },
      max_batch: 1_000,
      pricing: price("0.00000002"),
    }),
  ],
  jina: [
    embedding("jina/jina-embeddings-v3", {
      context_length: 8_192,
      dimensions: 1_024,
      dimensions_range: { minimum: 32, maximum: 1_024 },
      max_batch: 512,
    }),
  ],
  cohere: [
    embedding("cohere/embed-v4.0", {
      context_length: 128_000,
      dimensions: 1_536,
      dimensions_range: { minimum: 256, maximum: 1_536 },
      max_batch: 96,
      input_modalities: ["text", "image"],
      pricing: price("0.00000012"),
    }),
    embedding("cohere/embed-multilingual-v3.0", {
      context_length: 512,
      dimensions: 1_024,
      dimensions_range: { minimum: 1_024, maximum: 1_024 },
      max_batch: 96,
      pricing: price("0.0000001"),
    }),
    chat("cohere/command-a-03-2025", 256_000, 8_000),
  ],
  gemini: [
    embedding("google/gemini-embedding-001", {
      context_length: 2_048,
      dimensions: 3_072,
      dimensions_range: { minimum: 128, maximum: 3_072 },
      max_batch: 100,
      pricing: price("0.00000015"),
    }),
    chat("google/gemini-2.5-flash", 1_048_576, 65_536),
  ],
  anthropic: [
    chat("anthropic/claude-sonnet-4-5", 200_000, 64_000),
    chat("anthropic/claude-haiku-4-5", 200_000, 64_000),
  ],
  groq: [chat("groq/llama-3.3-70b-versatile", 131_072, 32_768)],
  deepseek: [chat("deepseek/deepseek-chat", 128_000, 8_192)],
};
