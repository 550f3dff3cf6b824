import { describe, expect, it } from "vitest";
import { readOpenAiUsage } from "./answer.ts";
import { chat } from "./compatible/chat.ts";
import { errorIn, failureWithin, readFailure, reasonOf, statusIn } from "./failure.ts";

describe("a vendor's words", () => {
  it.each([
    // as of November 2026; by vendor
    [400, "", "prompt is too long: 213462 tokens > 200000 maximum"],
    [400, "", "input length and `max_tokens` exceed context limit: 196000 + 8192 > 200000"],
    [413, "request_too_large", "Request exceeds the context window"],
    [400, "context_length_exceeded", "Your input exceeds the context window of this model."],
    [400, "", "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens."],
    [
      400,
      "INVALID_ARGUMENT",
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    ],
    [400, "", "Prompt contains 40961 tokens and 0 draft tokens, too large for model with 32768 maximum context length"],
    [400, "", "too many tokens: total number of tokens in the prompt cannot exceed 4081"],
    [400, "", "Please reduce the length of the messages or completion."],
    [400, "", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [400, "", "Input is too long for requested model."],
    [400, "", "Invalid request: Your request exceeded model token limit: 131072"],
    [400, "", "invalid params, context window exceeds limit"],
    [422, "", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097"],
    [400, "", "The prompt is too long: 138312, model maximum context length: 131071"],
    [400, "", "Current length is 9006 while limit is 8192"],
    [400, "exceed_context_size_error", "the request exceeds the available context size, try increasing it"],
    [400, "", "input length exceeds the context length"],
    [413, "", "`inputs` must have less than 512 tokens. Given: 1024"],
    [400, "", "Range of input length should be [1, 30720]"],
    [400, "1261", "Prompt 超长"],
    [400, "", "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
    [400, "InvalidParameter", "Total tokens of image and text exceed max message tokens."],
    [
      400,
      "string_above_max_length",
      "Invalid 'input': string too long. Expected a string with maximum length 10485760",
    ],
    [400, "", "The max allowed tokens per submitted batch is 120000. Your batch has 130000 tokens after truncation."],
    [400, "", "expected maxLength: 20000, actual: 20500, please reformat your input and try again."],
    [400, "", "The sequence length 9000 exceeds the max sequence length 8192"],
    [413, "tokens_limit_reached", "Request body too large for gpt-4o model. Max size: 8000 tokens."],
    [500, "server_error", "input is too large to process. increase the physical batch size"],
    [500, "", "the input length exceeds the context length"],
  ])("mean that a request is too long: %i %s %s", (status, code, message) => {
    expect(reasonOf(status, code, message)).toBe("context_length");
  });

  it.each([
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
    ],
    [
      400,
      "invalid_request_error",
      "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
    ],
    [402, "", "Insufficient Balance"],
    [400, "billing_hard_limit_reached", "Billing hard limit has been reached"],
    [429, "insufficient_quota", "You exceeded your current quota"],
    [429, "credit_balance_exhausted", "No credits"],
    [403, "", "Your team has either used all available credits or reached its monthly spending limit."],
    [412, "", "Account acme is suspended, possibly due to reaching the monthly spending limit exceeded"],
    [403, "PERMISSION_DENIED", "This API method requires billing to be enabled."],
    [429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."],
    [429, "exceeded_current_quota_error", "Your account is not active"],
    [400, "Arrearage", "Access denied, please make sure your account is in good standing."],
    [403, "", "Your newly created team doesn't have any credits or licenses yet."],
    [429, "1113", "余额不足或无可用资源包,请充值。"],
    [403, "AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted."],
    [403, "AccountOverdueError", "The request failed because your account has an overdue balance."],
    [403, "credit_limit", "Credit limit exceeded, please navigate to billing"],
    [401, "quota_exceeded", "This request exceeds your quota of 10000. You have 10 credits remaining"],
    [400, "FAILED_PRECONDITION", "Gemini API free tier is not available in your country. Please enable billing"],
    [403, "", "User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing."],
    [400, "", "You have run out of credits"],
  ])("mean that a provider's account is not paid: %i %s %s", (status, code, message) => {
    expect(reasonOf(status, code, message)).toBe("payment");
  });

  it.each([
    [400, "invalid_request_error", "This organization has been disabled.", "credentials"],
    [400, "organization_restricted", "Organization has been restricted.", "credentials"],
    [400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", "credentials"],
    [400, "", "Incorrect API key provided: xai-…", "credentials"],
    [412, "", "Account acme is suspended", "credentials"],
    [400, "model_decommissioned", "The model has been decommissioned", "not_found"],
    [400, "", "The model `gpt-6-nano` does not exist or you do not have access to it.", "not_found"],
    [400, "invalid_model", "Invalid model: mistral-huge", "not_found"],
    [400, "INVALID_ARGUMENT API_KEY_INVALID", "API Key not found. Please pass a valid API key.", "credentials"],
    [400, "InvalidApiKey", "Invalid API-key provided.", "credentials"],
    [400, "", "The security token included in the request is expired", "credentials"],
    [400, "unsupported_value", "Your organization must be verified to stream this model.", "credentials"],
    [400, "invalid_request_error", "Model Not Exist", "not_found"],
    [400, "", "The provided model identifier is invalid.", "not_found"],
    [400, "", "Invocation of model ID x with on-demand throughput isn’t supported.", "not_found"],
    [400, "", "foo is not a valid model ID", "not_found"],
    [400, "1211", "模型不存在,请检查模型代码。", "not_found"],
    [410, "", "The model 'x' has reached its end of life on 2026-01-01", "not_found"],
    [400, "", "This model version has reached the end of its life.", "not_found"],
    [400, "InvalidEndpointOrModel.NotFound", "The model or endpoint foo does not exist", "not_found"],
    [400, "ModelNotOpen", "Your account has not activated the model doubao.", "not_found"],
    [400, "invalid_request_error", "This is not a chat model and thus not supported in chat/completions", "not_found"],
    [400, "unsupported_api_for_model", "The model is not accessible via the chat endpoint.", "not_found"],
    [424, "", "The model returned an error while it processed the request", "server"],
    [429, "engine_overloaded_error", "The engine is currently overloaded, please try again later", "overloaded"],
    [413, "rate_limit_exceeded", "Request too large for model on tokens per minute (TPM): Limit 6000", "rate_limited"],
  ])("mean a provider's own trouble: %i %s %s", (status, code, message, reason) => {
    expect(reasonOf(status, code, message)).toBe(reason);
  });

  it.each([
    [400, "data_inspection_failed", "Input text data may contain inappropriate content."],
    [400, "invalid_request_error", "Content Exists Risk"],
    [400, "invalid_request_error", "Output blocked by content filtering policy"],
    [400, "invalid_prompt", "Your prompt was flagged as potentially violating our usage policy."],
    [400, "moderation_blocked", "Your request was rejected by the safety system."],
    [400, "InputTextSensitiveContentDetected", "The input text may contain sensitive information."],
    [403, "", "Content violates usage guidelines."],
    [403, "", "Your chosen model requires moderation and your input was flagged for _."],
  ])("mean that content is unsafe: %i %s %s", (status, code, message) => {
    expect(reasonOf(status, code, message)).toBe("content_policy");
  });

  it.each([
    [400, "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-7"],
    [400, "max_tokens is too large: 200000. This model supports at most 16384 completion tokens"],
    [400, "The maximum tokens you requested exceeds the model limit of 8192. Try again with a lower value."],
    [400, "too many tokens: max tokens must be less than or equal to 4096, the maximum output length for this model"],
    [400, "logprobs: the maximum number of top tokens is 20"],
    [400, "Function name exceeds the maximum length of 64"],
    [400, "Invalid 'user': string too long. Expected a string with maximum length 64, but got 70"],
    [400, "This model does not support image input"],
    [400, "Unsupported parameter: 'temperature' is not supported with this model."],
    [400, "Invalid value: 'insufficient balance'. Supported values are: 'low', 'high'."],
    [422, '[{"loc":["body","x"],"msg":"extra fields","input":"The model foo does not exist"}]'],
    [400, 'Invalid value: "your account is suspended"'],
  ])("blame the request, be they the caller's that it quotes: %i %s", (status, message) => {
    expect(reasonOf(status, "invalid_request_error", message)).toBe("invalid_request");
  });

  const upstream = { baseUrl: "http://127.0.0.1", apiKey: null, options: {} } as never;
  const date = "Sat, 28 Nov 2026 10:00:00 GMT";

  it.each<[number | null, Record<string, string>, object?]>([
    [7, { "retry-after": "7" }],
    [30, { "retry-after": "30s" }],
    [30, { date, "retry-after": "Sat, 28 Nov 2026 10:00:30 GMT" }],
    [30, { date, "retry-after": "2026-11-28T10:00:30Z" }],
    [null, { date, "retry-after": "Sat, 28 Nov 2026 09:00:00 GMT" }],
    [null, { "retry-after": "Sat, 28 Nov 2026 10:00:30 GMT" }],
    [63, {}, { error: { message: "Rate limit reached. Please try again in 1m2.5s. Visit the page" } }],
    [1, {}, { error: { message: "Limit 1, Used 1. Please try again in 6ms." } }],
    [7, {}, { error: { message: "Please retry after 7 seconds." } }],
    [34, {}, { error: { message: "Quota", details: [{ reason: "RATE" }, { retryDelay: "33.4s" }] } }],
    [7, {}, { error: { message: "Slow down", retry_after: 7 } }],
    [null, {}, { error: { message: "Please try again in 5 tries" } }],
  ])("say to come back in %s seconds: %j %j", (seconds, headers, body = {}) => {
    const answer = { status: 429, headers, body: JSON.stringify(body) };
    expect(readFailure(upstream, answer).retryAfterSeconds).toBe(seconds);
  });

  it.each([
    [{ error: "model overloaded" }, 500, "model overloaded"],
    [{ object: "error", message: "too long", code: 400 }, 400, "too long"],
    [{ code: "InvalidParameter", message: "no such member", request_id: "r" }, 500, "no such member"],
    [{ base_resp: { status_code: 1008, status_msg: "insufficient balance" } }, 402, "insufficient balance"],
    [{ detail: { status: "quota_exceeded", message: "no quota" } }, 500, "no quota"],
    [{ success: false, errors: [{ code: 429, message: "slow" }] }, 429, "slow"],
    [{ error: { type: "rate_limit_error", message: "slow", http_code: "429" } }, 429, "slow"],
    [{ error: { status: "UNAVAILABLE", message: "busy" } }, 503, "busy"],
    [{ base_resp: { status_code: 0, status_msg: "" }, choices: [] }, null, null],
  ])("are found in an answer of 200: %j", (answer, status, message) => {
    const error = errorIn(answer);
    expect(error && statusIn(error)).toBe(status);
    expect(error && failureWithin(error).message).toBe(message);
  });

  it.each([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 800 } }],
    ["DeepSeek", { prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 }],
    ["Moonshot, Together", { cached_tokens: 800 }],
    ["Mistral", { num_cached_tokens: 800 }],
    ["OpenAI's responses form", { input_tokens_details: { cached_tokens: 800 } }],
    ["Anthropic's form", { cache_read_input_tokens: 800 }],
  ])("for cached tokens are read: %s", (_, more) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010, ...more };
    expect(readOpenAiUsage(usage)).toMatchObject({ promptTokens: 1_000, cachedTokens: 800 });
  });
});

it.each<[string, unknown, string]>([
  ["OpenRouter's, whose code is its status", { message: "No", code: 429 }, "rate_limited"],
  [
    "Groq's",
    { message: "No", type: "invalid_request_error", code: "tool_use_failed", status_code: 400 },
    "invalid_request",
  ],
  ["one with a status", { message: "No", status: 503 }, "overloaded"],
  ["one without", { message: "No", type: "server_error" }, "server"],
  ["a text", "No", "server"],
])("an error in mid-stream has its own status: %s", (_, error, reason) => {
  const events = chat.reader().read({ event: "", data: JSON.stringify({ error }) });
  expect(events).toMatchObject([{ type: "error", failure: { reason, message: "No" } }]);
});

describe("a share of a plan that comes back by itself", () => {
  it.each([
    ["1308", "Usage limit reached for 5 hour. Your limit will reset at 2026-11-29 03:00:00"],
    ["", "Usage limit reached for 5 hour. Your limit will reset at 2026-11-29 03:00:00"],
    ["1302", "High concurrency usage of this API, please reduce concurrency or contact customer service"],
  ])("is a rate: %s %s", (code, said) => {
    expect(reasonOf(429, code, said)).toBe("rate_limited");
  });
});
