import type { ProviderPreset } from "#contract/providers.ts";
import type { UpstreamOptions } from "./provider.ts";

const both = ["float", "base64"] as const;

const words = (list: string) => list.trim().split(/\s+/);

/** https://platform.openai.com/docs/api-reference/chat/create */
const openaiChat = words(`
  model messages stream stream_options store metadata user safety_identifier service_tier temperature top_p
  n stop seed frequency_penalty presence_penalty logit_bias logprobs top_logprobs response_format tools
  tool_choice parallel_tool_calls modalities audio prediction verbosity
  web_search_options reasoning_effort prompt_cache_key prompt_cache_retention prompt_cache_options
`);

/** https://docs.mistral.ai/api/endpoint/chat */
const mistralChat = words(`
  model messages stream metadata temperature top_p n stop random_seed frequency_penalty presence_penalty
  response_format tools tool_choice parallel_tool_calls prediction prompt_mode safe_prompt reasoning_effort
  prompt_cache_key guardrails
`);

/** https://console.groq.com/docs/api-reference#chat-create */
const groqChat = words(`
  model messages stream stream_options store metadata user service_tier temperature top_p n stop seed
  frequency_penalty presence_penalty response_format tools tool_choice parallel_tool_calls
  reasoning_effort reasoning_format documents search_settings compound_custom
  citation_options disable_tool_validation
`);

/** OpenAI answers 400 to members it does not know; newer models only take max_completion_tokens, older ones both. */
const openai: UpstreamOptions = {
  encodingFormats: both,
  inputType: null,
  blocks: null,
  chatMembers: openaiChat,
  maxTokensMember: "max_completion_tokens",
  // "string too long. Expected a string with maximum length 40"
  callIds: /^[^]{1,40}$/,
  rerank: null,
  // https://platform.openai.com/docs/api-reference/images: gpt-image-1 and later answer with base64 alone
  images: { base64Only: true, streams: true },
  // https://platform.openai.com/docs/api-reference/responses, and Azure's of the same name
  responses: { keeps: "items", encrypts: /(?:^|[-_.:/])(?:o\d|gpt-(?:[5-9](?!\d)|[12]\d)(?!.*chat)|codex)/ },
  files: true,
};

/** Servers that have OpenAI's responses, and keep no answers. */
const responses: UpstreamOptions["responses"] = { keeps: null };

/** Servers that have Anthropic's messages under the same base URL. */
const messages: UpstreamOptions["messages"] = { in: /\/v1$/, path: "/v1/messages" };

/**
 * How known vendors depart from their kind's plain dialect; each row cites the vendor's own reference.
 * A vendor that needs no options has no row.
 */
const presets: Readonly<Partial<Record<ProviderPreset, UpstreamOptions>>> = {
  // https://platform.openai.com/docs/api-reference/embeddings/create and /chat/create
  openai: { ...openai },
  // https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle: the key goes in api-key
  "azure-openai": {
    ...openai,
    chatMembers: [...openaiChat, "data_sources"],
    keyHeader: { name: "api-key", prefix: "" },
  },
  // https://docs.mistral.ai/api: output_dimension, max_tokens, random_seed; members it does not know answer 422
  mistral: {
    callIds: /^[A-Za-z0-9]{9}$/,
    dimensionsMember: "output_dimension",
    inputType: null,
    blocks: null,
    omit: ["user"],
    rename: { seed: "random_seed" },
    chatMembers: mistralChat,
    streamUsage: false,
    rerank: null,
    speech: { dialect: "mistral", formats: ["mp3", "pcm", "wav", "opus", "flac"] },
    // https://docs.mistral.ai/capabilities/audio/speech_to_text
    transcription: { dialect: "mistral" },
    images: null,
    videos: null,
  },
  // https://docs.together.ai/reference/embeddings: model and input alone
  // and https://docs.together.ai/reference/post-images-generations
  together: {
    encodingMember: null,
    dimensionsMember: null,
    inputType: null,
    blocks: null,
    omit: ["user"],
    images: { dialect: "together" },
    // Its videos have a dialect of their own, as those of the next two.
    videos: null,
  },
  // https://docs.fireworks.ai/api-reference/create-embeddings: no encoding_format
  // Its images are made by workflows of their own.
  fireworks: { encodingMember: null, inputType: null, blocks: null, images: null, videos: null },
  // https://deepinfra.com/docs/openai_api: encoding_format takes float alone
  deepinfra: { inputType: null, blocks: null, videos: null },
  // Members that Groq does not know, or does not support yet (logprobs, logit_bias), answer 400.
  // https://console.groq.com/docs/responses-api: it keeps nothing
  // and https://console.groq.com/docs/text-to-speech: wav alone
  groq: {
    chatMembers: groqChat,
    maxTokensMember: "max_completion_tokens",
    rerank: null,
    responses,
    speech: { formats: ["wav"] },
    transcription: { usageInVerbose: true },
    images: null,
    videos: null,
  },
  // https://docs.voyageai.com/reference/embeddings-api: output_dimension; encoding_format is base64 or absent
  voyage: {
    encodingFormats: both,
    floatUnnamed: true,
    dimensionsMember: "output_dimension",
    inputType: {
      member: "input_type",
      words: { search_query: "query", search_document: "document", passage: "document" },
    },
    blocks: "voyage",
    // Voyage cuts by default.
    truncationMember: "truncation",
    omit: ["user"],
    // https://docs.voyageai.com/reference/reranker-api
    rerank: { topMember: "top_k" },
    speech: null,
    transcription: null,
    images: null,
    videos: null,
  },
  // https://api.jina.ai/redoc: embedding_type and task; one text or one image per object
  jina: {
    encodingFormats: both,
    encodingMember: "embedding_type",
    inputType: {
      member: "task",
      words: {
        query: "retrieval.query",
        search_query: "retrieval.query",
        document: "retrieval.passage",
        passage: "retrieval.passage",
        search_document: "retrieval.passage",
      },
    },
    blocks: "jina",
    omit: ["user"],
    // jina-reranker-m0 ranks images as well
    rerank: { images: true },
    speech: null,
    transcription: null,
    images: null,
    videos: null,
  },
  nebius: { inputType: null, blocks: null, videos: null },
  openrouter: {
    encodingFormats: both,
    publicApi: true,
    rerank: { images: true },
    images: { streams: true },
    messages,
    responses,
  },
  // https://api-docs.deepseek.com/guides/anthropic_api
  deepseek: {
    messages: { in: /^(https:\/\/api\.deepseek\.com)\/v1$/, path: "$1/anthropic/v1/messages" },
    speech: null,
    transcription: null,
    images: null,
    videos: null,
  },
  // https://docs.x.ai/docs/guides/reasoning; its max_tokens leaves out what is thought
  // and https://docs.x.ai/docs/api-reference#create-new-response
  xai: {
    maxTokensMember: "max_completion_tokens",
    rerank: null,
    responses: { keeps: "items", encrypts: /^grok-(?:3-mini|(?:[4-9]|\d\d)(?!.*non-reasoning)|code)/ },
    speech: null,
    transcription: null,
    // https://docs.x.ai/developers/model-capabilities/images/generation: edits are JSON, not a form
    images: { dialect: "xai" },
    // https://docs.x.ai/developers/model-capabilities/video/generation
    videos: { dialect: "xai" },
  },
  // https://github.com/ollama/ollama/blob/main/docs/openai.md: encoding_format float is the one that every version takes
  // and /docs/anthropic-compatibility
  ollama: { inputType: null, blocks: null, rerank: null, messages, responses, videos: null },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
  // where VLLM_ENABLE_RESPONSES_API_STORE makes it keep answers
  vllm: { encodingFormats: both, messages, responses: { keeps: "answers" } },
  // https://huggingface.github.io/text-embeddings-inference: encoding_format float or base64
  tei: {
    encodingFormats: both,
    inputType: null,
    blocks: null,
    rerank: {
      atRoot: true,
      named: false,
      topMember: null,
      documentsMember: "texts",
      // Elsewhere long documents are cut without asking.
      always: { return_text: false, truncate: true },
    },
    speech: null,
    transcription: null,
    images: null,
    videos: null,
  },
  // https://elevenlabs.io/docs/api-reference/authentication
  elevenlabs: {
    keyHeader: { name: "xi-api-key", prefix: "" },
    rerank: null,
    speech: { dialect: "elevenlabs", formats: ["mp3", "pcm", "wav", "opus"] },
    transcription: { dialect: "elevenlabs" },
    images: null,
    videos: null,
  },
  // base64 is refused: lmstudio-ai/lmstudio-bug-tracker#756
  // and https://lmstudio.ai/docs/developer/openai-compat/responses
  "lm-studio": { inputType: null, blocks: null, rerank: null, messages, responses: { keeps: "answers" }, videos: null },
  // https://github.com/ggml-org/llama.cpp/tree/master/tools/server: encoding_format float or base64
  "llama-cpp": { encodingFormats: both, inputType: null, blocks: null, messages, responses, videos: null },
};

/** Azure's dated versions put the deployment into the path; without a version the address is its `/openai/v1`. */
export function presetOptions(preset: ProviderPreset, settings: { api_version?: string | undefined }): UpstreamOptions {
  const options = presets[preset] ?? {};
  if (preset !== "azure-openai" || settings.api_version === undefined) return options;
  const dated = /^\d{4}-/.test(settings.api_version);
  return { ...options, query: { "api-version": settings.api_version }, ...(dated ? { deploymentPaths: true } : {}) };
}
