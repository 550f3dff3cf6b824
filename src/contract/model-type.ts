import * as z from "zod/mini";

/** What a model does. */
export const ModelType = z.enum(["embedding", "rerank", "chat", "speech", "transcription", "image"]);
export type ModelType = z.infer<typeof ModelType>;
