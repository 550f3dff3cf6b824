/** The operations that model calls are made by. Chat in the public API's form is `completions`. */
export const apiTypes = ["embeddings", "rerank", "completions", "messages", "responses"] as const;
export type ApiType = (typeof apiTypes)[number];
/** The operations that continue a conversation, each in a form of its own. */
export type ConversationApi = Exclude<ApiType, "embeddings" | "rerank">;

export const isConversation = (api: ApiType): api is ConversationApi => api !== "embeddings" && api !== "rerank";
