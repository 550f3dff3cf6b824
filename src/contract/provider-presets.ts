import type { ProviderKind, ProviderPreset } from "./providers.ts";

/** A known vendor, as offered in the list when a provider is added. */
export interface Preset {
  readonly name: string;
  readonly kind: ProviderKind;
  /** null: the admin gives it */
  readonly baseUrl: string | null;
  /** the environment variable that adds the provider if set on first start */
  readonly keyVariable: string | null;
  /** the most inputs that the vendor accepts in one embeddings request; a model's own `max_batch` takes precedence */
  readonly maxBatch?: number;
  /** the most tokens of all its inputs together, where the vendor states it; by its names of models where they differ */
  readonly maxBatchTokens?: number | ByModel;
  /** runs on the admin's own machines and needs no key */
  readonly selfHosted?: boolean;
}

/** A figure that differs between a vendor's models. */
interface ByModel {
  readonly models: Readonly<Record<string, number>>;
  readonly others: number;
}

/** The known vendors. How each departs from its kind's dialect is defined in the gateway. */
export const presets: Readonly<Record<ProviderPreset, Preset>> = {
  custom: { name: "Custom", kind: "openai-compatible", baseUrl: null, keyVariable: null },
  openai: {
    name: "OpenAI",
    kind: "openai-compatible",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    maxBatch: 2_048,
    // https://platform.openai.com/docs/api-reference/embeddings/create#input
    maxBatchTokens: 300_000,
  },
  "azure-openai": {
    name: "Azure OpenAI",
    kind: "openai-compatible",
    baseUrl: null,
    keyVariable: null,
    maxBatch: 2_048,
  },
  mistral: {
    name: "Mistral",
    kind: "openai-compatible",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    // As its refusals say: "Too many inputs in request, split into more batches", "Too many tokens in batch. Max is
    // 16384" (raphaelmansuy/edgequake-llm#74, aurelio-labs/semantic-router#297).
    maxBatch: 512,
    maxBatchTokens: 16_384,
  },
  together: {
    name: "Together",
    kind: "openai-compatible",
    baseUrl: "https://api.together.xyz/v1",
    keyVariable: "TOGETHER_API_KEY",
  },
  fireworks: {
    name: "Fireworks",
    kind: "openai-compatible",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
  },
  deepinfra: {
    name: "DeepInfra",
    kind: "openai-compatible",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    keyVariable: "DEEPINFRA_API_KEY",
  },
  groq: {
    name: "Groq",
    kind: "openai-compatible",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
  },
  voyage: {
    name: "Voyage",
    kind: "openai-compatible",
    baseUrl: "https://api.voyageai.com/v1",
    keyVariable: "VOYAGE_API_KEY",
    maxBatch: 1_000,
    // https://docs.voyageai.com/reference/embeddings-api: the list's tokens, by model
    maxBatchTokens: {
      models: {
        "voyage-4-lite": 1_000_000,
        "voyage-3.5-lite": 1_000_000,
        "voyage-4": 320_000,
        "voyage-3.5": 320_000,
        "voyage-2": 320_000,
      },
      others: 120_000,
    },
  },
  jina: {
    name: "Jina",
    kind: "openai-compatible",
    baseUrl: "https://api.jina.ai/v1",
    keyVariable: "JINA_API_KEY",
    // "input length is larger than the largest allowed size 2048": refly-ai/refly#831
    maxBatch: 2_048,
  },
  nebius: {
    name: "Nebius",
    kind: "openai-compatible",
    baseUrl: "https://api.studio.nebius.com/v1",
    keyVariable: "NEBIUS_API_KEY",
  },
  openrouter: {
    name: "OpenRouter",
    kind: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
  },
  deepseek: {
    name: "DeepSeek",
    kind: "openai-compatible",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
  },
  xai: { name: "xAI", kind: "openai-compatible", baseUrl: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY" },
  // speech alone
  elevenlabs: {
    name: "ElevenLabs",
    kind: "openai-compatible",
    baseUrl: "https://api.elevenlabs.io/v1",
    keyVariable: "ELEVENLABS_API_KEY",
  },
  ollama: {
    name: "Ollama",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:11434/v1",
    keyVariable: null,
    selfHosted: true,
  },
  vllm: {
    name: "vLLM",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    keyVariable: null,
    selfHosted: true,
  },
  tei: {
    name: "Text Embeddings Inference",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:8080/v1",
    keyVariable: null,
    selfHosted: true,
  },
  "lm-studio": {
    name: "LM Studio",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyVariable: null,
    selfHosted: true,
  },
  "llama-cpp": {
    name: "llama.cpp",
    kind: "openai-compatible",
    baseUrl: "http://127.0.0.1:8080/v1",
    keyVariable: null,
    selfHosted: true,
  },
  cohere: {
    name: "Cohere",
    kind: "cohere",
    baseUrl: "https://api.cohere.com/v2",
    keyVariable: "COHERE_API_KEY",
    maxBatch: 96,
  },
  gemini: {
    name: "Google Gemini",
    kind: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    maxBatch: 100,
  },
  anthropic: {
    name: "Anthropic",
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
  },
  gatehouse: { name: "Gatehouse", kind: "builtin", baseUrl: null, keyVariable: null },
};

/** The most tokens that a vendor takes in one embeddings request; null: it states none. */
export function maxBatchTokensOf(preset: ProviderPreset, model: string): number | null {
  const most = presets[preset].maxBatchTokens ?? null;
  return most === null || typeof most === "number" ? most : (most.models[model] ?? most.others);
}
