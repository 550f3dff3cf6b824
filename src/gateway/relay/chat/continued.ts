import { keeperOf, type Keeper } from "../../domain/calls/kept-answers.ts";
import { invalid } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelCall } from "../model-call.ts";
import type { ChatRequest } from "./request.ts";

/**
 * Who keeps the answer that a request continues; null: it continues none.
 * @throws Refusal invalid_request unless this key was given that answer: a provider tells none of the gateway's keys apart
 */
export async function readKeeper(
  { domain }: RelayDeps,
  { credential: { spendId } }: ModelCall,
  { passed }: Pick<ChatRequest, "passed">,
): Promise<Keeper | null> {
  const answerId = passed?.continues ?? null;
  if (answerId === null) return null;
  const keeper = await keeperOf(domain, { answerId, spendId });
  if (keeper === null) throw unknownAnswer("is no answer that this key was given here and that a provider keeps");
  return keeper;
}

const instead = "send the whole conversation in input, or ask for the answer to be kept with store: true";
const unknownAnswer = (what: string) => invalid("previous_response_id", `${what}: ${instead}`);

/** Why a candidate cannot continue the answer; null: it can. */
export function cannotContinue(keeper: Keeper | null, { provider, byok }: Candidate): string | null {
  if (keeper === null) return null;
  const isKeeper = keeper.provider === provider.slug && keeper.byok === (byok !== null);
  return isKeeper ? null : "it does not keep the answer in previous_response_id";
}

/** No candidate keeps it: the model is another provider's, or the provider is gone. */
export const noKeeper = ({ provider }: Keeper, models: readonly string[]) =>
  unknownAnswer(`is kept by ${provider}, which cannot be asked for ${models.join(", ")}`);
