/** The operations that the relay answers, byte for byte, instead of a handler. */
export type ModelCallName =
  | "createEmbeddings"
  | "createChatCompletion"
  | "createCompletion"
  | "createMessage"
  | "countMessageTokens"
  | "createResponse"
  | "createRerank"
  | "createSpeech"
  | "createTranscription"
  | "createImage"
  | "createImageByOpenAiPath"
  | "createVideo";

/** The operations whose bodies or answers are not held whole. */
export type BatchRouteName = "createBatch" | "createMessageBatch" | "getBatch" | "getMessageBatchResults";

/** The operations whose bodies are bytes, which are not held whole. */
export type FileRouteName = "uploadFile" | "downloadFileContent";
