import { headers, operationUrl } from "../compatible/request.ts";
import { isObject, objectOf } from "../answer.ts";
import type { PassedDialect } from "../provider.ts";
import { readAnswer } from "./answer.ts";
import { ResponsesRedactor } from "./redact-responses.ts";
import { createReader } from "./stream.ts";
import { readUsage } from "./usage.ts";

/** Events that hold nothing of what the model writes, or repeat what was heard in pieces. */
const silent =
  /^response\.(?:created|queued|in_progress|completed|incomplete|failed|content_part\.(?:added|done)|reasoning_summary_part\.(?:added|done)|(?:output_text|refusal|reasoning_text|reasoning_summary_text|function_call_arguments|custom_tool_call_input)\.done)$/;
const heardItems = new Set<unknown>(["message", "reasoning", "function_call", "custom_tool_call"]);

/** OpenAI's responses at vendors of its chat: https://platform.openai.com/docs/api-reference/responses */
export const responses: PassedDialect = {
  readAnswer,
  readUsage(body) {
    const { usage, service_tier: tier } = objectOf(body);
    return readUsage(usage, tier);
  },
  reader: () => createReader(),
  isOnly: false,
  keeps: ({ options }) => options.responses?.keeps ?? null,
  encrypts: ({ options }) => options.responses?.encrypts,
  answerHeaders: /^openai-(?:processing-ms|version)$/,
  address(upstream, stream) {
    const { responses: known, deploymentPaths } = upstream.options;
    if (known === undefined || deploymentPaths === true) return null;
    const accepted = stream ? "text/event-stream" : "application/json";
    return { url: operationUrl(upstream, "responses"), headers: headers(upstream, accepted) };
  },
  modelHolder: ({ response }) => (isObject(response) ? "response" : null),
  isSilent({ type, item }) {
    if (typeof type !== "string") return false;
    if (/^response\.output_item\.(?:added|done)$/.test(type)) return isObject(item) && heardItems.has(item["type"]);
    return silent.test(type);
  },
  redactor: (upstream) => new ResponsesRedactor(upstream),
};
