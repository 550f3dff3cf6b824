import { isConversation } from "#contract/api-type.ts";
import type { CallRecord } from "#contract/calls.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { formatCount, formatLatency, formatUsd } from "../../format.ts";

export type ArrivedCall = Pick<
  CallRecord,
  | "model"
  | "key_hash"
  | "key_name"
  | "api_type"
  | "status"
  | "prompt_tokens"
  | "completion_tokens"
  | "cost"
  | "byok_cost"
  | "priced"
  | "duration_ms"
  | "created_at"
>;

/** How the call went, in one sentence. */
export function arrivalWords({ model, status, duration_ms }: ArrivedCall): string {
  return status < 400
    ? `${model} answered it in ${formatLatency(duration_ms)}. The key works where you put it.`
    : `The key works, and the call failed with HTTP ${status}. Its page says why.`;
}

export function tokenWords({ api_type, prompt_tokens, completion_tokens }: ArrivedCall): string {
  const sent = `${formatCount(prompt_tokens)} in`;
  return isConversation(api_type) ? `${sent}, ${formatCount(completion_tokens)} out` : sent;
}

export function costWords({ cost, byok_cost, priced }: ArrivedCall): string {
  const total = cost + byok_cost;
  if (total > 0) return formatUsd(total, { exact: true });
  return priced ? "free" : "no price";
}

/** Whether the key that made the call has a limit, as a step. Undefined: it is not read yet, or it was deleted. */
export function limitStep(key: Pick<KeyRecord, "name" | "limit" | "limit_watch_only"> | undefined): {
  done: boolean;
  detail: string;
} {
  if (key === undefined) return { done: false, detail: "Without one it can spend any amount." };
  if (key.limit === null) return { done: false, detail: `${key.name} can spend any amount.` };
  const limit = formatUsd(key.limit);
  return {
    done: true,
    detail: key.limit_watch_only ? `${key.name} is watched from ${limit}.` : `${key.name} can spend ${limit}.`,
  };
}
