import type { ModelType } from "#contract/model-type.ts";

/** What the console calls each type of model, in the order in which it offers them. */
export const modelTypeNames: Readonly<Record<ModelType, string>> = {
  embedding: "Embedding",
  rerank: "Rerank",
  chat: "Chat",
  speech: "Speech",
  transcription: "Transcription",
  image: "Image",
  video: "Video",
};

export const modelTypes = Object.entries(modelTypeNames) as [ModelType, string][];
