import * as z from "zod/mini";

/** What a model does. */
export const ModelType = z.enum(["embedding", "rerank", "chat", "speech", "transcription", "image", "video"]);
export type ModelType = z.infer<typeof ModelType>;
