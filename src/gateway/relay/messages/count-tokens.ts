import { CountBody } from "#contract/messages.ts";
import { invalidMembers } from "../../domain/refusal.ts";
import { takeTurns } from "../../turns.ts";
import { promptOf } from "../chat/prompt.ts";
import type { RelayDeps } from "../deps.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { readMessagesBody } from "./request.ts";
import { toChat } from "./to-chat.ts";

/** The most that Anthropic counts for an image that it does not make smaller: https://docs.anthropic.com/en/docs/build-with-claude/vision */
const tokensPerImage = 1_568;

/** The gateway's own count of a request's prompt. No provider is asked: which one would serve the call is not decided. */
export async function countMessageTokens({ domain }: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  // Refuses a key that cannot be used, as a call would.
  await domain.accounts.of(domain, call.credential);
  const turn = takeTurns(call.credential.hash);
  const json = await readMessagesBody(call.body, turn);
  const checked = CountBody.safeParse(json);
  if (!checked.success) throw invalidMembers(checked.error.issues);
  const { messages, body } = await toChat(json, turn);
  const { tokens, images } = await promptOf({ messages, body }, turn, { signal: call.signal });
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-token-count": "estimate" },
    body: JSON.stringify({ input_tokens: tokens + images * tokensPerImage }),
  };
}
