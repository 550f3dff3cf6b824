import type { ProviderPreferences } from "#contract/routing.ts";
import { keepsNothingOf } from "../domain/guardrails/effective.ts";
import type { CallPolicy } from "../domain/keys/call-policy.ts";
import { invalid } from "../domain/refusal.ts";
import type { ChatRequest } from "./chat/request.ts";

/** The preferences of a call of these models, with zero data retention where a guardrail enforces it for one of them. */
export function withZdr(
  preferences: ProviderPreferences,
  { guardrails }: CallPolicy,
  models: readonly string[],
): ProviderPreferences {
  return keepsNothingOf(guardrails, models) ? { ...preferences, zdr: true } : preferences;
}

/** @throws Refusal invalid_request where a provider should keep the conversation, and something says that it does not */
export function refuseKeeping({ models, preferences, body, passed }: ChatRequest, { guardrails }: CallPolicy): void {
  if ((passed?.json ?? body)["store"] !== true || passed?.keeping === null) return;
  if (keepsNothingOf(guardrails, models)) {
    throw invalid("store", "cannot be true where a guardrail enforces zero data retention: leave it out");
  }
  if (preferences.zdr !== true && preferences.data_collection !== "deny") return;
  const member = preferences.zdr === true ? "zdr" : "data_collection";
  throw invalid("store", `cannot be true where provider.${member} asks that nothing is kept: leave out one of them`);
}
