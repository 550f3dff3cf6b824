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

/** @throws Refusal invalid_request where a provider should keep the answer, and a guardrail enforces that it does not */
export function refuseKeeping({ models, passed }: ChatRequest, { guardrails }: CallPolicy): void {
  if (passed?.json["store"] !== true || passed.keeping === null || !keepsNothingOf(guardrails, models)) return;
  throw invalid("store", "cannot be true where a guardrail enforces zero data retention: leave it out");
}
