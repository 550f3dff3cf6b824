import { isObject, objectsIn, type JsonObject } from "../../providers/answer.ts";
import type { ChatAnswer, ChatEvent } from "../../providers/provider.ts";

/** A whole answer as the events of a stream, for a caller that asked a provider for one that has none. */
export function asStream({ result, usage }: ChatAnswer): ChatEvent[] {
  const { usage: _, object: __, system_fingerprint: fingerprint, ...members } = result;
  const chunk = {
    ...members,
    ...(fingerprint == null ? {} : { system_fingerprint: fingerprint }),
    choices: result.choices.map(inPiece),
  };
  return [{ type: "chunk", chunk }, ...(usage === null ? [] : [{ type: "usage" as const, usage }]), { type: "done" }];
}

/** A choice whose one piece is its message. Pieces of calls have an index. */
function inPiece({ message, ...choice }: JsonObject): JsonObject {
  if (!isObject(message)) return { ...choice, delta: {} };
  const { tool_calls: called, ...said } = message;
  const calls = objectsIn(called).map((call, index) => ({ ...call, index }));
  return { ...choice, delta: { ...said, ...(calls.length === 0 ? {} : { tool_calls: calls }) } };
}
