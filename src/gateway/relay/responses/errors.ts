import { type ErrorType, publicErrorType } from "#contract/errors.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { JsonObject } from "../../providers/answer.ts";

/** Their names for what else is a `server_error`. */
const codes: Partial<Record<ErrorType, string>> = {
  rate_limit_exceeded: "rate_limit_exceeded",
  context_length_exceeded: "invalid_prompt",
  invalid_request: "invalid_prompt",
  content_policy_violation: "image_content_policy_violation",
};

/** What a chat provider says in place of a reason to finish. */
export const brokenOff = new Refusal("provider_unavailable", "The provider ended its answer with an error");

/** The members of an answer that failed after its beginning. */
export function failedWith(thrown: unknown): JsonObject {
  const { type, message } = thrown instanceof Refusal ? thrown : new Refusal("server", "Internal error");
  return {
    status: "failed",
    error: { code: codes[type] ?? "server_error", message },
    error_type: publicErrorType(type),
  };
}
