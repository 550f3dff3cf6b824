/** Per call; long agent conversations have a few hundred. */
export const mostMessages = 4_096;
/** Over all messages together. */
export const mostParts = 8_192;
/** In the form of responses, where a call of a tool, its output and a thought are items next to the messages. */
export const mostItems = 8_192;
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

/**
 * Counts the blocks of messages in Anthropic's form, and those within them: a tool's result holds blocks of its own.
 * @returns what there is too much of, and where; null: nothing exceeds its bound
 */
export function partsExcess(messages: unknown): { path: (string | number)[]; message: string } | null {
  if (!Array.isArray(messages)) return null;
  if (messages.length > mostMessages) return { path: [], message: `must have at most ${mostMessages} elements` };
  let parts = 0;
  for (const [index, message] of messages.entries()) {
    const { content } = membersOf(message);
    if (!Array.isArray(content)) continue;
    parts += content.length;
    for (let at = 0; at < content.length && parts <= mostParts; at += 1) parts += blocksIn(membersOf(content[at]));
    if (parts > mostParts) {
      return { path: [index, "content"], message: `is too long: a call takes at most ${mostParts} blocks` };
    }
  }
  return null;
}

/**
 * Counts the items of an input in the form of responses, and the parts within them.
 * @returns what there is too much of, and where; null: nothing exceeds its bound
 */
export function inputExcess(input: unknown): { path: (string | number)[]; message: string } | null {
  if (!Array.isArray(input)) return null;
  if (input.length > mostItems) return { path: [], message: `must have at most ${mostItems} elements` };
  let parts = 0;
  for (const [index, item] of input.entries()) {
    const { content, output, summary } = membersOf(item);
    for (const each of [content, output, summary]) if (Array.isArray(each)) parts += each.length;
    if (parts > mostParts) return { path: [index], message: `is too long: a call takes at most ${mostParts} parts` };
  }
  return null;
}

function blocksIn({ content, source }: Record<string, unknown>): number {
  const { content: within } = membersOf(source);
  return [content, within].reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0);
}

export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function argumentsIn(called: unknown): number {
  const given = membersOf(called)["arguments"];
  return typeof given === "string" ? given.length : 0;
}
