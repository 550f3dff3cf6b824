import { describe, expect, it } from "vitest";
import { readOpenAiUsage } from "./answer.ts";
import { chat } from "./compatible/chat.ts";
import { readFailure, reasonOf } from "./failure.ts";

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
    [413, "rate_limit_exceeded", "Request too large for model on tokens per minute (TPM): Limit 6000", "rate_limited"],
  ])("mean a provider's own trouble: %i %s %s", (status, code, message, reason) => {
    expect(reasonOf(status, code, message)).toBe(reason);
  });

  it.each([
    [400, "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-7"],
    [400, "max_tokens is too large: 200000. This model supports at most 16384 completion tokens"],
    [400, "Unsupported parameter: 'temperature' is not supported with this model."],
    [400, "Invalid value: 'insufficient balance'. Supported values are: 'low', 'high'."],
    [422, '[{"loc":["body","x"],"msg":"extra fields","input":"The model foo does not exist"}]'],
    [400, 'Invalid value: "your account is suspended"'],
  ])("blame the request, be they the caller's that it quotes: %i %s", (status, message) => {
    expect(reasonOf(status, "invalid_request_error", message)).toBe("invalid_request");
  });

  it("say when to come back as a date, by their own clock", () => {
    const upstream = { baseUrl: "http://127.0.0.1", apiKey: null, options: {} } as never;
    const after = (headers: Record<string, string>) =>
      readFailure(upstream, { status: 429, headers, body: "{}" }).retryAfterSeconds;
    const date = "Sat, 28 Nov 2026 10:00:00 GMT";
    expect(after({ date, "retry-after": "Sat, 28 Nov 2026 10:00:30 GMT" })).toBe(30);
    expect(after({ date, "retry-after": "Sat, 28 Nov 2026 09:00:00 GMT" })).toBeNull();
    expect(after({ "retry-after": "Sat, 28 Nov 2026 10:00:30 GMT" })).toBeNull();
    expect(after({ "retry-after": "7" })).toBe(7);
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
