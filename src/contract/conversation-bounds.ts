/** Per call; long agent conversations have a few hundred. */
export const mostMessages = 4_096;
/** Over all messages together. */
export const mostParts = 8_192;
/** Characters in the arguments of all tool calls: JSON in a string, which some dialects parse. */
export const mostArguments = 1_048_576;

/**
 * Counts the parts of a conversation. Cheap enough to run before a schema goes through all of it.
 * @returns what there is too much of, and where; null: nothing exceeds its bound
 */
export function conversationExcess(messages: unknown): { path: (string | number)[]; message: string } | null {
  if (!Array.isArray(messages)) return null;
  if (messages.length > mostMessages) return { path: [], message: `must have at most ${mostMessages} elements` };
  let parts = 0;
  let characters = 0;
  for (const [index, message] of messages.entries()) {
    const { content, tool_calls: calls, function_call: call } = membersOf(message);
    if (Array.isArray(content)) parts += content.length;
    if (parts > mostParts) {
      return { path: [index, "content"], message: `is too long: a call takes at most ${mostParts} parts` };
    }
    if (Array.isArray(calls)) for (const each of calls) characters += argumentsIn(membersOf(each)["function"]);
    characters += argumentsIn(call);
    if (characters > mostArguments) {
      const member = Array.isArray(calls) ? "tool_calls" : "function_call";
      return { path: [index, member], message: `have more than ${mostArguments} characters of arguments` };
    }
  }
  return null;
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function argumentsIn(called: unknown): number {
  const given = membersOf(called)["arguments"];
  return typeof given === "string" ? given.length : 0;
}
