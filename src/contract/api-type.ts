/** The operations that model calls are made by. Chat in the public API's form is `completions`. */
export const apiTypes = [
  "embeddings",
  "rerank",
  "completions",
  "messages",
  "responses",
  "speech",
  "transcriptions",
  "images",
  "videos",
] as const;
export type ApiType = (typeof apiTypes)[number];
/** The operations that continue a conversation, each in a form of its own. */
const conversations = ["completions", "messages", "responses"] as const satisfies readonly ApiType[];
export type ConversationApi = (typeof conversations)[number];

export const isConversation = (api: ApiType): api is ConversationApi => conversations.some((one) => one === api);

/** What a call is billed by besides tokens and requests: a character that is spoken, a second that is heard or filmed, an image that is made. */
export const mediaUnits = ["character", "second", "image"] as const;
export type MediaUnit = (typeof mediaUnits)[number];
