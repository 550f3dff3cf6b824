import { publicErrorType } from "#contract/errors.ts";
import { type MessagesErrorEnvelope, messagesErrorType } from "#contract/messages.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { FormedCall } from "../caller-form.ts";

/** The data of a stream's error event. */
export function streamError({ context }: FormedCall, thrown: unknown): MessagesErrorEnvelope {
  const { type, message } = thrown instanceof Refusal ? thrown : new Refusal("server", "Internal error");
  return {
    type: "error",
    error: { type: messagesErrorType(type), message, error_type: publicErrorType(type) },
    request_id: context.id,
  };
}
