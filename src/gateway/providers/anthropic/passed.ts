import type { PassedDialect, Upstream } from "../provider.ts";
import { headers as compatibleHeaders } from "../compatible/request.ts";
import { chat, headers } from "./chat.ts";
import { MessagesRedactor } from "./redact-messages.ts";

const accepted = (stream: boolean) => (stream ? "text/event-stream" : "application/json");

/** What Anthropic's clients read of an answer's headers: its id, and the state of the limits. */
const answerHeaders = /^(request-id|anthropic-[a-z0-9-]+)$/;

/** Events that hold nothing of what the model writes. */
const silent = new Set<unknown>(["ping", "content_block_stop", "message_start", "message_delta", "message_stop"]);

const shared = {
  readAnswer: chat.readAnswer,
  readUsage: chat.readUsage,
  reader: chat.reader,
  answerHeaders,
  keeps: () => null,
  modelHolder: ({ type }) => (type === "message_start" ? "message" : null),
  isSilent: ({ type }) => silent.has(type),
  redactor: (upstream) => new MessagesRedactor(upstream),
} satisfies Partial<PassedDialect>;

/** Anthropic's own messages, spoken by callers: https://docs.anthropic.com/en/api/messages */
export const messages: PassedDialect = {
  ...shared,
  isOnly: true,
  checksSignatures: true,
  address: (upstream, stream) => ({
    url: `${upstream.baseUrl}/messages`,
    headers: headers(upstream, accepted(stream)),
  }),
};

/** The same dialect at vendors of OpenAI's, beside it: each row of presets.ts that has one says where. */
export const messagesElsewhere: PassedDialect = {
  ...shared,
  isOnly: false,
  address(upstream, stream) {
    const url = addressOf(upstream);
    if (url === null) return null;
    return { url, headers: { ...compatibleHeaders(upstream, accepted(stream)), "anthropic-version": "2023-06-01" } };
  },
};

function addressOf({ baseUrl, options: { messages } }: Upstream): string | null {
  // Another address than the vendor's own, such as that of a proxy, may lack it.
  return messages !== undefined && messages.in.test(baseUrl) ? baseUrl.replace(messages.in, messages.path) : null;
}
