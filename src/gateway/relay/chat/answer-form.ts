import type { ChatObject } from "../../providers/provider.ts";
import type { ChatRequest } from "./request.ts";
import { excludesReasoning, withoutReasoning } from "./excluded-reasoning.ts";
import { withFunctionCall } from "./older-functions.ts";

/** A result or chunk in the form that its caller asked for: without excluded reasoning, tools in the caller's form. */
export function asAsked(object: ChatObject, { body, inOlderForm }: ChatRequest): ChatObject {
  const shown = excludesReasoning(body) ? withoutReasoning(object) : object;
  return inOlderForm ? withFunctionCall(shown) : shown;
}
